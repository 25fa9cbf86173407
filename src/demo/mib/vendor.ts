import { agentTable } from '../table.ts'

/** MIKROTIK-MIB::mtxrHealth; 0.1 V and 0.1 degrees Celsius. */
export const mtxrHealth = agentTable('MIKROTIK-MIB::mtxrHealth', '1.3.6.1.4.1.14988.1.1.3', {
  mtxrHlVoltage: [8, 'Integer32'],
  mtxrHlTemperature: [10, 'Integer32'],
  mtxrHlProcessorTemperature: [11, 'Integer32'],
})

/** MIKROTIK-MIB::mtxrLicense. */
export const mtxrLicense = agentTable('MIKROTIK-MIB::mtxrLicense', '1.3.6.1.4.1.14988.1.1.4', {
  mtxrLicVersion: [4, 'Text'],
})

/** MIKROTIK-MIB::mtxrSystem. */
export const mtxrSystem = agentTable('MIKROTIK-MIB::mtxrSystem', '1.3.6.1.4.1.14988.1.1.7', {
  mtxrSerialNumber: [3, 'Text'],
  mtxrFirmwareVersion: [4, 'Text'],
})

/** SYNOLOGY-SYSTEM-MIB::synoSystem; degrees Celsius. */
export const synoSystem = agentTable('SYNOLOGY-SYSTEM-MIB::synoSystem', '1.3.6.1.4.1.6574.1', {
  systemStatus: [1, 'Integer32'],
  temperature: [2, 'Integer32'],
  powerStatus: [3, 'Integer32'],
})

/** SYNOLOGY-SYSTEM-MIB::synoFan. */
export const synoFan = agentTable('SYNOLOGY-SYSTEM-MIB::synoFan', '1.3.6.1.4.1.6574.1.4', {
  systemFanStatus: [1, 'Integer32'],
  cpuFanStatus: [2, 'Integer32'],
})

/** SYNOLOGY-DISK-MIB::diskTable, indexed by diskIndex; degrees Celsius. */
export const synoDiskTable = agentTable('SYNOLOGY-DISK-MIB::diskTable', '1.3.6.1.4.1.6574.2.1.1', {
  diskIndex: [1, 'Integer32'],
  diskID: [2, 'Text'],
  diskModel: [3, 'Text'],
  diskType: [4, 'Text'],
  diskStatus: [5, 'Integer32'],
  diskTemperature: [6, 'Integer32'],
})

/** SYNOLOGY-RAID-MIB::raidTable, indexed by raidIndex. */
export const synoRaidTable = agentTable('SYNOLOGY-RAID-MIB::raidTable', '1.3.6.1.4.1.6574.3.1.1', {
  raidIndex: [1, 'Integer32'],
  raidName: [2, 'Text'],
  raidStatus: [3, 'Integer32'],
})

/** SYNOLOGY-SYSTEM-MIB::dsmInfo. */
export const dsmInfo = agentTable('SYNOLOGY-SYSTEM-MIB::dsmInfo', '1.3.6.1.4.1.6574.1.5', {
  modelName: [1, 'Text'],
  serialNumber: [2, 'Text'],
  version: [3, 'Text'],
  upgradeAvailable: [4, 'Integer32'],
})

/** FORTINET-FORTIGATE-MIB::fgSystemInfo; percent, kB. */
export const fgSystemInfo = agentTable('FORTINET-FORTIGATE-MIB::fgSystemInfo', '1.3.6.1.4.1.12356.101.4.1', {
  fgSysVersion: [1, 'Text'],
  fgSysCpuUsage: [3, 'Gauge32'],
  fgSysMemUsage: [4, 'Gauge32'],
  fgSysMemCapacity: [5, 'Gauge32'],
  fgSysSesCount: [8, 'Gauge32'],
  fgSysSesRate1: [11, 'Gauge32'],
})

/** FORTINET-FORTIGATE-MIB::fgHwSensorTable, indexed by fgHwSensorEntIndex; values are text, units are in the names. */
export const fgHwSensorTable = agentTable('FORTINET-FORTIGATE-MIB::fgHwSensorTable', '1.3.6.1.4.1.12356.101.4.3.2.1', {
  fgHwSensorEntName: [2, 'Text'],
  fgHwSensorEntValue: [3, 'Text'],
  fgHwSensorEntAlarmStatus: [4, 'Integer32'],
})

/** FORTINET-FORTIGATE-MIB::fgProcessorTable, indexed by fgProcessorEntIndex; percent. */
export const fgProcessorTable = agentTable(
  'FORTINET-FORTIGATE-MIB::fgProcessorTable',
  '1.3.6.1.4.1.12356.101.4.4.2.1',
  {
    fgProcessorUsage: [2, 'Gauge32'],
  },
)

/** FORTINET-FORTIGATE-MIB::fgVpnInfo. */
export const fgVpnInfo = agentTable('FORTINET-FORTIGATE-MIB::fgVpnInfo', '1.3.6.1.4.1.12356.101.12.1', {
  fgVpnTunnelUpCount: [1, 'Gauge32'],
})

/** FORTINET-CORE-MIB::fnCommon. */
export const fnSystem = agentTable('FORTINET-CORE-MIB::fnSystem', '1.3.6.1.4.1.12356.100.1.1', {
  fnSysSerial: [1, 'Text'],
})

/** JUNIPER-MIB::jnxBoxAnatomy. */
export const jnxBoxAnatomy = agentTable('JUNIPER-MIB::jnxBoxAnatomy', '1.3.6.1.4.1.2636.3.1', {
  jnxBoxDescr: [2, 'Text'],
  jnxBoxSerialNo: [3, 'Text'],
})

/** WLSX-SWITCH-MIB::wlsxSystemXGroup of Aruba controllers: numbers of access points and stations. */
export const wlsxSystem = agentTable('WLSX-SWITCH-MIB::wlsxSystemXGroup', '1.3.6.1.4.1.14823.2.2.1.1.3', {
  wlsxSwitchTotalNumAccessPoints: [1, 'Gauge32'],
  wlsxSwitchTotalNumStationsAssociated: [2, 'Gauge32'],
})
