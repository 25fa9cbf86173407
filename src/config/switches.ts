import type { Settings } from './schema.ts'

/** Discovery or polling. */
export type ModulePhase = 'discover' | 'poll'

/** The properties of a device that decide which modules run. */
export interface Switched {
  readonly os: string | null
  /** The device's own attributes `discover_{module}` and `poll_{module}`. */
  readonly switches: Readonly<Record<string, boolean>>
  /** Names of the device's groups. */
  readonly groups: readonly string[]
}

/** `by` is the attribute or the full name of the setting that decided; null: none did, so the module is as by default. */
export interface ModuleSwitch {
  readonly on: boolean
  readonly by: string | null
}

const SETTING_OF = { discover: 'discovery_modules', poll: 'poller_modules' } as const

/** Modules that are off unless something switches them on, because their polls cost many requests. */
const OFF_BY_DEFAULT: ReadonlySet<string> = new Set(['etherlike'])

/** LibreNMS names of modules that have another name here. */
const LIBRENMS_NAMES: Readonly<Record<string, readonly string[]>> = {
  addresses: ['ipv4-addresses', 'ipv6-addresses'],
  arp: ['arp-table'],
  bgp: ['bgp-peers'],
  'defined-health': ['sensors'],
  'entity-sensors': ['sensors'],
  fdb: ['fdb-table'],
  inventory: ['entity-physical'],
  ipsec: ['cipsec-tunnels'],
  links: ['discovery-protocols'],
  'lm-sensors': ['sensors'],
  'port-stack': ['ports-stack'],
  'spanning-tree': ['stp'],
  vrf: ['cisco-vrf-lite'],
}

/**
 * Whether a module runs for a device. The first of these that is set decides: the device's attribute, a device group
 * (off if groups disagree), the OS, the setting for all devices. Where none is set, modules are on, except a few, which
 * are discovered where they are polled.
 */
export function moduleSwitch(
  module: string,
  phase: ModulePhase,
  device: Switched,
  settings: Pick<Settings, 'get'>,
): ModuleSwitch {
  const attribute = `${phase}_${module}`
  const own = device.switches[attribute]
  if (own !== undefined) return { on: own, by: `attribute ${attribute}` }
  const key = SETTING_OF[phase]
  const groups = tree(settings.get('device_group'))
  const ofGroups = device.groups.flatMap((group) =>
    switchesIn(tree(groups[group])[key], module, `device_group.${group}.${key}`),
  )
  const decided =
    ofGroups.find((found) => !found.on) ??
    ofGroups[0] ??
    (device.os === null
      ? undefined
      : switchesIn(tree(tree(settings.get('os'))[device.os])[key], module, `os.${device.os}.${key}`)[0]) ??
    switchesIn(settings.get(key), module, key)[0]
  if (decided !== undefined) return decided
  const off = settings.get('poller.modules_off')
  const listed = [module, ...(LIBRENMS_NAMES[module] ?? [])].some((name) => off.includes(name))
  if (listed) return { on: false, by: 'poller.modules_off' }
  if (!OFF_BY_DEFAULT.has(module)) return { on: true, by: null }
  return phase === 'discover' ? moduleSwitch(module, 'poll', device, settings) : { on: false, by: null }
}

function switchesIn(switches: unknown, module: string, where: string): ModuleSwitch[] {
  const known = tree(switches)
  return [module, ...(LIBRENMS_NAMES[module] ?? [])].flatMap((name) => {
    const on = known[name]
    return typeof on === 'boolean' ? [{ on, by: `${where}.${name}` }] : []
  })
}

function tree(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
