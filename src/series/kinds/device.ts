import { SYSTEM_STATS, type SystemStat } from '../../lib/system-stats.ts'
import { gauge, line, type SampleKind, total } from '../kind.ts'

const common = {
  key: 'device_id',
  chunk: '7 days',
  retention: 'polls',
  subject: { table: 'devices', id: 'device_id', name: null },
  // The poll writer updates the device's row itself.
  current: null,
  poll: null,
} as const

/** Lost echo requests, percent. */
const LOSS = '100.0::float8 * (s.sent - s.received) / nullif(s.sent, 0)'

/** A poll of a device. uptime_s null: SNMP did not answer, or the agent has no sysUpTime. */
export const device: SampleKind = {
  ...common,
  name: 'device',
  about: 'poll of a device; `uptime_s` null: no answer',
  columns: [gauge('uptime_s', 'bigint', 's'), gauge('took_ms', 'real', 'ms'), total('requests'), total('timeouts')],
  view: { name: 'device_polls', with: [], also: [['answered', 's.uptime_s is not null']] },
  lines: [
    line('uptime_s', 'uptime'),
    { ...line('took_ms / 1000.0', 'poll_time'), unit: 's' },
    { name: 'requests', sample: 'requests', rolled: 'requests::float8 / n', weight: 'n' },
    { name: 'timeouts', sample: 'timeouts', rolled: 'timeouts::float8 / n', weight: 'n' },
    {
      name: 'available',
      unit: 'percent',
      sample: 'case when uptime_s is null then 0 else 100 end',
      // known[1] is the weight of uptime_s, if it differs from the row's.
      rolled: '100.0::float8 * coalesce(known[1], n) / n',
      weight: 'n',
    },
  ],
}

/** A poll's values in the order of the columns. `uptimeS` null: no answer, or no sysUpTime. */
export function deviceValues(poll: {
  readonly uptimeS: number | null
  readonly tookMs: number
  readonly requests: number
  readonly timeouts: number
}): readonly number[] {
  return [poll.uptimeS ?? Number.NaN, poll.tookMs, poll.requests, poll.timeouts]
}

/** A round of ICMP echo; round-trip times null: no answer. */
export const icmp: SampleKind = {
  ...common,
  name: 'icmp',
  about: 'round of ICMP echo',
  columns: [
    gauge('rtt_avg', 'real', 'ms'),
    gauge('rtt_min', 'real', 'ms'),
    gauge('rtt_max', 'real', 'ms'),
    total('sent'),
    total('received'),
  ],
  view: { name: 'icmp_rounds', with: [], also: [['loss_percent', LOSS]] },
  lines: [
    line('rtt_avg', 'rtt_avg'),
    { name: 'rtt_min', unit: 'ms', sample: 'rtt_min', rolled: 'rtt_min_min' },
    { name: 'rtt_max', unit: 'ms', sample: 'rtt_max', rolled: 'rtt_max_max' },
    { name: 'loss', unit: 'percent', sample: LOSS, rolled: LOSS, weight: 'sent' },
  ],
}

/** A round's values in the order of the columns; times in ms, null: no answer. */
export function icmpValues(round: {
  readonly rttAvgMs: number | null
  readonly rttMinMs: number | null
  readonly rttMaxMs: number | null
  readonly sent: number
  readonly received: number
}): readonly number[] {
  const times = [round.rttAvgMs, round.rttMinMs, round.rttMaxMs].map((ms) => ms ?? Number.NaN)
  return [...times, round.sent, round.received]
}

/** Statistics of a device as a whole, one row per poll; src/lib/system-stats.ts explains each column. */
export const stats: SampleKind = {
  ...common,
  name: 'stats',
  about: 'statistics of a device as a whole: gauges, counters per second, processor time in percent',
  columns: SYSTEM_STATS.map((stat) => gauge(stat.name, 'real', unitOf(stat))),
  view: null,
  ownView: 'device_stats',
  held: true,
  lines: SYSTEM_STATS.map(({ name }) => line(`"${name}"`, name)),
}

function unitOf({ kind }: SystemStat): string {
  if (kind === 'rate') return '/s'
  return kind === 'ticks' ? 'percent' : ''
}
