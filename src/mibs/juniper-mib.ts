import { col, mibTable } from '@portlight/snmp/table.ts'

/** JUNIPER-MIB::jnxContainersTable: kinds of slots, indexed by jnxContainersIndex. */
export const jnxContainersTable = mibTable('JUNIPER-MIB::jnxContainersTable', '1.3.6.1.4.1.2636.3.1.6.1', {
  jnxContainersDescr: col(6, 'DisplayString'),
  /** jnxContainersIndex of the enclosing container; 0 for the chassis. */
  jnxContainersWithin: col(4, 'Integer'),
})

/**
 * JUNIPER-MIB::jnxContentsTable: contents of the slots, indexed by jnxContentsContainerIndex and jnxContentsL1Index to
 * L3Index.
 */
export const jnxContentsTable = mibTable('JUNIPER-MIB::jnxContentsTable', '1.3.6.1.4.1.2636.3.1.8.1', {
  jnxContentsDescr: col(6, 'DisplayString'),
  jnxContentsType: col(5, 'Oid'),
  jnxContentsSerialNo: col(7, 'DisplayString'),
  jnxContentsRevision: col(8, 'DisplayString'),
  jnxContentsPartNo: col(10, 'DisplayString'),
})
