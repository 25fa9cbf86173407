import { col, mibTable } from '@portlight/snmp/table.ts'

/** MIKROTIK-MIB::mtxrOpticalTable (RouterOS, SwOS), indexed by ifIndex. Wavelength in 1/100 nm, temperature in °C. */
export const mtxrOpticalTable = mibTable('MIKROTIK-MIB::mtxrOpticalTable', '1.3.6.1.4.1.14988.1.1.19.1.1', {
  mtxrOpticalName: col(2, 'DisplayString'),
  mtxrOpticalWavelength: col(5, 'Integer'),
  mtxrOpticalTemperature: col(6, 'Integer'),
  mtxrOpticalVendorName: col(11, 'DisplayString'),
  mtxrOpticalVendorSerial: col(12, 'DisplayString'),
})
