import { index, integer, pgTable, real, smallint, text, timestamp, unique } from 'drizzle-orm/pg-core'
import { flag } from './columns.ts'
import { deviceId } from './devices.ts'

/** Checks of services on devices: HTTP, SSH, ... `service_status`: 0 ok, 1 warning, 2 critical, 3 unknown. */
export const services = pgTable(
  'services',
  {
    service_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    service_ip: text(),
    service_type: text().notNull(),
    service_desc: text(),
    service_param: text(),
    service_ignore: flag(),
    service_status: smallint().notNull().default(0),
    /** Epoch seconds of the last change of state. */
    service_changed: integer().notNull().default(0),
    service_message: text(),
    service_disabled: flag(),
    /** JSON object: unit of each data set of the check. */
    service_ds: text(),
    service_template_id: integer().notNull().default(0),
    service_name: text(),
  },
  (t) => [index('services_device').on(t.device_id)],
)

/** Data sets of services, the subjects of `ts.service_samples`. */
export const serviceDatasets = pgTable(
  'service_datasets',
  {
    service_dataset_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    service_id: integer()
      .notNull()
      .references(() => services.service_id, { onDelete: 'cascade' }),
    ds: text().notNull(),
  },
  (t) => [unique('service_datasets_service_ds').on(t.service_id, t.ds)],
)

/** The last check of each service. */
export const serviceChecks = pgTable('service_checks', {
  service_id: integer()
    .primaryKey()
    .references(() => services.service_id, { onDelete: 'cascade' }),
  checked_at: timestamp({ withTimezone: true }).notNull(),
  took_ms: real().notNull(),
  /** Failed checks in a row that have not changed the state yet. */
  attempt: smallint().notNull().default(0),
  last_status: smallint().notNull(),
  last_message: text().notNull(),
})
