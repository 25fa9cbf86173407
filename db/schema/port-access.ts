import { bigint, index, integer, pgTable, smallint, text, unique } from 'drizzle-orm/pg-core'
import { flag, instant } from './columns.ts'
import { deviceId } from './devices.ts'
import { portId } from './ports.ts'

/** Sessions of network access control (IEEE 802.1X and similar). `historical` 1: the session has ended. */
export const portsNac = pgTable(
  'ports_nac',
  {
    ports_nac_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    auth_id: text().notNull(),
    device_id: deviceId(),
    port_id: portId(),
    domain: text().notNull(),
    username: text().notNull(),
    mac_address: text().notNull(),
    ip_address: text().notNull(),
    host_mode: text().notNull(),
    authz_status: text().notNull(),
    authz_by: text().notNull(),
    authc_status: text().notNull(),
    method: text().notNull(),
    /** Seconds, as text, like the next two. */
    timeout: text().notNull(),
    time_left: text(),
    vlan: integer(),
    time_elapsed: text(),
    created_at: instant().notNull().defaultNow(),
    /** When it was last seen. */
    updated_at: instant().notNull().defaultNow(),
    historical: flag(),
  },
  (t) => [
    unique('ports_nac_session').on(t.device_id, t.port_id, t.auth_id, t.mac_address),
    index('ports_nac_port').on(t.port_id),
    index('ports_nac_mac').on(t.mac_address),
  ],
)

/** Port security (CISCO-PORT-SECURITY-MIB). */
export const portSecurity = pgTable(
  'port_security',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    port_id: portId(),
    device_id: deviceId(),
    port_security_enable: smallint(),
    /** secureup, securedown, shutdown. */
    status: text(),
    max_addresses: integer(),
    address_count: integer(),
    /** shutdown, dropNotify, drop. */
    violation_action: text(),
    violation_count: integer(),
    last_mac_address: text(),
    sticky_enable: smallint(),
  },
  (t) => [unique('port_security_port').on(t.port_id), index('port_security_device').on(t.device_id)],
)
