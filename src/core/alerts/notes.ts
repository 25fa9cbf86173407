import type { Sql, Tx } from '../database/client.ts'

/** Characters of an alert's notes that are kept; the oldest are left out first. Lists and notifications carry them. */
export const MAX_NOTES = 100_000

/** The notes of alerts of table alias `a` with a line more, as an SQL value. */
export const notesWith = (sql: Sql | Tx, line: string) =>
  sql`right(concat_ws(E'\n', nullif(a.note, ''), ${line}::text), ${MAX_NOTES}::int)`
