import { agentTable } from '../table.ts'

/** HOST-RESOURCES-MIB::hrSystem (RFC 2790). */
export const hrSystem = agentTable('HOST-RESOURCES-MIB::hrSystem', '1.3.6.1.2.1.25.1', {
  hrSystemUptime: [1, 'TimeTicks'],
  hrSystemDate: [2, 'Octets'],
  hrSystemNumUsers: [5, 'Gauge32'],
  hrSystemProcesses: [6, 'Gauge32'],
  hrSystemMaxProcesses: [7, 'Integer32'],
})

/** HOST-RESOURCES-MIB::hrStorage (RFC 2790). */
export const hrStorage = agentTable('HOST-RESOURCES-MIB::hrStorage', '1.3.6.1.2.1.25.2', {
  hrMemorySize: [2, 'Integer32'],
})

/** HOST-RESOURCES-MIB::hrStorageTable (RFC 2790), indexed by hrStorageIndex. */
export const hrStorageTable = agentTable('HOST-RESOURCES-MIB::hrStorageTable', '1.3.6.1.2.1.25.2.3.1', {
  hrStorageIndex: [1, 'Integer32'],
  hrStorageType: [2, 'Oid'],
  hrStorageDescr: [3, 'Text'],
  hrStorageAllocationUnits: [4, 'Integer32'],
  hrStorageSize: [5, 'Integer32'],
  hrStorageUsed: [6, 'Integer32'],
  hrStorageAllocationFailures: [7, 'Counter32'],
})

/** HOST-RESOURCES-MIB::hrDeviceTable (RFC 2790), indexed by hrDeviceIndex. */
export const hrDeviceTable = agentTable('HOST-RESOURCES-MIB::hrDeviceTable', '1.3.6.1.2.1.25.3.2.1', {
  hrDeviceIndex: [1, 'Integer32'],
  hrDeviceType: [2, 'Oid'],
  hrDeviceDescr: [3, 'Text'],
  hrDeviceID: [4, 'Oid'],
  hrDeviceStatus: [5, 'Integer32'],
  hrDeviceErrors: [6, 'Counter32'],
})

/** HOST-RESOURCES-MIB::hrProcessorTable (RFC 2790), indexed by hrDeviceIndex. */
export const hrProcessorTable = agentTable('HOST-RESOURCES-MIB::hrProcessorTable', '1.3.6.1.2.1.25.3.3.1', {
  hrProcessorFrwID: [1, 'Oid'],
  hrProcessorLoad: [2, 'Integer32'],
})
