import type { Varbind } from '@portlight/snmp/value.ts'
import type { TableNeed } from '../../modules/module.ts'

/** The columns that a module needs of a table, as the agent knows them. */
export interface Columns {
  /** Names as in the need, in its order. */
  readonly names: readonly string[]
  /** OIDs of the columns, by name. */
  readonly oids: ReadonlyMap<string, string>
  /** The OIDs in their own order. */
  readonly inOrder: readonly string[]
  /** The OIDs by which a probe finds out whether the agent has the table: the lowest, or all if any may be missing. */
  readonly probeOids: readonly string[]
}

const known = new WeakMap<TableNeed, Columns>()

/** Computed once: modules name most of their needs when they are loaded, and every discovery goes through all of them. */
export function columnsOf(need: TableNeed): Columns {
  const made = known.get(need) ?? columns(need)
  known.set(need, made)
  return made
}

function columns({ table, columns: names, sparse }: TableNeed): Columns {
  const idOf = (name: string): number => table.columns[name]?.id ?? 0
  const oids = new Map(names.map((name) => [name, `${table.entry}.${table.columns[name]?.id}`]))
  const inOrder = names.toSorted((a, b) => idOf(a) - idOf(b)).map((name) => oids.get(name) ?? '')
  return { names, oids, inOrder, probeOids: sparse ? [...oids.values()] : inOrder.slice(0, 1) }
}

/**
 * True when the varbind comes after everything below the column; false also for an agent whose OIDs do not increase.
 * Compares text, because the OID in a corrupted response may be invalid.
 */
export function isPast({ oid, value }: Varbind, column: string): boolean {
  if (value.kind === 'endOfMibView') return true
  let same = 0
  while (same < column.length && oid[same] === column[same]) same++
  // the sub-identifier in which they differ begins after the last dot that both have
  const from = same === 0 ? 0 : column.lastIndexOf('.', same - 1) + 1
  // without a difference the OID is the column itself or below it
  return numberAt(oid, from) > numberAt(column, from)
}

/** The sub-identifier that begins there. */
function numberAt(oid: string, from: number): number {
  const end = oid.indexOf('.', from)
  return Number(end < 0 ? oid.slice(from) : oid.slice(from, end))
}
