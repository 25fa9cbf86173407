import { col, mibTable, scalar } from '@portlight/snmp/table.ts'

/** UCD-SNMP-MIB::ssCpuIdle: idle processor time during the last minute, in percent. */
export const ssCpuIdle = scalar('UCD-SNMP-MIB::ssCpuIdle', '1.3.6.1.4.1.2021.11.11.0', 'Integer')

/** UCD-SNMP-MIB::memory; all in units of 1024 bytes. */
export const memTotalSwap = scalar('UCD-SNMP-MIB::memTotalSwap', '1.3.6.1.4.1.2021.4.3.0', 'Integer')
export const memAvailSwap = scalar('UCD-SNMP-MIB::memAvailSwap', '1.3.6.1.4.1.2021.4.4.0', 'Integer')
export const memTotalReal = scalar('UCD-SNMP-MIB::memTotalReal', '1.3.6.1.4.1.2021.4.5.0', 'Integer')
export const memAvailReal = scalar('UCD-SNMP-MIB::memAvailReal', '1.3.6.1.4.1.2021.4.6.0', 'Integer')
export const memShared = scalar('UCD-SNMP-MIB::memShared', '1.3.6.1.4.1.2021.4.13.0', 'Integer')
export const memBuffer = scalar('UCD-SNMP-MIB::memBuffer', '1.3.6.1.4.1.2021.4.14.0', 'Integer')
export const memCached = scalar('UCD-SNMP-MIB::memCached', '1.3.6.1.4.1.2021.4.15.0', 'Integer')

/** UCD-SNMP-MIB::dskTable, indexed by dskIndex; sizes in units of 1024 bytes, 64-bit ones in two halves. */
export const dskTable = mibTable('UCD-SNMP-MIB::dskTable', '1.3.6.1.4.1.2021.9.1', {
  dskPath: col(2, 'DisplayString'),
  dskTotal: col(6, 'Integer'),
  dskUsed: col(8, 'Integer'),
  dskPercent: col(9, 'Integer'),
  dskTotalLow: col(11, 'Integer'),
  dskTotalHigh: col(12, 'Integer'),
  dskUsedLow: col(15, 'Integer'),
  dskUsedHigh: col(16, 'Integer'),
})
