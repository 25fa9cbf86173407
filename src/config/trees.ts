import { BOOLEANS } from './booleans.ts'

/**
 * Settings that are trees of switches. A single switch can be used wherever a setting is named:
 * `poller_modules.bgp`, `os.ios.discovery_modules.fdb`, `device_group.Core.poller_modules.ospf`.
 */
const PHASES = ['discovery_modules', 'poller_modules'] as const
const OWNERS = ['os', 'device_group'] as const

export type TreeName = (typeof PHASES)[number] | (typeof OWNERS)[number]

/** Parses the name of a single switch; null if it is not one. Names of groups may contain dots. */
export function switchNamed(given: string): { readonly tree: TreeName; readonly path: readonly string[] } | null {
  const plain = /^(discovery_modules|poller_modules)\.([a-z0-9_-]+)$/.exec(given)
  const owned = /^(os|device_group)\.(.+)\.(discovery_modules|poller_modules)\.([a-z0-9_-]+)$/.exec(given)
  const [, first = '', ...path] = owned ?? plain ?? []
  return isTree(first) ? { tree: first, path } : null
}

export function isTree(name: string): name is TreeName {
  return [...PHASES, ...OWNERS].some((known) => known === name)
}

/** The tree with only this switch; undefined when `raw` is not a boolean. */
export function treeOf(path: readonly string[], raw: unknown): unknown {
  const on = typeof raw === 'boolean' ? raw : BOOLEANS.get(String(raw).trim().toLowerCase())
  if (on === undefined) return undefined
  return path.reduceRight<unknown>((below, key) => ({ [key]: below }), on)
}

/** The value at the path; undefined when there is none. */
export function leafOf(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), value)
}

/** Merges two trees; `over` wins. */
export function mergeTrees(under: unknown, over: unknown): unknown {
  if (!isObject(under) || !isObject(over)) return over
  const merged = new Map(Object.entries(under))
  for (const [key, value] of Object.entries(over)) merged.set(key, mergeTrees(merged.get(key), value))
  return Object.fromEntries(merged)
}

/** Checks discovery_modules and poller_modules: a table of booleans. */
export function isSwitches(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((on) => typeof on === 'boolean')
}

/** Checks os and device_group: tables that hold `discovery_modules` and `poller_modules`. */
export function isOwnedSwitches(value: unknown): boolean {
  return (
    isObject(value) &&
    Object.values(value).every(
      (own) =>
        isObject(own) &&
        Object.entries(own).every(([key, switches]) => PHASES.some((phase) => phase === key) && isSwitches(switches)),
    )
  )
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
