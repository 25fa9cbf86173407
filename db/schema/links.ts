import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { flag } from './columns.ts'
import { deviceId } from './devices.ts'
import { ports } from './ports.ts'

/**
 * Neighbours that ports reported (LLDP, CDP, ...). `remote_device_id` 0: the neighbour is not monitored. `active` 0:
 * missing in the last complete discovery.
 */
export const links = pgTable(
  'links',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    local_port_id: integer().references(() => ports.port_id, { onDelete: 'cascade' }),
    local_device_id: deviceId(),
    remote_port_id: integer().references(() => ports.port_id, { onDelete: 'set null' }),
    active: flag(1),
    protocol: text(),
    remote_hostname: text().notNull(),
    remote_device_id: integer().notNull().default(0),
    remote_port: text().notNull(),
    remote_platform: text(),
    remote_version: text().notNull(),
    /** Management addresses that the neighbour reports, separated by commas. Not part of the API record. */
    remote_addresses: text(),
    /** 12 lower-case hex digits: its chassis. Not part of the API record. */
    remote_mac: text(),
  },
  (t) => [
    index('links_local_port').on(t.local_port_id),
    index('links_remote_port').on(t.remote_port_id),
    index('links_devices').on(t.local_device_id, t.remote_device_id),
    index('links_remote_device').on(t.remote_device_id),
  ],
)
