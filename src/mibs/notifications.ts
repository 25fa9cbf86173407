/**
 * Names of notifications by their OID (snmpTrapOID), from the MIBs of RFC 3418, RFC 4273, RFC 4750, RFC 4188, RFC 2819
 * and others.
 */
export const NOTIFICATIONS: ReadonlyMap<string, string> = new Map([
  ['1.3.6.1.6.3.1.1.5.1', 'SNMPv2-MIB::coldStart'],
  ['1.3.6.1.6.3.1.1.5.2', 'SNMPv2-MIB::warmStart'],
  ['1.3.6.1.6.3.1.1.5.3', 'IF-MIB::linkDown'],
  ['1.3.6.1.6.3.1.1.5.4', 'IF-MIB::linkUp'],
  ['1.3.6.1.6.3.1.1.5.5', 'SNMPv2-MIB::authenticationFailure'],
  ['1.3.6.1.2.1.15.7.1', 'BGP4-MIB::bgpEstablished'],
  ['1.3.6.1.2.1.15.7.2', 'BGP4-MIB::bgpBackwardTransition'],
  ['1.3.6.1.2.1.15.0.1', 'BGP4-MIB::bgpEstablishedNotification'],
  ['1.3.6.1.2.1.15.0.2', 'BGP4-MIB::bgpBackwardTransNotification'],
  ['1.3.6.1.2.1.14.16.2.2', 'OSPF-TRAP-MIB::ospfNbrStateChange'],
  ['1.3.6.1.2.1.14.16.2.16', 'OSPF-TRAP-MIB::ospfIfStateChange'],
  ['1.3.6.1.2.1.17.0.1', 'BRIDGE-MIB::newRoot'],
  ['1.3.6.1.2.1.17.0.2', 'BRIDGE-MIB::topologyChange'],
  ['1.3.6.1.2.1.16.0.1', 'RMON-MIB::risingAlarm'],
  ['1.3.6.1.2.1.16.0.2', 'RMON-MIB::fallingAlarm'],
  ['1.3.6.1.2.1.47.2.0.1', 'ENTITY-MIB::entConfigChange'],
  ['1.3.6.1.2.1.68.0.1', 'VRRP-MIB::vrrpTrapNewMaster'],
  ['1.3.6.1.2.1.68.0.2', 'VRRP-MIB::vrrpTrapAuthFailure'],
  ['1.3.6.1.2.1.33.2.1', 'UPS-MIB::upsTrapOnBattery'],
  ['1.3.6.1.2.1.33.2.2', 'UPS-MIB::upsTrapTestCompleted'],
  ['1.3.6.1.2.1.33.2.3', 'UPS-MIB::upsTrapAlarmEntryAdded'],
  ['1.3.6.1.2.1.33.2.4', 'UPS-MIB::upsTrapAlarmEntryRemoved'],
  ['1.0.8802.1.1.2.0.0.1', 'LLDP-MIB::lldpRemTablesChange'],
  ['1.3.6.1.4.1.8072.4.0.1', 'NET-SNMP-AGENT-MIB::nsNotifyStart'],
  ['1.3.6.1.4.1.8072.4.0.2', 'NET-SNMP-AGENT-MIB::nsNotifyShutdown'],
  ['1.3.6.1.4.1.8072.4.0.3', 'NET-SNMP-AGENT-MIB::nsNotifyRestart'],
  ['1.3.6.1.4.1.9.9.43.2.0.1', 'CISCO-CONFIG-MAN-MIB::ciscoConfigManEvent'],
])

/** Columns that occur in notifications but are not polled. */
export const NOTIFIED_COLUMNS: ReadonlyMap<string, string> = new Map([['1.3.6.1.2.1.2.2.1.1', 'IF-MIB::ifIndex']])
