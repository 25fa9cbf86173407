import { agentTable } from '../table.ts'

/** JUNIPER-MIB::jnxBoxAnatomy. */
export const jnxBoxAnatomy = agentTable('JUNIPER-MIB::jnxBoxAnatomy', '1.3.6.1.4.1.2636.3.1', {
  jnxBoxDescr: [2, 'Text'],
  jnxBoxSerialNo: [3, 'Text'],
})
