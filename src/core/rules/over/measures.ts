import { PORT_COUNTERS } from '../../../lib/port-counters.ts'
import type { SampleKind } from '../../../series/kind.ts'
import { KIND_LIST, type KindName } from '../../../series/kinds.ts'
import { LIVE_PORT_COLUMNS } from '../../records/port.ts'

/** A field of rules whose history is stored: where its samples are, and how its value follows from them. SQL is text. */
export interface Measure {
  readonly kind: KindName
  /** Names the value among those of its kind; stored with what was learned about it. */
  readonly line: string
  /** Table of rules with the things that have the value, and its column that samples refer to. */
  readonly table: string
  readonly id: string
  /** Column of samples and roll-ups with the thing. */
  readonly key: string
  /** The value in a sample, and how much the sample weighs in an average. */
  readonly sample: string
  readonly sampleWeight: string
  /** The same in an hour's row of roll-ups, and its least and greatest value. */
  readonly rolled: string
  readonly rolledWeight: string
  readonly rolledLeast: string
  readonly rolledMost: string
  /** What turns it into the field's value, from columns of the table; null: it is the field's value. */
  readonly factor: string | null
  /** `table.column` that a rule reads with it. */
  readonly reads: readonly string[]
}

const LIVE_PORTS = 'ports_live'

const gauges: readonly (readonly [string, Measure])[] = KIND_LIST.flatMap((kind) => {
  const { current, subject } = kind
  if (current === null) return []
  const columns = current === 'limits' ? [['sensor_current', 'value'] as const] : current.set
  return columns.map(([column, sample]) => [
    `${subject.table}.${column}`,
    gauge(kind, subject.table, column, sample, subject.id),
  ])
})

function gauge(
  { name, key }: Pick<SampleKind, 'key'> & { readonly name: KindName },
  table: string,
  column: string,
  sample: string,
  id: string,
): Measure {
  const value = `s.${sample}`
  return {
    ...{ kind: name, line: sample, table, id, key, sample: value, sampleWeight: '1' },
    ...{ rolled: value, rolledWeight: 's.n', rolledLeast: `${value}_min`, rolledMost: `${value}_max` },
    ...{ factor: null, reads: [`${table}.${column}`] },
  }
}

/** Rates per second in a sample and in an hour; `known` has the time of columns that some samples lack. */
const inSample = (series: string) => `(s.${series} * 1000.0::float8 / nullif(s.period_ms, 0))`
const inHour = (series: string) => {
  const position = 1 + PORT_COUNTERS.findIndex((one) => one.series === series)
  return `(s.${series} * 1000.0::float8 / nullif(coalesce(s.known[${position}], s.period_ms), 0))`
}

const OF_PORTS = { kind: 'port', table: 'ports', id: 'port_id', key: 'port_id' } as const

const isField = ({ port }: (typeof PORT_COUNTERS)[number]): boolean => LIVE_PORT_COLUMNS.includes(`${port}_rate`)

const rates: readonly (readonly [string, Measure])[] = PORT_COUNTERS.filter(isField).map(({ series, port }) => [
  `ports.${port}_rate`,
  {
    ...OF_PORTS,
    ...{ line: series, sample: inSample(series), sampleWeight: 's.period_ms' },
    ...{ rolled: inHour(series), rolledWeight: 's.period_ms' },
    ...{ rolledLeast: `s.${series}_min`, rolledMost: `s.${series}_max` },
    ...{ factor: null, reads: [`${LIVE_PORTS}.${port}_rate`] },
  },
])

/** A macro over rates of a port; its least and greatest values within an hour are not stored, only the hour's own. */
function ofRates(
  macro: string,
  value: (rate: (series: string) => string) => string,
  fields: readonly string[],
  factor: string | null,
): readonly [string, Measure] {
  const rolled = value(inHour)
  const speed = factor === null ? [] : ['ports.ifSpeed']
  return [
    `macros.${macro}`,
    {
      ...OF_PORTS,
      ...{ line: macro, sample: value(inSample), sampleWeight: 's.period_ms', rolled, rolledWeight: 's.period_ms' },
      ...{ rolledLeast: rolled, rolledMost: rolled, factor },
      reads: [...fields.map((field) => `${LIVE_PORTS}.${field}_rate`), ...speed],
    },
  ]
}

/** Percent of the port's speed of so many octets per second. */
const USAGE = '(800.0::float8 / nullif("ports"."ifSpeed", 0))'

const macros: readonly (readonly [string, Measure])[] = [
  ofRates(
    'port_usage_perc',
    (rate) => `greatest(${rate('in_octets')}, ${rate('out_octets')})`,
    ['ifInOctets', 'ifOutOctets'],
    USAGE,
  ),
  ofRates('port_in_usage_perc', (rate) => rate('in_octets'), ['ifInOctets'], USAGE),
  ofRates('port_out_usage_perc', (rate) => rate('out_octets'), ['ifOutOctets'], USAGE),
  ofRates(
    'port_in_error_perc',
    (rate) => `(${rate('in_err')} * 100 / nullif(${rate('in_pkts')}, 0))`,
    ['ifInErrors', 'ifInUcastPkts'],
    null,
  ),
  ofRates(
    'port_out_error_perc',
    (rate) => `(${rate('out_err')} * 100 / nullif(${rate('out_pkts')}, 0))`,
    ['ifOutErrors', 'ifOutUcastPkts'],
    null,
  ),
]

const LOSS = '(100.0::float8 * (s.sent - s.received) / nullif(s.sent, 0))'
const ping = (line: string, column: string, sample: string, weight: string): readonly [string, Measure] => [
  `device_stats.${column}`,
  {
    ...{ kind: 'icmp', line, table: 'devices', id: 'device_id', key: 'device_id', sample, sampleWeight: '1' },
    ...{ rolled: sample, rolledWeight: weight, rolledLeast: sample, rolledMost: sample },
    ...{ factor: null, reads: [`device_stats.${column}`] },
  },
]

const ALL: readonly (readonly [string, Measure])[] = [
  ...gauges,
  ...rates,
  ...macros,
  ping('rtt_avg', 'ping_rtt_last', 's.rtt_avg', 's.n'),
  ping('loss', 'ping_loss_last', LOSS, 's.sent'),
]
const MEASURES: ReadonlyMap<string, Measure> = new Map(ALL.map(([field, measure]) => [field.toLowerCase(), measure]))

/** The measure of a field, regardless of case; null: its history is not stored. */
export function measureOf(field: string): Measure | null {
  return MEASURES.get(field.toLowerCase().replace(/^ports_statistics\./, 'ports.')) ?? null
}

/** The measure of a kind's value by its line; null: none. */
export function measureOfLine(kind: string, line: string): Measure | null {
  for (const measure of MEASURES.values()) if (measure.kind === kind && measure.line === line) return measure
  return null
}

/** A figure of a bill's current period, which is counted from `bill_data` and not from samples. */
export interface BillMeasure {
  readonly kind: 'bill'
  /** Column of `bills`. */
  readonly line: 'rate_95th' | 'total_data'
  readonly table: 'bills'
  readonly id: 'bill_id'
}

/** The figure of a bill that its period will end with; null: another field. */
export function billMeasureOf(field: string): BillMeasure | null {
  const line = (['rate_95th', 'total_data'] as const).find((one) => field.toLowerCase() === `bills.${one}`)
  return line === undefined ? null : { kind: 'bill', line, table: 'bills', id: 'bill_id' }
}

/** Fields that conditions over time can compare. */
export const MEASURED_FIELDS: ReadonlySet<string> = new Set(ALL.map(([field]) => field))
