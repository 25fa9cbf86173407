import { index, integer, pgTable, smallint, text, unique } from 'drizzle-orm/pg-core'
import { flag } from './columns.ts'
import { deviceId } from './devices.ts'

/** Services of devices that are checked from here: HTTP, SSH, ... `service_status`: 0 ok, 1 warning, 2 critical, 3 unknown. */
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
    /** JSON object: unit of each data set that the check measures. */
    service_ds: text(),
    service_template_id: integer().notNull().default(0),
    service_name: text(),
  },
  (t) => [index('services_device').on(t.device_id)],
)

/** Data sets of services: what a series of `ts.service_samples` belongs to. */
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
