import { scalar } from '@portlight/snmp/table.ts'

/** SNMPv2-MIB::system (RFC 3418). */
export const sysDescr = scalar('SNMPv2-MIB::sysDescr', '1.3.6.1.2.1.1.1.0', 'DisplayString')
export const sysObjectID = scalar('SNMPv2-MIB::sysObjectID', '1.3.6.1.2.1.1.2.0', 'Oid')
/** TimeTicks since the agent started; wraps after 497 days. */
export const sysUpTime = scalar('SNMPv2-MIB::sysUpTime', '1.3.6.1.2.1.1.3.0', 'Integer')
export const sysContact = scalar('SNMPv2-MIB::sysContact', '1.3.6.1.2.1.1.4.0', 'DisplayString')
export const sysName = scalar('SNMPv2-MIB::sysName', '1.3.6.1.2.1.1.5.0', 'DisplayString')
export const sysLocation = scalar('SNMPv2-MIB::sysLocation', '1.3.6.1.2.1.1.6.0', 'DisplayString')
