import { col, mibTable } from '@portlight/snmp/table.ts'

const RPM = '1.3.6.1.4.1.2636.3.50.1'

/** Results of RPM probes, indexed by the names of owner and test, and the collection. */
export const jnxRpmResultsSummaryTable = mibTable('JUNIPER-RPM-MIB::jnxRpmResultsSummaryTable', `${RPM}.2.1`, {
  /** Millionths of a percent. */
  jnxRpmResSumPercentLost: col(4, 'Integer'),
})

/** Their times, indexed by what is measured in addition. */
export const jnxRpmResultsCalculatedTable = mibTable('JUNIPER-RPM-MIB::jnxRpmResultsCalculatedTable', `${RPM}.3.1`, {
  /** Microseconds. */
  jnxRpmResCalcAverage: col(5, 'Integer'),
})

/** JnxRpmCollectionType: the most recently completed test. */
export const RPM_LAST_COMPLETED = 2

/** JnxRpmMeasurementSet; the others split these by sign or direction. */
export const RPM_MEASURED = { 1: 'round trip', 4: 'egress delay', 7: 'ingress delay' } as const
