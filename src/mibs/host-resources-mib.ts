import { col, mibTable, scalar } from '@portlight/snmp/table.ts'

/** HOST-RESOURCES-MIB::hrSystemUptime (RFC 2790): time since the host started, 1/100 s. */
export const hrSystemUptime = scalar('HOST-RESOURCES-MIB::hrSystemUptime', '1.3.6.1.2.1.25.1.1.0', 'Integer')

/** HOST-RESOURCES-MIB::hrStorageTable (RFC 2790), indexed by hrStorageIndex. */
export const hrStorageTable = mibTable('HOST-RESOURCES-MIB::hrStorageTable', '1.3.6.1.2.1.25.2.3.1', {
  hrStorageType: col(2, 'Oid'),
  hrStorageDescr: col(3, 'DisplayString'),
  hrStorageAllocationUnits: col(4, 'Integer'),
  hrStorageSize: col(5, 'Integer'),
  hrStorageUsed: col(6, 'Integer'),
})

/** HOST-RESOURCES-MIB::hrDeviceTable (RFC 2790), indexed by hrDeviceIndex. */
export const hrDeviceTable = mibTable('HOST-RESOURCES-MIB::hrDeviceTable', '1.3.6.1.2.1.25.3.2.1', {
  hrDeviceType: col(2, 'Oid'),
  hrDeviceDescr: col(3, 'DisplayString'),
})

/** HOST-RESOURCES-MIB::hrProcessorTable (RFC 2790), indexed by hrDeviceIndex. */
export const hrProcessorTable = mibTable('HOST-RESOURCES-MIB::hrProcessorTable', '1.3.6.1.2.1.25.3.3.1', {
  hrProcessorLoad: col(2, 'Integer'),
})

/** HOST-RESOURCES-MIB::hrPrinterTable (RFC 2790), indexed by hrDeviceIndex. */
export const hrPrinterTable = mibTable('HOST-RESOURCES-MIB::hrPrinterTable', '1.3.6.1.2.1.25.3.5.1', {
  hrPrinterDetectedErrorState: col(2, 'OctetString'),
})

/**
 * Names of the OIDs in hrStorageType: HOST-RESOURCES-TYPES::hrStorageTypes, and hrFSTypes for agents that mix the two
 * up.
 */
const HR_STORAGE_TYPE: ReadonlyMap<string, string> = new Map([
  ['1.3.6.1.2.1.25.2.1.1', 'hrStorageOther'],
  ['1.3.6.1.2.1.25.2.1.2', 'hrStorageRam'],
  ['1.3.6.1.2.1.25.2.1.3', 'hrStorageVirtualMemory'],
  ['1.3.6.1.2.1.25.2.1.4', 'hrStorageFixedDisk'],
  ['1.3.6.1.2.1.25.2.1.5', 'hrStorageRemovableDisk'],
  ['1.3.6.1.2.1.25.2.1.6', 'hrStorageFloppyDisk'],
  ['1.3.6.1.2.1.25.2.1.7', 'hrStorageCompactDisc'],
  ['1.3.6.1.2.1.25.2.1.8', 'hrStorageRamDisk'],
  ['1.3.6.1.2.1.25.2.1.9', 'hrStorageFlashMemory'],
  ['1.3.6.1.2.1.25.2.1.10', 'hrStorageNetworkDisk'],
  ['1.3.6.1.2.1.25.3.9.1', 'hrFSOther'],
  ['1.3.6.1.2.1.25.3.9.2', 'hrFSUnknown'],
  ['1.3.6.1.2.1.25.3.9.3', 'hrFSBerkeleyFFS'],
  ['1.3.6.1.2.1.25.3.9.4', 'hrFSSys5FS'],
  ['1.3.6.1.2.1.25.3.9.5', 'hrFSFat'],
  ['1.3.6.1.2.1.25.3.9.6', 'hrFSHPFS'],
  ['1.3.6.1.2.1.25.3.9.7', 'hrFSHFS'],
  ['1.3.6.1.2.1.25.3.9.8', 'hrFSMFS'],
  ['1.3.6.1.2.1.25.3.9.9', 'hrFSNTFS'],
  ['1.3.6.1.2.1.25.3.9.10', 'hrFSVNode'],
  ['1.3.6.1.2.1.25.3.9.11', 'hrFSJournaled'],
  ['1.3.6.1.2.1.25.3.9.12', 'hrFSiso9660'],
  ['1.3.6.1.2.1.25.3.9.13', 'hrFSRockRidge'],
  ['1.3.6.1.2.1.25.3.9.14', 'hrFSNFS'],
  ['1.3.6.1.2.1.25.3.9.15', 'hrFSNetware'],
  ['1.3.6.1.2.1.25.3.9.16', 'hrFSAFS'],
  ['1.3.6.1.2.1.25.3.9.17', 'hrFSDFS'],
  ['1.3.6.1.2.1.25.3.9.18', 'hrFSAppleshare'],
  ['1.3.6.1.2.1.25.3.9.19', 'hrFSRFS'],
  ['1.3.6.1.2.1.25.3.9.20', 'hrFSDGCFS'],
  ['1.3.6.1.2.1.25.3.9.21', 'hrFSBFS'],
  ['1.3.6.1.2.1.25.3.9.22', 'hrFSFAT32'],
  ['1.3.6.1.2.1.25.3.9.23', 'hrFSLinuxExt2'],
])

/** Name of a type in hrStorageTable; some agents send it with an instance, `...4.0`. */
export function hrStorageTypeName(type: string | undefined): string | undefined {
  return HR_STORAGE_TYPE.get((type ?? '').replace(/\.0$/, ''))
}
