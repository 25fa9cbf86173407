/** Sections by the first part of a setting's name, or by the whole name if it has only one part. */
const OF: Readonly<Record<string, readonly string[]>> = {
  Polling: ['poller', 'discovery_modules', 'poller_modules', 'os', 'device_group', 'distributed_poller', 'rrd'],
  Discovery: ['discovery', 'bgp', 'port_association_mode', 'addhost_alwayscheckip', 'allow_duplicate_sysName'],
  'Finding devices': [
    'nets',
    'autodiscovery',
    'discovery_by_ip',
    'mydomain',
    'default_poller_group',
    'candidates_purge',
  ],
  SNMP: ['snmp'],
  'Ping and state': ['ping', 'icmp_check', 'status'],
  Interfaces: [
    'good_if',
    'bad_if',
    'bad_if_regexp',
    'bad_ifname_regexp',
    'bad_ifalias_regexp',
    'bad_ifoperstatus',
    'bad_iftype',
    'ignore_mount',
    'ignore_mount_string',
  ],
  Alerts: [
    'alert',
    'outgoing',
    'email_from',
    'email_smtp_host',
    'email_smtp_port',
    'email_smtp_secure',
    'email_smtp_username',
    'email_smtp_password',
  ],
  Services: ['services', 'show_services', 'nagios_plugins'],
  'Samples and graphs': ['series', 'graphing', 'web', 'webui', 'device_display_default'],
  Logs: [
    'syslog',
    'traps',
    'syslog_filter',
    'syslog_xlate',
    'eventlog_purge',
    'syslog_purge',
    'authlog_purge',
    'alert_log_purge',
    'device_outages_purge',
  ],
  'Sign-in': ['auth', 'auth_requires_enabled', 'permission'],
  API: ['api', 'events', 'tls'],
  Bills: ['billing', 'enable_billing'],
  Oxidized: ['oxidized'],
}

const REST = 'This process'
const SECTION = new Map(Object.entries(OF).flatMap(([section, parts]) => parts.map((part) => [part, section] as const)))

/** Sections in order; the last one has the settings that belong to no other. */
export const SECTIONS: readonly string[] = [...Object.keys(OF), REST]

/** Section of a setting, or of an individual switch in a tree of settings. */
export const sectionOf = (name: string): string => SECTION.get(name) ?? SECTION.get(name.split('.')[0] ?? '') ?? REST
