import { col, mibTable } from '@portlight/snmp/table.ts'

/** ENTITY-MIB::entPhysicalTable (RFC 6933), indexed by entPhysicalIndex. */
export const entPhysicalTable = mibTable('ENTITY-MIB::entPhysicalTable', '1.3.6.1.2.1.47.1.1.1.1', {
  entPhysicalDescr: col(2, 'DisplayString'),
  entPhysicalVendorType: col(3, 'Oid'),
  entPhysicalContainedIn: col(4, 'Integer'),
  entPhysicalClass: col(5, 'Integer'),
  entPhysicalParentRelPos: col(6, 'Integer'),
  entPhysicalName: col(7, 'DisplayString'),
  entPhysicalHardwareRev: col(8, 'DisplayString'),
  entPhysicalFirmwareRev: col(9, 'DisplayString'),
  entPhysicalSoftwareRev: col(10, 'DisplayString'),
  entPhysicalSerialNum: col(11, 'DisplayString'),
  entPhysicalMfgName: col(12, 'DisplayString'),
  entPhysicalModelName: col(13, 'DisplayString'),
  entPhysicalAlias: col(14, 'DisplayString'),
  entPhysicalAssetID: col(15, 'DisplayString'),
  entPhysicalIsFRU: col(16, 'Integer'),
})

/** ENTITY-MIB::entAliasMappingTable (RFC 6933), indexed by entPhysicalIndex and entAliasLogicalIndexOrZero. */
export const entAliasMappingTable = mibTable('ENTITY-MIB::entAliasMappingTable', '1.3.6.1.2.1.47.1.3.2.1', {
  entAliasMappingIdentifier: col(2, 'DisplayString'),
})

/** IANA-ENTITY-MIB::IANAPhysicalClass. */
export const PHYSICAL_CLASS = {
  1: 'other',
  2: 'unknown',
  3: 'chassis',
  4: 'backplane',
  5: 'container',
  6: 'powerSupply',
  7: 'fan',
  8: 'sensor',
  9: 'module',
  10: 'port',
  11: 'stack',
  12: 'cpu',
  13: 'energyObject',
  14: 'battery',
  15: 'storageDrive',
} as const
