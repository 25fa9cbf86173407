import { sql } from 'drizzle-orm'
import {
  check,
  cidr,
  doublePrecision,
  index,
  inet,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
} from 'drizzle-orm/pg-core'
import { big, instant } from './columns.ts'
import { deviceId, devices } from './devices.ts'
import { ports } from './ports.ts'

/**
 * Devices that answer or were heard of, and are not monitored. `address` null: neighbours name it without one.
 * `snmp_index` is a place in setting snmp.community or snmp.v3, from 0. `adding_since`: a process is adding it.
 */
export const candidates = pgTable(
  'candidates',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    state: text({ enum: ['new', 'ignored', 'added'] })
      .notNull()
      .default('new'),
    poller_group: integer().notNull().default(0),
    address: inet(),
    heard_name: text(),
    sys_name: text(),
    sys_descr: text(),
    sys_object_id: text(),
    os: text().notNull().default('generic'),
    hardware: text(),
    ports: integer(),
    snmp_version: text({ enum: ['v1', 'v2c', 'v3'] }),
    snmp_index: integer(),
    snmp_port: integer(),
    /** Milliseconds; null: no echo reply. */
    ping_ms: doublePrecision(),
    why: text().notNull().default(''),
    moved_from: integer().references(() => devices.device_id, { onDelete: 'set null' }),
    device_id: integer().references(() => devices.device_id, { onDelete: 'set null' }),
    adding_since: instant(),
    first_seen: instant().notNull().defaultNow(),
    last_seen: instant().notNull().defaultNow(),
  },
  (t) => [
    index('candidates_state').on(t.state, t.last_seen),
    index('candidates_address').on(t.poller_group, t.address),
    index('candidates_heard').on(t.poller_group, sql`lower(heard_name)`).where(sql`address is null`),
    index('candidates_device').on(t.device_id).where(sql`device_id is not null`),
    index('candidates_moved').on(t.moved_from).where(sql`moved_from is not null`),
  ],
)

/** The candidate of a row, which is deleted with it. */
const candidateId = () =>
  integer()
    .notNull()
    .references(() => candidates.id, { onDelete: 'cascade' })

/** Addresses at which candidates answered. */
export const candidateAddresses = pgTable(
  'candidate_addresses',
  {
    poller_group: integer().notNull(),
    address: inet().notNull(),
    candidate_id: candidateId(),
    first_seen: instant().notNull().defaultNow(),
    last_seen: instant().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.poller_group, t.address] }),
    index('candidate_addresses_candidate').on(t.candidate_id),
  ],
)

/** What tells a candidate from other devices, as it was read; one whose evidence changed has several rows. */
export const candidateEvidence = pgTable(
  'candidate_evidence',
  {
    candidate_id: candidateId(),
    /** Of the members below. */
    digest: text().notNull(),
    engine_id: text(),
    serials: text().array().notNull().default([]),
    base_mac: text(),
    macs: text().array().notNull().default([]),
    addresses: text().array().notNull().default([]),
    sys_name: text(),
    last_seen: instant().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.candidate_id, t.digest] }),
    index('candidate_evidence_engine').on(t.engine_id),
    index('candidate_evidence_base_mac').on(t.base_mac),
    index('candidate_evidence_name').on(t.sys_name),
    index('candidate_evidence_sets').using('gin', t.serials, t.macs, t.addresses),
  ],
)

/** Where and by whom candidates were seen. `device_id` null: a scan. `port_id` null: unknown. */
export const candidateSources = pgTable(
  'candidate_sources',
  {
    id: big().primaryKey().generatedByDefaultAsIdentity(),
    candidate_id: candidateId(),
    kind: text().notNull(),
    scan_id: integer(),
    device_id: integer().references(() => devices.device_id, { onDelete: 'cascade' }),
    port_id: integer().references(() => ports.port_id, { onDelete: 'cascade' }),
    remote_name: text(),
    remote_port: text(),
    remote_platform: text(),
    remote_description: text(),
    last_seen: instant().notNull().defaultNow(),
  },
  (t) => [
    unique('candidate_sources_key')
      .on(t.candidate_id, t.kind, t.device_id, t.port_id, t.remote_port)
      .nullsNotDistinct(),
    index('candidate_sources_device').on(t.device_id).where(sql`device_id is not null`),
    index('candidate_sources_port').on(t.port_id).where(sql`port_id is not null`),
  ],
)

/** Rules that accept or ignore candidates; the first that fits counts. null: fits everything. */
export const candidateRules = pgTable('candidate_rules', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  position: integer().notNull(),
  action: text({ enum: ['accept', 'ignore'] }).notNull(),
  network: cidr(),
  os: text(),
  sys_name: text(),
  platform: text(),
  protocol: text(),
})

/** Addresses at which monitored devices also answer, besides the one by which they are polled. */
export const deviceOtherAddresses = pgTable(
  'device_other_addresses',
  {
    device_id: deviceId(),
    address: inet().notNull(),
    first_seen: instant().notNull().defaultNow(),
    last_seen: instant().notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.device_id, t.address] }), index('device_other_addresses_address').on(t.address)],
)

/** Pairs of monitored devices that are one by what discovery read of them. */
export const deviceDoubles = pgTable(
  'device_doubles',
  {
    /** The smaller of the two. */
    device_id: deviceId(),
    other_id: deviceId(),
    /** Part of a sentence: `they have the serial number X1`. */
    reason: text().notNull(),
    first_seen: instant().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.device_id, t.other_id] }),
    check('device_doubles_check', sql`device_id < other_id`),
    index('device_doubles_other').on(t.other_id),
  ],
)
