import type { Rows } from '@portlight/snmp/table.ts'
import type { DeviceFacts, Read, Tables } from './module.ts'
import { isFrom, type Vendor } from './vendor.ts'

/** A vendor's own tables and how they are interpreted: one entry in a module's list of sources. */
export interface Source<More, Found> {
  /** Vendors whose devices are asked. */
  readonly vendors: readonly Vendor[]
  readonly tables: Tables
  /** `more`: what else the module knows. */
  read(tables: Read['tables'], more: More): Found
}

/** The rows of a source's tables, by the names of the tables. */
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

/** True if the device is from one of the vendors. */
export function isOf(device: Pick<DeviceFacts, 'sysObjectID'>, vendors: readonly Vendor[]): boolean {
  return vendors.some((vendor) => isFrom(device, vendor))
}
