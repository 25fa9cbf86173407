import type { SelfPart } from '../../self-parts.ts'
import type { CheckStatus } from '../result.ts'

/** The samples of each metric in one scrape, by name. */
export type Scrape = ReadonlyMap<string, readonly Sample[]>
interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** The state of one part of Portlight, with the reason and the values behind it. */
export interface SelfState {
  readonly status: CheckStatus
  readonly text: string
  readonly measured: readonly { readonly label: string; readonly value: number; readonly unit: string }[]
}

const LINE = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g

/** Parses gauges and counters in the Prometheus text format; other lines are skipped. */
export function parseScrape(text: string): Scrape {
  const found = new Map<string, Sample[]>()
  for (const line of text.split('\n')) {
    const [, name, labels = '', value = ''] = LINE.exec(line) ?? []
    if (name === undefined || name.endsWith('_bucket')) continue
    const sample = {
      labels: Object.fromEntries([...labels.matchAll(LABEL)].map(([, label = '', text = '']) => [label, text])),
      value: Number(value),
    }
    const known = found.get(name)
    if (known === undefined) found.set(name, [sample])
    else known.push(sample)
  }
  return found
}

const DAY_S = 86_400
const GB = 1e9

/** The state of one part. Limits are those of the alerts in deploy/prometheus where they have one. */
export function selfState(part: SelfPart, scrape: Scrape, nowS: number): SelfState {
  const largest = (name: string, of: (sample: Sample) => boolean = () => true): number | null => {
    const values = (scrape.get(name) ?? []).filter(of).map(({ value }) => value)
    return values.length === 0 ? null : Math.max(...values)
  }
  return PARTS[part](largest, nowS)
}

type Largest = (name: string, of?: (sample: Sample) => boolean) => number | null

const PARTS: Readonly<Record<SelfPart, (largest: Largest, nowS: number) => SelfState>> = {
  poller(largest) {
    const lag = largest('portlight_poll_lag_seconds')
    const loop = largest('portlight_event_loop_lag_seconds', ({ labels }) => labels['thread'] === 'main') ?? 0
    const measured = [value('lag', lag, 's'), value('event_loop', loop, 's')]
    return above(lag, [30, 300], (v) => `polls are ${span(v)} late`, 'polls are on time', measured)
  },
  buffer(largest) {
    const waiting = largest('portlight_samples_waiting')
    const limit = largest('portlight_samples_limit') ?? 1
    const share = waiting === null ? null : (100 * waiting) / limit
    const text = (v: number) => `${v.toFixed(0)} % of the sample buffer is waiting for the database`
    return above(share, [20, 80], text, 'samples are stored', [
      value('waiting', waiting, ''),
      value('used', share, '%'),
    ])
  },
  disk(largest) {
    const free = largest('portlight_disk_free_bytes')
    const size = largest('portlight_disk_size_bytes')
    const share = free === null || size === null ? null : (100 * free) / size
    const measured = [value('free', free, 'B'), value('free_share', share, '%')]
    if (free === null || share === null) return unknown(measured)
    const fullS = largest('portlight_disk_full_seconds')
    const warned = largest('portlight_disk_warning')
    // The warning begins and ends at different limits; a database elsewhere has none.
    const low = warned === null ? share < 10 : warned > 0
    const status = free < 0.5 * GB || share < 3 ? 2 : free < 2 * GB || low ? 1 : 0
    const full = fullS !== null && status > 0 ? `, full in ${span(fullS)} at today's rate` : ''
    return { status, text: `${(free / GB).toFixed(1)} GB free, ${share.toFixed(0)} %${full}`, measured }
  },
  database(largest) {
    const up = largest('portlight_database_up')
    const age = largest('portlight_database_look_age_seconds')
    const took = largest('portlight_database_look_seconds')
    const open = largest('portlight_database_oldest_transaction_seconds') ?? 0
    const ahead = largest('portlight_partitions_ahead_seconds')
    const measured = [value('took', took, 's'), value('transaction', open, 's')]
    if (up === 0 || (age ?? 0) > 120) return { status: 2, text: 'the database does not answer', measured }
    if (ahead !== null && ahead < DAY_S / 2) return { status: 2, text: `partitions end in ${span(ahead)}`, measured }
    if (open > 3600) return { status: 1, text: `a transaction has been open for ${span(open)}`, measured }
    return above(took, [5, 30], (v) => `the database takes ${span(v)}`, 'the database answers', measured)
  },
  rollups(largest) {
    const lag = largest('portlight_rollup_lag_seconds', ({ labels }) => labels['level'] === '1h')
    const failing = largest('portlight_series_problems') ?? 0
    const measured = [value('lag', lag, 's')]
    if (failing > 0) return { status: 1, text: 'maintenance of series is failing, see portlight doctor', measured }
    return above(lag, [10_800, DAY_S], (v) => `roll-ups are ${span(v)} behind`, 'roll-ups are up to date', measured)
  },
  packing(largest) {
    const problems = largest('portlight_packing_problems')
    const overdue = largest('portlight_packing_overdue_chunks') ?? 0
    const measured = [value('failing', problems, ''), value('overdue', overdue, '')]
    if (problems === null) return unknown(measured)
    if (problems > 0) return { status: 1, text: `packing of ${problems} tables fails, see portlight doctor`, measured }
    return {
      status: 0,
      text: overdue > 0 ? `older samples are being packed: ${overdue} chunks left` : 'closed chunks are packed',
      measured,
    }
  },
  notifications(largest) {
    const age = largest('portlight_alert_outbox_age_seconds')
    const text = (v: number) => `a notification has waited for ${span(v)}`
    return above(age, [900, 3600], text, 'no notification has waited long', [value('age', age, 's')])
  },
  certificate(largest, nowS) {
    const ends = largest('portlight_tls_certificate_expiry_timestamp_seconds')
    if (ends === null) return { status: 0, text: 'no certificate: plain HTTP', measured: [] }
    const days = (ends - nowS) / DAY_S
    const measured = [value('days', days, 'd')]
    const text =
      days < 0
        ? 'the certificate has expired'
        : `the certificate expires in ${days.toFixed(0)} ${days.toFixed(0) === '1' ? 'day' : 'days'}`
    return { status: days < 2 ? 2 : days < 14 ? 1 : 0, text, measured }
  },
  clock(largest) {
    const skew = largest('portlight_database_clock_skew_seconds')
    const off = skew === null ? null : Math.abs(skew)
    const text = (v: number) => `the clock of the database is off by ${span(v)}`
    return above(off, [5, 60], text, 'the clocks agree', [value('skew', skew, 's')])
  },
  backup(largest) {
    const age = largest('portlight_backup_age_seconds')
    if (age === null) return { status: 0, text: 'no backup is known', measured: [] }
    const text = (v: number) => `the last backup is ${span(v)} old`
    return above(age, [2 * DAY_S, 7 * DAY_S], text, text(age), [value('age', age, 's')])
  },
}

function value(label: string, found: number | null, unit: string) {
  return { label, value: found ?? Number.NaN, unit }
}

const unknown = (measured: SelfState['measured']): SelfState => ({ status: 3, text: 'no metrics available', measured })

/** Warning or critical above these limits; unknown without a value. */
function above(
  found: number | null,
  [warning, critical]: readonly [number, number],
  bad: (value: number) => string,
  good: string,
  measured: SelfState['measured'],
): SelfState {
  if (found === null || Number.isNaN(found)) return unknown(measured)
  const status = found > critical ? 2 : found > warning ? 1 : 0
  return { status, text: status === 0 ? good : bad(found), measured }
}

/** `45 s`, `12 min`, `5 h`, `3 d`. */
function span(seconds: number): string {
  if (seconds < 120) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`
  if (seconds < 2 * 3600) return `${Math.round(seconds / 60)} min`
  return seconds < 2 * DAY_S ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / DAY_S)} d`
}
