/**
 * Every setting: its type, default and meaning. The one place where a setting is declared; the reference page, the
 * command line's completion and the checks are derived from it. Names follow LibreNMS where it has the setting.
 */
export const SETTINGS = {
  // how this process runs; not stored in the database
  data_dir: text(
    '',
    'Folder of the embedded database and of generated files. Default: ./data, or the XDG data folder for an installed binary.',
    'start',
  ),
  database_url: text(
    '',
    'PostgreSQL or TimescaleDB server to use instead of the embedded one (DATABASE_URL).',
    'start',
  ),
  database_listen: text(
    '',
    'HOST:PORT at which the embedded database also listens, for Grafana. Empty: unix socket only.',
    'start',
  ),
  listen: text('127.0.0.1', 'Address the API listens on.', 'start'),
  port: integer(8000, 'Port the API listens on.', 'start', 0, 65535),
  'log.level': choice(
    'info',
    ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
    'Least severe log line that is written.',
    'start',
  ),
  // polling
  'poller.interval': integer(
    300,
    'Seconds between polls of a device that has no interval of its own.',
    'live',
    5,
    86_400,
  ),
  'poller.workers': integer(0, 'Worker threads for SNMP; 0: one for each core.', 'start', 0, 256),
  'poller.concurrency': integer(200, 'Devices that one worker polls at the same time.', 'start', 1, 10_000),
  'poller.inflight': integer(512, 'SNMP requests that one worker has under way at the same time.', 'start', 1, 10_000),
  'poller.deadline': integer(
    0,
    'Seconds after which a poll of one device is given up; 0: the interval, at most 120.',
    'live',
    0,
    3600,
  ),
  'poller.nonunicast': bool(true, 'Poll broadcast and multicast packet counters as well.', 'live'),
  'poller.modules_off': list(
    [],
    'Modules that are neither discovered nor polled, except on devices whose attributes discover_{module} and poll_{module} are 1.',
    'live',
  ),
  discovery_modules: json(
    {},
    'Which modules are discovered on all devices: {"MODULE": false}. A single one is `discovery_modules.MODULE`.',
    'live',
  ),
  poller_modules: json(
    {},
    'Which modules are polled on all devices: {"MODULE": false}. A single one is `poller_modules.MODULE`.',
    'live',
  ),
  os: json(
    {},
    'Modules by operating system, before those of all devices: `os.NAME.discovery_modules.MODULE`, `os.NAME.poller_modules.MODULE`.',
    'live',
  ),
  device_group: json(
    {},
    'Modules by device group, before those by operating system: `device_group.NAME.discovery_modules.MODULE`, `device_group.NAME.poller_modules.MODULE`.',
    'live',
  ),
  'poller.name': text('', 'Name of this poller in the API. Default: the host name.', 'start'),
  distributed_poller: bool(
    false,
    'Report this poller as the member of a cluster: list_pollers answers in the cluster form.',
    'live',
  ),
  'poller.buffer_rows': integer(
    2_000_000,
    'Sample rows kept in memory while the database is away; the oldest go first, counted and logged.',
    'start',
    1000,
  ),
  'discovery.interval': integer(21_600, 'Seconds between discoveries of a device.', 'live', 60),
  'bgp.as_names': bool(
    false,
    'Ask the DNS for the names of the AS numbers of BGP sessions (AS{number}.asn.cymru.com).',
    'live',
  ),
  'discovery.deadline': integer(300, 'Seconds after which a discovery of one device is given up.', 'live', 5, 3600),
  'ping.interval': integer(60, 'Seconds between rounds of ICMP echo.', 'live', 5, 3600),
  'ping.count': integer(3, 'Echo requests in a round.', 'live', 1, 20),
  'ping.timeout': integer(1000, 'Milliseconds to wait for an echo reply.', 'live', 50, 10_000),
  icmp_check: bool(true, 'ICMP decides, with SNMP, whether a device is up. Off: SNMP alone.', 'live'),
  'rrd.step': integer(300, 'Seconds; a device not polled for 1.2 times this is overdue in the poller log.', 'live', 1),
  port_association_mode: choice(
    'ifIndex',
    ['ifIndex', 'ifName', 'ifDescr', 'ifAlias'],
    "How a new device's ports are recognised when ifIndexes move.",
    'live',
  ),
  // SNMP
  'snmp.version': list(['v2c', 'v3', 'v1'], 'Versions tried, in this order, for a device added without one.', 'live'),
  'snmp.community': list(['public'], 'Communities tried for a device added without one.', 'live'),
  'snmp.v3': json(
    [],
    'Credential sets tried for a v3 device added without one: [{authlevel, authname, authpass, authalgo, cryptopass, cryptoalgo}].',
    'live',
  ),
  'snmp.port': integer(161, 'UDP port of a device added without one.', 'live', 1, 65535),
  'snmp.transports': list(
    ['udp', 'udp6', 'tcp', 'tcp6'],
    'Transports; the first is the default of a device added without one.',
    'live',
  ),
  'snmp.timeout': number(1, 'Seconds to wait for an answer to one request.', 'live', 0.05, 60),
  'snmp.retries': integer(5, 'Tries after the first.', 'live', 0, 20),
  'snmp.max_repeaters': integer(
    0,
    'Upper limit of max-repetitions in a GETBULK; 0: found out for each agent.',
    'live',
    0,
    1000,
  ),
  // API
  'api.v0.dialect': choice(
    'documented',
    ['documented', 'librenms'],
    'Form of the answers in the four places where the documentation and LibreNMS differ; a token may have its own.',
    'live',
  ),
  'api.v1.enabled': bool(false, 'Serve /api/v1.', 'live'),
  'api.cors.enabled': bool(false, 'Send CORS headers.', 'live'),
  'api.cors.origin': list(['*'], 'Origins allowed by CORS.', 'live'),
  'api.cors.allowmethods': list(['POST', 'GET', 'PUT', 'DELETE', 'PATCH'], 'Methods allowed by CORS.', 'live'),
  'api.cors.allowheaders': list(
    ['Origin', 'X-Requested-With', 'Content-Type', 'Accept', 'X-Auth-Token'],
    'Request headers allowed by CORS.',
    'live',
  ),
  'api.cors.exposeheaders': list([], 'Headers of answers that CORS lets scripts read.', 'live'),
  'api.cors.maxage': integer(86_400, 'Seconds for which browsers may keep what CORS allows.', 'live', 0),
  'api.cors.allowcredentials': bool(false, 'CORS lets browsers send credentials; needs origins by name.', 'live'),
  'api.max_body': integer(4_194_304, 'Octets a request body may have.', 'start', 1024),
  'api.trusted_proxies': list([], 'Addresses whose X-Forwarded-* headers are believed.', 'start'),
  'webui.graph_type': choice('png', ['png', 'svg'], 'Graph format; only png is drawn.', 'live'),
  device_display_default: text('{{ $hostname }}', 'Display name of devices without a template of their own.', 'live'),
  addhost_alwayscheckip: bool(false, 'Refuse a device whose resolved address another device has.', 'live'),
  allow_duplicate_sysName: bool(false, 'Allow two devices with one sysName.', 'live'),
  auth_requires_enabled: bool(true, 'Refuse the tokens of disabled users.', 'live'),
  enable_billing: bool(false, 'Let role user see bills.', 'live'),
  'permission.device_group.allow_dynamic': bool(
    false,
    'Dynamic device groups that were granted to a user of role user count too, not static ones alone.',
    'live',
  ),
  show_services: bool(false, 'Let role user see services.', 'live'),
  nagios_plugins: text(
    '/usr/lib/nagios/plugins',
    'Folder of the checks of services; each file check_NAME is the type NAME.',
    'live',
  ),
  'billing.base': choice(
    '1000',
    ['1000', '1024'],
    'Base of the prefixes of what bills of a quota count: 1000 (kB) or 1024 (KiB).',
    'live',
  ),
  // store
  'series.keep_days': integer(30, 'Days that samples are kept.', 'live', 1),
  'series.keep_1h_days': integer(400, 'Days that hourly roll-ups are kept.', 'live', 1),
  'series.keep_1d_days': integer(3650, 'Days that daily roll-ups are kept.', 'live', 1),
  eventlog_purge: integer(30, 'Days that events are kept; 0: for ever.', 'live', 0, 36_500),
  syslog_purge: integer(30, 'Days that messages of devices are kept; 0: for ever.', 'live', 0, 36_500),
  authlog_purge: integer(30, 'Days that logins and refused tokens are kept; 0: for ever.', 'live', 0, 36_500),
  alert_log_purge: integer(365, 'Days that changes of alerts are kept; 0: for ever.', 'live', 0, 36_500),
  'series.gap_intervals': number(
    3,
    'Intervals after which a pause of polling counts as a gap: the sample is stored with its real period, graphs show a gap.',
    'live',
    1,
  ),
  'graphing.availability': json([86_400, 604_800, 2_592_000, 31_536_000], 'Windows of availability, seconds.', 'live'),
  'graphing.availability_consider_maintenance': bool(
    false,
    'Record no outages of devices that are under maintenance.',
    'live',
  ),
  'alert.tolerance_window': integer(
    5,
    'Seconds by which the delay and interval of an alert rule may be undercut.',
    'live',
    0,
    3600,
  ),
  'alert.scheduled_maintenance_default_behavior': integer(
    1,
    'What a maintenance without behavior does: 1 no alert checks, 2 nobody is told, 3 nothing changes.',
    'live',
    1,
    3,
  ),
  'oxidized.url': text('', 'URL of Oxidized, for kept configurations. Empty: there is none.', 'live'),
  'oxidized.group_support': bool(false, 'Give the devices of the backup list a group.', 'live'),
  'oxidized.default_group': text('', 'Group in the backup list of devices that oxidized.maps gives none.', 'live'),
  'oxidized.ignore_types': list([], 'Types of devices that are left out of the backup list.', 'live'),
  'oxidized.ignore_os': list([], 'Operating systems that are left out of the backup list.', 'live'),
  'oxidized.ignore_groups': list([], 'Groups that are left out of the backup list.', 'live'),
  'oxidized.maps': json(
    {},
    'Members of the backup list by columns of the device: {member: {column: [{match or regex, value}]}}, for example {"group": {"hostname": [{"regex": "/^lab/", "value": "lab"}]}}. First hit wins; names of systems that Oxidized calls otherwise follow.',
    'live',
  ),
  syslog_filter: list(
    [
      'last message repeated',
      'Connection from UDP: [',
      'ipSystemStatsTable node ipSystemStatsOutFragOKs not implemented',
      "diskio.c: don't know how to handle",
    ],
    'Messages of devices with one of these texts are dropped.',
    'live',
  ),
  syslog_xlate: json({}, 'Senders of messages by another name: {"ADDRESS OR NAME": "HOSTNAME"}.', 'live'),
  good_if: list(
    [],
    'Interfaces whose ifDescr contains one of these are made ports, whatever the rules below say.',
    'live',
  ),
  bad_if: list(
    [
      'voip-null',
      'virtual-',
      'irtual',
      'unrouted',
      'eobc',
      'lp0',
      '-atm',
      'faith0',
      'container',
      'async',
      'plip',
      '-physical',
      'bluetooth',
      'isatap',
      'ras',
      'qos',
      'span rp',
      'span sp',
      'sslvpn',
      'pppoe-',
    ],
    'Interfaces whose ifDescr contains one of these are not made ports.',
    'live',
  ),
  bad_if_regexp: list(
    ['^ng[0-9]+', '^sl[0-9]'],
    'Interfaces whose ifDescr matches one of these are not made ports.',
    'live',
  ),
  bad_ifname_regexp: list([], 'Interfaces whose ifName matches one of these are not made ports.', 'live'),
  bad_ifalias_regexp: list([], 'Interfaces whose ifAlias matches one of these are not made ports.', 'live'),
  bad_ifoperstatus: list([], 'Interfaces whose ifOperStatus is one of these are not made ports.', 'live'),
  bad_iftype: list(
    ['voice', 'ds0', 'ds1', 'ds3', 'sonet', 'atmSubInterface', 'aal5', 'mpls'],
    'Interfaces whose ifType contains one of these are not made ports.',
    'live',
  ),
} as const satisfies Record<string, Setting>

/** `start`: read once, when the process starts. `live`: takes effect at once, in every process. */
export type Scope = 'start' | 'live'

export type Setting =
  | { readonly type: 'text'; readonly default: string; readonly about: string; readonly scope: Scope }
  | {
      readonly type: 'integer' | 'number'
      readonly default: number
      readonly about: string
      readonly scope: Scope
      readonly min?: number
      readonly max?: number
    }
  | { readonly type: 'bool'; readonly default: boolean; readonly about: string; readonly scope: Scope }
  | {
      readonly type: 'choice'
      readonly default: string
      readonly choices: readonly string[]
      readonly about: string
      readonly scope: Scope
    }
  | { readonly type: 'list'; readonly default: readonly string[]; readonly about: string; readonly scope: Scope }
  | { readonly type: 'json'; readonly default: unknown; readonly about: string; readonly scope: Scope }

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

/** The effective values: always current, never async. */
export interface Settings {
  get<N extends SettingName>(name: N): SettingTypes[N]
  /** Where the value comes from. */
  origin(name: SettingName): 'default' | 'stored' | 'file' | 'environment' | 'flag'
  /** Called after any live value changed. Returns the way to stop being called. */
  onChange(listener: () => void): () => void
}

function text(d: string, about: string, scope: Scope) {
  return { type: 'text', default: d, about, scope } as const
}
function integer(d: number, about: string, scope: Scope, min?: number, max?: number) {
  return {
    type: 'integer',
    default: d,
    about,
    scope,
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
  } as const
}
function number(d: number, about: string, scope: Scope, min?: number, max?: number) {
  return {
    type: 'number',
    default: d,
    about,
    scope,
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
  } as const
}
function bool(d: boolean, about: string, scope: Scope) {
  return { type: 'bool', default: d, about, scope } as const
}
function choice<const C extends string>(d: C, choices: readonly C[], about: string, scope: Scope) {
  return { type: 'choice', default: d, choices, about, scope } as const
}
function list(d: readonly string[], about: string, scope: Scope) {
  return { type: 'list', default: d, about, scope } as const
}
function json(d: unknown, about: string, scope: Scope) {
  return { type: 'json', default: d, about, scope } as const
}
