import { col, mibTable } from '../snmp/table.ts'

/**
 * TPLINK-IPV6ADDR-MIB::ipv6ParaConfigAddrTable, indexed by ifIndex, InetAddressType, source type and InetAddress, whose
 * length octet the agents leave out.
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
 * TPLINK-IPV6ADDR-MIB::ipv6ParaConfigSourceType in the words of IP-MIB::IpAddressOriginTC (RFC 4293): an address that is
 * made of the MAC address (EUI-64) comes from the link layer, one by router advertisements as well.
 */
export const TPLINK_IPV6_SOURCE = {
  1: 'manual',
  2: 'linklayer',
  3: 'manual',
  4: 'linklayer',
  5: 'dhcp',
  6: 'linklayer',
} as const
