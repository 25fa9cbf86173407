import { getTableColumns } from 'drizzle-orm'
import { devices } from '../../../db/schema/index.ts'

/** Columns of `devices` with secrets, shown to administrators only. */
export const DEVICE_SECRETS: ReadonlySet<string> = new Set(['community', 'authpass', 'cryptopass'])

/** Our own columns, which are not part of the API's device record. */
const PRIVATE: ReadonlySet<string> = new Set(['poll_interval', 'snmp_any_source'])

export type ColumnKind = 'text' | 'number' | 'instant' | 'address'

/** Columns of the device record in API order, and their kind. */
export const DEVICE_COLUMNS: ReadonlyMap<string, ColumnKind> = new Map(
  Object.entries(getTableColumns(devices))
    .filter(([name]) => !PRIVATE.has(name))
    .map(([name, column]) => [
      name,
      name === 'ip'
        ? 'address'
        : column.dataType === 'date'
          ? 'instant'
          : column.dataType === 'number'
            ? 'number'
            : 'text',
    ]),
)
