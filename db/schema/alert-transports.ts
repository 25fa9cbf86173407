import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { alertRules, alerts } from './alerts.ts'
import { flag, instant } from './columns.ts'
import { devices } from './devices.ts'

/** Where notifications are sent to. `transport_config`: settings of the type, with secrets. */
export const alertTransports = pgTable(
  'alert_transports',
  {
    transport_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    transport_name: text().notNull(),
    transport_type: text().notNull(),
    is_default: flag(),
    transport_config: jsonb().notNull().default({}),
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

/** Transports and groups of rules. A rule without rows uses the transports with `is_default` 1. */
export const alertTransportMap = pgTable(
  'alert_transport_map',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    rule_id: integer()
      .notNull()
      .references(() => alertRules.id, { onDelete: 'cascade' }),
    transport_or_group_id: integer().notNull(),
    target_type: text({ enum: ['single', 'group'] }).notNull(),
    transport_id: integer()
      .generatedAlwaysAs(sql`case when target_type = 'single' then transport_or_group_id end`)
      .references(() => alertTransports.transport_id, { onDelete: 'cascade' }),
    transport_group_id: integer()
      .generatedAlwaysAs(sql`case when target_type = 'group' then transport_or_group_id end`)
      .references(() => alertTransportGroups.transport_group_id, { onDelete: 'cascade' }),
  },
  (t) => [
    unique('alert_transport_map_target').on(t.rule_id, t.target_type, t.transport_or_group_id),
    index('alert_transport_map_transport').on(t.transport_id),
    index('alert_transport_map_group').on(t.transport_group_id),
  ],
)

/**
 * Notifications, one row for each transport, written in the transaction of the change they report. `key`: the
 * idempotency key that receivers see. `context`: what texts are made from, without secrets. `claimed_at`: an attempt is
 * under way. `dead_at`: given up, with `last_error`.
 */
export const alertOutbox = pgTable(
  'alert_outbox',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    key: text().notNull(),
    alert_id: integer().references(() => alerts.id, { onDelete: 'cascade' }),
    rule_id: integer().references(() => alertRules.id, { onDelete: 'cascade' }),
    device_id: integer().references(() => devices.device_id, { onDelete: 'cascade' }),
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
  },
  (t) => [
    unique('alert_outbox_key').on(t.key),
    index('alert_outbox_due')
      .on(t.transport_id, sql`coalesce(${t.rule_id}, 0)`, t.next_at, t.id)
      .where(sql`${t.sent_at} is null and ${t.dead_at} is null and ${t.claimed_at} is null`),
    index('alert_outbox_alert')
      .on(t.alert_id, t.transport_id, t.id)
      .where(sql`${t.sent_at} is null and ${t.dead_at} is null`),
    index('alert_outbox_sent').on(t.sent_at).where(sql`${t.sent_at} is not null`),
    index('alert_outbox_dead').on(t.dead_at).where(sql`${t.dead_at} is not null`),
    index('alert_outbox_rule').on(t.rule_id),
    index('alert_outbox_device').on(t.device_id),
    index('alert_outbox_transport').on(t.transport_id),
  ],
)
