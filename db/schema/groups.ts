import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { users } from './access.ts'
import { deviceId, locations } from './devices.ts'
import { portId } from './ports.ts'

/** Groups of devices. `type` is `static` (explicit members) or `dynamic` (devices that match the rules). */
export const deviceGroups = pgTable(
  'device_groups',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    name: text().notNull().default(''),
    desc: text(),
    type: text().notNull().default('dynamic'),
    /** Builder of a dynamic group: JSON text as received. */
    rules: text(),
    /** Legacy rules; always null. */
    pattern: text(),
  },
  (t) => [uniqueIndex('device_groups_name').on(sql`lower(${t.name})`)],
)

/** Members of device groups. */
export const deviceGroupDevice = pgTable(
  'device_group_device',
  {
    device_group_id: integer()
      .notNull()
      .references(() => deviceGroups.id, { onDelete: 'cascade' }),
    device_id: deviceId(),
  },
  (t) => [
    primaryKey({ columns: [t.device_group_id, t.device_id] }),
    index('device_group_device_device').on(t.device_id),
  ],
)

/** Device groups whose members were granted to users of role `user`. */
export const devicesGroupPerms = pgTable(
  'devices_group_perms',
  {
    user_id: integer()
      .notNull()
      .references(() => users.user_id, { onDelete: 'cascade' }),
    device_group_id: integer()
      .notNull()
      .references(() => deviceGroups.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ columns: [t.user_id, t.device_group_id] }),
    index('devices_group_perms_group').on(t.device_group_id),
  ],
)

/** Locations whose devices were granted to users of role `user`. */
export const locationsPerms = pgTable(
  'locations_perms',
  {
    user_id: integer()
      .notNull()
      .references(() => users.user_id, { onDelete: 'cascade' }),
    location_id: integer()
      .notNull()
      .references(() => locations.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.location_id] }), index('locations_perms_location').on(t.location_id)],
)

/** Groups of ports. */
export const portGroups = pgTable(
  'port_groups',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    name: text().notNull(),
    desc: text(),
  },
  (t) => [uniqueIndex('port_groups_name').on(sql`lower(${t.name})`)],
)

/** Members of port groups. */
export const portGroupPort = pgTable(
  'port_group_port',
  {
    port_group_id: integer()
      .notNull()
      .references(() => portGroups.id, { onDelete: 'cascade' }),
    port_id: portId(),
  },
  (t) => [primaryKey({ columns: [t.port_group_id, t.port_id] }), index('port_group_port_port').on(t.port_id)],
)
