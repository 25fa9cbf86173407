import { bigint, index, integer, pgTable, smallint, text, unique } from 'drizzle-orm/pg-core'
import { flag, instant } from './columns.ts'
import { deviceId } from './devices.ts'
import { portId, ports } from './ports.ts'

/** ARP entries: IPv4 address, MAC address and port. */
export const ipv4Mac = pgTable(
  'ipv4_mac',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    port_id: portId(),
    device_id: deviceId(),
    /** 12 lower-case hex digits. */
    mac_address: text().notNull(),
    ipv4_address: text().notNull(),
    context_name: text(),
  },
  (t) => [
    unique('ipv4_mac_port_address').on(t.device_id, t.port_id, t.ipv4_address, t.context_name).nullsNotDistinct(),
    index('ipv4_mac_mac').on(t.mac_address),
    index('ipv4_mac_address').on(t.ipv4_address),
    index('ipv4_mac_port').on(t.port_id),
  ],
)

/** IPv6 neighbour cache (RFC 4861), as `ipv4_mac`; `ipv6_address` is uncompressed. */
export const ipv6Nd = pgTable(
  'ipv6_nd',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    port_id: portId(),
    device_id: deviceId(),
    mac_address: text().notNull(),
    ipv6_address: text().notNull(),
    context_name: text(),
  },
  (t) => [
    unique('ipv6_nd_port_address').on(t.device_id, t.port_id, t.ipv6_address, t.context_name).nullsNotDistinct(),
    index('ipv6_nd_mac').on(t.mac_address),
    index('ipv6_nd_address').on(t.ipv6_address),
    index('ipv6_nd_port').on(t.port_id),
  ],
)

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
  },
  (t) => [
    index('links_local_port').on(t.local_port_id),
    index('links_remote_port').on(t.remote_port_id),
    index('links_devices').on(t.local_device_id, t.remote_device_id),
    index('links_remote_device').on(t.remote_device_id),
  ],
)

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
