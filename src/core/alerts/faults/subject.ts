import { RULE_TABLES } from '../../rules/read-tables.ts'

/**
 * Kinds of things that faults are about, and the tables that hold them: what a fault is about is the first of these
 * that its rule queries. Ports come last, because a rule may query them beside the thing that is on them.
 */
const KINDS = [
  ['sensors', 'sensor'],
  ['wireless_sensors', 'wireless'],
  ['bgpPeers', 'bgp_peer'],
  ['services', 'service'],
  ['storage', 'storage'],
  ['processors', 'processor'],
  ['mempools', 'memory'],
  ['printer_supplies', 'printer_supply'],
  ['component', 'component'],
  ['bills', 'bill'],
  ['ports', 'port'],
] as const

export type FaultKind = (typeof KINDS)[number][1] | 'other'
export const FAULT_KINDS: readonly FaultKind[] = [...KINDS.map(([, kind]) => kind), 'other']

/** What a fault is about. `kind` null: the device itself. `id` null: the device itself, or not known. */
export interface FaultSubject {
  readonly kind: FaultKind | null
  readonly id: number | null
}

/** Finds what a fault is about from its key, for the tables of a rule in their order (`RuleParts.tables`). */
export function subjectsOf(tables: readonly string[]): (key: string) => FaultSubject {
  // as `keyText` of core/rules/compile.ts puts keys together
  const columns = tables.flatMap((name) =>
    name === 'devices' || name === 'locations' ? [] : (RULE_TABLES.get(name)?.key ?? []).map(() => name),
  )
  if (columns.length === 0) return () => ({ kind: null, id: null })
  const [table, kind] = KINDS.find(([name]) => columns.includes(name)) ?? ['', 'other']
  const place = columns.indexOf(table)
  return (key) => {
    const parts = key.split(':')
    const text = parts.length === columns.length && place >= 0 ? (parts[place] ?? '') : ''
    return { kind, id: /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null }
  }
}
