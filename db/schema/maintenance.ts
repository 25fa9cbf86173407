import { sql } from 'drizzle-orm'
import { index, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { devices, locations } from './devices.ts'
import { deviceGroups } from './groups.ts'
import { sensors } from './inventory.ts'
import { ports } from './ports.ts'

/**
 * Maintenance windows. `recurring` 1: on each day of `recurring_day` (ISO weekdays joined by commas; null: every day)
 * between the times of day of `start` and `end`, from the first date to the last. With `repeat` each one begins at the
 * local time of `start` in `zone` and lasts `duration_s`: daily, weekly on `recurring_day` (null: the weekday of `start`),
 * monthly on the day of `start`, or on the first, second ... of the weekday in `recurring_day`. `behavior`: 1 does not check alerts,
 * 2 checks but does not notify, 3 has no effect.
 */
export const alertSchedule = pgTable(
  'alert_schedule',
  {
    schedule_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    recurring: smallint().notNull().default(0),
    start: instant().notNull(),
    end: instant().notNull(),
    recurring_day: text(),
    title: text().notNull(),
    notes: text().notNull().default(''),
    behavior: integer().notNull().default(1),
    repeat: text({ enum: ['daily', 'weekly', 'monthly'] }),
    zone: text(),
    duration_s: integer(),
  },
  (t) => [index('alert_schedule_end').on(t.end)],
)

/** Targets of schedules. The generated columns carry foreign keys, so that rows are deleted with their target. */
export const alertSchedulables = pgTable(
  'alert_schedulables',
  {
    item_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    schedule_id: integer()
      .notNull()
      .references(() => alertSchedule.schedule_id, { onDelete: 'cascade' }),
    alert_schedulable_id: integer().notNull(),
    alert_schedulable_type: text({ enum: ['device', 'device_group', 'location', 'port', 'sensor'] }).notNull(),
    device_id: integer()
      .references(() => devices.device_id, { onDelete: 'cascade' })
      .generatedAlwaysAs(sql`case when alert_schedulable_type = 'device' then alert_schedulable_id end`),
    location_id: integer()
      .references(() => locations.id, { onDelete: 'cascade' })
      .generatedAlwaysAs(sql`case when alert_schedulable_type = 'location' then alert_schedulable_id end`),
    device_group_id: integer()
      .references(() => deviceGroups.id, { onDelete: 'cascade' })
      .generatedAlwaysAs(sql`case when alert_schedulable_type = 'device_group' then alert_schedulable_id end`),
    target_port_id: integer()
      .references(() => ports.port_id, { onDelete: 'cascade' })
      .generatedAlwaysAs(sql`case when alert_schedulable_type = 'port' then alert_schedulable_id end`),
    target_sensor_id: integer()
      .references(() => sensors.sensor_id, { onDelete: 'cascade' })
      .generatedAlwaysAs(sql`case when alert_schedulable_type = 'sensor' then alert_schedulable_id end`),
  },
  (t) => [
    index('alert_schedulables_schedule').on(t.schedule_id),
    index('alert_schedulables_device').on(t.device_id),
    index('alert_schedulables_location').on(t.location_id),
    index('alert_schedulables_device_group').on(t.device_group_id),
    index('alert_schedulables_port').on(t.target_port_id),
    index('alert_schedulables_sensor').on(t.target_sensor_id),
  ],
)
