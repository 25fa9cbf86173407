import { col, mibTable } from '@portlight/snmp/table.ts'

/** ALCATEL-IND1-MAC-ADDRESS-MIB::slMacAddressTable of AOS 6, indexed by ifIndex, VLAN and MAC address. */
export const slMacAddressTable = mibTable(
  'ALCATEL-IND1-MAC-ADDRESS-MIB::slMacAddressTable',
  '1.3.6.1.4.1.6486.800.1.2.1.8.1.1.1.1',
  {
    /** 1: bridging. */
    slMacAddressDisposition: col(3, 'Integer'),
  },
)

/**
 * ALCATEL-IND1-MAC-ADDRESS-MIB::alaSlMacAddressGlobalTable of AOS 7 and later, indexed by domain (1: VLAN), kind of
 * origin, origin (an ifIndex in VLANs), service (the VLAN in VLANs), sub-ID and MAC address.
 */
export const alaSlMacAddressGlobalTable = mibTable(
  'ALCATEL-IND1-MAC-ADDRESS-MIB::alaSlMacAddressGlobalTable',
  '1.3.6.1.4.1.6486.801.1.2.1.8.1.1.8.1',
  {
    /** 1: bridging. */
    slMacAddressGblDisposition: col(8, 'Integer'),
  },
)
