import { integer, text } from './kinds.ts'

/** Settings of TLS for the API and the pages. Plain HTTP while `tls.cert` is empty. */
export const TLS_SETTINGS = {
  'tls.cert': text(
    '',
    'File with the certificate of the API and the pages and its chain, PEM. Set it with tls.key to serve HTTPS instead of HTTP. Read again on SIGHUP and within 10 seconds after a change. Empty: HTTP.',
    'start',
  ),
  'tls.key': text('', 'File with the private key of tls.cert, PEM, not encrypted.', 'start'),
  'tls.hsts': integer(
    0,
    'Seconds for which browsers use only HTTPS for this host name, all ports included (Strict-Transport-Security), when Portlight itself serves HTTPS; 31536000 is a year. With it, nobody can pass a warning about an expired certificate. 0: not sent.',
    'live',
    0,
    63_072_000,
  ),
} as const
