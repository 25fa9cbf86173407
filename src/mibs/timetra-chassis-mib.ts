import { col, mibTable } from '@portlight/snmp/table.ts'

/** TIMETRA-CHASSIS-MIB::tmnxChassisTable, indexed by tmnxChassisIndex. */
export const tmnxChassisTable = mibTable('TIMETRA-CHASSIS-MIB::tmnxChassisTable', '1.3.6.1.4.1.6527.3.1.2.2.1.3.1', {
  /** tmnxChassisTypeIndex. */
  tmnxChassisType: col(4, 'Integer'),
})

/** TIMETRA-CHASSIS-MIB::tmnxChassisTypeTable: the models that the software knows, indexed by tmnxChassisTypeIndex. */
export const tmnxChassisTypeTable = mibTable(
  'TIMETRA-CHASSIS-MIB::tmnxChassisTypeTable',
  '1.3.6.1.4.1.6527.3.1.2.2.1.6.1',
  {
    tmnxChassisTypeName: col(2, 'DisplayString'),
    tmnxChassisTypeDescription: col(3, 'DisplayString'),
  },
)

/** TIMETRA-CHASSIS-MIB::tmnxHwTable, indexed by tmnxChassisIndex and tmnxHwIndex. */
export const tmnxHwTable = mibTable('TIMETRA-CHASSIS-MIB::tmnxHwTable', '1.3.6.1.4.1.6527.3.1.2.2.1.8.1', {
  tmnxHwClass: col(7, 'Integer'),
  tmnxHwMfgString: col(3, 'DisplayString'),
  tmnxHwMfgBoardNumber: col(4, 'DisplayString'),
  tmnxHwSerialNumber: col(5, 'DisplayString'),
  tmnxHwName: col(8, 'DisplayString'),
  tmnxHwAlias: col(9, 'DisplayString'),
  tmnxHwAssetID: col(10, 'DisplayString'),
  /** TruthValue. */
  tmnxHwIsFRU: col(12, 'Integer'),
  /** tmnxHwIndex of the enclosing component; 0: none. */
  tmnxHwContainedIn: col(13, 'Integer'),
  tmnxHwParentRelPos: col(14, 'Integer'),
  tmnxHwBootCodeVersion: col(20, 'DisplayString'),
  /** Several lines: version, copyright, build. */
  tmnxHwSoftwareCodeVersion: col(21, 'DisplayString'),
})

/** TmnxHwClass. */
export const TMNX_HW_CLASS = {
  1: 'other',
  2: 'unknown',
  3: 'physChassis',
  4: 'container',
  5: 'powerSupply',
  6: 'fan',
  7: 'sensor',
  8: 'ioModule',
  9: 'cpmModule',
  10: 'fabricModule',
  11: 'mdaModule',
  12: 'flashDiskModule',
  13: 'port',
} as const
