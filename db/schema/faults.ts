import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { users } from './access.ts'
import { alerts } from './alerts.ts'
import { big, byteOrderedText, flag, instant } from './columns.ts'

/**
 * Each thing that a rule found wrong on a device, one row from its beginning to its end; the alert of the rule on the
 * device is their roll-up. `key`: what identifies the thing for the rule. `kind` and `subject_id`: the thing, if it is
 * of a known kind (src/core/alerts/faults/subject.ts); null: the device itself. `state`: 1 active, 2 acknowledged, 0
 * over. `ended_how`: recovered, or gone (the rule no longer applies). `row_began`, `row_now`: the matched row at the
 * beginning and as last read (null: as at the beginning, or unknown).
 *
 * `acknowledged_until`: clear, worse or time, the last with `acknowledged_until_at`; `acknowledged_count` and
 * `acknowledged_severity`: how many faults the alert had then, and how severe it was. `muted_until` 9999-12-31: until
 * it is over.
 *
 * The engine's own columns: `speaks` 1: it has something to say, its beginning while it is open, then its recovery;
 * `told_at` and `recovery_told_at`: when they were notified; `begins`: epoch seconds of the latest beginnings of the
 * same thing; `live` 1: the engine still needs the row.
 *
 * `rule_id` and `device_id` are those of the alert, with which a fault is deleted.
 */
export const faults = pgTable(
  'faults',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    rule_id: integer().notNull(),
    device_id: integer().notNull(),
    alert_id: integer()
      .notNull()
      .references(() => alerts.id, { onDelete: 'cascade' }),
    key: byteOrderedText().notNull(),
    kind: text(),
    subject_id: integer(),
    state: smallint().notNull(),
    severity: text({ enum: ['ok', 'warning', 'critical'] }).notNull(),
    began_at: instant().notNull(),
    ended_at: instant(),
    ended_how: text({ enum: ['recovered', 'gone'] }),
    row_began: jsonb(),
    row_now: jsonb(),
    message: text().notNull().default(''),
    acknowledged_by: text(),
    acknowledged_at: instant(),
    acknowledged_note: text(),
    acknowledged_until: text({ enum: ['clear', 'worse', 'time'] }),
    acknowledged_until_at: instant(),
    acknowledged_count: integer(),
    acknowledged_severity: text({ enum: ['ok', 'warning', 'critical'] }),
    muted_until: instant(),
    assigned_to: integer().references(() => users.user_id, { onDelete: 'set null' }),
    speaks: flag(),
    told_at: instant(),
    recovery_told_at: instant(),
    begins: big().array().notNull().default([]),
    live: flag(1),
  },
  (t) => [
    index('faults_alert').on(t.alert_id, t.id),
    uniqueIndex('faults_open').on(t.alert_id, t.key).where(sql`${t.state} <> 0`),
    index('faults_live').on(t.alert_id).where(sql`${t.live} = 1`),
    index('faults_rule').on(t.rule_id),
    index('faults_device').on(t.device_id, t.began_at, t.id),
    index('faults_began').on(t.began_at, t.id),
    index('faults_state').on(t.state, t.began_at, t.id).where(sql`${t.state} <> 0`),
    index('faults_subject').on(t.kind, t.subject_id, t.began_at).where(sql`${t.subject_id} is not null`),
    index('faults_assigned').on(t.assigned_to).where(sql`${t.assigned_to} is not null`),
    index('faults_ended').on(t.ended_at).where(sql`${t.ended_at} is not null`),
  ],
)

/** What people wrote about faults and did with them (`by`), and acknowledgements that ended by themselves. */
export const faultHistory = pgTable(
  'fault_history',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    fault_id: bigint({ mode: 'number' })
      .notNull()
      .references(() => faults.id, { onDelete: 'cascade' }),
    at: instant().notNull().defaultNow(),
    what: text().notNull(),
    by: text(),
    note: text().notNull().default(''),
  },
  (t) => [index('fault_history_fault').on(t.fault_id, t.id)],
)
