import type { BillExplanation } from '../core/bills/service.ts'
import { oneLine } from '../lib/one-line.ts'
import { siText } from '../lib/si.ts'
import { clockOf, OWN_CLOCK } from '../lib/zone-clock.ts'

type Use = BillExplanation['use']

/** Seconds as `2 d 3 h`, `5 min`, `40 s`. */
function spanText(seconds: number): string {
  const parts = [
    [86_400, 'd'],
    [3600, 'h'],
    [60, 'min'],
    [1, 's'],
  ] as const
  const first = parts.findIndex(([size]) => seconds >= size)
  if (first < 0) return '0 s'
  let rest = Math.floor(seconds)
  return parts
    .slice(first, first + 2)
    .flatMap(([size, unit]) => {
      const n = Math.floor(rest / size)
      rest -= n * size
      return n > 0 ? [`${n} ${unit}`] : []
    })
    .join(' ')
}

const local = (instant: string) => clockOf(OWN_CLOCK, Date.parse(instant))

const bits = (rate: number) => siText(rate, 'bps')
const octets = (count: number) => siText(count, 'B')

const portText = (port: { port_id: number; hostname: string | null; ifName: string | null }) =>
  port.hostname === null ? `port ${port.port_id}` : `${port.hostname} ${port.ifName ?? ''} (port ${port.port_id})`

/** The output of `bill explain`. Times are local. */
export function billExplanationText(explained: BillExplanation): string {
  const { bill_type, period, percentile, unknown, refused, bounds } = explained
  const amount = bill_type === 'cdr' ? bits : octets
  const useText = ({ used, percent }: Use) => `${amount(used)}${percent === null ? '' : ` (${percent} %)`}`
  const lines: [string, string][] = [
    ['bill', `${explained.bill_name} (id ${explained.bill_id}, ${bill_type})`],
    ['period', `${local(period.from)} to ${local(period.to)}${period.final ? ', final' : ''}`],
    ['counted', explained.counted_upto === null ? 'not yet' : `up to ${local(explained.counted_upto)}`],
    ['used', `${useText(explained.use)} of ${amount(explained.allowed)}`],
    ['traffic', `${octets(explained.total_in)} in, ${octets(explained.total_out)} out`],
    [
      '95th',
      percentile.buckets === 0
        ? 'no 5-minute interval is known'
        : `${bits(percentile.rate)} ${directionText(percentile.direction)}: rank ${percentile.rank} of ${percentile.buckets} known 5-minute intervals`,
    ],
    ...percentile.around.map((bucket): [string, string] => [
      '',
      [
        `${bucket.rank === percentile.rank ? '>' : ' '} ${String(bucket.rank).padStart(5)}`,
        `to ${local(bucket.end)}`,
        bits(bucket.rate).padStart(12),
        `${octets(bucket.in_octets)} in`.padStart(14),
        `${octets(bucket.out_octets)} out`.padStart(14),
        bucket.unknown_seconds ? `, unknown ${spanText(bucket.unknown_seconds)}` : '',
      ].join('  '),
    ]),
    ['unknown', unknownText(unknown)],
    ...unknown.ports.map((port): [string, string] => ['', `${portText(port)}: ${spanText(port.seconds)}`]),
    [
      'refused',
      refused.count === 0 ? 'no deltas' : `${refused.count} counter ${refused.count === 1 ? 'delta' : 'deltas'}`,
    ],
    ...refused.pairs.map((pair): [string, string] => [
      '',
      `${portText(pair)}: ${pair.reason}, ${local(pair.from)} to ${local(pair.to)}`,
    ]),
    ['if 0', `${useText(bounds.if_zero)} if the unknown time had carried nothing`],
    [
      'if full',
      bounds.if_line_rate === null
        ? 'unknown, because the speed of a port is unknown'
        : `${useText(bounds.if_line_rate)} if the unknown time had been at line rate`,
    ],
  ]
  const width = Math.max(...lines.map(([name]) => name.length))
  return lines.map(([name, text]) => `${name.padEnd(width)}  ${oneLine(text)}`.trimEnd()).join('\n')
}

function directionText(direction: string): string {
  return direction === 'agg' ? 'in and out together' : direction
}

function unknownText({ buckets, not_counted, port_seconds, line_rate_octets }: BillExplanation['unknown']): string {
  if (port_seconds === 0 && not_counted === 0) return 'nothing'
  const parts = [
    `${spanText(port_seconds)} summed over the ports`,
    buckets > 0 && `${buckets} 5-minute intervals in which no port is known`,
    not_counted > 0 && `${not_counted} 5-minute intervals not counted`,
    line_rate_octets !== null && `at most ${octets(line_rate_octets)} in each direction`,
  ]
  return parts.filter((part) => part !== false).join(', ')
}
