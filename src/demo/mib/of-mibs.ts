import type { MibTable, Syntax } from '@portlight/snmp/table.ts'
import type { AgentType, Instance, Live } from '../table.ts'

/** Agent types for the poller's types. Numbers above 2^31 - 1 are sent as Gauge32. */
const TYPES = {
  Integer: 'Gauge32',
  Counter64: 'Counter64',
  DisplayString: 'Text',
  OctetString: 'Octets',
  PhysAddress: 'Octets',
  Oid: 'Oid',
  IpAddress: 'IpAddress',
  Mask: 'IpAddress',
} as const satisfies Record<Exclude<Syntax, 'Value'>, AgentType>

/** A row with the column names of the poller's tables (`src/mibs`). Omitted columns do not exist in it. */
export type MibRow<T extends MibTable> = {
  readonly [K in keyof T['columns']]?: Live<number | string | bigint | Uint8Array>
}

/** Instances of rows, which are keyed by index in dotted decimal. Physical addresses are octets. */
export function mibRows<T extends MibTable>(
  table: T,
  rows: Iterable<readonly [string | number, MibRow<T>]>,
): Instance[] {
  const out: Instance[] = []
  for (const [index, row] of rows) {
    for (const [name, value] of Object.entries<Live<number | string | bigint | Uint8Array> | undefined>(row)) {
      const column = table.columns[name]
      if (column === undefined || value === undefined) continue
      const syntax: Syntax = column.syntax
      if (syntax === 'Value') continue
      out.push({ object: `${table.entry}.${column.id}`, index: String(index), type: TYPES[syntax], value })
    }
  }
  return out
}

/** Text as part of an index: its length, then its characters (RFC 2578 §7.7). */
export function textIndex(text: string): string {
  return [text.length, ...new TextEncoder().encode(text)].join('.')
}

/** A MAC address as part of an index: six numbers. */
export function macIndex(mac: Uint8Array): string {
  return [...mac].join('.')
}
