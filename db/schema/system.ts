import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  customType,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  real,
  smallint,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { big, instant } from './columns.ts'

const octets = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

/** Polling processes by name, with their last polls: when, how many devices, and how many seconds. */
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

/** The last backup that was made of this database. One row. */
export const lastBackup = pgTable('last_backup', {
  one: boolean().primaryKey().default(true),
  /** Of its snapshot. */
  made: instant().notNull(),
  /** Its size. */
  octets: big().notNull(),
  /** How long it took. */
  seconds: real().notNull(),
})

/** Processes that share the database: pollers, API nodes and receivers. */
export const pollerCluster = pgTable(
  'poller_cluster',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    node_id: text().notNull(),
    poller_name: text().notNull(),
    poller_version: text().notNull().default(''),
    poller_groups: text().notNull().default(''),
    last_report: instant().notNull(),
    master: smallint().notNull(),
    /** Made anew at each start; the connections of the process name it. */
    instance: text().notNull().default(''),
    host: text().notNull().default(''),
    pid: integer().notNull().default(0),
    roles: text().array().notNull().default(['poller']),
    /** Poller groups that the process names; null: none, it serves those that no other names. */
    named_groups: integer().array(),
    started_at: instant(),
    /** null: it stopped in order. */
    beat_at: instant(),
    /** When the process last confirmed that it leads; null: it does not. */
    lead_at: instant(),
    figures: jsonb().notNull().default({}),
  },
  (t) => [unique('poller_cluster_node').on(t.node_id)],
)

/** The key of the advisory lock that the leader holds (function take_lead). At most one row. */
export const clusterLead = pgTable('cluster_lead', {
  one: boolean().primaryKey().default(true),
  key: big().notNull(),
})

/** Which poller may write what about a device: the claim it made when it read the device's last counters. */
export const deviceClaims = pgTable('device_claims', {
  device_id: integer().primaryKey(),
  claim: bigint({ mode: 'number' }).notNull(),
  poller: integer(),
  claimed_at: instant().notNull().defaultNow(),
})

/** Statistics of a poller's queues for the last minute: waiting, done, seconds of work, and polling interval. */
export const pollerClusterStats = pgTable(
  'poller_cluster_stats',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    parent_poller: integer()
      .notNull()
      .references(() => pollerCluster.id, { onDelete: 'cascade' }),
    poller_type: text().notNull().default(''),
    depth: integer().notNull(),
    devices: integer().notNull(),
    worker_seconds: doublePrecision().notNull(),
    workers: integer().notNull(),
    frequency: integer().notNull(),
  },
  (t) => [unique('poller_cluster_stats_type').on(t.parent_poller, t.poller_type)],
)

/** Groups of pollers to which devices can be assigned. */
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

/** Keys that sign what is answered without a token, such as graphs in notifications. */
export const signingKeys = pgTable('signing_keys', {
  name: text().primaryKey(),
  key: octets().notNull(),
  made_at: instant().notNull().defaultNow(),
})

/**
 * Ids of keys of secrets at rest, never the keys. `active`: new values are encrypted with it; `old`: some values may still
 * be; `offered`: a server has it.
 */
export const secretKeys = pgTable(
  'secret_keys',
  {
    key_id: text().primaryKey(),
    state: text({ enum: ['active', 'old', 'offered'] }).notNull(),
    changed_at: instant().notNull().defaultNow(),
  },
  (t) => [uniqueIndex('secret_keys_active').on(t.state).where(sql`${t.state} = 'active'`)],
)
