import { number, text } from './kinds.ts'

/** Settings of traces, and of secrets in the database. */
export const OPERATION_SETTINGS = {
  'secrets.key_file': text(
    '',
    'File with the keys that encrypt secrets in the database, one a line, the one to encrypt with first (docs/how-to/secrets.md). The variable PORTLIGHT_SECRETS_KEY, with the keys themselves, overrides it. Empty: the credential portlight-secrets-key of systemd, if there is one; else secrets are stored as they are.',
    'start',
  ),
  'otel.endpoint': text(
    '',
    'URL of a receiver of OpenTelemetry traces (OTLP over HTTP), such as http://localhost:4318. Headers for it are taken from the variable OTEL_EXPORTER_OTLP_HEADERS. Empty: nothing is recorded.',
    'start',
  ),
  'otel.ratio': number(
    1,
    'Share of the traces that begin here and are recorded. Requests with traceparent follow their caller.',
    'start',
    0,
    1,
  ),
} as const
