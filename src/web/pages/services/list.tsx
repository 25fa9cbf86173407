/** @jsxImportSource #jsx */
import {
  CHECK_LIST_STATES,
  type CheckList,
  type CheckListQuery,
  type CheckListRow,
} from '../../../core/checks/check-list.ts'
import { keptFields, NoMatch, oneOf, QuickField, Segments, stateChoices, textOf } from '../../components/filters.tsx'
import { AddLink, Button } from '../../components/form.tsx'
import { Mark, Pill } from '../../components/icon.tsx'
import type { Column } from '../../components/table.tsx'
import { count, DeviceText, duration, Empty, plain, Time, Unknown } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { listPage } from '../../list-page.tsx'
import { can } from '../../permissions.ts'
import { STATE_WORDS } from './labels.ts'

/** The current state in a sentence. */
function verdict({ critical, warning, unknown }: CheckList['counts']): string {
  const failing = critical + warning + unknown
  if (failing === 0) return 'All services are OK'
  const worst = critical > 0 ? `${count(critical)} critical` : warning > 0 ? `${count(warning)} with a warning` : ''
  return `${count(failing)} ${failing === 1 ? 'service needs' : 'services need'} attention${worst === '' ? '' : `, ${worst}`}`
}

/** When a service was checked; results older than two intervals are marked. */
export function Checked({
  row: { checked_at, took_ms, state },
  nowMs,
  intervalS,
}: {
  readonly row: Pick<CheckListRow, 'checked_at' | 'took_ms' | 'state'>
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

const columns = (nowMs: number, intervalS: number): readonly Column<CheckListRow>[] => [
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

const isFiltered = ({ text, type }: CheckListQuery) => text !== '' || type !== null

/** Service checks of all devices, worst first: what fails, since when, and the output of the check. */
export const servicesPage = listPage({
  path: '/services',
  gate: 'Service.viewAny',
  nav: { label: 'Services', icon: 'heart', group: 'explore', order: 40 },
  title: 'Services',
  caption: 'Services, worst first',
  what: ['services', 'services'],
  query: (query) => ({
    state: oneOf(query, 'state', CHECK_LIST_STATES),
    text: textOf(query),
    type: textOf(query, 'type') || null,
  }),
  async load({ services: { hostServices, config }, actor }, wanted) {
    const [{ rows, counts }, types] = await Promise.all([
      hostServices.checkList(actor, wanted),
      hostServices.usedTypes(actor),
    ])
    const all = Object.values(counts).reduce((sum, n) => sum + n, 0)
    const total = wanted.state === null ? all : counts[wanted.state]
    return { rows, total, counts, all, types, intervalS: config.get('services.interval') }
  },
  columns: ({ intervalS }, { nowMs }) => columns(nowMs, intervalS),
  keyOf: ({ service_id }) => `service:${service_id}`,
  head: ({ all, counts, wanted }) => <h1>{all === 0 || isFiltered(wanted) ? 'Services' : verdict(counts)}</h1>,
  acts: (_, visit) =>
    can(visit, 'Service.create') ? (
      <AddLink href="/services/new" first>
        Add a service
      </AddLink>
    ) : null,
  nothing: ({ all, wanted }) =>
    all === 0 && !isFiltered(wanted) ? (
      <section class="card">
        <Empty title="No services are checked yet" help={['how-to/service-checks', 'What can be checked']}>
          <p>A service is something that is checked on a device: a web page, a mail server, a name server.</p>
        </Empty>
      </section>
    ) : null,
  filters: ({ all, counts, wanted, types }, { query }) => (
    <>
      <Segments
        label="State"
        name="state"
        current={wanted.state}
        query={query}
        choices={stateChoices(
          CHECK_LIST_STATES.filter((state) => counts[state] > 0 || wanted.state === state),
          (state) => STATE_WORDS[state],
          { ...counts, all },
        )}
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
          <QuickField text={wanted.text} />
          <Button>Apply</Button>
        </div>
      </form>
    </>
  ),
  empty: () => <NoMatch title="No service matches" list="/services" />,
})
