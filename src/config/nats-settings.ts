import { integer, list, text } from './kinds.ts'

/** Settings of the NATS servers between remote pollers and the centre. Without remote pollers none is needed. */
export const NATS_SETTINGS = {
  'nats.url': list(
    [],
    'NATS servers, tls://HOST:PORT or nats://HOST:PORT; if one fails, the next is tried. On a remote poller these are the servers of its site, at the centre those of the centre. Empty: no remote pollers.',
    'start',
  ),
  'nats.credentials': text(
    '',
    'File with the credentials of this process for NATS: a .creds file, the seed of an nkey, or a line USER:PASSWORD. Empty: none.',
    'start',
  ),
  'nats.ca': text(
    '',
    "File with the CA certificates for verifying the NATS servers' certificates, PEM. Empty: those of the system.",
    'start',
  ),
  'nats.cert': text(
    '',
    'File with the client certificate that this process presents to NATS servers, PEM. Empty: none.',
    'start',
  ),
  'nats.cert_key': text('', 'File with the private key of nats.cert, PEM, not encrypted.', 'start'),
  'nats.domain': text(
    '',
    'On a remote poller: JetStream domain of its stream, if it is not that of the servers in nats.url. Empty: the domain of those servers.',
    'start',
  ),
  'nats.stream_mb': integer(
    4096,
    "On a remote poller: megabytes on the site's NATS server for what the centre has not stored yet. When they are full, new samples are refused, counted and logged, and the oldest are kept.",
    'start',
    1,
    10_000_000,
  ),
  'poller.centre_key': text(
    '',
    'On a remote poller: public key of the centre, as printed by `portlight remote-poller add` at the centre. Devices and requests are accepted only from this centre.',
    'start',
  ),
} as const
