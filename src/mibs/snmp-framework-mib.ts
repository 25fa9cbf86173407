import { scalar } from '@portlight/snmp/table.ts'

/** SNMP-FRAMEWORK-MIB::snmpEngine (RFC 3411). */
export const snmpEngineID = scalar('SNMP-FRAMEWORK-MIB::snmpEngineID', '1.3.6.1.6.3.10.2.1.1.0', 'OctetString')
/** Seconds since snmpEngineBoots last changed. */
export const snmpEngineTime = scalar('SNMP-FRAMEWORK-MIB::snmpEngineTime', '1.3.6.1.6.3.10.2.1.3.0', 'Integer')
