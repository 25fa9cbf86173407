import { col, mibTable } from '@portlight/snmp/table.ts'

/** AT-PLUGGABLE-DIAGNOSTICS-MIB::atPluggableDiagRxPowerTable, indexed by ifIndex and channel. */
export const atPluggableDiagRxPowerTable = mibTable(
  'AT-PLUGGABLE-DIAGNOSTICS-MIB::atPluggableDiagRxPowerTable',
  '1.3.6.1.4.1.207.8.4.4.3.28.1.5.1',
  { atPluggableDiagRxPowerStatusReading: col(3, 'Integer') },
)
