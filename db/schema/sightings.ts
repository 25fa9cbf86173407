import { sql } from 'drizzle-orm'
import { bigint, index, inet, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { byteOrderedText, flag, instant } from './columns.ts'
import { deviceId } from './devices.ts'
import { ports } from './ports.ts'

const anyPort = () => integer().references(() => ports.port_id, { onDelete: 'set null' })

/**
 * Where a MAC address was seen: one row from its appearing at a place to its leaving it. `kind`: fdb, arp, nd, nac.
 * `last_seen` null: it is there still, as of the device's last reading (`sighting_readings`). `port_id` null: the port
 * no longer exists. `vlan` (a number), `address` and `username` null: not known from this table.
 */
export const sightings = pgTable(
  'sightings',
  {
    sighting_id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    device_id: deviceId(),
    port_id: anyPort(),
    kind: text().notNull(),
    /** 12 lower-case hex digits. */
    mac_address: byteOrderedText().notNull(),
    vlan: integer(),
    address: inet(),
    /** User authenticated by network access control. */
    username: text(),
    first_seen: instant().notNull(),
    last_seen: instant(),
    /** 1: the MAC address had not been seen on this port before. */
    is_new: flag(),
  },
  (t) => [
    uniqueIndex('sightings_open')
      .on(
        t.device_id,
        t.kind,
        t.port_id,
        t.mac_address,
        sql`coalesce(vlan, -1)`,
        sql`coalesce(address, '0.0.0.0')`,
        sql`coalesce(username, '')`,
      )
      .where(sql`last_seen is null and port_id is not null`),
    index('sightings_device').on(t.device_id, t.first_seen),
    index('sightings_mac').on(t.mac_address),
    index('sightings_port').on(t.port_id, t.first_seen),
    index('sightings_address').on(t.address).where(sql`address is not null`),
    index('sightings_username').on(t.username).where(sql`username is not null`),
    index('sightings_closed').on(t.last_seen).where(sql`last_seen is not null`),
  ],
)

/** When the tables of a device were last read, by kind: until then its open sightings are known to hold. */
export const sightingReadings = pgTable(
  'sighting_readings',
  {
    device_id: deviceId(),
    kind: text().notNull(),
    read_at: instant().notNull(),
    /** The last reading that reached the end of the table; null: none did. */
    complete_at: instant(),
    /** The hour to which the next two belong. */
    hour_began: instant().notNull(),
    opened: integer().notNull().default(0),
    /** Not recorded, because of the limits; above 0: an event says so. */
    left_out: integer().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.device_id, t.kind] })],
)

/** MAC addresses that left one edge port for another. The ports may no longer exist. */
export const macMoves = pgTable(
  'mac_moves',
  {
    move_id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    /** The device whose reading showed it. */
    device_id: deviceId(),
    /** Where it is now; it may be a port of another device. */
    port_id: anyPort(),
    mac_address: byteOrderedText().notNull(),
    from_device_id: integer(),
    from_port_id: integer(),
    moved_at: instant().notNull(),
  },
  (t) => [
    index('mac_moves_device').on(t.device_id, t.moved_at),
    index('mac_moves_port').on(t.port_id),
    index('mac_moves_mac').on(t.mac_address, t.moved_at),
    index('mac_moves_at').on(t.moved_at),
  ],
)
