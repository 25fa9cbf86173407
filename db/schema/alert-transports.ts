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
  uuid,
} from 'drizzle-orm/pg-core'
import { alertRules, alerts } from './alerts.ts'
import { flag, instant } from './columns.ts'

/**
 * Where notifications are sent to. `transport_config`: settings of the type, with secrets. `grouping` 1: what happens at
 * the same time is one message; `group_window`: seconds for which the first waits for others; `rate_per_minute`: maximum
 * number of messages a minute, 0: no limit. Null: as usual for the type, alert.group_window, alert.rate.
 */
export const alertTransports = pgTable(
  'alert_transports',
  {
    transport_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    transport_name: text().notNull(),
    transport_type: text().notNull(),
    is_default: flag(),
    transport_config: jsonb().notNull().default({}),
    grouping: smallint(),
    group_window: integer(),
    rate_per_minute: integer(),
  },
  (t) => [uniqueIndex('alert_transports_name').on(sql`lower(${t.transport_name})`)],
)

export const alertTransportGroups = pgTable(
  'alert_transport_groups',
  {
    transport_group_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    transport_group_name: text().notNull(),
  },
  (t) => [uniqueIndex('alert_transport_groups_name').on(sql`lower(${t.transport_group_name})`)],
)

/** Members of transport groups. */
export const transportGroupTransport = pgTable(
  'transport_group_transport',
  {
    transport_group_id: integer()
      .notNull()
      .references(() => alertTransportGroups.transport_group_id, { onDelete: 'cascade' }),
    transport_id: integer()
      .notNull()
      .references(() => alertTransports.transport_id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ columns: [t.transport_group_id, t.transport_id] }),
    index('transport_group_transport_transport').on(t.transport_id),
  ],
)

/** What gets notifications. The generated columns carry the foreign keys; null: it is of another type. */
export const target = <const T extends readonly [string, ...string[]]>(types: T) => ({
  transport_or_group_id: integer().notNull(),
  target_type: text({ enum: types }).notNull(),
  transport_id: integer()
    .generatedAlwaysAs(sql`case when target_type = 'single' then transport_or_group_id end`)
    .references(() => alertTransports.transport_id, { onDelete: 'cascade' }),
  transport_group_id: integer()
    .generatedAlwaysAs(sql`case when target_type = 'group' then transport_or_group_id end`)
    .references(() => alertTransportGroups.transport_group_id, { onDelete: 'cascade' }),
})

/** Transports and groups of rules. A rule without rows uses the transports with `is_default` 1. */
export const alertTransportMap = pgTable(
  'alert_transport_map',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    rule_id: integer()
      .notNull()
      .references(() => alertRules.id, { onDelete: 'cascade' }),
    ...target(['single', 'group']),
  },
  (t) => [
    unique('alert_transport_map_target').on(t.rule_id, t.target_type, t.transport_or_group_id),
    index('alert_transport_map_transport').on(t.transport_id),
    index('alert_transport_map_group').on(t.transport_group_id),
  ],
)

/**
 * Messages of transports that group notifications. `alerts`: how many it is about. A message stays the same, with the
 * same key, until it was sent or given up (`ended_at`). `held`: why it did not leave earlier (null: it did not wait), and
 * for how many seconds its oldest notification was held back.
 */
export const alertMessages = pgTable(
  'alert_messages',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    key: uuid().notNull().defaultRandom(),
    transport_id: integer()
      .notNull()
      .references(() => alertTransports.transport_id, { onDelete: 'cascade' }),
    alerts: integer().notNull(),
    formed_at: instant().notNull(),
    held: text(),
    held_for: integer().notNull().default(0),
    attempts: integer().notNull().default(0),
    next_at: instant().notNull(),
    claimed_at: instant(),
    ended_at: instant(),
  },
  (t) => [
    index('alert_messages_formed').on(t.transport_id, t.formed_at),
    index('alert_messages_due').on(t.transport_id, t.next_at).where(sql`${t.ended_at} is null`),
    index('alert_messages_ended').on(t.ended_at).where(sql`${t.ended_at} is not null`),
  ],
)

/**
 * Attempts of the last minutes by transports with a rate: what counts against it. `ended_at` null: under way. They are of
 * a notification (`outbox_id`) or of a message.
 */
export const alertAttempts = pgTable(
  'alert_attempts',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    transport_id: integer()
      .notNull()
      .references(() => alertTransports.transport_id, { onDelete: 'cascade' }),
    outbox_id: bigint({ mode: 'number' }),
    message_id: bigint({ mode: 'number' }),
    began_at: instant().notNull(),
    ended_at: instant(),
  },
  (t) => [
    index('alert_attempts_transport').on(t.transport_id, t.ended_at),
    index('alert_attempts_ended').on(t.ended_at),
  ],
)

/**
 * Transports whose latest attempts failed. `failures`: attempts that failed one after another, since `since`.
 * `failed_at`: when it counted as failing; null: it works, as far as known. `told_at`: when that was notified through
 * another transport; null: it was not, or the transport works again. `last_told_at`: when a failure of it was last notified.
 */
export const alertPaths = pgTable('alert_paths', {
  transport_id: integer()
    .primaryKey()
    .references(() => alertTransports.transport_id, { onDelete: 'cascade' }),
  failures: integer().notNull().default(0),
  since: instant(),
  last_error: text(),
  failed_at: instant(),
  told_at: instant(),
  last_told_at: instant(),
})

/**
 * Notifications, one row for each transport, written in the transaction of the change they report. `key`: the
 * idempotency key that receivers see. `context`: what texts are made from, without secrets. `claimed_at`: an attempt is
 * under way. `dead_at`: given up, with `last_error`. `message_id`: the message that it is part of, where transports group
 * notifications. `about_transport_id`: the transport that it is about, if it reports that one failed or works again.
 * `rule_id` and `device_id` are those of the alert, with which a notification is deleted.
 */
export const alertOutbox = pgTable(
  'alert_outbox',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    key: text().notNull(),
    alert_id: integer().references(() => alerts.id, { onDelete: 'cascade' }),
    rule_id: integer(),
    device_id: integer(),
    transport_id: integer()
      .notNull()
      .references(() => alertTransports.transport_id, { onDelete: 'cascade' }),
    kind: text().notNull(),
    context: jsonb().notNull(),
    created_at: instant().notNull().defaultNow(),
    attempts: integer().notNull().default(0),
    next_at: instant().notNull().defaultNow(),
    claimed_at: instant(),
    sent_at: instant(),
    dead_at: instant(),
    last_error: text(),
    message_id: bigint({ mode: 'number' }).references(() => alertMessages.id, { onDelete: 'set null' }),
    about_transport_id: integer().references(() => alertTransports.transport_id, { onDelete: 'cascade' }),
  },
  (t) => [
    index('alert_outbox_message').on(t.message_id).where(sql`${t.message_id} is not null`),
    index('alert_outbox_told').on(t.alert_id, t.transport_id, t.id).where(sql`${t.message_id} is not null`),
    index('alert_outbox_loose')
      .on(t.transport_id, t.created_at)
      .where(sql`${t.sent_at} is null and ${t.dead_at} is null and ${t.message_id} is null`),
    index('alert_outbox_about').on(t.about_transport_id).where(sql`${t.about_transport_id} is not null`),
    index('alert_outbox_due')
      .on(t.transport_id, sql`coalesce(${t.rule_id}, 0)`, t.next_at, t.id)
      .where(
        sql`${t.sent_at} is null and ${t.dead_at} is null and ${t.claimed_at} is null and ${t.message_id} is null`,
      ),
    index('alert_outbox_alert')
      .on(t.alert_id, t.transport_id, t.id)
      .where(sql`${t.sent_at} is null and ${t.dead_at} is null`),
    index('alert_outbox_sent').on(t.sent_at).where(sql`${t.sent_at} is not null`),
    index('alert_outbox_dead').on(t.dead_at).where(sql`${t.dead_at} is not null`),
    index('alert_outbox_of_alert').on(t.alert_id),
  ],
)
