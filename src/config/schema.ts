import { ALERT_SETTINGS } from './alert-settings.ts'
import { CLUSTER_SETTINGS } from './cluster-settings.ts'
import { FINDING_SETTINGS } from './finding-settings.ts'
import { IGNORED_SETTINGS } from './ignored-settings.ts'
import { bool, choice, integer, json, keepDays, list, number, type SettingScope, text } from './kinds.ts'
import { NATS_SETTINGS } from './nats-settings.ts'
import { OIDC_SETTINGS } from './oidc-settings.ts'
import { OPERATION_SETTINGS } from './operation-settings.ts'
import { POLLING_SETTINGS } from './polling-settings.ts'
import { SCAN_SETTINGS } from './scan-settings.ts'
import { SERVICE_SETTINGS } from './service-settings.ts'
import { TLS_SETTINGS } from './tls-settings.ts'

/**
 * Every setting with its type, default and meaning. The reference page, shell completion and validation are derived
 * from this table. Names follow LibreNMS where it has the setting.
 */
export const SETTINGS = {
  // how this process runs; not stored in the database
  data_dir: text(
    '',
    'Folder of the embedded database and of generated files. Default from source: data in the folder of the sources; for the program of a release: /var/lib/portlight for root, else portlight in $XDG_DATA_HOME or ~/.local/share.',
    'start',
  ),
  database_url: text(
    '',
    'URL of a PostgreSQL or TimescaleDB database to use instead of the embedded one (DATABASE_URL).',
    'start',
  ),
  database_listen: text(
    '',
    'HOST:PORT at which the embedded database also listens, for example for Grafana. Empty: Unix socket only.',
    'start',
  ),
  ...CLUSTER_SETTINGS,
  listen: text('127.0.0.1', 'Address at which the API and the pages listen.', 'start'),
  port: integer(8000, 'Port of the API and the pages.', 'start', 0, 65535),
  ...TLS_SETTINGS,
  ...OPERATION_SETTINGS,
  ...NATS_SETTINGS,
  'log.level': choice(
    'info',
    ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
    'Minimum severity of log lines.',
    'start',
  ),
  'log.format': choice(
    'auto',
    ['auto', 'text', 'json'],
    'Log format: text or JSON lines. auto: text on a terminal, JSON otherwise.',
    'start',
  ),
  ...POLLING_SETTINGS,
  ...FINDING_SETTINGS,
  ...SCAN_SETTINGS,
  // SNMP
  'snmp.version': list(
    ['v2c', 'v3', 'v1'],
    'Versions tried, in this order, for a device that is added without one.',
    'live',
  ),
  'snmp.community': list(['public'], 'Communities tried for a device that is added without one.', 'live'),
  'snmp.v3': json(
    [],
    'Credential sets tried for a v3 device that is added without one: [{authlevel, authname, authpass, authalgo, cryptopass, cryptoalgo}].',
    'live',
  ),
  'snmp.port': integer(161, 'UDP port of a device that is added without one.', 'live', 1, 65535),
  'snmp.transports': list(
    ['udp', 'udp6', 'tcp', 'tcp6'],
    'Transports; the first is the default for a device that is added without one.',
    'live',
  ),
  'snmp.timeout': number(1, 'Seconds to wait for the response to a request.', 'live', 0.05, 60),
  'snmp.retries': integer(5, 'Retries after the first try.', 'live', 0, 20),
  'snmp.max_repeaters': integer(
    0,
    'Upper limit for max-repetitions in a GETBULK; 0: adapted to each agent.',
    'live',
    0,
    1000,
  ),
  // API
  'api.v0.dialect': choice(
    'documented',
    ['documented', 'librenms'],
    'Form of responses where LibreNMS differs from its documentation. A token can override it.',
    'live',
  ),
  'api.v1.enabled': bool(false, 'Serve /api/v1.', 'live'),
  'events.max_clients': integer(
    500,
    'Maximum number of clients for live events (/api/v1/events), half of them for one user. 0: none.',
    'live',
    0,
    10_000,
  ),
  'api.cors.enabled': bool(false, 'Send CORS headers.', 'live'),
  'api.cors.origin': list(['*'], 'Origins allowed by CORS.', 'live'),
  'api.cors.allowmethods': list(['POST', 'GET', 'PUT', 'DELETE', 'PATCH'], 'Methods allowed by CORS.', 'live'),
  'api.cors.allowheaders': list(
    ['Origin', 'X-Requested-With', 'Content-Type', 'Accept', 'X-Auth-Token'],
    'Request headers allowed by CORS.',
    'live',
  ),
  'api.cors.exposeheaders': list([], 'Response headers that scripts may read with CORS.', 'live'),
  'api.cors.maxage': integer(86_400, 'Seconds for which browsers may cache a CORS preflight.', 'live', 0),
  'api.cors.allowcredentials': bool(
    false,
    'Let browsers send credentials with CORS; requires that origins are listed by name.',
    'live',
  ),
  'api.max_body': integer(4_194_304, 'Maximum size of a request body in bytes.', 'start', 1024),
  'api.trusted_proxies': list([], 'Addresses and networks whose X-Forwarded-* headers are trusted.', 'start'),
  'webui.graph_type': choice('png', ['png', 'svg'], 'Graph format; only png is supported.', 'live'),
  'web.first_run': bool(
    true,
    'Whether the overview asks an administrator for the networks to search while no device is monitored.',
    'live',
  ),
  'web.tile_url': text(
    '',
    'URL template of map tiles for the map of locations, with {z}, {x} and {y}. Empty: no map, and nothing is loaded from other hosts.',
    'live',
  ),
  'web.tile_attribution': text('', 'Attribution shown under the map, as required by the source of the tiles.', 'live'),
  device_display_default: text('{{ $hostname }}', 'Display name of devices without a template of their own.', 'live'),
  addhost_alwayscheckip: bool(false, 'Refuse a device whose resolved address belongs to another device.', 'live'),
  allow_duplicate_sysName: bool(false, 'Allow several devices with the same sysName.', 'live'),
  auth_requires_enabled: bool(true, 'Refuse the tokens of disabled users.', 'live'),
  'auth.wrong_tokens': integer(
    60,
    'Wrong API tokens allowed per minute from one client address (a /64 for IPv6). Requests beyond that are answered after a delay of one second. 0: no limit.',
    'live',
    0,
    1_000_000,
  ),
  'auth.wrong_passwords': integer(
    10,
    'Wrong passwords allowed per minute from one client address; for one user name, three times as many are allowed from all addresses together. 0: no limit.',
    'live',
    0,
    1_000_000,
  ),
  'auth.session_idle': integer(
    604_800,
    'Seconds of inactivity after which a session in the pages ends.',
    'live',
    300,
    31_536_000,
  ),
  'auth.session_age': integer(
    2_592_000,
    'Seconds after which a session in the pages ends even if it is in use.',
    'live',
    300,
    31_536_000,
  ),
  'auth.proxy_header': text(
    '',
    'Request header in which an authenticating proxy sends the user name. Accepted only from addresses in api.trusted_proxies and only for existing users. Empty: off.',
    'live',
  ),
  ...OIDC_SETTINGS,
  enable_billing: bool(false, 'Allow users with role user to see bills.', 'live'),
  'permission.device_group.allow_dynamic': bool(
    true,
    'For users with role user, also count grants of dynamic device groups, not only of static ones. What such a user sees then follows what the rules of the groups match.',
    'live',
  ),
  show_services: bool(false, 'Allow users with role user to see services.', 'live'),
  nagios_plugins: text(
    '/usr/lib/nagios/plugins',
    'Folder with the plugins for service checks; file check_NAME checks services of type NAME.',
    'live',
  ),
  ...SERVICE_SETTINGS,
  'billing.base': choice(
    '1000',
    ['1000', '1024'],
    'Base of unit prefixes in quota bills: 1000 (kB) or 1024 (KiB).',
    'live',
  ),
  'billing.close_hours': integer(
    48,
    'Hours after the end of a billing period at which its figures become final. Until then late samples change them.',
    'live',
    0,
    168,
  ),
  // store
  'series.keep_days': integer(32, 'Days to keep samples; 32 hold the longest month.', 'live', 1),
  'series.keep_1h_days': integer(400, 'Days to keep hourly roll-ups.', 'live', 1),
  'series.keep_1d_days': integer(3650, 'Days to keep daily roll-ups.', 'live', 1),
  'series.traffic.keep_days': keepDays('samples', 'traffic', 'series.keep_days'),
  'series.traffic.keep_1h_days': keepDays('hourly roll-ups', 'traffic', 'series.keep_1h_days'),
  'series.traffic.keep_1d_days': keepDays('daily roll-ups', 'traffic', 'series.keep_1d_days'),
  'series.health.keep_days': keepDays('samples', 'health', 'series.keep_days'),
  'series.health.keep_1h_days': keepDays('hourly roll-ups', 'health', 'series.keep_1h_days'),
  'series.health.keep_1d_days': keepDays('daily roll-ups', 'health', 'series.keep_1d_days'),
  'series.polls.keep_days': keepDays('samples', 'polls', 'series.keep_days'),
  'series.polls.keep_1h_days': keepDays('hourly roll-ups', 'polls', 'series.keep_1h_days'),
  'series.polls.keep_1d_days': keepDays('daily roll-ups', 'polls', 'series.keep_1d_days'),
  eventlog_purge: integer(30, 'Days to keep events; 0: forever.', 'live', 0, 36_500),
  syslog_purge: integer(30, 'Days to keep syslog messages; 0: forever.', 'live', 0, 36_500),
  authlog_purge: integer(30, 'Days to keep the log of sign-ins and refused tokens; 0: forever.', 'live', 0, 36_500),
  alert_log_purge: integer(365, 'Days to keep alert changes; 0: forever.', 'live', 0, 36_500),
  'series.gap_intervals': number(
    3,
    'Poll intervals without a poll that count as a gap: the next sample is stored with its real period, and graphs show a gap.',
    'live',
    1,
  ),
  'graphing.availability': json([86_400, 604_800, 2_592_000, 31_536_000], 'Availability windows in seconds.', 'live'),
  'graphing.availability_consider_maintenance': bool(
    false,
    'Do not record outages of devices under maintenance.',
    'live',
  ),
  'graphing.availability_consider_unreachable': bool(
    false,
    'Leave times in which a device was unreachable because every way to it was down out of its availability: they count neither as up nor as down.',
    'live',
  ),
  ...ALERT_SETTINGS,
  'oxidized.url': text('', 'URL of Oxidized, which backs up device configurations. Empty: none.', 'live'),
  'oxidized.group_support': bool(false, 'Add a group to the devices in the backup list.', 'live'),
  'oxidized.default_group': text('', 'Group of devices in the backup list without one by oxidized.maps.', 'live'),
  'oxidized.ignore_types': list([], 'Device types left out of the backup list.', 'live'),
  'oxidized.ignore_os': list([], 'Operating systems left out of the backup list.', 'live'),
  'oxidized.ignore_groups': list([], 'Groups left out of the backup list.', 'live'),
  'oxidized.maps': json(
    {},
    'Rules that set members of the backup list by columns of the device: {member: {column: [{match or regex, value}]}}, for example {"group": {"hostname": [{"regex": "/^lab/", "value": "lab"}]}}. The first match wins. Operating systems are then translated to the names that Oxidized uses.',
    'live',
  ),
  syslog_filter: list(
    [
      'last message repeated',
      'Connection from UDP: [',
      'ipSystemStatsTable node ipSystemStatsOutFragOKs not implemented',
      "diskio.c: don't know how to handle",
    ],
    'Syslog messages that contain one of these texts are dropped.',
    'live',
  ),
  'syslog.udp': text('', 'HOST:PORT at which syslog messages are received over UDP. Empty: none are received.', 'live'),
  'syslog.tcp': text('', 'HOST:PORT at which syslog messages are received over TCP. Empty: none are received.', 'live'),
  'syslog.tls': text('', 'HOST:PORT at which syslog messages are received over TLS. Empty: none are received.', 'live'),
  'syslog.tls_cert': text('', 'File with the certificate for syslog.tls and its chain, PEM.', 'live'),
  'syslog.tls_key': text('', 'File with the private key for syslog.tls, PEM.', 'live'),
  'syslog.relays': list(
    ['127.0.0.0/8', '::1'],
    'Addresses and networks of relays. Their syslog messages are assigned to devices by the host name in the message.',
    'live',
  ),
  'syslog.search_index': bool(
    true,
    'Index messages of past days for the search in syslog (pg_trgm). The index takes about half as much space as the messages.',
    'live',
  ),
  'traps.udp': text('', 'HOST:PORT at which SNMP traps and informs are received. Empty: none are received.', 'live'),
  'traps.communities': list([], "Communities accepted in traps in addition to the device's own.", 'live'),
  'traps.v3': json(
    [],
    'SNMPv3 users whose traps and informs are accepted in addition to those of snmp.v3 and of the devices, in the same form as snmp.v3.',
    'live',
  ),
  'traps.relays': list(
    [],
    'Addresses and networks of relays. Their traps are assigned to devices by the agent address in the trap.',
    'live',
  ),
  'traps.poll_seconds': integer(
    30,
    'Minimum number of seconds between polls of a device that are triggered by its traps; 0: traps trigger no polls.',
    'live',
    0,
    3600,
  ),
  syslog_xlate: json(
    {},
    'Hostnames of devices whose syslog messages contain another name: {"ADDRESS OR NAME": "HOSTNAME"}.',
    'live',
  ),
  ...IGNORED_SETTINGS,
} as const satisfies Record<string, Setting>

export type Setting =
  | { readonly type: 'text'; readonly default: string; readonly about: string; readonly scope: SettingScope }
  | {
      readonly type: 'integer' | 'number'
      readonly default: number
      readonly about: string
      readonly scope: SettingScope
      readonly min?: number
      readonly max?: number
    }
  | { readonly type: 'bool'; readonly default: boolean; readonly about: string; readonly scope: SettingScope }
  | {
      readonly type: 'choice'
      readonly default: string
      readonly choices: readonly string[]
      readonly about: string
      readonly scope: SettingScope
    }
  | { readonly type: 'list'; readonly default: readonly string[]; readonly about: string; readonly scope: SettingScope }
  | { readonly type: 'json'; readonly default: unknown; readonly about: string; readonly scope: SettingScope }

export type SettingName = keyof typeof SETTINGS

type ValueOf<S extends Setting> = S extends { type: 'text' }
  ? string
  : S extends { type: 'integer' | 'number' }
    ? number
    : S extends { type: 'bool' }
      ? boolean
      : S extends { type: 'choice'; choices: readonly (infer C)[] }
        ? C
        : S extends { type: 'list' }
          ? readonly string[]
          : unknown
export type SettingTypes = { readonly [N in SettingName]: ValueOf<(typeof SETTINGS)[N]> }

/** The effective values, always current. */
export interface Settings {
  get<N extends SettingName>(name: N): SettingTypes[N]
  /** Where the value comes from. */
  origin(name: SettingName): 'default' | 'stored' | 'file' | 'environment' | 'flag'
  /** Calls the listener after any live value changes. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void
}
