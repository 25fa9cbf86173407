import type { GraphOutcome } from '../core/base/graphs.ts'
import { isAllZero } from '../lib/all-zero.ts'

/** Graphs whose zeros are good news or no news, with what a page says in their place. */
const WORDS: Readonly<Record<string, string>> = {
  port_errors: 'No errors, no discards in this range',
  port_etherlike: 'No Ethernet errors in this range',
  device_stp_changes: 'No changes of the spanning tree in this range',
  device_ucd_swap_io: 'Nothing was swapped in this range',
  device_netstat_ip_frag: 'No IP fragments in this range',
  device_ipsystemstats_ipv4_frag: 'No IPv4 fragments in this range',
  device_ipsystemstats_ipv6: 'No IPv6 packets in this range',
  device_ipsystemstats_ipv6_frag: 'No IPv6 fragments in this range',
}
/** Values that are read to find out: about the width of a chart on a phone. */
const POINTS = '300'

/**
 * What to say in place of a graph that shows only zeros; null: it is to be drawn. Zeros of graphs that are not in the
 * table mean something (no free memory, no clients), so those are always drawn. A graph that cannot be read is drawn too, and
 * says itself what is wrong.
 */
export async function allZeroWords(
  type: string,
  range: { readonly from: string; readonly to: string },
  read: (options: Readonly<Record<string, string>>) => Promise<GraphOutcome>,
): Promise<string | null> {
  const words = Object.hasOwn(WORDS, type) ? WORDS[type] : undefined
  if (words === undefined) return null
  const { from, to } = range
  const outcome = await read({ output: 'chart', max_points: POINTS, from, to }).catch(() => null)
  return outcome?.kind === 'chart' && isAllZero(outcome.chart) ? words : null
}
