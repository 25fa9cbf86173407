import { col, mibTable } from '@portlight/snmp/table.ts'

/** IP-MIB::ipAddrTable (RFC 4293, deprecated but the most widely supported), indexed by an IpAddress. */
export const ipAddrTable = mibTable('IP-MIB::ipAddrTable', '1.3.6.1.2.1.4.20.1', {
  ipAdEntAddr: col(1, 'IpAddress'),
  ipAdEntIfIndex: col(2, 'Integer'),
  ipAdEntNetMask: col(3, 'Mask'),
})

/** IP-MIB::ipAddressTable (RFC 4293), indexed by InetAddressType and InetAddress. */
export const ipAddressTable = mibTable('IP-MIB::ipAddressTable', '1.3.6.1.2.1.4.34.1', {
  ipAddressIfIndex: col(3, 'Integer'),
  ipAddressType: col(4, 'Integer'),
  /** RowPointer to ipAddressPrefixTable, whose index ends with the prefix length. */
  ipAddressPrefix: col(5, 'Oid'),
  ipAddressOrigin: col(6, 'Integer'),
})

/** IP-MIB::ipAddressPrefixTable (RFC 4293), indexed by ifIndex, InetAddressType, InetAddress and prefix length. */
export const ipAddressPrefixTable = mibTable('IP-MIB::ipAddressPrefixTable', '1.3.6.1.2.1.4.32.1', {
  ipAddressPrefixOrigin: col(5, 'Integer'),
})

/** IP-MIB::ipAddressType. */
export const IP_ADDRESS_TYPE = { 1: 'unicast', 2: 'anycast', 3: 'broadcast' } as const

/** IP-MIB::IpAddressOriginTC. */
export const IP_ADDRESS_ORIGIN = { 1: 'other', 2: 'manual', 4: 'dhcp', 5: 'linklayer', 6: 'random' } as const

/** IP-MIB::ipNetToMediaTable (RFC 4293, deprecated but the most widely supported), indexed by ifIndex and IpAddress. */
export const ipNetToMediaTable = mibTable('IP-MIB::ipNetToMediaTable', '1.3.6.1.2.1.4.22.1', {
  ipNetToMediaPhysAddress: col(2, 'PhysAddress'),
  ipNetToMediaNetAddress: col(3, 'IpAddress'),
})

/** IP-MIB::ipNetToPhysicalTable (RFC 4293), indexed by ifIndex, InetAddressType and InetAddress. */
export const ipNetToPhysicalTable = mibTable('IP-MIB::ipNetToPhysicalTable', '1.3.6.1.2.1.4.35.1', {
  ipNetToPhysicalPhysAddress: col(4, 'PhysAddress'),
})
