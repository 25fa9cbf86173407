import { shortNumber, siText } from '../../lib/si.ts'

/** Limit and use of a bill: bits per second for `cdr`, octets for `quota`. */
export interface BillAccount {
  readonly type: 'cdr' | 'quota'
  readonly limit: number
  readonly used: number
}

/** Members of a bill record that are text for display. */
export interface BillFigures {
  readonly allowed: string
  readonly used: string
  /** Up to 2 decimals; `-` without a limit. */
  readonly percent: number | '-'
  /** `-` within the limit. */
  readonly overuse: string
}

/**
 * Allowed, used, percent and overuse as text. `base`: 1000 or 1024, for the prefixes of octets (setting billing.base).
 * The overuse of a rate has no unit. Source: contract BEHAVIOUR.md 14, get_bill.
 */
export function billFigures({ type, limit, used }: BillAccount, base: 1000 | 1024): BillFigures {
  const text = (value: number) => (type === 'cdr' ? siText(value, 'bps') : octetsText(value, base))
  const over = used - limit
  return {
    allowed: text(limit),
    used: text(used),
    percent: limit > 0 ? Math.round((used / limit) * 10_000) / 100 : '-',
    overuse: over <= 0 ? '-' : type === 'cdr' ? siText(over) : octetsText(over, base),
  }
}

const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

/** `octetsText(5e9, 1000)` is `5 GB`, `octetsText(2 ** 30, 1024)` is `1 GiB`. */
function octetsText(value: number, base: 1000 | 1024): string {
  if (base === 1000) return siText(value, 'B')
  let step = 0
  while (Math.abs(value) / 1024 ** step >= 1023.995 && step < BINARY.length - 1) step++
  return `${shortNumber(value / 1024 ** step, 2)} ${BINARY[step]}B`
}
