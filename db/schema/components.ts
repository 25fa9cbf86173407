import { index, integer, pgTable, smallint, text, unique } from 'drizzle-orm/pg-core'
import { flag, instant } from './columns.ts'
import { deviceId } from './devices.ts'

/** Parts of devices that other programs describe. `status`: 0 ok, 1 warning, 2 critical. */
export const component = pgTable(
  'component',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    type: text().notNull(),
    label: text(),
    status: smallint().notNull().default(0),
    disabled: flag(),
    ignore: flag(),
    error: text(),
  },
  (t) => [index('component_device').on(t.device_id), index('component_type').on(t.type)],
)

/** Free-form attributes of components. */
export const componentPrefs = pgTable(
  'component_prefs',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    component: integer()
      .notNull()
      .references(() => component.id, { onDelete: 'cascade' }),
    attribute: text().notNull(),
    value: text().notNull(),
  },
  (t) => [unique('component_prefs_component_attribute').on(t.component, t.attribute)],
)

/** History of the status of components. */
export const componentStatuslog = pgTable(
  'component_statuslog',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    component_id: integer()
      .notNull()
      .references(() => component.id, { onDelete: 'cascade' }),
    status: smallint().notNull().default(0),
    message: text(),
    timestamp: instant().notNull().defaultNow(),
  },
  (t) => [index('component_statuslog_component').on(t.component_id)],
)
