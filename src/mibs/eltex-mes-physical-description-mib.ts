import { col, mibTable } from '@portlight/snmp/table.ts'

/**
 * ELTEX-MES-PHYSICAL-DESCRIPTION-MIB::eltPhdTransceiverInfoTable, indexed by ifIndex. Wavelength in nm, distance in m.
 */
export const eltPhdTransceiverInfoTable = mibTable(
  'ELTEX-MES-PHYSICAL-DESCRIPTION-MIB::eltPhdTransceiverInfoTable',
  '1.3.6.1.4.1.35265.1.23.53.1.1.1',
  {
    eltPhdTransceiverInfoConnectorType: col(1, 'Integer'),
    eltPhdTransceiverInfoComplianceCode: col(3, 'DisplayString'),
    eltPhdTransceiverInfoWaveLength: col(4, 'Integer'),
    eltPhdTransceiverInfoVendorName: col(5, 'DisplayString'),
    eltPhdTransceiverInfoSerialNumber: col(6, 'DisplayString'),
    eltPhdTransceiverInfoTransferDistance: col(8, 'Integer'),
    eltPhdTransceiverInfoDiagnostic: col(9, 'Integer'),
    eltPhdTransceiverInfoPartNumber: col(10, 'DisplayString'),
    eltPhdTransceiverInfoVendorRev: col(11, 'OctetString'),
  },
)
