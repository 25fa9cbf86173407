import { integer, pgTable, primaryKey, real, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { deviceId } from './devices.ts'

/** Result and cost of each module at a device's last discovery. A module without rows is not polled. */
export const deviceModules = pgTable(
  'device_modules',
  {
    device_id: deviceId(),
    module: text().notNull(),
    rows: integer().notNull(),
    requests: integer().notNull(),
    took_ms: real().notNull(),
    /** Why something is missing; '' when complete. */
    note: text().notNull().default(''),
    discovered_at: instant().notNull().defaultNow(),
    /** Subject of the samples of its poll times. */
    module_id: integer().generatedByDefaultAsIdentity().unique('device_modules_module_id_key'),
  },
  (t) => [primaryKey({ columns: [t.device_id, t.module] })],
)
