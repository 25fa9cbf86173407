import { agentTable } from '../table.ts'

/** IP-MIB::ipAddrTable (RFC 4293, deprecated but supported by nearly every agent), indexed by ipAdEntAddr. */
export const ipAddrTable = agentTable('IP-MIB::ipAddrTable', '1.3.6.1.2.1.4.20.1', {
  ipAdEntAddr: [1, 'IpAddress'],
  ipAdEntIfIndex: [2, 'Integer32'],
  ipAdEntNetMask: [3, 'IpAddress'],
  ipAdEntBcastAddr: [4, 'Integer32'],
  ipAdEntReasmMaxSize: [5, 'Integer32'],
})

/** IP-MIB::ipAddressPrefixTable (RFC 4293), indexed by ifIndex, address type, prefix and its length. */
export const ipAddressPrefixTable = agentTable('IP-MIB::ipAddressPrefixTable', '1.3.6.1.2.1.4.32.1', {
  ipAddressPrefixOrigin: [5, 'Integer32'],
  ipAddressPrefixOnLinkFlag: [6, 'Integer32'],
  ipAddressPrefixAutonomousFlag: [7, 'Integer32'],
})

/** IP-MIB::ipAddressTable (RFC 4293), indexed by address type and address. */
export const ipAddressTable = agentTable('IP-MIB::ipAddressTable', '1.3.6.1.2.1.4.34.1', {
  ipAddressIfIndex: [3, 'Integer32'],
  ipAddressType: [4, 'Integer32'],
  ipAddressPrefix: [5, 'Oid'],
  ipAddressOrigin: [6, 'Integer32'],
  ipAddressStatus: [7, 'Integer32'],
  ipAddressRowStatus: [10, 'Integer32'],
  ipAddressStorageType: [11, 'Integer32'],
})
