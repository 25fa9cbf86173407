import { col, mibTable } from '@portlight/snmp/table.ts'

/** LLDP-MIB::lldpRemTable (IEEE 802.1AB-2005), indexed by lldpRemTimeMark, lldpRemLocalPortNum and lldpRemIndex. */
export const lldpRemTable = mibTable('LLDP-MIB::lldpRemTable', '1.0.8802.1.1.2.1.4.1.1', {
  lldpRemPortId: col(7, 'OctetString'),
  lldpRemChassisIdSubtype: col(4, 'Integer'),
  lldpRemChassisId: col(5, 'OctetString'),
  lldpRemPortIdSubtype: col(6, 'Integer'),
  lldpRemPortDesc: col(8, 'DisplayString'),
  lldpRemSysName: col(9, 'DisplayString'),
  lldpRemSysDesc: col(10, 'DisplayString'),
})

/** LLDP-MIB::lldpRemManAddrTable, indexed like lldpRemTable plus LldpManAddrType and the address (length, octets). */
export const lldpRemManAddrTable = mibTable('LLDP-MIB::lldpRemManAddrTable', '1.0.8802.1.1.2.1.4.2.1', {
  lldpRemManAddrIfSubtype: col(3, 'Integer'),
})

/** LLDP-MIB::lldpLocPortTable, indexed by lldpLocPortNum. */
export const lldpLocPortTable = mibTable('LLDP-MIB::lldpLocPortTable', '1.0.8802.1.1.2.1.3.7.1', {
  lldpLocPortId: col(3, 'OctetString'),
  lldpLocPortDesc: col(4, 'DisplayString'),
})

/**
 * LLDP-V2-MIB::lldpV2RemTable (IEEE 802.1AB-2009), indexed by time mark, ifIndex, destination address number and a
 * number.
 */
export const lldpV2RemTable = mibTable('LLDP-V2-MIB::lldpV2RemTable', '1.3.111.2.802.1.1.13.1.4.1.1', {
  lldpV2RemPortId: col(8, 'OctetString'),
  lldpV2RemChassisIdSubtype: col(5, 'Integer'),
  lldpV2RemChassisId: col(6, 'OctetString'),
  lldpV2RemPortIdSubtype: col(7, 'Integer'),
  lldpV2RemPortDesc: col(9, 'DisplayString'),
  lldpV2RemSysName: col(10, 'DisplayString'),
  lldpV2RemSysDesc: col(11, 'DisplayString'),
})

/** TIMETRA-LLDP-MIB::tmnxLldpRemTable (Nokia SR OS), indexed like lldpV2RemTable. */
export const tmnxLldpRemTable = mibTable('TIMETRA-LLDP-MIB::tmnxLldpRemTable', '1.3.6.1.4.1.6527.3.1.2.59.4.1.1', {
  tmnxLldpRemPortId: col(7, 'OctetString'),
  tmnxLldpRemChassisIdSubtype: col(4, 'Integer'),
  tmnxLldpRemChassisId: col(5, 'OctetString'),
  tmnxLldpRemPortIdSubtype: col(6, 'Integer'),
  tmnxLldpRemPortDesc: col(8, 'DisplayString'),
  tmnxLldpRemSysName: col(9, 'DisplayString'),
  tmnxLldpRemSysDesc: col(10, 'DisplayString'),
})

/**
 * TPLINK-LLDPINFO-MIB::lldpNeighborInfoTable (TP-Link JetStream), indexed by ifIndex and a number; everything is text.
 */
export const lldpNeighborInfoTable = mibTable(
  'TPLINK-LLDPINFO-MIB::lldpNeighborInfoTable',
  '1.3.6.1.4.1.11863.6.35.1.2.2.1',
  {
    lldpNeighborPortIdDescr: col(6, 'DisplayString'),
    lldpNeighborChassisId: col(4, 'DisplayString'),
    lldpNeighborPortDescr: col(8, 'DisplayString'),
    lldpNeighborDeviceName: col(9, 'DisplayString'),
    lldpNeighborDeviceDescr: col(10, 'DisplayString'),
  },
)

/** LLDP-MIB::LldpChassisIdSubtype, which determines the format of a chassis ID. */
export const LLDP_CHASSIS_ID = {
  1: 'chassisComponent',
  2: 'interfaceAlias',
  3: 'portComponent',
  4: 'macAddress',
  5: 'networkAddress',
  6: 'interfaceName',
  7: 'local',
} as const

/** LLDP-MIB::LldpPortIdSubtype, which determines the format of a port ID. */
export const LLDP_PORT_ID = {
  1: 'interfaceAlias',
  2: 'portComponent',
  3: 'macAddress',
  4: 'networkAddress',
  5: 'interfaceName',
  6: 'agentCircuitId',
  7: 'local',
} as const
