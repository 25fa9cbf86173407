import { agentTable } from '../table.ts'

/** UPS-MIB::upsIdent (RFC 1628). */
export const upsIdent = agentTable('UPS-MIB::upsIdent', '1.3.6.1.2.1.33.1.1', {
  upsIdentManufacturer: [1, 'Text'],
  upsIdentModel: [2, 'Text'],
  upsIdentUPSSoftwareVersion: [3, 'Text'],
  upsIdentAgentSoftwareVersion: [4, 'Text'],
  upsIdentName: [5, 'Text'],
  upsIdentAttachedDevices: [6, 'Text'],
})

/** UPS-MIB::upsBattery; seconds, minutes, percent, 0.1 V, 0.1 A, degrees Celsius. */
export const upsBattery = agentTable('UPS-MIB::upsBattery', '1.3.6.1.2.1.33.1.2', {
  upsBatteryStatus: [1, 'Integer32'],
  upsSecondsOnBattery: [2, 'Integer32'],
  upsEstimatedMinutesRemaining: [3, 'Integer32'],
  upsEstimatedChargeRemaining: [4, 'Integer32'],
  upsBatteryVoltage: [5, 'Integer32'],
  upsBatteryCurrent: [6, 'Integer32'],
  upsBatteryTemperature: [7, 'Integer32'],
})

export const upsInput = agentTable('UPS-MIB::upsInput', '1.3.6.1.2.1.33.1.3', {
  upsInputLineBads: [1, 'Counter32'],
  upsInputNumLines: [2, 'Integer32'],
})

/** UPS-MIB::upsInputTable, indexed by upsInputLineIndex; 0.1 Hz, V, 0.1 A, W. */
export const upsInputTable = agentTable('UPS-MIB::upsInputTable', '1.3.6.1.2.1.33.1.3.3.1', {
  upsInputFrequency: [2, 'Integer32'],
  upsInputVoltage: [3, 'Integer32'],
  upsInputCurrent: [4, 'Integer32'],
  upsInputTruePower: [5, 'Integer32'],
})

/** UPS-MIB::upsOutput; 0.1 Hz. */
export const upsOutput = agentTable('UPS-MIB::upsOutput', '1.3.6.1.2.1.33.1.4', {
  upsOutputSource: [1, 'Integer32'],
  upsOutputFrequency: [2, 'Integer32'],
  upsOutputNumLines: [3, 'Integer32'],
})

/** UPS-MIB::upsOutputTable, indexed by upsOutputLineIndex; V, 0.1 A, W, percent. */
export const upsOutputTable = agentTable('UPS-MIB::upsOutputTable', '1.3.6.1.2.1.33.1.4.4.1', {
  upsOutputVoltage: [2, 'Integer32'],
  upsOutputCurrent: [3, 'Integer32'],
  upsOutputPower: [4, 'Integer32'],
  upsOutputPercentLoad: [5, 'Integer32'],
})

export const upsAlarm = agentTable('UPS-MIB::upsAlarm', '1.3.6.1.2.1.33.1.6', { upsAlarmsPresent: [1, 'Gauge32'] })

/** UPS-MIB::upsAlarmTable, indexed by upsAlarmId; one row for each active alarm. */
export const upsAlarmTable = agentTable('UPS-MIB::upsAlarmTable', '1.3.6.1.2.1.33.1.6.2.1', {
  upsAlarmDescr: [2, 'Oid'],
  upsAlarmTime: [3, 'TimeTicks'],
})

/** UPS-MIB::upsConfig; V, 0.1 Hz, VA, W, minutes. */
export const upsConfig = agentTable('UPS-MIB::upsConfig', '1.3.6.1.2.1.33.1.9', {
  upsConfigInputVoltage: [1, 'Integer32'],
  upsConfigInputFreq: [2, 'Integer32'],
  upsConfigOutputVoltage: [3, 'Integer32'],
  upsConfigOutputFreq: [4, 'Integer32'],
  upsConfigOutputVA: [5, 'Integer32'],
  upsConfigOutputPower: [6, 'Integer32'],
  upsConfigLowBattTime: [7, 'Integer32'],
  upsConfigAudibleStatus: [8, 'Integer32'],
})
