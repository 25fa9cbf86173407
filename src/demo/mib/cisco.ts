import { agentTable } from '../table.ts'

/** CISCO-PROCESS-MIB::cpmCPUTotalTable, indexed by cpmCPUTotalIndex; percent, kB. */
export const cpmCPUTotalTable = agentTable('CISCO-PROCESS-MIB::cpmCPUTotalTable', '1.3.6.1.4.1.9.9.109.1.1.1.1', {
  cpmCPUTotalPhysicalIndex: [2, 'Integer32'],
  cpmCPUTotal5secRev: [6, 'Gauge32'],
  cpmCPUTotal1minRev: [7, 'Gauge32'],
  cpmCPUTotal5minRev: [8, 'Gauge32'],
})

/** CISCO-ENTITY-QFP-MIB::ceqfpUtilizationTable, indexed by entPhysicalIndex and ceqfpUtilTimeInterval; percent. */
export const ceqfpUtilizationTable = agentTable(
  'CISCO-ENTITY-QFP-MIB::ceqfpUtilizationTable',
  '1.3.6.1.4.1.9.9.715.1.1.6.1',
  { ceqfpUtilProcessingLoad: [14, 'Gauge32'] },
)

/** CISCO-ENHANCED-MEMPOOL-MIB::cempMemPoolTable, indexed by entPhysicalIndex and cempMemPoolIndex; octets. */
export const cempMemPoolTable = agentTable(
  'CISCO-ENHANCED-MEMPOOL-MIB::cempMemPoolTable',
  '1.3.6.1.4.1.9.9.221.1.1.1.1',
  {
    cempMemPoolName: [3, 'Text'],
    cempMemPoolHCUsed: [18, 'Counter64'],
    cempMemPoolHCFree: [20, 'Counter64'],
  },
)

/** CISCO-ENVMON-MIB::ciscoEnvMonFanStatusTable. */
export const ciscoEnvMonFanStatusTable = agentTable(
  'CISCO-ENVMON-MIB::ciscoEnvMonFanStatusTable',
  '1.3.6.1.4.1.9.9.13.1.4.1',
  { ciscoEnvMonFanStatusDescr: [2, 'Text'], ciscoEnvMonFanState: [3, 'Integer32'] },
)

/** CISCO-ENVMON-MIB::ciscoEnvMonSupplyStatusTable. */
export const ciscoEnvMonSupplyStatusTable = agentTable(
  'CISCO-ENVMON-MIB::ciscoEnvMonSupplyStatusTable',
  '1.3.6.1.4.1.9.9.13.1.5.1',
  {
    ciscoEnvMonSupplyStatusDescr: [2, 'Text'],
    ciscoEnvMonSupplyState: [3, 'Integer32'],
    ciscoEnvMonSupplySource: [4, 'Integer32'],
  },
)

/** CISCO-FLASH-MIB::ciscoFlashDeviceTable, indexed by ciscoFlashDeviceIndex. */
export const ciscoFlashDeviceTable = agentTable(
  'CISCO-FLASH-MIB::ciscoFlashDeviceTable',
  '1.3.6.1.4.1.9.9.10.1.1.2.1',
  {
    ciscoFlashDeviceName: [7, 'Text'],
  },
)

/** CISCO-FLASH-MIB::ciscoFlashPartitionTable, indexed by ciscoFlashDeviceIndex and ciscoFlashPartitionIndex; octets. */
export const ciscoFlashPartitionTable = agentTable(
  'CISCO-FLASH-MIB::ciscoFlashPartitionTable',
  '1.3.6.1.4.1.9.9.10.1.1.4.1.1',
  {
    ciscoFlashPartitionSize: [4, 'Gauge32'],
    ciscoFlashPartitionFreeSpace: [5, 'Gauge32'],
    ciscoFlashPartitionName: [10, 'Text'],
  },
)

/** POWER-ETHERNET-MIB::pethMainPseTable (RFC 3621), indexed by pethMainPseGroupIndex; watts. */
export const pethMainPseTable = agentTable('POWER-ETHERNET-MIB::pethMainPseTable', '1.3.6.1.2.1.105.1.3.1.1', {
  pethMainPsePower: [2, 'Gauge32'],
  pethMainPseOperStatus: [3, 'Integer32'],
  pethMainPseConsumptionPower: [4, 'Gauge32'],
})
