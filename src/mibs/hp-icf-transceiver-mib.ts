import { col, mibTable } from '@portlight/snmp/table.ts'

/** HP-ICF-TRANSCEIVER-MIB::hpicfXcvrInfoTable (ProCurve, ArubaOS-Switch), indexed by ifIndex. */
export const hpicfXcvrInfoTable = mibTable(
  'HP-ICF-TRANSCEIVER-MIB::hpicfXcvrInfoTable',
  '1.3.6.1.4.1.11.2.14.11.5.1.82.1.1.1.1',
  {
    hpicfXcvrModel: col(3, 'DisplayString'),
    hpicfXcvrSerial: col(4, 'DisplayString'),
    hpicfXcvrType: col(5, 'DisplayString'),
    hpicfXcvrConnectorType: col(6, 'DisplayString'),
    /** Text: `1310nm`. */
    hpicfXcvrWavelength: col(7, 'DisplayString'),
    /** Text: `10.0km (9um), 550m (50um)`. */
    hpicfXcvrTxDist: col(8, 'DisplayString'),
    hpicfXcvrDiagnostics: col(9, 'Integer'),
    hpicfXcvrManufactureDate: col(65, 'DisplayString'),
  },
)

/** hpicfXcvrDiagnostics: digital optical monitoring. */
export const HPICF_DIAGNOSTICS_DOM = 1
