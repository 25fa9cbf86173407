import { bigint, index, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { devices } from './devices.ts'

/** The event log. `severity`: 0 unknown, 1 ok, 2 info, 3 notice, 4 warning, 5 error. */
export const eventlog = pgTable(
  'eventlog',
  {
    event_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: integer(),
    datetime: instant().notNull().defaultNow(),
    message: text(),
    type: text(),
    /** Id of the object, as text. */
    reference: text(),
    username: text(),
    severity: smallint().notNull().default(2),
  },
  (t) => [
    index('eventlog_device').on(t.device_id, t.event_id),
    index('eventlog_datetime').on(t.datetime, t.event_id),
    index('eventlog_device_datetime').on(t.device_id, t.datetime, t.event_id),
  ],
)

/** Login attempts and their results. */
export const authlog = pgTable(
  'authlog',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    datetime: instant().notNull().defaultNow(),
    user: text().notNull(),
    address: text().notNull(),
    result: text().notNull(),
  },
  (t) => [index('authlog_datetime').on(t.datetime, t.id)],
)

/** Syslog messages of devices. */
export const syslog = pgTable(
  'syslog',
  {
    device_id: integer().references(() => devices.device_id, { onDelete: 'cascade' }),
    facility: text(),
    priority: text(),
    level: text(),
    tag: text(),
    timestamp: instant().notNull().defaultNow(),
    /** Upper case, at most 32 characters. */
    program: text(),
    msg: text(),
    seq: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
  },
  (t) => [index('syslog_time').on(t.timestamp, t.seq), index('syslog_device_time').on(t.device_id, t.timestamp, t.seq)],
)

/** Number of rows in each log, as the sum of its lines. Every statement adds a line; housekeeping consolidates them. */
export const logCounts = pgTable('log_counts', {
  id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
  /** Name of the table. */
  log: text().notNull(),
  rows: bigint({ mode: 'number' }).notNull(),
})
