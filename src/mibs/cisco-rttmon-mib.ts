import { col, mibTable } from '@portlight/snmp/table.ts'

const RTTMON = '1.3.6.1.4.1.9.9.42.1'

/** Operations of IP SLA, indexed by their number, as the tables below. */
export const rttMonCtrlAdminTable = mibTable('CISCO-RTTMON-MIB::rttMonCtrlAdminTable', `${RTTMON}.2.1.1`, {
  rttMonCtrlAdminRttType: col(4, 'Integer'),
  rttMonCtrlAdminTag: col(3, 'DisplayString'),
  /** Milliseconds. */
  rttMonCtrlAdminThreshold: col(5, 'Integer'),
  rttMonCtrlAdminStatus: col(9, 'Integer'),
})

export const rttMonEchoAdminTable = mibTable('CISCO-RTTMON-MIB::rttMonEchoAdminTable', `${RTTMON}.2.2.1`, {
  rttMonEchoAdminTargetAddress: col(2, 'OctetString'),
  /** Name of the host of DNS operations. */
  rttMonEchoAdminTargetAddressString: col(11, 'DisplayString'),
  /** 2: statistics of jitter operations are in microseconds. */
  rttMonEchoAdminPrecision: col(37, 'Integer'),
})

/** The last completed run of an operation. */
export const rttMonLatestRttOperTable = mibTable('CISCO-RTTMON-MIB::rttMonLatestRttOperTable', `${RTTMON}.2.10.1`, {
  rttMonLatestRttOperCompletionTime: col(1, 'Integer'),
  rttMonLatestRttOperSense: col(2, 'Integer'),
})

/** The last run of a jitter operation. */
export const rttMonLatestJitterOperTable = mibTable(
  'CISCO-RTTMON-MIB::rttMonLatestJitterOperTable',
  `${RTTMON}.5.2.1`,
  {
    rttMonLatestJitterOperPacketLossSD: col(26, 'Integer'),
    rttMonLatestJitterOperPacketLossDS: col(27, 'Integer'),
    rttMonLatestJitterOperPacketMIA: col(29, 'Integer'),
    /** Hundredths; 0: no voice codec. */
    rttMonLatestJitterOperMOS: col(42, 'Integer'),
    rttMonLatestJitterOperAvgJitter: col(46, 'Integer'),
  },
)

/** RttMonRttType, as routers call them. */
export const RTT_TYPE = {
  1: 'ICMP echo',
  2: 'ICMP path echo',
  3: 'file I/O',
  4: 'script',
  5: 'UDP echo',
  6: 'TCP connect',
  7: 'HTTP',
  8: 'DNS',
  9: 'UDP jitter',
  10: 'DLSw',
  11: 'DHCP',
  12: 'FTP',
  13: 'VoIP',
  14: 'RTP',
  15: 'LSP group',
  16: 'ICMP jitter',
  17: 'LSP ping',
  18: 'LSP trace',
  19: 'Ethernet ping',
  20: 'Ethernet jitter',
  21: 'LSP ping of a pseudowire',
  22: 'video',
  23: 'Y.1731 delay',
  24: 'Y.1731 loss',
  25: 'multicast jitter',
  26: 'fabric path echo',
} as const

/** RowStatus of an operation that is configured completely. */
export const ROW_ACTIVE = 1
