import { bigint, index, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { deviceId } from './devices.ts'
import { portId } from './ports.ts'

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
