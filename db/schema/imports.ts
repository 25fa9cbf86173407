import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { big, instant } from './columns.ts'

/**
 * How far objects of other installations are imported. `object`: a table, or a kind of samples with the id of their
 * subject. Rows are imported up to an id or an instant; `octets` is the size of the file that was read.
 */
export const importMarks = pgTable(
  'import_marks',
  {
    source: text().notNull(),
    object: text().notNull(),
    upto_id: big(),
    upto: instant(),
    octets: big(),
    rows: big().notNull().default(0),
    updated: instant().notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.source, t.object] })],
)

/** What rows of other installations became. */
export const importIds = pgTable(
  'import_ids',
  {
    source: text().notNull(),
    table_name: text().notNull(),
    source_id: big().notNull(),
    target_id: big().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.source, t.table_name, t.source_id] }),
    index('import_ids_target').on(t.table_name, t.target_id),
  ],
)
