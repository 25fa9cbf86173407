import { pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { deviceId } from './devices.ts'

/**
 * Why a device cannot be read, or not completely; no row: no failure. `kind` and `detail` are those of SnmpFailure:
 * timeout, refused, error, unresolved, ... and the error-status, the reason of a refusal or the name.
 */
export const deviceFailures = pgTable('device_failures', {
  device_id: deviceId().primaryKey(),
  kind: text().notNull(),
  detail: text().notNull().default(''),
  since: instant().notNull().defaultNow(),
})
