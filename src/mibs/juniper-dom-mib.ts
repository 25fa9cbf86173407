import { col, mibTable } from '@portlight/snmp/table.ts'

/** JUNIPER-DOM-MIB::jnxDomCurrentTable, indexed by ifIndex. */
export const jnxDomCurrentTable = mibTable('JUNIPER-DOM-MIB::jnxDomCurrentTable', '1.3.6.1.4.1.2636.3.60.1.1.1.1', {
  /** Lasers of the module. */
  jnxDomCurrentModuleLaneCount: col(30, 'Integer'),
})
