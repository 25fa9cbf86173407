import { col, mibTable } from '@portlight/snmp/table.ts'

/** IPI-CMM-CHASSIS-MIB::cmmStackUnitTable (OcNOS), indexed by cmmStackUnitIndex. */
export const cmmStackUnitTable = mibTable('IPI-CMM-CHASSIS-MIB::cmmStackUnitTable', '1.3.6.1.4.1.36673.100.1.2.1.1', {
  cmmStackUnitModelName: col(2, 'DisplayString'),
  cmmStackUnitSerialNumber: col(3, 'DisplayString'),
})

/**
 * IPI-CMM-CHASSIS-MIB::cmmTransEEPROMTable (OcNOS), indexed by cmmStackUnitIndex and cmmTransIndex. -100001 and -100002
 * mean "no value".
 */
export const cmmTransEEPROMTable = mibTable(
  'IPI-CMM-CHASSIS-MIB::cmmTransEEPROMTable',
  '1.3.6.1.4.1.36673.100.1.2.2.1',
  {
    cmmTransType: col(2, 'Integer'),
    cmmTransNoOfChannels: col(3, 'Integer'),
    cmmTransconnectortype: col(7, 'Integer'),
    cmmTransEthCompliance: col(8, 'Integer'),
    cmmTransExtEthCompliance: col(9, 'Integer'),
    cmmTransEncoding: col(19, 'Integer'),
    cmmTransLengthKmtrs: col(20, 'Integer'),
    /** Hundreds of metres. */
    cmmTransLengthMtrs: col(21, 'Integer'),
    /**
     * According to the MIB tens of metres, but agents send metres here and in the columns below: 1000BASE-T, limited to
     * 100 m, is sent as 100.
     */
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

/** cmmTransconnectortype, with the names of SFF-8024. */
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

/** cmmTransEthCompliance. */
export const CMM_ETHERNET = {
  2: '10gbase-sr',
  3: '10gbase-lr',
  4: '10gbase-lrm',
  5: '10gbase-er',
  6: '1000base-sx',
  7: '1000base-lx',
  8: '1000base-cx',
  9: '1000base-t',
  10: '100base-lx-or-lx10',
  11: '100base-fx',
  12: 'base-bx10',
  13: 'base-px',
  14: '40gbase-cr4',
  15: '40gbase-sr4',
  16: '40gbase-lr4',
  17: '40g-activecable',
} as const

/** cmmTransExtEthCompliance, the common values. */
export const CMM_EXTENDED_ETHERNET = {
  1: '100g-activeopticalcable-or-25g-auic2maoc',
  2: '100gbase-sr4-or-25gbase-sr',
  3: '100gbase-lr4-or-25gbase-lr',
  4: '100gbase-er4-or-25gbase-er',
  5: '100gbase-sr10',
  6: '100g-cwdm4',
  7: '100g-psm4-parallelsmf',
  8: '100g-activecoppercable-or-25g-auic2macc',
  11: '100gbase-cr4-or-25gbase-crca-l',
  12: '25gbase-crca-s',
  13: '25gbase-crca-n',
  14: '10mb-single-pair-eth',
  16: '40gbase-er4',
  17: '4x10gbase-sr',
  18: '40g-psm4-parallelsmf',
  19: 'g959-dot1-profilep1-i1-2d1',
  20: 'g959-dot1-profilep1-s1-2d2',
  21: 'g959-dot1-profilep1-l1-2d2',
  22: '10gbase-t-with-sfi-electricalinterface',
  23: '100g-clr4',
  24: '100g-aoc-or-25g-auic2maoc',
  25: '100g-acc-or-25g-auic2macc',
  26: '100ge-dwdm2',
  27: '100g-1550nm-wdm',
  28: '10gbaset-short-reach',
  29: '5gbaset',
  30: '2point5gbaset',
  31: '40g-swdm4',
  32: '100g-swdm4',
  33: '100g-pam4-bidi',
  34: '100g-4wdm-10msa',
  35: '100g-4wdm-20msa',
  36: '100g-4wdm-40msa',
  37: '100gbase-dr-clause140',
  38: '100g-fr-or-fr1-clause140',
  39: '100g-lr-or-lr1-clause140',
  40: '100gbase-sr1-p802-clause167',
} as const
