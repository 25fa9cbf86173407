import { col, mibTable } from '@portlight/snmp/table.ts'

/** FCMGMT-MIB::connUnitPortTable, indexed by connUnitPortUnitId (16 octets) and connUnitPortIndex. */
export const connUnitPortTable = mibTable('FCMGMT-MIB::connUnitPortTable', '1.3.6.1.3.94.1.10.1', {
  connUnitPortSn: col(12, 'DisplayString'),
  connUnitPortTransmitterType: col(8, 'Integer'),
  connUnitPortModuleType: col(9, 'Integer'),
  connUnitPortRevision: col(13, 'DisplayString'),
  connUnitPortVendor: col(14, 'DisplayString'),
  connUnitPortPhysicalNumber: col(18, 'Integer'),
})

/** connUnitPortModuleType: the cage is empty. */
export const GBIC_NOT_INSTALLED = 8

/** connUnitPortModuleType; `unknown`, `other` and an empty cage say nothing. */
export const FC_MODULE = {
  3: 'gbic',
  4: 'embedded',
  5: 'glm',
  6: 'gbicSerialId',
  7: 'gbicNoSerialId',
  9: 'smallFormFactor',
} as const

/** connUnitPortTransmitterType; `unknown`, `other` and `unused` say nothing. */
export const FC_TRANSMITTER = {
  4: 'shortwave',
  5: 'longwave',
  6: 'copper',
  7: 'scsi',
  8: 'longwaveNoOFC',
  9: 'shortwaveNoOFC',
  10: 'longwaveLED',
  11: 'ssa',
} as const
