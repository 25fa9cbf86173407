import { col, mibTable } from '../snmp/table.ts'

/** IPI-CMM-CHASSIS-MIB::cmmTransEEPROMTable (OcNOS), indexed by cmmStackUnitIndex and cmmTransIndex. -100001 and -100002 stand for no value. */
export const cmmTransEEPROMTable = mibTable(
  'IPI-CMM-CHASSIS-MIB::cmmTransEEPROMTable',
  '1.3.6.1.4.1.36673.100.1.2.2.1',
  {
    cmmTransType: col(2, 'Integer'),
    cmmTransNoOfChannels: col(3, 'Integer'),
    cmmTransconnectortype: col(7, 'Integer'),
    cmmTransEncoding: col(19, 'Integer'),
    cmmTransLengthKmtrs: col(20, 'Integer'),
    /** Hundreds of metres. */
    cmmTransLengthMtrs: col(21, 'Integer'),
    /** Tens of metres, as the following. */
    cmmTransLengthOM1: col(22, 'Integer'),
    cmmTransLengthOM2: col(23, 'Integer'),
    cmmTransLengthOM3: col(24, 'Integer'),
    cmmTransLengthOM4: col(25, 'Integer'),
    cmmTransVendorName: col(26, 'DisplayString'),
    cmmTransVendorOUI: col(27, 'DisplayString'),
    cmmTransVendorPartNumber: col(28, 'DisplayString'),
    cmmTransVendorRevision: col(29, 'DisplayString'),
    cmmTransVendorSerialNumber: col(35, 'DisplayString'),
    cmmTransDateCode: col(36, 'DisplayString'),
    cmmTransDDMSupport: col(37, 'Integer'),
    cmmTransPresence: col(41, 'Integer'),
    cmmTransFrontPanelPortNumber: col(42, 'Integer'),
  },
)

/** cmmTransType. */
export const CMM_TRANS_TYPE = { 1: 'sfp', 2: 'qsfp', 3: 'xfp', 4: 'pon-xfp' } as const

/** cmmTransPresence. */
export const CMM_NOT_PRESENT = 2

/** cmmTransEncoding. */
export const CMM_TRANS_ENCODING = {
  1: 'enc-unspecified',
  2: 'enc-8b-or-10b',
  3: 'enc-4b-or-5b',
  4: 'enc-nrz',
  5: 'enc-manchester',
  6: 'enc-sonet-scrambled',
  7: 'enc-64b-or-66b',
  8: 'enc-256b-or-257b',
  9: 'enc-pam4',
} as const

/** cmmTransconnectortype in the words of SFF-8024. */
export const CMM_TRANS_CONNECTOR = {
  1: 'unknown',
  2: 'SC',
  5: 'BNC/TNC',
  7: 'Fiber Jack',
  8: 'LC',
  9: 'MT-RJ',
  10: 'MU',
  11: 'SG',
  12: 'Optical Pigtail',
  13: 'MPO-12',
  14: 'MPO-16',
  15: 'HSSDC II',
  16: 'Copper Pigtail',
  17: 'RJ45',
  18: 'No Separable Connector',
  19: 'MXC 2x16',
} as const
