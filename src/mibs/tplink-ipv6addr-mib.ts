import { col, mibTable } from '@portlight/snmp/table.ts'

/**
 * TPLINK-IPV6ADDR-MIB::ipv6ParaConfigAddrTable, indexed by ifIndex, InetAddressType, source type and InetAddress.
 * Agents omit the length octet of the address.
 */
export const tplinkIpv6AddressTable = mibTable(
  'TPLINK-IPV6ADDR-MIB::ipv6ParaConfigAddrTable',
  '1.3.6.1.4.1.11863.6.50.1.1.1',
  {
    ipv6ParaConfigPrefixLength: col(5, 'Integer'),
    ipv6ParaConfigAddress: col(4, 'OctetString'),
    ipv6ParaConfigSourceType: col(6, 'Integer'),
  },
)

/**
 * TPLINK-IPV6ADDR-MIB::ipv6ParaConfigSourceType, with the names of IP-MIB::IpAddressOriginTC (RFC 4293). An address
 * derived from the MAC address (EUI-64) is `linklayer`, as is one from a router advertisement.
 */
export const TPLINK_IPV6_SOURCE = {
  1: 'manual',
  2: 'linklayer',
  3: 'manual',
  4: 'linklayer',
  5: 'dhcp',
  6: 'linklayer',
} as const
