import { nearestOf } from '../lib/nearest.ts'
import { SETTINGS, type SettingName } from './schema.ts'

/** Every setting, in order of declaration. */
export const SETTING_NAMES: readonly SettingName[] = Object.keys(SETTINGS).filter(isSettingName)

/** LibreNMS names of settings that have another name here. Accepted wherever a setting is named. */
export const ALIASES: Readonly<Record<string, SettingName>> = {
  'autodiscovery.xdp_exclude.sysdesc_regexp': 'autodiscovery.xdp_exclude.sysdescr_regexp',
  default_port_association_mode: 'port_association_mode',
  distributed_poller_group: 'poller.groups',
  distributed_poller_name: 'poller.name',
  'fping_options.count': 'ping.count',
  'fping_options.timeout': 'ping.timeout',
  ping_rrd_step: 'ping.interval',
  service_discovery_frequency: 'discovery.interval',
  service_ping_frequency: 'ping.interval',
  service_poller_frequency: 'poller.interval',
}

/** Needed before the database is open, so never stored in it. */
const BOOTSTRAP: ReadonlySet<SettingName> = new Set([
  'data_dir',
  'database_url',
  'database_read_url',
  'database_listen',
  'listen',
  'port',
  'log.level',
  'role',
  'cluster.lead',
  'poller.groups',
  'secrets.key_file',
])

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name)
}

/** Whether `config set` can store the setting. The others come from a file, the environment or a flag. */
export function isStorable(name: SettingName): boolean {
  return !BOOTSTRAP.has(name)
}

/** Finds a setting by name or alias, ignoring case; null when there is none. */
export function findSetting(name: string): SettingName | null {
  if (isSettingName(name)) return name
  const lower = name.toLowerCase()
  return ALIASES[lower] ?? SETTING_NAMES.find((known) => known.toLowerCase() === lower) ?? null
}

/** The closest known name to a mistyped one; null when none is close. */
export function nearestSetting(name: string): SettingName | null {
  return nearestOf(name, SETTING_NAMES)
}

/** `; did you mean …?` for a mistyped name, or the settings of its group: `syslog.enabled` is no setting, `syslog.udp` is. */
export function settingHint(name: string): string {
  const near = nearestSetting(name)
  if (near !== null) return `; did you mean ${near}?`
  const group = `${name.split('.', 1)[0]?.toLowerCase()}.`
  const siblings = SETTING_NAMES.filter((known) => known.startsWith(group))
  return siblings.length === 0 ? '; portlight config list shows all' : `; there are ${siblings.join(', ')}`
}

/** Environment variables derived from LibreNMS names, such as `PORTLIGHT_SERVICE_POLLER_FREQUENCY`. */
const ALIAS_VARIABLES: readonly (readonly [variable: string, name: SettingName])[] = Object.entries(ALIASES).map(
  ([alias, name]) => [variableOf(alias), name],
)

/**
 * The environment variables of all settings. If two set the same setting, the later in this list wins: our own name, not
 * an alias.
 */
export const VARIABLES: readonly (readonly [variable: string, name: SettingName])[] = [
  ['DATABASE_URL', 'database_url'],
  ...ALIAS_VARIABLES,
  ...SETTING_NAMES.map((name) => [environmentName(name), name] as const),
]

/** The environment variable for a setting: `PORTLIGHT_POLLER_INTERVAL` for `poller.interval`. */
export function environmentName(name: SettingName): string {
  return variableOf(name)
}

function variableOf(name: string): string {
  return `PORTLIGHT_${name.toUpperCase().replaceAll(/[.-]/g, '_')}`
}
