import { col, mibTable } from '@portlight/snmp/table.ts'

/** Printer-MIB::prtMarkerSuppliesTable (RFC 3805), indexed by hrDeviceIndex and prtMarkerSuppliesIndex. */
export const prtMarkerSuppliesTable = mibTable('Printer-MIB::prtMarkerSuppliesTable', '1.3.6.1.2.1.43.11.1.1', {
  prtMarkerSuppliesLevel: col(9, 'Integer'),
  prtMarkerSuppliesColorantIndex: col(3, 'Integer'),
  prtMarkerSuppliesClass: col(4, 'Integer'),
  prtMarkerSuppliesType: col(5, 'Integer'),
  prtMarkerSuppliesDescription: col(6, 'DisplayString'),
  prtMarkerSuppliesMaxCapacity: col(8, 'Integer'),
})

/** Printer-MIB::prtMarkerColorantTable, indexed by hrDeviceIndex and prtMarkerColorantIndex. */
export const prtMarkerColorantTable = mibTable('Printer-MIB::prtMarkerColorantTable', '1.3.6.1.2.1.43.12.1.1', {
  prtMarkerColorantValue: col(4, 'DisplayString'),
})

/** Printer-MIB::prtInputTable, the paper trays, indexed by hrDeviceIndex and prtInputIndex. */
export const prtInputTable = mibTable('Printer-MIB::prtInputTable', '1.3.6.1.2.1.43.8.2.1', {
  prtInputCurrentLevel: col(10, 'Integer'),
  prtInputMaxCapacity: col(9, 'Integer'),
  prtInputName: col(13, 'DisplayString'),
  prtInputDescription: col(18, 'DisplayString'),
})

/** PrtMarkerSuppliesTypeTC. */
export const SUPPLY_TYPE: Readonly<Record<number, string>> = {
  1: 'other',
  2: 'unknown',
  3: 'toner',
  4: 'wasteToner',
  5: 'ink',
  6: 'inkCartridge',
  7: 'inkRibbon',
  8: 'wasteInk',
  9: 'opc',
  10: 'developer',
  11: 'fuserOil',
  12: 'solidWax',
  13: 'ribbonWax',
  14: 'wasteWax',
  15: 'fuser',
  16: 'coronaWire',
  17: 'fuserOilWick',
  18: 'cleanerUnit',
  19: 'fuserCleaningPad',
  20: 'transferUnit',
  21: 'tonerCartridge',
  22: 'fuserOiler',
  23: 'water',
  24: 'wasteWater',
  25: 'glueWaterAdditive',
  26: 'wastePaper',
  27: 'bindingSupply',
  28: 'bandingSupply',
  29: 'stitchingWire',
  30: 'shrinkWrap',
  31: 'paperWrap',
  32: 'staples',
  33: 'inserts',
  34: 'covers',
}
