import { col, mibTable } from '@portlight/snmp/table.ts'

const INET = '1.3.6.1.2.1.4.24.7.1'
const CIDR = '1.3.6.1.2.1.4.24.4.1'

/**
 * The default routes of the routing tables, each as a table of its own: a column together with the first members of the
 * index, destination and prefix length, of which all are 0. So a router with a million routes is asked for a few rows.
 */
export const DEFAULT_ROUTES = {
  /** IP-FORWARD-MIB::inetCidrRouteIfIndex (RFC 4292). The rest of the index: inetCidrRoutePolicy, type and address of the next hop. */
  inet4: mibTable('IP-FORWARD-MIB::inetCidrRouteTable', `${INET}.7.1.4.0.0.0.0`, { ifIndex: col(0, 'Integer') }),
  inet6: mibTable('IP-FORWARD-MIB::inetCidrRouteTable', `${INET}.7.2.16${'.0'.repeat(16)}`, {
    ifIndex: col(0, 'Integer'),
  }),
  /** IP-FORWARD-MIB::ipCidrRouteIfIndex (RFC 2096). The rest of the index: ipCidrRouteTos and ipCidrRouteNextHop. */
  cidr: mibTable('IP-FORWARD-MIB::ipCidrRouteTable', `${CIDR}.5.0.0.0.0.0.0.0`, { ifIndex: col(0, 'Integer') }),
} as const

/** RFC1213-MIB::ipRouteTable has at most one route to a destination, so its default route is read like a scalar. */
export const ipRouteNextHop = {
  name: 'RFC1213-MIB::ipRouteNextHop',
  oid: '1.3.6.1.2.1.4.21.1.7.0.0.0.0',
  syntax: 'IpAddress',
} as const
export const ipRouteIfIndex = {
  name: 'RFC1213-MIB::ipRouteIfIndex',
  oid: '1.3.6.1.2.1.4.21.1.2.0.0.0.0',
  syntax: 'Integer',
} as const
