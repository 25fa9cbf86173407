import { col, mibTable } from '@portlight/snmp/table.ts'

/**
 * HH3C-TRANSCEIVER-INFO-MIB::hh3cTransceiverInfoTable (H3C, HPE Comware), indexed by ifIndex. Wavelength in nm,
 * distance in m.
 */
export const hh3cTransceiverInfoTable = mibTable(
  'HH3C-TRANSCEIVER-INFO-MIB::hh3cTransceiverInfoTable',
  '1.3.6.1.4.1.25506.2.70.1.1.1',
  {
    hh3cTransceiverHardwareType: col(1, 'DisplayString'),
    hh3cTransceiverType: col(2, 'DisplayString'),
    hh3cTransceiverWaveLength: col(3, 'Integer'),
    hh3cTransceiverVendorName: col(4, 'DisplayString'),
    hh3cTransceiverSerialNumber: col(5, 'DisplayString'),
    hh3cTransceiverTransferDistance: col(7, 'Integer'),
    hh3cTransceiverDiagnostic: col(8, 'Integer'),
    hh3cTransceiverVendorOUI: col(39, 'OctetString'),
    hh3cTransceiverRevisionNumber: col(40, 'DisplayString'),
    hh3cTransceiverPartNumber: col(49, 'DisplayString'),
  },
)
