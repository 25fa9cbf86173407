import type { Rows } from '../snmp/table.ts'
import type { DeviceFacts, Read, Tables } from './module.ts'
import { isFrom, type Vendor } from './vendor.ts'

/** Tables of a vendor's own, and how they are read: one entry of a module's list of sources. */
export interface Source<More, Found> {
  /** Whose devices are asked. */
  readonly vendors: readonly Vendor[]
  readonly tables: Tables
  /** `more`: what the module knows besides. */
  read(tables: Read['tables'], more: More): Found
}

/** Rows of tables by the tables' names in a source. */
export type RowsOf<T extends Tables> = { readonly [K in keyof T]: Rows<T[K]['table']> }

/** A source whose `read` gets the rows of its own tables with their types. */
export function source<const T extends Tables, More, Found, const Asked extends object>({
  tables,
  read,
  ...asked
}: Asked & { readonly tables: T; read(rows: RowsOf<T>, more: More): Found }) {
  return {
    ...asked,
    tables,
    read(results: Read['tables'], more: More): Found {
      const rows = Object.fromEntries(Object.entries(results).map(([name, result]) => [name, result.rows]))
      // the runner reads this source's own tables, so the rows have their types
      return read(rows as unknown as RowsOf<T>, more)
    },
  }
}

/** True for a device of one of the vendors. */
export function isOf(device: Pick<DeviceFacts, 'sysObjectID'>, vendors: readonly Vendor[]): boolean {
  return vendors.some((vendor) => isFrom(device, vendor))
}
