import { agentTable } from '../table.ts'

/** ENTITY-MIB::entPhysicalTable (RFC 6933), indexed by entPhysicalIndex. */
export const entPhysicalTable = agentTable('ENTITY-MIB::entPhysicalTable', '1.3.6.1.2.1.47.1.1.1.1', {
  entPhysicalDescr: [2, 'Text'],
  entPhysicalVendorType: [3, 'Oid'],
  entPhysicalContainedIn: [4, 'Integer32'],
  entPhysicalClass: [5, 'Integer32'],
  entPhysicalParentRelPos: [6, 'Integer32'],
  entPhysicalName: [7, 'Text'],
  entPhysicalHardwareRev: [8, 'Text'],
  entPhysicalFirmwareRev: [9, 'Text'],
  entPhysicalSoftwareRev: [10, 'Text'],
  entPhysicalSerialNum: [11, 'Text'],
  entPhysicalMfgName: [12, 'Text'],
  entPhysicalModelName: [13, 'Text'],
  entPhysicalAlias: [14, 'Text'],
  entPhysicalAssetID: [15, 'Text'],
  entPhysicalIsFRU: [16, 'Integer32'],
})

/** ENTITY-MIB::entAliasMappingTable (RFC 6933), indexed by entPhysicalIndex and entAliasLogicalIndexOrZero. */
export const entAliasMappingTable = agentTable('ENTITY-MIB::entAliasMappingTable', '1.3.6.1.2.1.47.1.3.2.1', {
  entAliasMappingIdentifier: [2, 'Oid'],
})

/** ENTITY-SENSOR-MIB::entPhySensorTable (RFC 3433), indexed by entPhysicalIndex. */
export const entPhySensorTable = agentTable('ENTITY-SENSOR-MIB::entPhySensorTable', '1.3.6.1.2.1.99.1.1.1', {
  entPhySensorType: [1, 'Integer32'],
  entPhySensorScale: [2, 'Integer32'],
  entPhySensorPrecision: [3, 'Integer32'],
  entPhySensorValue: [4, 'Integer32'],
  entPhySensorOperStatus: [5, 'Integer32'],
  entPhySensorUnitsDisplay: [6, 'Text'],
  entPhySensorValueTimeStamp: [7, 'TimeTicks'],
  entPhySensorValueUpdateRate: [8, 'Gauge32'],
})
