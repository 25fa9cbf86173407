import { agentTable } from '../table.ts'

/** STATISTICS-MIB::hpSwitchCpuStat; percent. */
export const hpSwitchCpu = agentTable('STATISTICS-MIB::hpSwitchCpu', '1.3.6.1.4.1.11.2.14.11.5.1.9.6', {
  hpSwitchCpuStat: [1, 'Integer32'],
})

/** NETSWITCH-MIB::hpLocalMemTable, indexed by hpLocalMemSlotIndex; octets. */
export const hpLocalMemTable = agentTable('NETSWITCH-MIB::hpLocalMemTable', '1.3.6.1.4.1.11.2.14.11.5.1.1.2.1.1.1', {
  hpLocalMemTotalBytes: [5, 'Integer32'],
  hpLocalMemFreeBytes: [6, 'Integer32'],
  hpLocalMemAllocBytes: [7, 'Integer32'],
})

/** HP-ICF-CHASSIS::hpicfSensorTable, indexed by hpicfSensorIndex. */
export const hpicfSensorTable = agentTable('HP-ICF-CHASSIS::hpicfSensorTable', '1.3.6.1.4.1.11.2.14.11.1.2.6.1', {
  hpicfSensorObjectId: [2, 'Oid'],
  hpicfSensorStatus: [4, 'Integer32'],
  hpicfSensorDescr: [7, 'Text'],
})

/** HP-ICF-OID: sensor types of hpicfSensorTable. */
export const HPICF_SENSOR = {
  supply: '1.3.6.1.4.1.11.2.3.7.8.3.1',
  fan: '1.3.6.1.4.1.11.2.3.7.8.3.2',
  temperature: '1.3.6.1.4.1.11.2.3.7.8.3.3',
} as const

/** hpicfSensorStatus good. */
export const HPICF_GOOD = 4
