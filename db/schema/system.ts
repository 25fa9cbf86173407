import { doublePrecision, integer, jsonb, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** Processes that poll, by name: when they last did, how many devices, and the seconds it took. */
export const pollers = pgTable(
  'pollers',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    poller_name: text().notNull(),
    last_polled: instant().notNull(),
    devices: integer().notNull(),
    time_taken: doublePrecision().notNull(),
  },
  (t) => [unique('pollers_name').on(t.poller_name)],
)

/** Groups of pollers that a device can be given to. */
export const pollerGroups = pgTable('poller_groups', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  group_name: text().notNull(),
  descr: text().notNull().default(''),
})

/** Settings stored with `config set`, by their dotted name. */
export const config = pgTable('config', {
  name: text().primaryKey(),
  value: jsonb().notNull(),
  updated_at: instant().notNull().defaultNow(),
})
