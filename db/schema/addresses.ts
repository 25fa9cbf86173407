import { index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { portId } from './ports.ts'

/** IPv4 networks in CIDR form. */
export const ipv4Networks = pgTable(
  'ipv4_networks',
  {
    ipv4_network_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    ipv4_network: text().notNull(),
    context_name: text(),
  },
  (t) => [unique('ipv4_networks_network_context').on(t.ipv4_network, t.context_name).nullsNotDistinct()],
)

/** IPv6 networks in CIDR form, compressed. */
export const ipv6Networks = pgTable(
  'ipv6_networks',
  {
    ipv6_network_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    ipv6_network: text().notNull(),
    context_name: text(),
  },
  (t) => [unique('ipv6_networks_network_context').on(t.ipv6_network, t.context_name).nullsNotDistinct()],
)

/** IPv4 addresses of ports. `ipv4_network_id` 0: unknown network. */
export const ipv4Addresses = pgTable(
  'ipv4_addresses',
  {
    ipv4_address_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    ipv4_address: text().notNull(),
    ipv4_prefixlen: integer().notNull(),
    ipv4_network_id: integer().notNull().default(0),
    port_id: portId(),
    context_name: text(),
  },
  (t) => [
    unique('ipv4_addresses_port_address').on(t.port_id, t.ipv4_address, t.context_name).nullsNotDistinct(),
    index('ipv4_addresses_network').on(t.ipv4_network_id),
    index('ipv4_addresses_address').on(t.ipv4_address),
  ],
)

/** IPv6 addresses of ports; `ipv6_address` is uncompressed (eight groups of four digits). */
export const ipv6Addresses = pgTable(
  'ipv6_addresses',
  {
    ipv6_address_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    ipv6_address: text().notNull(),
    ipv6_compressed: text().notNull(),
    ipv6_prefixlen: integer().notNull(),
    ipv6_origin: text().notNull(),
    ipv6_network_id: integer().notNull().default(0),
    port_id: portId(),
    context_name: text(),
  },
  (t) => [
    unique('ipv6_addresses_port_address').on(t.port_id, t.ipv6_address, t.context_name).nullsNotDistinct(),
    index('ipv6_addresses_network').on(t.ipv6_network_id),
    index('ipv6_addresses_address').on(t.ipv6_address),
    index('ipv6_addresses_compressed').on(t.ipv6_compressed),
  ],
)
