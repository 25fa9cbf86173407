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
import { QuickFind, Segments, textOf } from '../../components/filters.tsx'
import { measuredGraph, TALL } from '../../components/graph-specs.ts'
import { classWord, limitsOf, TONE_WORDS, toneOf, valueText } from '../../components/health.tsx'
import { Mark, Pill, type Tone } from '../../components/icon.tsx'
import { RangeBar, rangeOf } from '../../components/range.tsx'
import { Spark } from '../../components/spark.tsx'
import { type Column, csvOf, Pager, pageNumber, Table, withQuery } from '../../components/table.tsx'
import { count, DeviceText, Empty, LastSeen, plain } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { PageRequest } from '../../page.ts'

const PER_PAGE = 100
const MAX_CSV = 100_000

export interface ValuesData {
  readonly rows: readonly FleetHealthRow[]
  readonly classes: readonly HealthClass[]
  /** The value whose chart is open; null: none. */
  readonly charted: FleetHealthRow | null
  readonly wanted: HealthQuery
  readonly page: number
}

const WORDS: Readonly<Record<HealthLevel, string>> = {
  over: 'Beyond a limit',
  near: 'Near a limit',
  fine: 'OK',
  unknown: 'Unknown',
}
const TONES: Readonly<Record<HealthLevel, Tone>> = { over: 'bad', near: 'warn', fine: 'ok', unknown: 'off' }

/** The values that the address requests, for the page or as CSV. */
export async function loadValues(
  { services: { network }, actor, query, nowMs }: PageRequest,
  of: 'health' | 'wireless',
): Promise<ValuesData | Response> {
  const isCsv = query.get('format') === 'csv'
  const wanted: HealthQuery = {
    level: HEALTH_LEVELS.find((level) => level === query.get('level')) ?? null,
    class: query.get('class')?.slice(0, 50).replaceAll('\0', '') || null,
    text: textOf(query),
    offset: isCsv ? 0 : (pageNumber(query) - 1) * PER_PAGE,
    limit: isCsv ? MAX_CSV : PER_PAGE,
  }
  const found = await network.health(actor, of, wanted)
  if (isCsv) return csvOf(columns(query, nowMs), found.rows, of)
  const key = query.get('chart') ?? ''
  const [, word, id] = /^([a-z]+)-(\d{1,9})$/.exec(key) ?? []
  const kind = KINDS.find((known) => known === word)
  const charted =
    found.rows.find((row) => keyOf(row) === key) ??
    (kind === undefined ? null : await network.healthValue(actor, of, { kind, id: Number(id) }))
  return { ...found, charted, wanted, page: pageNumber(query) }
}

const KINDS = ['sensor', 'processor', 'mempool', 'storage', 'wireless'] as const

/** The current state in a sentence; null while a filter hides part of it. */
export function healthVerdict({ classes, wanted }: ValuesData): string | null {
  if (wanted.level !== null || wanted.class !== null || wanted.text !== '' || classes.length === 0) return null
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
  {
    id: 'mark',
    label: 'State',
    quiet: true,
    class: 'no',
    cell: (row) => <Mark tone={TONES[row.level]} label={WORDS[row.level]} />,
    text: ({ level }) => WORDS[level],
  },
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
  {
    id: 'pill',
    label: 'State',
    quiet: true,
    class: 'r only-s',
    cell: ({ level }) => <Pill tone={TONES[level]}>{WORDS[level]}</Pill>,
  },
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

/** The filters and the table of values. `action`: address of the page. */
export function Values({
  data: { rows, classes, charted: shown, wanted, page },
  query,
  nowMs,
  action,
  empty,
}: {
  readonly data: ValuesData
  readonly query: URLSearchParams
  readonly nowMs: number
  readonly action: string
  readonly empty: string
}): Html {
  const chosen = wanted.class === null ? classes : classes.filter((one) => one.class === wanted.class)
  const range = rangeOf(query, nowMs)
  const total = chosen.reduce((sum, { all }) => sum + all, 0)
  return (
    <>
      <div class="filters">
        <Segments
          label="Limits"
          name="level"
          current={wanted.level}
          query={query}
          choices={[
            { value: null, label: 'All' },
            ...HEALTH_LEVELS.map((level) => ({
              value: level,
              label: WORDS[level],
              mark: <Mark tone={TONES[level]} label={null} />,
            })),
          ]}
        />
        <QuickFind action={action} query={query} text={wanted.text} />
      </div>
      <nav class="names" aria-label="Classes">
        {classes.map((one) => (
          <a
            class="chip"
            href={withQuery(query, { class: one.class === wanted.class ? null : one.class })}
            aria-current={one.class === wanted.class ? 'true' : null}
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
      {shown === null ? null : (
        <div class="stack chosen">
          <RangeBar range={range} query={query} />
          <ChartCard
            spec={{
              ...measuredGraph(
                { deviceId: shown.device_id, hostname: String(shown.device_id) },
                `${plain(shown.descr) || classWord(shown.class)} of ${plain(shown.device)}`,
                shown,
              ),
              height: TALL,
            }}
            range={range}
            sub={classWord(shown.class)}
          />
        </div>
      )}
      <section class="card">
        {rows.length === 0 ? (
          <Empty
            title={wanted.level === null && wanted.class === null && wanted.text === '' ? empty : 'No value matches'}
          >
            {query.size === 0 ? null : (
              <a class="btn" href={action}>
                Remove filters
              </a>
            )}
          </Empty>
        ) : (
          <Table
            columns={columns(query, nowMs)}
            rows={rows}
            query={query}
            caption="Values, those beyond their limits first"
            keyOf={({ kind, id }) => `${kind}:${id}`}
          />
        )}
        <Pager query={query} page={page} perPage={PER_PAGE} total={total} what={total === 1 ? 'value' : 'values'} />
      </section>
    </>
  )
}
