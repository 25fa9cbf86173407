import { col, mibTable } from '@portlight/snmp/table.ts'

/**
 * ARISTA-ENTITY-SENSOR-MIB::aristaEntSensorThresholdTable, indexed by entPhysicalIndex; in the units of
 * entPhySensorValue.
 */
export const aristaEntSensorThresholdTable = mibTable(
  'ARISTA-ENTITY-SENSOR-MIB::aristaEntSensorThresholdTable',
  '1.3.6.1.4.1.30065.3.12.1.1.1',
  {
    aristaEntSensorThresholdLowWarning: col(1, 'Integer'),
    aristaEntSensorThresholdLowCritical: col(2, 'Integer'),
    aristaEntSensorThresholdHighWarning: col(3, 'Integer'),
    aristaEntSensorThresholdHighCritical: col(4, 'Integer'),
  },
)
