import { col, mibTable } from '@portlight/snmp/table.ts'

const VDSL2 = '1.3.6.1.2.1.10.251.1'

/** Lines of VDSL2, and ADSL to ADSL2+ (VDSL2-LINE-MIB, RFC 5650), indexed by ifIndex. bit/s, tenths of dBm. */
export const xdsl2LineTable = mibTable('VDSL2-LINE-MIB::xdsl2LineTable', `${VDSL2}.1.1.1`, {
  xdsl2LineStatusInitResult: col(15, 'Integer'),
  xdsl2LineStatusAttainableRateDs: col(20, 'Integer'),
  xdsl2LineStatusAttainableRateUs: col(21, 'Integer'),
  xdsl2LineStatusActAtpDs: col(24, 'Integer'),
  xdsl2LineStatusActAtpUs: col(25, 'Integer'),
})

/** Indexed by ifIndex and band. Tenths of dB. */
export const xdsl2LineBandTable = mibTable('VDSL2-LINE-MIB::xdsl2LineBandTable', `${VDSL2}.1.2.1`, {
  xdsl2LineBandStatusLnAtten: col(2, 'Integer'),
  xdsl2LineBandStatusSnrMargin: col(4, 'Integer'),
})

/** Indexed by the ifIndex of the channel and the unit that sends. bit/s. */
export const xdsl2ChannelStatusTable = mibTable('VDSL2-LINE-MIB::xdsl2ChannelStatusTable', `${VDSL2}.2.2.1`, {
  xdsl2ChStatusActDataRate: col(2, 'Integer'),
})

/** Xdsl2Band; `upstream` and `downstream` are the whole line. */
export const XDSL2_BAND = {
  1: 'upstream',
  2: 'downstream',
  3: 'US0',
  4: 'DS1',
  5: 'US1',
  6: 'DS2',
  7: 'US2',
  8: 'DS3',
  9: 'US3',
  10: 'DS4',
  11: 'US4',
} as const

/** The direction in which an Xdsl2Unit sends. */
export const XDSL2_UNIT = { 1: 'downstream', 2: 'upstream' } as const
