import { integer, text } from './kinds.ts'

/** Settings of TLS for the API and the pages. Plain HTTP while `tls.cert` is empty. */
export const TLS_SETTINGS = {
  'tls.cert': text(
    '',
    'File with the certificate for the API and the pages and its chain, PEM. Set it together with tls.key to serve HTTPS instead of HTTP. The file is read again on SIGHUP and within 10 seconds after a change. Empty: HTTP.',
    'start',
  ),
  'tls.key': text('', 'File with the private key of tls.cert, PEM, not encrypted.', 'start'),
  'tls.hsts': integer(
    0,
    'Seconds for which browsers use only HTTPS for this host name, including all ports (Strict-Transport-Security), if Portlight itself serves HTTPS; 31536000 is a year. Browsers then do not let users bypass a warning about an expired certificate. 0: the header is not sent.',
    'live',
    0,
    63_072_000,
  ),
} as const
