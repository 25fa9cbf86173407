import { integer, list, text } from './kinds.ts'

/** Settings of the NATS servers between remote pollers and the centre; none is needed without remote pollers. */
export const NATS_SETTINGS = {
  'nats.url': list(
    [],
    'NATS servers, tls://HOST:PORT or nats://HOST:PORT; the next one is tried when one fails. A remote poller names those of its site, the centre its own. Empty: no remote pollers.',
    'start',
  ),
  'nats.credentials': text(
    '',
    'File with what this process signs in to NATS with: a .creds file, the seed of an nkey, or a line USER:PASSWORD. Empty: nothing.',
    'start',
  ),
  'nats.ca': text(
    '',
    "File with the certificates of the authorities that signed the NATS servers' certificates, PEM. Empty: those of the system.",
    'start',
  ),
  'nats.cert': text(
    '',
    'File with the certificate that this process shows to NATS servers, PEM. Empty: none.',
    'start',
  ),
  'nats.cert_key': text('', 'File with the private key of nats.cert, PEM, not encrypted.', 'start'),
  'nats.domain': text(
    '',
    "Of a remote poller: JetStream domain that holds its stream, if the servers of nats.url belong to another one. Empty: those servers' own.",
    'start',
  ),
  'nats.stream_mb': integer(
    4096,
    "Of a remote poller: megabytes on the site's NATS server that keep what the centre has not stored yet. Beyond them new samples are refused, counted and logged; the oldest stay.",
    'start',
    1,
    10_000_000,
  ),
  'poller.centre_key': text(
    '',
    "Of a remote poller: public key of the centre, as `portlight remote-poller add` printed it there. Only this centre's devices and requests are accepted.",
    'start',
  ),
} as const
