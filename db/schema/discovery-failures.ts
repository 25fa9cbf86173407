import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { deviceId } from './devices.ts'

/**
 * What a device reported and could not be stored; no row: everything was. `subject` is a kind of rows, or `everything`
 * if the whole discovery failed. `tries`: attempts in a row.
 */
export const discoveryFailures = pgTable(
  'discovery_failures',
  {
    device_id: deviceId(),
    subject: text().notNull(),
    reason: text().notNull(),
    since: instant().notNull().defaultNow(),
    tried_at: instant().notNull().defaultNow(),
    tries: integer().notNull().default(1),
  },
  (t) => [primaryKey({ columns: [t.device_id, t.subject] })],
)
