import { agentTable } from '../table.ts'

/** Printer-MIB::prtGeneralTable (RFC 3805), indexed by hrDeviceIndex. */
export const prtGeneralTable = agentTable('Printer-MIB::prtGeneralTable', '1.3.6.1.2.1.43.5.1.1', {
  prtGeneralConfigChanges: [1, 'Counter32'],
  prtGeneralPrinterName: [16, 'Text'],
  prtGeneralSerialNumber: [17, 'Text'],
})

/** Printer-MIB::prtMarkerTable, indexed by hrDeviceIndex and prtMarkerIndex. */
export const prtMarkerTable = agentTable('Printer-MIB::prtMarkerTable', '1.3.6.1.2.1.43.10.2.1', {
  prtMarkerMarkTech: [2, 'Integer32'],
  prtMarkerCounterUnit: [3, 'Integer32'],
  prtMarkerLifeCount: [4, 'Counter32'],
  prtMarkerPowerOnCount: [5, 'Counter32'],
  prtMarkerStatus: [15, 'Integer32'],
})

/** Printer-MIB::prtMarkerSuppliesTable, indexed by hrDeviceIndex and prtMarkerSuppliesIndex. */
export const prtMarkerSuppliesTable = agentTable('Printer-MIB::prtMarkerSuppliesTable', '1.3.6.1.2.1.43.11.1.1', {
  prtMarkerSuppliesMarkerIndex: [2, 'Integer32'],
  prtMarkerSuppliesColorantIndex: [3, 'Integer32'],
  prtMarkerSuppliesClass: [4, 'Integer32'],
  prtMarkerSuppliesType: [5, 'Integer32'],
  prtMarkerSuppliesDescription: [6, 'Text'],
  prtMarkerSuppliesSupplyUnit: [7, 'Integer32'],
  prtMarkerSuppliesMaxCapacity: [8, 'Integer32'],
  prtMarkerSuppliesLevel: [9, 'Integer32'],
})

/** Printer-MIB::prtInputTable, indexed by hrDeviceIndex and prtInputIndex. */
export const prtInputTable = agentTable('Printer-MIB::prtInputTable', '1.3.6.1.2.1.43.8.2.1', {
  prtInputType: [2, 'Integer32'],
  prtInputCapacityUnit: [8, 'Integer32'],
  prtInputMaxCapacity: [9, 'Integer32'],
  prtInputCurrentLevel: [10, 'Integer32'],
  prtInputStatus: [11, 'Integer32'],
  prtInputName: [13, 'Text'],
})
