import { integer, pgTable, primaryKey, real, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { deviceId } from './devices.ts'

/** What the last discovery of a device found with each module, and what that cost. A module without rows is not polled. */
export const deviceModules = pgTable(
  'device_modules',
  {
    device_id: deviceId(),
    module: text().notNull(),
    rows: integer().notNull(),
    requests: integer().notNull(),
    took_ms: real().notNull(),
    /** '' or why something is missing. */
    note: text().notNull().default(''),
    discovered_at: instant().notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.device_id, t.module] })],
)
