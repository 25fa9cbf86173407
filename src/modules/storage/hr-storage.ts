import { hrStorageTable } from '../../mibs/host-resources-mib.ts'
import { need } from '../module.ts'

/** A single need, so that memory pools and filesystems read the table once. */
export const HR_STORAGE = need(hrStorageTable, [
  'hrStorageDescr',
  'hrStorageType',
  'hrStorageAllocationUnits',
  'hrStorageSize',
  'hrStorageUsed',
])
