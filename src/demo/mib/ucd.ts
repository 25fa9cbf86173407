import { agentTable } from '../table.ts'

/** UCD-SNMP-MIB::memory; kB. */
export const memory = agentTable('UCD-SNMP-MIB::memory', '1.3.6.1.4.1.2021.4', {
  memIndex: [1, 'Integer32'],
  memErrorName: [2, 'Text'],
  memTotalSwap: [3, 'Integer32'],
  memAvailSwap: [4, 'Integer32'],
  memTotalReal: [5, 'Integer32'],
  memAvailReal: [6, 'Integer32'],
  memTotalFree: [11, 'Integer32'],
  memMinimumSwap: [12, 'Integer32'],
  memShared: [13, 'Integer32'],
  memBuffer: [14, 'Integer32'],
  memCached: [15, 'Integer32'],
  memSwapError: [100, 'Integer32'],
  memSwapErrorMsg: [101, 'Text'],
})

/** UCD-SNMP-MIB::dskTable, indexed by dskIndex; kB. */
export const dskTable = agentTable('UCD-SNMP-MIB::dskTable', '1.3.6.1.4.1.2021.9.1', {
  dskIndex: [1, 'Integer32'],
  dskPath: [2, 'Text'],
  dskDevice: [3, 'Text'],
  dskMinimum: [4, 'Integer32'],
  dskMinPercent: [5, 'Integer32'],
  dskTotal: [6, 'Integer32'],
  dskAvail: [7, 'Integer32'],
  dskUsed: [8, 'Integer32'],
  dskPercent: [9, 'Integer32'],
  dskPercentNode: [10, 'Integer32'],
  dskTotalLow: [11, 'Gauge32'],
  dskTotalHigh: [12, 'Gauge32'],
  dskAvailLow: [13, 'Gauge32'],
  dskAvailHigh: [14, 'Gauge32'],
  dskUsedLow: [15, 'Gauge32'],
  dskUsedHigh: [16, 'Gauge32'],
  dskErrorFlag: [100, 'Integer32'],
  dskErrorMsg: [101, 'Text'],
})

/** UCD-SNMP-MIB::laTable, indexed by laIndex. */
export const laTable = agentTable('UCD-SNMP-MIB::laTable', '1.3.6.1.4.1.2021.10.1', {
  laIndex: [1, 'Integer32'],
  laNames: [2, 'Text'],
  laLoad: [3, 'Text'],
  laConfig: [4, 'Text'],
  laLoadInt: [5, 'Integer32'],
  laErrorFlag: [100, 'Integer32'],
  laErrMessage: [101, 'Text'],
})

/** UCD-SNMP-MIB::systemStats; raw values are ticks of 1/100 s. */
export const systemStats = agentTable('UCD-SNMP-MIB::systemStats', '1.3.6.1.4.1.2021.11', {
  ssIndex: [1, 'Integer32'],
  ssErrorName: [2, 'Text'],
  ssCpuUser: [9, 'Integer32'],
  ssCpuSystem: [10, 'Integer32'],
  ssCpuIdle: [11, 'Integer32'],
  ssCpuRawUser: [50, 'Counter32'],
  ssCpuRawNice: [51, 'Counter32'],
  ssCpuRawSystem: [52, 'Counter32'],
  ssCpuRawIdle: [53, 'Counter32'],
  ssCpuRawWait: [54, 'Counter32'],
  ssCpuRawInterrupt: [56, 'Counter32'],
  ssIORawSent: [57, 'Counter32'],
  ssIORawReceived: [58, 'Counter32'],
  ssRawInterrupts: [59, 'Counter32'],
  ssRawContexts: [60, 'Counter32'],
  ssCpuRawSoftIRQ: [61, 'Counter32'],
})

/** UCD-DISKIO-MIB::diskIOTable, indexed by diskIOIndex. */
export const diskIOTable = agentTable('UCD-DISKIO-MIB::diskIOTable', '1.3.6.1.4.1.2021.13.15.1.1', {
  diskIOIndex: [1, 'Integer32'],
  diskIODevice: [2, 'Text'],
  diskIONRead: [3, 'Counter32'],
  diskIONWritten: [4, 'Counter32'],
  diskIOReads: [5, 'Counter32'],
  diskIOWrites: [6, 'Counter32'],
  diskIONReadX: [12, 'Counter64'],
  diskIONWrittenX: [13, 'Counter64'],
})

/** LM-SENSORS-MIB: one layout for temperatures (thousandths of a degree), fans (rpm), voltages (mV) and others. */
function lmSensors<const N extends string>(name: N, id: number) {
  return agentTable(`LM-SENSORS-MIB::lm${name}SensorsTable`, `1.3.6.1.4.1.2021.13.16.${id}.1`, {
    lmSensorsIndex: [1, 'Integer32'],
    lmSensorsDevice: [2, 'Text'],
    lmSensorsValue: [3, 'Gauge32'],
  })
}
export const lmTempSensorsTable = lmSensors('Temp', 2)
export const lmFanSensorsTable = lmSensors('Fan', 3)
export const lmVoltSensorsTable = lmSensors('Volt', 4)
