import { integer, list, number, text } from './kinds.ts'

/** Settings of own networks, traces, encrypted secrets in the database, of what is kept of objects that are gone, and of events. */
export const OPERATION_SETTINGS = {
  nets: list(
    [],
    'Your own networks. Scans ask addresses in these only. Roles that may add or change devices but not see credentials can have stored credentials sent only to addresses in these; administrators choose any address.',
    'live',
  ),
  'secrets.key_file': text(
    '',
    'File with the keys for encrypting secrets in the database, one per line; the first one encrypts (see /help/how-to/secrets; portlight secrets key prints a new one). The variable PORTLIGHT_SECRETS_KEY, which contains the keys themselves, overrides it. Empty: the systemd credential portlight-secrets-key if there is one; otherwise secrets are stored in plain text.',
    'start',
  ),
  'otel.endpoint': text(
    '',
    'URL of a receiver for OpenTelemetry traces (OTLP over HTTP), such as http://localhost:4318. Request headers are taken from the variable OTEL_EXPORTER_OTLP_HEADERS. Empty: no traces are recorded.',
    'start',
  ),
  'otel.ratio': number(
    1,
    'Fraction of traces to record, from 0 to 1. Requests with a traceparent header are recorded if the caller records them.',
    'start',
    0,
    1,
  ),
  device_outages_purge: integer(
    400,
    'Days to keep ended outages of devices, from which availability is calculated; 0: forever.',
    'live',
    0,
    36_500,
  ),
  'poller.events_per_hour': integer(
    200,
    'Maximum number of events of one type per device and hour about changes that polls and discoveries find. Beyond it, one event with the number of the others follows at the end of the hour. 0: no limit.',
    'live',
    0,
    1_000_000,
  ),
  'discovery.keep_gone_days': integer(
    90,
    'Days to keep ports, sensors and memory pools that their device no longer has, with history and settings; 0: forever. Ports of bills are kept.',
    'live',
    0,
    36_500,
  ),
  'discovery.max_gone': integer(
    1000,
    'Maximum number of ports, and of sensors, kept for a device that no longer has them; beyond it the oldest are removed.',
    'live',
    0,
    1_000_000,
  ),
  sightings_purge: integer(
    365,
    'Days to keep where MAC addresses and IP addresses were seen, after they were last seen there, and moves of MAC addresses; 0: forever.',
    'live',
    0,
    36_500,
  ),
  'sightings.gap': integer(
    24,
    'Hours of absence after which the return of a MAC address to the same port is a new sighting; a shorter absence does not end the one before. Switches forget stations that are silent for some minutes.',
    'live',
    0,
    8760,
  ),
  'sightings.max_open': integer(
    200_000,
    'Maximum number of MAC addresses of a device that are recorded as seen now, for each of FDB, ARP, ND and NAC. Beyond it, an event says how many were left out.',
    'live',
    100,
    10_000_000,
  ),
  'sightings.max_per_hour': integer(
    150_000,
    'Maximum number of sightings that a device begins in an hour, for each of FDB, ARP, ND and NAC. Beyond it, an event says how many were left out. Ports get equal shares.',
    'live',
    100,
    10_000_000,
  ),
  'sightings.flap_moves': integer(
    3,
    'From this many moves between edge ports within sightings.flap_minutes on, a MAC address is flapping: one event says so, and none lists its moves.',
    'live',
    2,
    1000,
  ),
  'sightings.flap_minutes': integer(
    1440,
    'Minutes within which moves of a MAC address are counted.',
    'live',
    1,
    525_600,
  ),
} as const
