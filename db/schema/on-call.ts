import { sql } from 'drizzle-orm'
import {
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { users } from './access.ts'
import { alertTransports } from './alert-transports.ts'
import { instant } from './columns.ts'

const scheduleId = () =>
  integer()
    .notNull()
    .references(() => onCallSchedules.id, { onDelete: 'cascade' })
const userId = () =>
  integer()
    .notNull()
    .references(() => users.user_id, { onDelete: 'cascade' })

/**
 * Schedules of people on call. `zone`: IANA name, of all local times of the schedule; `feed`: version of the secret
 * address of its calendar, null: none.
 */
export const onCallSchedules = pgTable(
  'on_call_schedules',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    name: text().notNull(),
    zone: text().notNull(),
    notes: text().notNull().default(''),
    feed: integer(),
    changed_at: instant().notNull().defaultNow(),
  },
  (t) => [uniqueIndex('on_call_schedules_name').on(sql`lower(${t.name})`)],
)

/**
 * Layers of schedules; the highest position that has a person counts. `unit` and `length`: how long a turn lasts;
 * `begins`: local time of the first hand-over, `YYYY-MM-DD HH:MM`; `ends`: local time from which there are no turns, null:
 * never; `days`: ISO weekdays joined by commas, null: every day; `from_minute`, `to_minute`: minutes of the day between
 * which the layer counts, equal: the whole day.
 */
export const onCallLayers = pgTable(
  'on_call_layers',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    schedule_id: scheduleId(),
    position: smallint().notNull(),
    name: text().notNull().default(''),
    unit: text({ enum: ['hour', 'day', 'week'] }).notNull(),
    length: integer().notNull(),
    begins: text().notNull(),
    ends: text(),
    days: text(),
    from_minute: smallint().notNull().default(0),
    to_minute: smallint().notNull().default(0),
  },
  (t) => [unique('on_call_layers_position').on(t.schedule_id, t.position)],
)

/** The people of a layer in the order of their turns. */
export const onCallTurns = pgTable(
  'on_call_turns',
  {
    layer_id: integer()
      .notNull()
      .references(() => onCallLayers.id, { onDelete: 'cascade' }),
    position: smallint().notNull(),
    user_id: userId(),
  },
  (t) => [primaryKey({ columns: [t.layer_id, t.position] }), index('on_call_turns_user').on(t.user_id)],
)

/** Times in which a person is on call instead of the one of the layers; of several the one made last counts. */
export const onCallOverrides = pgTable(
  'on_call_overrides',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    schedule_id: scheduleId(),
    user_id: userId(),
    begins_at: instant().notNull(),
    ends_at: instant().notNull(),
    note: text().notNull().default(''),
    made_by: text().notNull().default(''),
    made_at: instant().notNull().defaultNow(),
  },
  (t) => [
    index('on_call_overrides_schedule').on(t.schedule_id, t.ends_at),
    index('on_call_overrides_user').on(t.user_id),
  ],
)

/**
 * By which transports a person is reached, and in which order: those with the same `attempt` together. `quiet`: hours in
 * which only serious problems are sent, an array of objects with `days` (1 Monday to 7 Sunday; null: every day), `from` and
 * `to` (minutes of the day in the zone) and `lets` (the mildest severity that is sent, or `nothing`).
 */
export const onCallWays = pgTable(
  'on_call_ways',
  {
    user_id: userId(),
    transport_id: integer()
      .notNull()
      .references(() => alertTransports.transport_id, { onDelete: 'cascade' }),
    attempt: smallint().notNull().default(1),
    zone: text().notNull(),
    quiet: jsonb().notNull().default([]),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.transport_id] }), index('on_call_ways_transport').on(t.transport_id)],
)

/**
 * Links in notifications that acknowledge without signing in, and were used. `notification_id`: of `alert_outbox`, without
 * a reference, because a link stays used when its notification is deleted; `used_by`: the person or transport it was sent
 * to; `used_from`: address of the client; `expires_at`: when the link expires, so that the row can be deleted.
 */
export const usedAlertLinks = pgTable(
  'used_alert_links',
  {
    notification_id: bigint({ mode: 'number' }).primaryKey(),
    used_at: instant().notNull().defaultNow(),
    used_by: text().notNull(),
    used_from: text().notNull().default(''),
    expires_at: instant().notNull(),
  },
  (t) => [index('used_alert_links_expires').on(t.expires_at)],
)
