/** @jsxImportSource #jsx */
import { BOARD_STATES, type Board, type BoardQuery, type BoardRow } from '../../../core/checks/check-list.ts'
import { keptFields, Segments } from '../../components/filters.tsx'
import { Icon, Mark, Pill } from '../../components/icon.tsx'
import { type Column, Pager, pageNumber, Table } from '../../components/table.tsx'
import { count, DeviceText, duration, Empty, plain, Time, Unknown } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type PageRequest, type PageView, page } from '../../page.ts'
import { can } from '../../permissions.ts'
import { STATE_WORDS } from './labels.ts'

const PER_PAGE = 100
const MAX_TEXT = 100

interface ListData {
  readonly board: Board
  readonly wanted: BoardQuery
  readonly types: readonly string[]
  readonly intervalS: number
}

/** Service checks of all devices, worst first: what fails, since when, and the output of the check. */
export const servicesPage = page<ListData>({
  path: '/services',
  gate: 'Service.viewAny',
  nav: { label: 'Services', icon: 'heart', group: 'explore', order: 40 },
  async load({ services: { hostServices, config }, actor, query }) {
    const text = (name: string) => (query.get(name) ?? '').slice(0, MAX_TEXT).replaceAll('\0', '').trim()
    const wanted: BoardQuery = {
      state: BOARD_STATES.find((state) => state === query.get('state')) ?? null,
      text: text('q'),
      type: text('type') || null,
      offset: (pageNumber(query) - 1) * PER_PAGE,
      limit: PER_PAGE,
    }
    const [board, types] = await Promise.all([hostServices.checkList(actor, wanted), hostServices.usedTypes(actor)])
    return { board, wanted, types, intervalS: config.get('services.interval') }
  },
  view,
})

/** The current state in a sentence. */
function verdict({ critical, warning, unknown }: Board['counts']): string {
  const failing = critical + warning + unknown
  if (failing === 0) return 'All services are OK'
  const worst = critical > 0 ? `${count(critical)} critical` : warning > 0 ? `${count(warning)} with a warning` : ''
  return `${count(failing)} ${failing === 1 ? 'service needs' : 'services need'} attention${worst === '' ? '' : `, ${worst}`}`
}

function view(data: ListData, visit: PageRequest): PageView {
  const { board, wanted } = data
  const { query } = visit
  const all = Object.values(board.counts).reduce((sum, n) => sum + n, 0)
  const isFiltered = wanted.text !== '' || wanted.type !== null
  const mayAdd = can(visit, 'Service.create')
  const add = mayAdd ? (
    <a class="btn first" href="/services/new">
      <Icon name="plus" />
      Add a service
    </a>
  ) : null
  const isEmpty = all === 0 && !isFiltered
  return {
    title: 'Services',
    crumbs: [{ label: 'Services' }],
    body: (
      <>
        <div class="head">
          <h1>{isEmpty ? 'Services' : isFiltered ? 'Services' : verdict(board.counts)}</h1>
          <div class="acts">{add}</div>
        </div>
        {isEmpty ? (
          <section class="card">
            <Empty title="No services are checked yet">
              <p>A service is something that is checked on a device: a web page, a mail server, a name server.</p>
            </Empty>
          </section>
        ) : (
          <>
            <Filters data={data} query={query} all={all} />
            <section class="card">
              {board.rows.length === 0 ? (
                <Empty title="No service matches">
                  <a class="btn" href="/services">
                    Remove filters
                  </a>
                </Empty>
              ) : (
                <Table
                  columns={columns(visit.nowMs, data.intervalS)}
                  rows={board.rows}
                  query={query}
                  caption="Services, worst first"
                  keyOf={({ service_id }) => `service:${service_id}`}
                />
              )}
              <Pager
                query={query}
                page={pageNumber(query)}
                perPage={PER_PAGE}
                total={wanted.state === null ? all : board.counts[wanted.state]}
                what="services"
              />
            </section>
          </>
        )}
      </>
    ),
  }
}

function Filters({
  data: { board, wanted, types },
  query,
  all,
}: {
  readonly data: ListData
  readonly query: URLSearchParams
  readonly all: number
}): Html {
  return (
    <div class="filters">
      <Segments
        label="State"
        name="state"
        current={wanted.state}
        query={query}
        choices={[
          { value: null, label: 'All', n: all },
          ...BOARD_STATES.filter((state) => board.counts[state] > 0 || wanted.state === state).map((state) => ({
            value: state,
            label: STATE_WORDS[state][1],
            n: board.counts[state],
            mark: <Mark tone={STATE_WORDS[state][0]} label={null} />,
          })),
        ]}
      />
      <form method="get" action="/services" role="search" data-lean>
        {keptFields(query, ['type', 'q'])}
        <div class="line2">
          <select class="inp" name="type" aria-label="Check">
            <option value="">any check</option>
            {types.map((type) => (
              <option value={type} selected={type === wanted.type}>
                {plain(type)}
              </option>
            ))}
          </select>
          <input
            class="inp quick"
            type="search"
            name="q"
            value={wanted.text}
            placeholder="Filter this list"
            aria-label="Filter this list"
            maxlength="100"
          />
          <button class="btn" type="submit">
            Apply
          </button>
        </div>
      </form>
    </div>
  )
}

/** When a service was checked; results older than two intervals are marked. */
export function Checked({
  row: { checked_at, took_ms, state },
  nowMs,
  intervalS,
}: {
  readonly row: Pick<BoardRow, 'checked_at' | 'took_ms' | 'state'>
  readonly nowMs: number
  readonly intervalS: number
}): Html {
  if (checked_at === null) return <Unknown why="not checked yet" />
  const isOld = state !== 'disabled' && nowMs - checked_at.getTime() > 2000 * intervalS + 60_000
  return (
    <span title={took_ms === null ? null : `took ${(took_ms / 1000).toFixed(3)} s`}>
      {isOld ? (
        <>
          <Mark tone="warn" label="Old" />{' '}
        </>
      ) : null}
      <Time at={checked_at} nowMs={nowMs} />
    </span>
  )
}

const columns = (nowMs: number, intervalS: number): readonly Column<BoardRow>[] => [
  {
    id: 'name',
    label: 'Service',
    cell: ({ service_id, name, type, device_id, device }) => (
      <>
        <a class="name" href={`/services/${service_id}`} dir="auto">
          {plain(name ?? type)}
        </a>
        <span class="l2">
          <a href={`/device/${device_id}`}>{plain(device)}</a>
        </span>
      </>
    ),
  },
  {
    id: 'state',
    label: 'State',
    class: 'r',
    cell: ({ state }) => <Pill tone={STATE_WORDS[state][0]}>{STATE_WORDS[state][1]}</Pill>,
  },
  { id: 'type', label: 'Check', class: 'dim lab', cell: ({ type }) => plain(type) },
  {
    id: 'message',
    label: 'Last output',
    class: 'full wide',
    cell: ({ message, attempt, last_message }) => (
      <>
        <DeviceText text={cut(message)} long />
        {attempt > 0 && last_message !== null ? (
          <span class="l2" dir="auto">
            failed {attempt} {attempt === 1 ? 'time' : 'times'} since, being retried: {plain(cut(last_message) ?? '')}
          </span>
        ) : null}
      </>
    ),
  },
  {
    id: 'since',
    label: 'Since',
    class: 'nowrap lab',
    cell: ({ since }) => (since === null ? <Unknown why="not checked yet" /> : <Time at={since} nowMs={nowMs} bare />),
  },
  {
    id: 'checked',
    label: 'Checked',
    class: 'nowrap lab',
    cell: (row) => <Checked row={row} nowMs={nowMs} intervalS={intervalS} />,
  },
]

const cut = (text: string | null) => (text === null || text.length <= 300 ? text : `${text.slice(0, 300)}…`)

/** How often services are checked, in words. */
export const everyWords = (intervalS: number) => `every ${duration(intervalS)}`
