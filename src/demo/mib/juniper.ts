import { agentTable } from '../table.ts'

/** JUNIPER-MIB::jnxOperatingTable, indexed by container and three levels; degrees Celsius, percent, MB. */
export const jnxOperatingTable = agentTable('JUNIPER-MIB::jnxOperatingTable', '1.3.6.1.4.1.2636.3.1.13.1', {
  jnxOperatingDescr: [5, 'Text'],
  jnxOperatingState: [6, 'Integer32'],
  jnxOperatingTemp: [7, 'Gauge32'],
  jnxOperatingCPU: [8, 'Gauge32'],
  jnxOperatingBuffer: [11, 'Gauge32'],
  jnxOperatingMemory: [15, 'Integer32'],
})

/** JUNIPER-MIB::jnxFruTable. */
export const jnxFruTable = agentTable('JUNIPER-MIB::jnxFruTable', '1.3.6.1.4.1.2636.3.1.15.1', {
  jnxFruName: [5, 'Text'],
  jnxFruState: [8, 'Integer32'],
})

/** JUNIPER-ALARM-MIB: the alarm LEDs of the craft interface. */
export const jnxYellowAlarms = agentTable('JUNIPER-ALARM-MIB::jnxYellowAlarms', '1.3.6.1.4.1.2636.3.4.2.2', {
  jnxYellowAlarmState: [1, 'Integer32'],
})
export const jnxRedAlarms = agentTable('JUNIPER-ALARM-MIB::jnxRedAlarms', '1.3.6.1.4.1.2636.3.4.2.3', {
  jnxRedAlarmState: [1, 'Integer32'],
})

/** JUNIPER-DOM-MIB::jnxDomCurrentTable, indexed by ifIndex; 0.01 dBm, uA, degrees Celsius. */
export const jnxDomCurrentTable = agentTable('JUNIPER-DOM-MIB::jnxDomCurrentTable', '1.3.6.1.4.1.2636.3.60.1.1.1.1', {
  jnxDomCurrentRxLaserPower: [5, 'Integer32'],
  jnxDomCurrentTxLaserBiasCurrent: [6, 'Integer32'],
  jnxDomCurrentTxLaserOutputPower: [7, 'Integer32'],
  jnxDomCurrentModuleTemperature: [8, 'Integer32'],
  jnxDomCurrentRxLaserPowerHighAlarmThreshold: [9, 'Integer32'],
  jnxDomCurrentRxLaserPowerLowAlarmThreshold: [10, 'Integer32'],
  jnxDomCurrentTxLaserBiasCurrentHighAlarmThreshold: [13, 'Integer32'],
  jnxDomCurrentTxLaserBiasCurrentLowAlarmThreshold: [14, 'Integer32'],
  jnxDomCurrentTxLaserOutputPowerHighAlarmThreshold: [17, 'Integer32'],
  jnxDomCurrentTxLaserOutputPowerLowAlarmThreshold: [18, 'Integer32'],
  jnxDomCurrentModuleTemperatureHighAlarmThreshold: [21, 'Integer32'],
  jnxDomCurrentModuleTemperatureLowAlarmThreshold: [22, 'Integer32'],
})
