/** @jsxImportSource #jsx */
import {
  type FleetHealthRow,
  HEALTH_LEVELS,
  type HealthClass,
  type HealthLevel,
  type HealthQuery,
} from '../../../core/lists/network-service.ts'
import { formOf } from '../../../lib/measure.ts'
import { ChartCard } from '../../components/chart.tsx'
import { CsvLink, NoMatch, oneOf, QuickFind, Segments, stateChoices, textOf } from '../../components/filters.tsx'
import { measuredGraph, TALL } from '../../components/graph-specs.ts'
import { classWord, limitsOf, TONE_WORDS, toneOf, valueText } from '../../components/health.tsx'
import { Mark, type Tone } from '../../components/icon.tsx'
import { type PageRange, RangeBar, rangeOf } from '../../components/range.tsx'
import { Spark } from '../../components/spark.tsx'
import { type Column, markColumn, pillColumn, withQuery } from '../../components/table.tsx'
import { count, DeviceText, Empty, type HelpLink, LastSeen, plain } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { listPage } from '../../list-page.tsx'
import type { NavEntry, Page } from '../../page.ts'

const WORDS: Readonly<Record<HealthLevel, string>> = {
  over: 'Beyond a limit',
  near: 'Near a limit',
  fine: 'OK',
  unknown: 'Unknown',
}
const TONES: Readonly<Record<HealthLevel, Tone>> = { over: 'bad', near: 'warn', fine: 'ok', unknown: 'off' }
const lookOf = ({ level }: FleetHealthRow) => [TONES[level], WORDS[level]] as const

const KINDS = ['sensor', 'processor', 'mempool', 'storage', 'wireless'] as const

/** The current state in a sentence; null while a filter hides part of it. */
function verdict(
  classes: readonly HealthClass[],
  { level, class: chosen, text }: Omit<HealthQuery, 'offset' | 'limit'>,
): string | null {
  if (level !== null || chosen !== null || text !== '' || classes.length === 0) return null
  const sum = (of: 'over' | 'near') => classes.reduce((total, one) => total + one[of], 0)
  const [over, near] = [sum('over'), sum('near')]
  const beyond =
    over === 0 ? 'Nothing is beyond a limit' : `${count(over)} beyond ${over === 1 ? 'its limit' : 'their limits'}`
  return `${beyond}, ${near === 0 ? 'nothing' : count(near)} near one`
}

const keyOf = ({ kind, id }: FleetHealthRow) => `${kind}-${id}`

/** The limits; for memory and file systems, the space in use and the warning threshold. */
const allLimits = (row: FleetHealthRow): string =>
  [limitsOf(row), row.size === null || row.high_warn === null ? '' : `at most ${row.high_warn} %`]
    .filter(Boolean)
    .join(', ')

const columns = (query: URLSearchParams, nowMs: number): readonly Column<FleetHealthRow>[] => [
  markColumn(lookOf),
  {
    id: 'name',
    label: 'Device',
    class: 'full',
    cell: (row) => (
      <a class="name" href={`/device/${row.device_id}/health`} dir="auto">
        {plain(row.device)}
      </a>
    ),
    text: ({ device }) => device,
  },
  pillColumn(lookOf),
  {
    id: 'descr',
    label: 'What',
    class: 'lab',
    cell: (row) => (
      <a href={withQuery(query, { chart: query.get('chart') === keyOf(row) ? null : keyOf(row) })}>
        {row.descr.trim() === '' ? classWord(row.class) : <DeviceText text={row.descr} />}
      </a>
    ),
    text: ({ descr }) => descr,
  },
  { id: 'class', label: 'Class', class: 'lab', cell: (row) => classWord(row.class), text: (row) => row.class },
  {
    id: 'day',
    label: '24 h',
    class: 'no w4',
    cell: (row) => <Spark kind={row.kind} id={row.id} />,
  },
  {
    id: 'value',
    label: 'Value',
    numeric: true,
    cell: (row) => (
      <>
        <b
          class={row.old_since !== null ? 'old' : toneOf(row) === 'bad' ? 't-bad' : null}
          title={row.old_since === null ? TONE_WORDS[toneOf(row)] : 'No longer current: the device does not answer'}
        >
          {valueText(row)}
        </b>
        {row.old_since === null ? null : (
          <span class="l2">
            <LastSeen at={row.old_since} nowMs={nowMs} />
          </span>
        )}
      </>
    ),
    text: ({ value }) => value,
  },
  {
    id: 'unit',
    label: 'Unit',
    file: true,
    cell: () => null,
    text: ({ kind, class: name }) => formOf(kind, name).unit,
  },
  {
    id: 'seen',
    label: 'Not current since',
    file: true,
    cell: () => null,
    text: ({ old_since }) => old_since?.toISOString() ?? '',
  },
  { id: 'limits', label: 'Limits', numeric: true, class: 'w5', cell: (row) => allLimits(row) || '–', text: allLimits },
]

/** The classes, each a filter. */
const Classes = ({
  classes,
  chosen,
  query,
}: {
  readonly classes: readonly HealthClass[]
  readonly chosen: string | null
  readonly query: URLSearchParams
}): Html => (
  <nav class="names" aria-label="Classes">
    {classes.map((one) => (
      <a
        class="chip"
        href={withQuery(query, { class: one.class === chosen ? null : one.class })}
        aria-current={one.class === chosen ? 'true' : null}
      >
        {one.over > 0 ? (
          <Mark tone="bad" label={`${one.over} beyond a limit`} />
        ) : one.near > 0 ? (
          <Mark tone="warn" label={`${one.near} near a limit`} />
        ) : null}
        {classWord(one.class)} <span class="sub">{count(one.all)}</span>
      </a>
    ))}
  </nav>
)

function Charted({
  row,
  range,
  query,
}: {
  readonly row: FleetHealthRow
  readonly range: PageRange
  readonly query: URLSearchParams
}): Html {
  return (
    <div class="stack chosen">
      <RangeBar range={range} query={query} />
      <ChartCard
        spec={{
          ...measuredGraph(
            { deviceId: row.device_id, hostname: String(row.device_id) },
            `${plain(row.descr) || classWord(row.class)} of ${plain(row.device)}`,
            row,
          ),
          height: TALL,
        }}
        range={range}
        sub={classWord(row.class)}
      />
    </div>
  )
}

const valuesPage = (of: 'health' | 'wireless', nav: Pick<NavEntry, 'label' | 'icon' | 'order'>, none: string): Page =>
  listPage({
    path: `/${of}`,
    gate: 'Sensor.viewAny',
    scripts: ['chart.js'],
    nav: { ...nav, group: 'explore' },
    title: nav.label,
    caption: 'Values, those beyond their limits first',
    what: ['value', 'values'],
    csv: { name: of, most: 100_000 },
    query: (query) => ({
      level: oneOf(query, 'level', HEALTH_LEVELS),
      class: query.get('class')?.slice(0, 50) || null,
      text: textOf(query),
    }),
    async load({ services: { network, fleet }, actor, query, nowMs }, wanted) {
      const { rows, classes } = await network.health(actor, of, wanted)
      const key = query.get('chart') ?? ''
      const [, word, id] = /^([a-z]+)-(\d{1,9})$/.exec(key) ?? []
      const kind = KINDS.find((known) => known === word)
      const charted =
        rows.find((row) => keyOf(row) === key) ??
        (kind === undefined ? null : await network.healthValue(actor, of, { kind, id: Number(id) }))
      const chosen = classes.filter((one) => wanted.class === null || one.class === wanted.class)
      const since = charted === null ? null : await fleet.addedAt(charted.device_id)
      const range = rangeOf(query, nowMs, since)
      return { rows, classes, total: chosen.reduce((sum, { all }) => sum + all, 0), charted, range }
    },
    columns: (_, { query, nowMs }) => columns(query, nowMs),
    keyOf: ({ kind, id }) => `${kind}:${id}`,
    head({ classes, wanted }) {
      const said = verdict(classes, wanted)
      return (
        <>
          <h1>{nav.label}</h1>
          {said === null ? null : <p>{said}</p>}
        </>
      )
    },
    acts: (_, { query }) => <CsvLink query={query} />,
    filters: ({ wanted }, { query }) => (
      <>
        <Segments
          label="Limits"
          name="level"
          current={wanted.level}
          query={query}
          choices={stateChoices(HEALTH_LEVELS, (level) => [TONES[level], WORDS[level]])}
        />
        <QuickFind action={`/${of}`} query={query} text={wanted.text} />
      </>
    ),
    below: ({ classes, charted, range, wanted }, visit) => (
      <>
        <Classes classes={classes} chosen={wanted.class} query={visit.query} />
        {charted === null ? null : <Charted row={charted} range={range} query={visit.query} />}
      </>
    ),
    empty({ wanted: { level, class: chosen, text } }, { query }) {
      const title = level === null && chosen === null && text === '' ? none : 'No value matches'
      return query.size === 0 ? <Empty title={title} help={MISSING} /> : <NoMatch title={title} list={`/${of}`} />
    },
  })

const MISSING: HelpLink = ['how-to/troubleshooting#it-answers-but-things-are-missing', 'When something is missing']

/** Sensors, processors, memory and storage of all devices, those beyond or near a limit first. */
export const healthPage = valuesPage(
  'health',
  { label: 'Health', icon: 'heart', order: 10 },
  'No device has sensors yet',
)

/** Wireless sensors of all devices: clients, signal, quality; worst first. */
export const wirelessPage = valuesPage(
  'wireless',
  { label: 'Wireless', icon: 'wifi', order: 30 },
  'No device has wireless values',
)
