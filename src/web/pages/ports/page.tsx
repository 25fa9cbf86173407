/** @jsxImportSource #jsx */
import {
  type FleetPort,
  type FleetPortQuery,
  PORT_SORTS,
  PORT_STATES,
  type PortCounts,
  type PortState,
} from '../../../core/lists/network-service.ts'
import { portState } from '../../components/device-state.tsx'
import {
  Chip,
  CsvLink,
  FilterChoice,
  FilterMenu,
  keptFields,
  QuickFind,
  Segments,
  textOf,
} from '../../components/filters.tsx'
import { Mark, Pill, type Tone } from '../../components/icon.tsx'
import { Spark } from '../../components/spark.tsx'
import {
  amountColumn,
  type Column,
  csvOf,
  Pager,
  pageNumber,
  shareColumn,
  Table,
  withQuery,
} from '../../components/table.tsx'
import { amount, DeviceText, Empty, plain, Unknown } from '../../components/values.tsx'
import { type PageRequest, type PageView, page } from '../../page.ts'

const PER_PAGE = 100
const MAX_CSV = 100_000
const USED = [50, 80, 95] as const

interface PortsData {
  readonly rows: readonly FleetPort[]
  readonly counts: PortCounts
  readonly speeds: readonly number[]
  readonly wanted: FleetPortQuery
  readonly page: number
}

const WORDS: Readonly<Record<PortState, string>> = {
  down: 'Down',
  errors: 'Errors',
  up: 'Up',
  unknown: 'Unknown',
  off: 'Admin down',
}
const TONES: Readonly<Record<PortState, Tone>> = { down: 'bad', errors: 'warn', up: 'ok', unknown: 'off', off: 'off' }

/** Ports of all devices: those down first, then those with errors, then the busiest. */
export const portsPage = page<PortsData>({
  path: '/ports',
  gate: 'Port.viewAny',
  nav: { label: 'Ports', icon: 'port', group: 'main', order: 40 },
  async load({ services: { network }, actor, query }) {
    const isCsv = query.get('format') === 'csv'
    const wanted = wantedOf(query)
    const asked = isCsv ? { ...wanted, offset: 0, limit: MAX_CSV } : wanted
    const [found, speeds] = await Promise.all([network.ports(actor, asked), network.speeds(actor)])
    return isCsv ? csvOf(COLUMNS, found.rows, 'ports') : { ...found, speeds, wanted, page: pageNumber(query) }
  },
  view,
})

function wantedOf(query: URLSearchParams): FleetPortQuery {
  const sort = query.get('sort') ?? 'worst'
  const number = (name: string) => {
    const value = Number(query.get(name) || Number.NaN)
    return Number.isFinite(value) && value > 0 && value < 1e15 ? Math.round(value) : null
  }
  return {
    state: PORT_STATES.find((state) => state === query.get('state')) ?? null,
    text: textOf(query),
    minUsed: number('used'),
    speed: number('speed'),
    sort: PORT_SORTS.find((name) => name === sort.replace(/^-/, '')) ?? 'worst',
    descending: sort.startsWith('-'),
    offset: (pageNumber(query) - 1) * PER_PAGE,
    limit: PER_PAGE,
  }
}

const COLUMNS: readonly Column<FleetPort>[] = [
  {
    id: 'state',
    label: 'State',
    quiet: true,
    class: 'no',
    cell: (row) => <Mark tone={TONES[row.state]} label={row.state === 'errors' ? 'Errors' : portState(row).word} />,
    text: ({ state }) => WORDS[state],
  },
  {
    id: 'name',
    label: 'Port',
    sortable: true,
    class: 'full',
    cell: (row) => (
      <>
        <a class="name" href={`/port/${row.port_id}`} dir="auto">
          {plain(row.ifName ?? '') || `port ${row.port_id}`}
        </a>
        <span class="l2">
          {row.device === null ? (
            'no access to the device'
          ) : (
            <a href={`/device/${row.device_id}`} dir="auto">
              {plain(row.device)}
            </a>
          )}
        </span>
      </>
    ),
    text: (row) => `${row.device ?? ''} ${row.ifName ?? ''}`.trim(),
  },
  {
    id: 'pill',
    label: 'State',
    quiet: true,
    class: 'r only-s',
    cell: ({ state }) => <Pill tone={TONES[state]}>{WORDS[state]}</Pill>,
  },
  {
    id: 'alias',
    label: 'Alias',
    sortable: true,
    class: 'lab',
    cell: ({ ifAlias }) => <DeviceText text={ifAlias} />,
    text: ({ ifAlias }) => ifAlias,
  },
  {
    id: 'speed',
    label: 'Speed',
    unit: 'bit/s',
    sortable: true,
    numeric: true,
    class: 'w5',
    cell: ({ ifSpeed }) => (ifSpeed === null || ifSpeed <= 0 ? <Unknown /> : amount(ifSpeed, 'bit/s')),
    text: ({ ifSpeed }) => ifSpeed,
  },
  { id: 'day', label: '24 h', class: 'no w4', cell: ({ port_id }) => <Spark kind="port" id={port_id} /> },
  amountColumn({ id: 'in', label: 'In', unit: 'bit/s', of: ({ in_bps }) => in_bps }),
  amountColumn({ id: 'out', label: 'Out', unit: 'bit/s', of: ({ out_bps }) => out_bps }),
  shareColumn({ id: 'used', label: 'Used', of: ({ used }) => used, why: 'Speed or traffic is unknown' }),
  amountColumn({ id: 'errors', label: 'Errors', unit: '/s', of: ({ errors }) => errors }),
  amountColumn({ id: 'discards', label: 'Discards', unit: '/s', of: ({ discards }) => discards, class: 'lg' }),
]

function view(data: PortsData, visit: PageRequest): PageView {
  const { rows, counts, wanted, speeds } = data
  const { query } = visit
  const narrowed = wanted.text !== '' || wanted.minUsed !== null || wanted.speed !== null
  const total = wanted.state === null ? counts.all : counts[wanted.state]
  return {
    title: 'Ports',
    crumbs: [{ label: 'Ports' }],
    body: (
      <>
        <div class="head">
          <h1>Ports</h1>
          <div class="acts">
            <a class="btn" href="/ports/top">
              Over time
            </a>
            <CsvLink query={query} />
          </div>
        </div>
        <div class="filters">
          <Segments
            label="State"
            name="state"
            current={wanted.state}
            query={query}
            choices={[
              { value: null, label: 'All', n: counts.all },
              ...PORT_STATES.map((state) => ({
                value: state,
                label: WORDS[state],
                n: counts[state],
                mark: <Mark tone={TONES[state]} label={null} />,
              })),
            ]}
          />
          {wanted.minUsed === null ? null : (
            <Chip label="used" value={`${wanted.minUsed} % or more`} href={withQuery(query, { used: null })} />
          )}
          {wanted.speed === null ? null : (
            <Chip label="speed" value={amount(wanted.speed, 'bit/s')} href={withQuery(query, { speed: null })} />
          )}
          <FilterMenu action="/ports">
            {keptFields(query, ['used', 'speed'])}
            <FilterChoice
              name="used"
              label="Used"
              current={wanted.minUsed === null ? null : String(wanted.minUsed)}
              options={USED.map((percent) => ({ value: String(percent), label: `${percent} % or more` }))}
            />
            <FilterChoice
              name="speed"
              label="Speed"
              current={wanted.speed === null ? null : String(wanted.speed)}
              options={speeds.map((speed) => ({ value: String(speed), label: amount(speed, 'bit/s') }))}
            />
          </FilterMenu>
          <QuickFind action="/ports" query={query} text={wanted.text} />
        </div>
        <section class="card">
          {rows.length === 0 ? (
            <Empty
              title={
                narrowed
                  ? 'No port matches'
                  : wanted.state === null
                    ? 'No ports yet'
                    : `No ports: ${WORDS[wanted.state]}`
              }
            >
              {narrowed || wanted.state !== null ? (
                <a class="btn" href="/ports">
                  Remove filters
                </a>
              ) : (
                <p>Ports are listed after the discovery of the first device.</p>
              )}
            </Empty>
          ) : (
            <Table
              columns={COLUMNS}
              rows={rows}
              query={query}
              sort={{ id: wanted.sort, descending: wanted.descending }}
              caption="Ports"
              keyOf={({ port_id }) => `port:${port_id}`}
            />
          )}
          <Pager
            query={query}
            page={data.page}
            perPage={PER_PAGE}
            total={total}
            what={total === 1 ? 'port' : 'ports'}
          />
        </section>
      </>
    ),
  }
}
