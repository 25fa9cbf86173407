import type { PortRow } from '../../../core/records/port.ts'
import { siText } from '../../../lib/si.ts'

const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi']

/** A number with a binary prefix and at most two decimals: `1.5 Kipps`. */
function binaryText(value: number, unit: string): string {
  let scaled = value
  let step = 0
  while (Math.abs(scaled) >= 1024 && step < BINARY.length - 1) {
    scaled /= 1024
    step++
  }
  return `${Number(scaled.toFixed(2))} ${BINARY[step]}${unit}`
}

const number = (value: string | number | null): number => (value == null ? 0 : Number(value))

/**
 * A port with formatted traffic for get_port_stats_by_port_hostname: `in_rate` in bit/s with SI prefix, `in_perc` of
 * ifSpeed with two decimals (0 if unknown), `in_pps` with binary prefix, and the same for out.
 */
export function presentPortStats(row: PortRow): Record<string, string | number | null> {
  const speed = number(row.ifSpeed)
  const bits = { in: number(row.ifInOctets_rate) * 8, out: number(row.ifOutOctets_rate) * 8 }
  const percent = (rate: number) => (speed > 0 ? Math.round((rate / speed) * 10_000) / 100 : 0)
  return {
    ...row,
    in_rate: siText(bits.in, 'bps'),
    out_rate: siText(bits.out, 'bps'),
    in_perc: percent(bits.in),
    out_perc: percent(bits.out),
    in_pps: binaryText(number(row.ifInUcastPkts_rate), 'pps'),
    out_pps: binaryText(number(row.ifOutUcastPkts_rate), 'pps'),
  }
}

/** The requested members; unlike in lists, unknown names are ignored. */
export function pick<T>(record: Readonly<Record<string, T>>, columns: string | undefined): Record<string, T> {
  if (columns === undefined) return { ...record }
  const wanted = new Set(columns.split(',').map((name) => name.trim()))
  return Object.fromEntries(Object.entries(record).filter(([name]) => wanted.has(name)))
}
