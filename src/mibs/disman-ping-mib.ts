import { col, mibTable } from '@portlight/snmp/table.ts'

/** Results of ping tests (DISMAN-PING-MIB, RFC 4560), indexed by the names of their owner and of the test. */
export const pingResultsTable = mibTable('DISMAN-PING-MIB::pingResultsTable', '1.3.6.1.2.1.80.1.3.1', {
  /** Milliseconds. */
  pingResultsAverageRtt: col(6, 'Integer'),
})
