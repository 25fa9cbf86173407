import { agentTable } from '../table.ts'

/** PowerNet-MIB::upsBasicIdent. */
export const upsBasicIdent = agentTable('PowerNet-MIB::upsBasicIdent', '1.3.6.1.4.1.318.1.1.1.1.1', {
  upsBasicIdentModel: [1, 'Text'],
})

/** PowerNet-MIB::upsAdvIdent. */
export const upsAdvIdent = agentTable('PowerNet-MIB::upsAdvIdent', '1.3.6.1.4.1.318.1.1.1.1.2', {
  upsAdvIdentFirmwareRevision: [1, 'Text'],
  upsAdvIdentSerialNumber: [3, 'Text'],
})

/** PowerNet-MIB::upsAdvBattery; TimeTicks. */
export const upsAdvBattery = agentTable('PowerNet-MIB::upsAdvBattery', '1.3.6.1.4.1.318.1.1.1.2.2', {
  upsAdvBatteryRunTimeRemaining: [3, 'TimeTicks'],
  upsAdvBatteryReplaceIndicator: [4, 'Integer32'],
})

/** PowerNet-MIB::upsHighPrecBattery; tenths of a percent, of a degree Celsius, of a volt. */
export const upsHighPrecBattery = agentTable('PowerNet-MIB::upsHighPrecBattery', '1.3.6.1.4.1.318.1.1.1.2.3', {
  upsHighPrecBatteryCapacity: [1, 'Gauge32'],
  upsHighPrecBatteryTemperature: [2, 'Gauge32'],
  upsHighPrecBatteryActualVoltage: [4, 'Integer32'],
})

/** PowerNet-MIB::upsHighPrecInput; tenths of a volt, of a hertz. */
export const upsHighPrecInput = agentTable('PowerNet-MIB::upsHighPrecInput', '1.3.6.1.4.1.318.1.1.1.3.3', {
  upsHighPrecInputLineVoltage: [1, 'Gauge32'],
  upsHighPrecInputFrequency: [4, 'Gauge32'],
})

/** PowerNet-MIB::upsBasicOutput. */
export const upsBasicOutput = agentTable('PowerNet-MIB::upsBasicOutput', '1.3.6.1.4.1.318.1.1.1.4.1', {
  upsBasicOutputStatus: [1, 'Integer32'],
})

/** PowerNet-MIB::upsHighPrecOutput; tenths of a volt, of a hertz, of a percent, of an ampere. */
export const upsHighPrecOutput = agentTable('PowerNet-MIB::upsHighPrecOutput', '1.3.6.1.4.1.318.1.1.1.4.3', {
  upsHighPrecOutputVoltage: [1, 'Gauge32'],
  upsHighPrecOutputFrequency: [2, 'Gauge32'],
  upsHighPrecOutputLoad: [3, 'Gauge32'],
  upsHighPrecOutputCurrent: [4, 'Gauge32'],
})
