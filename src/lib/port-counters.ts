/**
 * The port counters that polls read and samples store, in the order used in every columnar buffer (counter c of row r
 * is at `c * rows + r`). `series` is the column of `ts.port_samples` and its roll-ups, `port` the name in the API's
 * port record (null: the record has no such member), `hc` the 64-bit object of IF-MIB::ifXTable (RFC 2863), `lc` the
 * 32-bit one.
 */
export const PORT_COUNTERS = [
  { series: 'in_octets', port: 'ifInOctets', hc: 'ifHCInOctets', lc: 'ifInOctets' },
  { series: 'out_octets', port: 'ifOutOctets', hc: 'ifHCOutOctets', lc: 'ifOutOctets' },
  { series: 'in_pkts', port: 'ifInUcastPkts', hc: 'ifHCInUcastPkts', lc: 'ifInUcastPkts' },
  { series: 'out_pkts', port: 'ifOutUcastPkts', hc: 'ifHCOutUcastPkts', lc: 'ifOutUcastPkts' },
  { series: 'in_err', port: 'ifInErrors', hc: null, lc: 'ifInErrors' },
  { series: 'out_err', port: 'ifOutErrors', hc: null, lc: 'ifOutErrors' },
  { series: 'in_disc', port: 'ifInDiscards', hc: null, lc: 'ifInDiscards' },
  { series: 'out_disc', port: 'ifOutDiscards', hc: null, lc: 'ifOutDiscards' },
  { series: 'in_bcast', port: 'ifInBroadcastPkts', hc: 'ifHCInBroadcastPkts', lc: 'ifInBroadcastPkts' },
  { series: 'out_bcast', port: 'ifOutBroadcastPkts', hc: 'ifHCOutBroadcastPkts', lc: 'ifOutBroadcastPkts' },
  { series: 'in_mcast', port: 'ifInMulticastPkts', hc: 'ifHCInMulticastPkts', lc: 'ifInMulticastPkts' },
  { series: 'out_mcast', port: 'ifOutMulticastPkts', hc: 'ifHCOutMulticastPkts', lc: 'ifOutMulticastPkts' },
] as const

/** Number of counters in a port sample. */
export const PORT_COUNTER_COUNT = PORT_COUNTERS.length
