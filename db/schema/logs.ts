import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** All logs are partitioned by their time (docs/adr/0042-logs-by-time.md). */

/** The event log. `severity`: 0 unknown, 1 ok, 2 info, 3 notice, 4 warning, 5 error. */
export const eventlog = pgTable(
  'eventlog',
  {
    event_id: integer().notNull().generatedByDefaultAsIdentity(),
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
    primaryKey({ columns: [t.event_id, t.datetime] }),
    index('eventlog_datetime').on(t.datetime, t.event_id),
    index('eventlog_device_datetime').on(t.device_id, t.datetime, t.event_id),
    // the audit: changes that people make, among the many events of devices
    index('eventlog_audit')
      .on(t.datetime, t.event_id)
      .where(
        sql`type in ('settings', 'access', 'alert-rule', 'alert-template', 'transport', 'device-edit', 'maintenance')`,
      ),
  ],
)

/** Login attempts and their results. */
export const authlog = pgTable(
  'authlog',
  {
    id: integer().notNull().generatedByDefaultAsIdentity(),
    datetime: instant().notNull().defaultNow(),
    user: text().notNull(),
    address: text().notNull(),
    result: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.id, t.datetime] }), index('authlog_datetime').on(t.datetime, t.id)],
)

/** Syslog messages of devices. */
export const syslog = pgTable(
  'syslog',
  {
    /** Messages are deleted with their device by a trigger. */
    device_id: integer(),
    facility: text(),
    priority: text(),
    level: text(),
    tag: text(),
    timestamp: instant().notNull().defaultNow(),
    /** Upper case, at most 32 characters. */
    program: text(),
    msg: text(),
    seq: bigint({ mode: 'number' }).notNull().generatedByDefaultAsIdentity(),
    /** How far the device's clock was ahead of ours (negative: behind), seconds; null: the message had no time. */
    clock_drift: integer(),
  },
  (t) => [
    primaryKey({ columns: [t.seq, t.timestamp] }),
    index('syslog_time').on(t.timestamp, t.seq),
    index('syslog_device_time').on(t.device_id, t.timestamp, t.seq),
  ],
)

/**
 * Number of rows of each log in each five minutes, as the sum of its lines. Every statement adds lines; housekeeping
 * consolidates them.
 */
export const logCounts = pgTable(
  'log_counts',
  {
    /** Name of the table. */
    log: text().notNull(),
    /** Begin of the five minutes. */
    bucket: instant().notNull(),
    rows: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [index('log_counts_bucket').on(t.log, t.bucket)],
)

/** Number of rows of each log, as the sum of its lines, which a trigger of log_counts adds; housekeeping consolidates them. */
export const logTotals = pgTable('log_totals', {
  /** Name of the table. */
  log: text().notNull(),
  rows: bigint({ mode: 'number' }).notNull(),
})

/** The logs, and what the width of their new partitions follows from. */
export const logTables = pgTable('log_tables', {
  log: text().primaryKey(),
  time_column: text().notNull(),
  id_column: text().notNull(),
  /** 0: forever. */
  keep_days: integer().notNull(),
})

/** The last batch that each run of the listeners stored. */
export const logBatches = pgTable('log_batches', {
  run: text().primaryKey(),
  number: bigint({ mode: 'number' }).notNull(),
  begun_at: instant().notNull().defaultNow(),
})

/** The SNMP engine that receives informs. One row. */
export const trapEngine = pgTable('trap_engine', {
  one: boolean().primaryKey().default(true),
  /** snmpEngineID, hexadecimal. */
  id: text().notNull(),
  /** snmpEngineBoots. */
  boots: integer().notNull(),
})

/** The SNMP engines that send traps of version 3. */
export const trapSenders = pgTable(
  'trap_senders',
  {
    /** snmpEngineID, hexadecimal, lower case. */
    engine_id: text().primaryKey(),
    /** snmpEngineBoots. */
    boots: integer().notNull().default(0),
    /** The installation's own engine; one row at most. */
    own: boolean().notNull().default(false),
  },
  (t) => [uniqueIndex('trap_senders_own').on(t.own).where(sql`${t.own}`)],
)

/** What the listeners received, stored and dropped since their server started. */
export const listenerCounts = pgTable('listener_counts', {
  protocol: text().primaryKey(),
  counts: jsonb().notNull(),
  at: instant().notNull().defaultNow(),
})
