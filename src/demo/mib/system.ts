import { agentTable } from '../table.ts'

/** SNMPv2-MIB::system (RFC 3418). */
export const system = agentTable('SNMPv2-MIB::system', '1.3.6.1.2.1.1', {
  sysDescr: [1, 'Text'],
  sysObjectID: [2, 'Oid'],
  sysUpTime: [3, 'TimeTicks'],
  sysContact: [4, 'Text'],
  sysName: [5, 'Text'],
  sysLocation: [6, 'Text'],
  sysServices: [7, 'Integer32'],
})
