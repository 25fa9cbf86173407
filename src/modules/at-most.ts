import type { MibTable, Rows } from '@portlight/snmp/table.ts'
import type { PhaseInput } from './module.ts'

/** The first `max` rows of a table; if it has more, that is reported. */
export function atMost<T extends MibTable>(
  max: number,
  table: T,
  rows: Rows<T>,
  unread: PhaseInput['unread'],
): Rows<T> {
  if (rows.size <= max) return rows
  unread(table, rows.keys().drop(max))
  return new Map(rows.entries().take(max))
}
