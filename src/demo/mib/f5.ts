import { agentTable } from '../table.ts'

/** F5-BIGIP-SYSTEM-MIB::sysGlobalStat; connections, octets. */
export const sysGlobalStat = agentTable('F5-BIGIP-SYSTEM-MIB::sysGlobalStat', '1.3.6.1.4.1.3375.2.1.1.2.1', {
  sysStatClientCurConns: [8, 'Counter64'],
  sysStatServerCurConns: [15, 'Counter64'],
  sysStatMemoryTotal: [44, 'Counter64'],
  sysStatMemoryUsed: [45, 'Counter64'],
  sysStatClientCurConns1m: [79, 'Counter64'],
  sysStatServerCurConns1m: [86, 'Counter64'],
})

/** F5-BIGIP-SYSTEM-MIB::sysChassisFanTable, indexed by sysChassisFanIndex; rpm. */
export const sysChassisFanTable = agentTable(
  'F5-BIGIP-SYSTEM-MIB::sysChassisFanTable',
  '1.3.6.1.4.1.3375.2.1.3.2.1.2.1',
  { sysChassisFanStatus: [2, 'Integer32'], sysChassisFanSpeed: [3, 'Integer32'] },
)

/** F5-BIGIP-SYSTEM-MIB::sysChassisPowerSupplyTable. */
export const sysChassisPowerSupplyTable = agentTable(
  'F5-BIGIP-SYSTEM-MIB::sysChassisPowerSupplyTable',
  '1.3.6.1.4.1.3375.2.1.3.2.2.2.1',
  { sysChassisPowerSupplyStatus: [2, 'Integer32'] },
)

/** F5-BIGIP-SYSTEM-MIB::sysChassisTempTable; degrees Celsius. */
export const sysChassisTempTable = agentTable(
  'F5-BIGIP-SYSTEM-MIB::sysChassisTempTable',
  '1.3.6.1.4.1.3375.2.1.3.2.3.2.1',
  { sysChassisTempTemperature: [2, 'Integer32'] },
)

/** F5-BIGIP-SYSTEM-MIB::sysCmSyncStatus. */
export const sysCmSyncStatus = agentTable('F5-BIGIP-SYSTEM-MIB::sysCmSyncStatus', '1.3.6.1.4.1.3375.2.1.14.1', {
  sysCmSyncStatusId: [1, 'Integer32'],
})

/** F5-BIGIP-SYSTEM-MIB::sysCmFailoverStatus. */
export const sysCmFailoverStatus = agentTable('F5-BIGIP-SYSTEM-MIB::sysCmFailoverStatus', '1.3.6.1.4.1.3375.2.1.14.3', {
  sysCmFailoverStatusId: [1, 'Integer32'],
  sysCmFailoverStatusColor: [3, 'Integer32'],
})
