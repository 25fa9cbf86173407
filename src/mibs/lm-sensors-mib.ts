import { col, mibTable } from '@portlight/snmp/table.ts'

const columns = { device: col(2, 'DisplayString'), value: col(3, 'Integer') } as const

/** LM-SENSORS-MIB (net-snmp), each indexed by a row number; members are …Device and …Value. Values in 1/1000 °C. */
export const lmTempSensorsTable = mibTable('LM-SENSORS-MIB::lmTempSensorsTable', '1.3.6.1.4.1.2021.13.16.2.1', columns)
/** Revolutions per minute. */
export const lmFanSensorsTable = mibTable('LM-SENSORS-MIB::lmFanSensorsTable', '1.3.6.1.4.1.2021.13.16.3.1', columns)
/** 1/1000 V. */
export const lmVoltSensorsTable = mibTable('LM-SENSORS-MIB::lmVoltSensorsTable', '1.3.6.1.4.1.2021.13.16.4.1', columns)
