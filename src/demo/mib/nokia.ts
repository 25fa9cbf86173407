import { agentTable } from '../table.ts'

/** TIMETRA-SYSTEM-MIB::sgiStats; percent, kB. */
export const sgiStats = agentTable('TIMETRA-SYSTEM-MIB::sgiStats', '1.3.6.1.4.1.6527.3.1.2.1.1', {
  sgiCpuUsage: [1, 'Gauge32'],
  sgiKbMemoryAvailable: [10, 'Counter64'],
  sgiKbMemoryUsed: [11, 'Counter64'],
})

/** TIMETRA-CHASSIS-MIB::tmnxChassisTable: the alarm LEDs. */
export const tmnxChassisState = agentTable('TIMETRA-CHASSIS-MIB::tmnxChassisTable', '1.3.6.1.4.1.6527.3.1.2.2.1.3.1', {
  tmnxChassisCriticalLEDState: [12, 'Integer32'],
  tmnxChassisMajorLEDState: [13, 'Integer32'],
  tmnxChassisMinorLEDState: [14, 'Integer32'],
  tmnxChassisOverTempState: [24, 'Integer32'],
})

/** TIMETRA-CHASSIS-MIB::tmnxHwTable: temperatures of the parts, degrees Celsius. */
export const tmnxHwState = agentTable('TIMETRA-CHASSIS-MIB::tmnxHwTable', '1.3.6.1.4.1.6527.3.1.2.2.1.8.1', {
  tmnxHwTempSensor: [17, 'Integer32'],
  tmnxHwTemperature: [18, 'Integer32'],
  tmnxHwTempThreshold: [19, 'Integer32'],
  tmnxHwAlarmState: [24, 'Integer32'],
})

/**
 * TIMETRA-PORT-MIB::tmnxDigitalDiagMonitorTable, indexed by tmnxChassisIndex and tmnxPortPortID; 1/256 degree, 0.1 mV,
 * 2 uA, 0.1 uW.
 */
export const tmnxDigitalDiagMonitorTable = agentTable(
  'TIMETRA-PORT-MIB::tmnxDigitalDiagMonitorTable',
  '1.3.6.1.4.1.6527.3.1.2.2.4.31.1',
  {
    tmnxDDMTemperature: [1, 'Integer32'],
    tmnxDDMSupplyVoltage: [6, 'Integer32'],
    tmnxDDMTxBiasCurrent: [11, 'Integer32'],
    tmnxDDMTxOutputPower: [16, 'Integer32'],
    tmnxDDMRxOpticalPower: [21, 'Integer32'],
  },
)
