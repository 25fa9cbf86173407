import { index, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** What happened, to which device. `severity`: 0 unknown, 1 ok, 2 info, 3 notice, 4 warning, 5 error. */
export const eventlog = pgTable(
  'eventlog',
  {
    event_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: integer(),
    datetime: instant().notNull().defaultNow(),
    message: text(),
    type: text(),
    /** Id of the concerned object, as text. */
    reference: text(),
    username: text(),
    severity: smallint().notNull().default(2),
  },
  (t) => [index('eventlog_device').on(t.device_id, t.event_id), index('eventlog_datetime').on(t.datetime)],
)

/** Logins and their results. */
export const authlog = pgTable(
  'authlog',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    datetime: instant().notNull().defaultNow(),
    user: text().notNull(),
    address: text().notNull(),
    result: text().notNull(),
  },
  (t) => [index('authlog_datetime').on(t.datetime)],
)
