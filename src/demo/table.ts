import type { Instant } from './instant.ts'

/** The types of SMIv2 that an agent says, with what the descriptions of devices give for them. */
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

/** A value, or how to find it at a moment. `null`: the instance does not exist at that moment. */
export type Live<T> = T | ((t: Instant) => T | null)

/** The columns that an agent can serve of a conceptual table: OID of the entry, then sub-identifier and type of each column. */
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

/** One row: columns that are left out do not exist for this row. */
export type AgentRow<T extends AgentTable> = {
  readonly [K in keyof T['columns']]?: Live<AgentTypes[T['columns'][K][1]]>
}

/** One object instance of a view: the object's OID and the instance below it, dotted decimal. */
export interface Instance {
  readonly object: string
  readonly index: string
  readonly type: AgentType
  readonly value: Live<AgentTypes[AgentType]>
}

/** Instances of a table's rows; `rows` pairs an index (dotted decimal) with its row. */
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

/** A group of scalars: the OID they stand under, then sub-identifier and type of each. Described as a table whose only index is 0. */
export function scalarValues<T extends AgentTable>(group: T, values: AgentRow<T>): Instance[] {
  return tableRows(group, [[0, values]])
}
