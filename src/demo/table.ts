import type { Instant } from './instant.ts'

/** SMIv2 types of an agent's values, and the corresponding types in device descriptions. */
export interface AgentTypes {
  readonly Integer32: number
  readonly Gauge32: number
  readonly Counter32: bigint
  readonly Counter64: bigint
  readonly TimeTicks: number
  /** Text, sent as UTF-8. */
  readonly Text: string
  readonly Octets: Uint8Array
  readonly Oid: string
  readonly IpAddress: string
}
export type AgentType = keyof AgentTypes

/** A value, or a function of time. Null: the instance does not exist at that time. */
export type Live<T> = T | ((t: Instant) => T | null)

/**
 * The columns of a conceptual table that an agent serves: OID of the entry, and sub-identifier and type of each column.
 */
export interface AgentTable<
  C extends Readonly<Record<string, readonly [number, AgentType]>> = Readonly<
    Record<string, readonly [number, AgentType]>
  >,
> {
  readonly name: string
  readonly entry: string
  readonly columns: C
}

export function agentTable<const C extends Readonly<Record<string, readonly [number, AgentType]>>>(
  name: string,
  entry: string,
  columns: C,
): AgentTable<C> {
  return { name, entry, columns }
}

/** A row. Omitted columns do not exist in it. */
export type AgentRow<T extends AgentTable> = {
  readonly [K in keyof T['columns']]?: Live<AgentTypes[T['columns'][K][1]]>
}

/** An object instance of a view: the object's OID and the instance below it, in dotted decimal. */
export interface Instance {
  readonly object: string
  readonly index: string
  readonly type: AgentType
  readonly value: Live<AgentTypes[AgentType]>
}

/** The instances of a table's rows. `rows` contains pairs of index (dotted decimal) and row. */
export function tableRows<T extends AgentTable>(
  table: T,
  rows: Iterable<readonly [string | number, AgentRow<T>]>,
): Instance[] {
  const out: Instance[] = []
  for (const [index, row] of rows) {
    for (const [name, value] of Object.entries<Live<AgentTypes[AgentType]> | undefined>(row)) {
      const column = table.columns[name]
      if (column === undefined || value === undefined) continue
      out.push({ object: `${table.entry}.${column[0]}`, index: String(index), type: column[1], value })
    }
  }
  return out
}

/** The instances of a group of scalars, which is described as a table with the single index 0. */
export function scalarValues<T extends AgentTable>(group: T, values: AgentRow<T>): Instance[] {
  return tableRows(group, [[0, values]])
}
