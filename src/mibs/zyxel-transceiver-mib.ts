import { col, mibTable } from '@portlight/snmp/table.ts'

/**
 * ZYXEL-TRANSCEIVER-MIB::zyxelTransceiverSerialTable, indexed by dot1dBasePort, which is the ifIndex on these switches.
 */
export const zyxelTransceiverSerialTable = mibTable(
  'ZYXEL-TRANSCEIVER-MIB::zyxelTransceiverSerialTable',
  '1.3.6.1.4.1.890.1.15.3.84.1.1.1',
  {
    zyTransceiverSerialModuleType: col(1, 'Integer'),
    zyTransceiverSerialVendor: col(2, 'DisplayString'),
    zyTransceiverSerialPartNumber: col(3, 'DisplayString'),
    zyTransceiverSerialSerialNumber: col(4, 'DisplayString'),
    zyTransceiverSerialRevision: col(5, 'DisplayString'),
    zyTransceiverSerialDateCode: col(6, 'DisplayString'),
    zyTransceiverSerialTransceiver: col(7, 'DisplayString'),
  },
)

/**
 * zyTransceiverSerialModuleType: 1, the module works and has digital diagnostics; 2, it works without them; other
 * values: it is not operational.
 */
export const ZY_DDM: Readonly<Record<number, 0 | 1>> = { 1: 1, 2: 0 }
