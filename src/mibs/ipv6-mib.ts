import { col, mibTable } from '@portlight/snmp/table.ts'

/**
 * IPV6-MIB::ipv6AddrTable (RFC 2465, historic; for agents without ipAddressTable), indexed by ipv6IfIndex and
 * Ipv6Address (length-prefixed).
 */
export const ipv6AddrTable = mibTable('IPV6-MIB::ipv6AddrTable', '1.3.6.1.2.1.55.1.8.1', {
  ipv6AddrPfxLength: col(2, 'Integer'),
  ipv6AddrType: col(3, 'Integer'),
})
