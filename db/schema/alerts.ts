import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, smallint, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { big, flag, instant } from './columns.ts'
import { deviceId, locations } from './devices.ts'
import { deviceGroups } from './groups.ts'

/**
 * Plans of who is notified of alerts, and when. `default_operation_step_duration_seconds` null: setting
 * alert.step_duration. `notifications_suppressed` 1: nobody is notified.
 */
export const alertOperations = pgTable('alert_operations', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  name: text().notNull(),
  default_operation_step_duration_seconds: integer(),
  notifications_suppressed: flag(),
})

/**
 * Alert rules. `builder`: the rule group as JSON text, as received; `query`: its comparison as text; `extra`: JSON text
 * of mute, count, delay, interval, invert, recovery, acknowledgement and options; `runbook`: an http or https address. A
 * rule without rows in the three maps applies to all devices; with `invert_map` 1 to all except those of the maps.
 * `alert_operation_id` null: its transports are notified, or the default ones; with `silenced` 1 nobody is.
 */
export const alertRules = pgTable(
  'alert_rules',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    severity: text({ enum: ['ok', 'warning', 'critical'] }).notNull(),
    extra: text().notNull(),
    disabled: flag(),
    name: text().notNull(),
    query: text().notNull(),
    builder: text().notNull(),
    proc: text(),
    invert_map: flag(),
    notes: text(),
    alert_operation_id: integer().references(() => alertOperations.id),
    silenced: flag(),
    runbook: text(),
  },
  (t) => [
    uniqueIndex('alert_rules_name').on(sql`lower(${t.name})`),
    index('alert_rules_operation_id').on(t.alert_operation_id).where(sql`${t.alert_operation_id} is not null`),
  ],
)

const ruleId = () =>
  integer()
    .notNull()
    .references(() => alertRules.id, { onDelete: 'cascade' })

/** Devices that rules apply to. */
export const alertDeviceMap = pgTable('alert_device_map', { rule_id: ruleId(), device_id: deviceId() }, (t) => [
  primaryKey({ columns: [t.rule_id, t.device_id] }),
  index('alert_device_map_device').on(t.device_id),
])

/** Device groups that rules apply to. */
export const alertGroupMap = pgTable(
  'alert_group_map',
  {
    rule_id: ruleId(),
    group_id: integer()
      .notNull()
      .references(() => deviceGroups.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.rule_id, t.group_id] }), index('alert_group_map_group').on(t.group_id)],
)

/** Locations that rules apply to. */
export const alertLocationMap = pgTable(
  'alert_location_map',
  {
    rule_id: ruleId(),
    location_id: integer()
      .notNull()
      .references(() => locations.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.rule_id, t.location_id] }), index('alert_location_map_location').on(t.location_id)],
)

/**
 * One row for each device and rule that ever matched. `state`: 0 recovered, 1 active, 2 acknowledged, 3 worse, 4
 * better, 5 changed. `open` 1: the change still has to be notified. `alerted`: the state that was last notified.
 * `info`: JSON text, with `until_clear` after an acknowledgement.
 *
 * The engine's own columns: `digest` of the set of faults (null: not known, as after an import), `faults` by key with
 * the epoch seconds since when, `began_at`, `begins` (epoch seconds of its latest beginnings), `notified` (how often
 * this problem was notified) and when last, `next_at` (when a notification is due; null: none is) and why it is `held`, `steps`
 * (how far the operation of its rule is; null: it has none, or none is under way) and the transports `told`: notified of it.
 */
export const alerts = pgTable(
  'alerts',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    rule_id: ruleId(),
    state: smallint().notNull(),
    alerted: smallint().notNull().default(0),
    open: smallint().notNull().default(0),
    note: text(),
    timestamp: instant().notNull().defaultNow(),
    info: text().notNull().default(''),
    digest: text(),
    faults: jsonb().notNull().default({}),
    began_at: instant(),
    begins: big().array().notNull().default([]),
    notified: integer().notNull().default(0),
    notified_at: instant(),
    next_at: instant(),
    held: text(),
    steps: jsonb(),
    told: integer().array().notNull().default([]),
  },
  (t) => [
    unique('alerts_device_rule').on(t.device_id, t.rule_id),
    index('alerts_rule').on(t.rule_id),
    index('alerts_state_timestamp').on(t.state, t.timestamp),
    index('alerts_next').on(t.next_at).where(sql`${t.next_at} is not null`),
  ],
)

/** Every change of an alert, with the rows that matched (`details`). */
export const alertLog = pgTable(
  'alert_log',
  {
    id: integer().notNull().generatedByDefaultAsIdentity(),
    rule_id: ruleId(),
    device_id: deviceId(),
    state: smallint().notNull(),
    details: jsonb(),
    time_logged: instant().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.id, t.time_logged] }),
    index('alert_log_time').on(t.time_logged, t.id),
    index('alert_log_device_time').on(t.device_id, t.time_logged, t.id),
    index('alert_log_rule_device').on(t.rule_id, t.device_id, t.id),
  ],
)

/** Rules that could not be run, or only apart from others, while that lasts. `kind`: unusable, invalid, timeout or slow. */
export const alertRuleFailures = pgTable('alert_rule_failures', {
  rule_id: integer()
    .primaryKey()
    .references(() => alertRules.id, { onDelete: 'cascade' }),
  kind: text().notNull(),
  detail: text().notNull().default(''),
  since: instant().notNull().defaultNow(),
})

/** Texts of notifications. */
export const alertTemplates = pgTable('alert_templates', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  name: text().notNull(),
  template: text().notNull(),
  title: text(),
  title_rec: text(),
})

/** Rules that use a template. */
export const alertTemplateMap = pgTable(
  'alert_template_map',
  {
    alert_templates_id: integer()
      .notNull()
      .references(() => alertTemplates.id, { onDelete: 'cascade' }),
    alert_rule_id: integer()
      .notNull()
      .references(() => alertRules.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ columns: [t.alert_templates_id, t.alert_rule_id] }),
    index('alert_template_map_rule').on(t.alert_rule_id),
  ],
)
