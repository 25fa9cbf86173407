import { sql } from 'drizzle-orm'
import {
  doublePrecision,
  index,
  inet,
  integer,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { big, flag, instant } from './columns.ts'

/** Locations of devices. `lat` and `lng` are decimal text, as the API sends them. */
export const locations = pgTable(
  'locations',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    location: text().notNull(),
    lat: numeric({ precision: 10, scale: 8 }),
    lng: numeric({ precision: 11, scale: 8 }),
    timestamp: instant().notNull().defaultNow(),
    fixed_coordinates: flag(),
  },
  (t) => [uniqueIndex('locations_location').on(sql`lower(${t.location})`)],
)

/**
 * Monitored devices. `ip` is the last resolved address in printable form, null before that. Columns that every poll
 * writes (last_polled, uptime, last_ping, ...) have no index, so that updates stay within their page.
 */
export const devices = pgTable(
  'devices',
  {
    device_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    inserted: instant().defaultNow(),
    hostname: text().notNull(),
    sysName: text(),
    display: text().notNull().default(''),
    display_template: text(),
    ip: inet(),
    overwrite_ip: text(),
    community: text(),
    authlevel: text({ enum: ['noAuthNoPriv', 'authNoPriv', 'authPriv'] }),
    authname: text(),
    authpass: text(),
    authalgo: text(),
    cryptopass: text(),
    cryptoalgo: text(),
    snmpver: text({ enum: ['v1', 'v2c', 'v3'] })
      .notNull()
      .default('v2c'),
    port: integer().notNull().default(161),
    transport: text({ enum: ['udp', 'udp6', 'tcp', 'tcp6'] })
      .notNull()
      .default('udp'),
    timeout: integer(),
    retries: integer(),
    snmp_disable: flag(),
    bgpLocalAs: big(),
    sysObjectID: text(),
    snmpEngineID: text(),
    sysDescr: text(),
    sysContact: text(),
    version: text(),
    hardware: text(),
    features: text(),
    location_id: integer().references(() => locations.id, { onDelete: 'set null' }),
    os: text(),
    status: flag(),
    status_reason: text().notNull().default(''),
    ignore: flag(),
    disabled: flag(),
    /** Seconds. */
    uptime: big(),
    agent_uptime: big().notNull().default(0),
    last_polled: instant(),
    last_poll_attempted: instant(),
    /** Seconds. */
    last_polled_timetaken: doublePrecision(),
    /** Seconds. */
    last_discovered_timetaken: doublePrecision(),
    last_discovered: instant(),
    last_ping: instant(),
    /** Milliseconds. */
    last_ping_timetaken: doublePrecision(),
    purpose: text(),
    type: text().notNull().default(''),
    serial: text(),
    icon: text(),
    poller_group: integer().notNull().default(0),
    override_sysLocation: smallint().default(0),
    notes: text(),
    /** 1 ifIndex, 2 ifName, 3 ifDescr, 4 ifAlias. */
    port_association_mode: integer().notNull().default(1),
    max_depth: integer().notNull().default(0),
    disable_notify: flag(),
    ignore_status: flag(),
    mtu_status: flag(1),
    /** Seconds between polls; null: setting poller.interval. Not part of the API record. */
    poll_interval: integer(),
    /** 1: answers to SNMP requests are accepted from any address and port. Not part of the API record. */
    snmp_any_source: flag(),
    /** 1: a person said that it is reached through no other device. Not part of the API record. */
    no_parents: flag(),
  },
  (t) => [
    // LibreNMS checks uniqueness in the application, but concurrent additions need a constraint.
    uniqueIndex('devices_hostname').on(sql`lower(${t.hostname})`),
    index('devices_sysname').on(sql`lower(${t.sysName})`),
    index('devices_ip').on(t.ip),
    index('devices_location').on(t.location_id),
    index('devices_engine').on(sql`lower(${t.snmpEngineID})`).where(sql`"snmpEngineID" <> ''`),
    index('devices_serial').on(sql`upper(${t.serial})`).where(sql`serial <> ''`),
  ],
)

/** The device of a row, which is deleted with it. */
export const deviceId = () =>
  integer()
    .notNull()
    .references(() => devices.device_id, { onDelete: 'cascade' })

/** Additional attributes of a device by name, for example `ifName:{ifName}` = 1: the port's description is locked. */
export const devicesAttribs = pgTable(
  'devices_attribs',
  {
    attrib_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    attrib_type: text().notNull(),
    attrib_value: text().notNull(),
    updated: instant().notNull().defaultNow(),
  },
  (t) => [unique('devices_attribs_device_type').on(t.device_id, t.attrib_type)],
)

/**
 * Dependencies in force: no alerts are sent for a child while every way to it is down. `computed` 0: set by a person;
 * `further` 1: the parent is not nearer to the poller than the child; `via`: what it was computed from, '' by hand.
 */
export const deviceRelationships = pgTable(
  'device_relationships',
  {
    parent_device_id: deviceId(),
    child_device_id: deviceId(),
    computed: flag(),
    further: flag(),
    via: text().notNull().default(''),
  },
  (t) => [
    primaryKey({ columns: [t.child_device_id, t.parent_device_id] }),
    index('device_relationships_parent').on(t.parent_device_id),
  ],
)

/** Computed parents of all devices, whether in force or not; columns as in `device_relationships`. */
export const computedParents = pgTable(
  'computed_parents',
  {
    child_device_id: deviceId(),
    parent_device_id: deviceId(),
    further: flag(),
    via: text().notNull().default(''),
  },
  (t) => [
    primaryKey({ columns: [t.child_device_id, t.parent_device_id] }),
    index('computed_parents_parent').on(t.parent_device_id),
  ],
)

/**
 * Times in which a device did not answer because every way to it was down, epoch seconds; `up_again` null: it is so now.
 * `cause_device_id`: the device that was down nearest to the poller; null: it was deleted.
 */
export const deviceUnreachable = pgTable(
  'device_unreachable',
  {
    id: big().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    going_down: big().notNull(),
    up_again: big(),
    cause_device_id: integer().references(() => devices.device_id, { onDelete: 'set null' }),
  },
  (t) => [
    unique('device_unreachable_device_down').on(t.device_id, t.going_down),
    uniqueIndex('device_unreachable_now').on(t.device_id).where(sql`${t.up_again} is null`),
    index('device_unreachable_cause').on(t.cause_device_id),
    index('device_unreachable_up').on(t.up_again),
  ],
)

/** Outages of devices, epoch seconds; `up_again` null: still down. */
export const deviceOutages = pgTable(
  'device_outages',
  {
    id: big().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    going_down: big().notNull(),
    up_again: big(),
  },
  (t) => [
    unique('device_outages_device_down').on(t.device_id, t.going_down),
    index('device_outages_up').on(t.up_again),
  ],
)

/** Share of time a device was up in the last `duration` seconds; percent as decimal text with six places. */
export const availability = pgTable(
  'availability',
  {
    availability_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    duration: big().notNull(),
    availability_perc: numeric({ precision: 9, scale: 6 }).notNull().default('0.000000'),
  },
  (t) => [unique('availability_device_duration').on(t.device_id, t.duration)],
)
