import { col, mibTable } from '@portlight/snmp/table.ts'

/**
 * ARUBAWIRED-PM-MIB::arubaWiredPmXcvrTable (AOS-CX), indexed by ifIndex. Wavelength in nm, single-mode distance in km,
 * the others in m.
 */
export const arubaWiredPmXcvrTable = mibTable(
  'ARUBAWIRED-PM-MIB::arubaWiredPmXcvrTable',
  '1.3.6.1.4.1.47196.4.1.1.3.27.1.1.1.1',
  {
    arubaWiredPmXcvrDescription: col(3, 'DisplayString'),
    arubaWiredPmXcvrProductNum: col(4, 'DisplayString'),
    arubaWiredPmXcvrSerialNum: col(5, 'DisplayString'),
    arubaWiredPmXcvrPartNum: col(6, 'DisplayString'),
    arubaWiredPmXcvrConnectorType: col(8, 'DisplayString'),
    arubaWiredPmXcvrCableType: col(11, 'DisplayString'),
    arubaWiredPmXcvrWavelength: col(12, 'Integer'),
    arubaWiredPmXcvrSmfTxDist: col(13, 'Integer'),
    arubaWiredPmXcvrCableLength: col(19, 'Integer'),
    arubaWiredPmXcvrDiagnostics: col(28, 'Integer'),
  },
)
