/** @jsxImportSource #jsx */
import { invalid } from '../../../core/base/errors.ts'
import { isAllowed } from '../../../core/base/permissions.ts'
import { TOP_ORDERS, type TopOrder, type TopPort, type TopQuery } from '../../../core/lists/network-service.ts'
import { parseTimeRange } from '../../../lib/at-time.ts'
import {
  Chip,
  CsvLink,
  FilterChoice,
  FilterMenu,
  keptFields,
  oneOf,
  QuickFind,
  Segments,
  textOf,
} from '../../components/filters.tsx'
import { type PageRange, RangeBar, rangeOf } from '../../components/range.tsx'
import { type Column, withQuery } from '../../components/table.tsx'
import { Amount, amount, count, Empty, placeText, plain, Share, Unknown } from '../../components/values.tsx'
import { idOf } from '../../id.ts'
import { listPage } from '../../list-page.tsx'
import { ALIAS, DAY, NAME } from './columns.tsx'

const DAY_MS = 86_400_000

/** What a range is compared with. */
const AGAINST = ['previous', 'day', 'week'] as const
type Against = (typeof AGAINST)[number]
const AGAINST_WORDS: Readonly<Record<Against, string>> = {
  previous: 'the time before it',
  day: 'the same time a day before',
  week: 'the same time a week before',
}
const ORDER_WORDS: Readonly<Record<TopOrder, string>> = {
  busiest: 'Busiest',
  used: 'Highest use',
  errors: 'Most errors',
  change: 'Largest change',
}

const NONE: Readonly<Record<TopOrder, string>> = {
  busiest: 'No traffic was measured in this range',
  used: 'No traffic was measured in this range',
  errors: 'No port had errors or discards in this range',
  change: 'No port has values in both ranges',
}

/** The ranges that an address asks for, epoch ms. Throws `invalid`. */
function spansOf(range: PageRange, against: Against, nowMs: number): Pick<TopQuery, 'span' | 'before'> {
  const parsed = parseTimeRange(range.from, range.to, Math.floor(nowMs / 1000))
  if (parsed.kind === 'bad-time') throw invalid(parsed.message)
  const span = { fromMs: parsed.fromS * 1000, toMs: Math.min(parsed.toS * 1000, nowMs) }
  const length = Math.max(0, span.toMs - span.fromMs)
  // A day of comparison has to lie before the range, or both would share values.
  const shift = against === 'previous' ? length : Math.max(length, against === 'day' ? DAY_MS : 7 * DAY_MS)
  return { span, before: { fromMs: span.fromMs - shift, toMs: span.toMs - shift } }
}

const amountOf = (id: string, label: string, unit: string, of: (row: TopPort) => number | null): Column<TopPort> => ({
  id,
  label,
  numeric: true,
  cell: (row) => <Amount value={of(row)} unit={unit} />,
  text: of,
})

const countOf = (id: string, label: string, of: (row: TopPort) => number | null): Column<TopPort> => ({
  id,
  label,
  numeric: true,
  cell: (row) => {
    const value = of(row)
    return value === null ? <Unknown why="Not counted by the device" /> : count(value)
  },
  text: of,
})

const PORT: readonly Column<TopPort>[] = [
  NAME,
  {
    id: 'other',
    label: 'To',
    class: 'lab',
    cell: ({ other_id, other }) =>
      other_id === null ? (
        <Unknown why="No other port is known to be connected" />
      ) : (
        <a href={`/port/${other_id}`} dir="auto">
          {plain(other ?? '') || `port ${other_id}`}
        </a>
      ),
    text: ({ other }) => other,
  },
  ALIAS,
  DAY,
  amountOf('speed', 'Speed', 'bit/s', ({ ifSpeed }) => (ifSpeed === null || ifSpeed <= 0 ? null : ifSpeed)),
  amountOf('in', 'In', 'bit/s', ({ in_bps }) => in_bps),
  amountOf('out', 'Out', 'bit/s', ({ out_bps }) => out_bps),
]

const USED: Column<TopPort> = {
  id: 'used',
  label: 'Used',
  numeric: true,
  cell: ({ used }) => <Share percent={used} why="Speed or traffic is unknown" />,
  text: ({ used }) => used,
}

const CHANGE: readonly Column<TopPort>[] = [
  amountOf('before', 'Before', 'bit/s', ({ before_bps }) => before_bps),
  {
    id: 'change',
    label: 'Change',
    numeric: true,
    cell: ({ change_bps }) => (change_bps === null ? <Unknown /> : <b>{changeText(change_bps)}</b>),
    text: ({ change_bps }) => change_bps,
  },
]

const changeText = (bps: number) => `${bps > 0 ? '+' : ''}${amount(bps, 'bit/s')}`

function columnsOf(order: TopOrder): readonly Column<TopPort>[] {
  const errors = countOf('errors', 'Errors', (row) => row.errors)
  const discards = countOf('discards', 'Discards', (row) => row.discards)
  return order === 'change' ? [...PORT, ...CHANGE] : [...PORT, USED, errors, discards]
}

/** Ports by traffic, use, errors or change over a time range, each traffic counted once. */
export const topPortsPage = listPage({
  path: '/ports/top',
  gate: 'Port.viewAny',
  title: 'Ports over time',
  crumbs: [{ label: 'Ports', href: '/ports' }, { label: 'Over time' }],
  what: ['port', 'ports'],
  csv: { name: 'ports', most: 20_000 },
  query(query, { nowMs }) {
    const range = rangeOf(query, nowMs)
    const against = oneOf(query, 'against', AGAINST) ?? 'previous'
    const order = oneOf(query, 'by', TOP_ORDERS) ?? 'busiest'
    return {
      range,
      against,
      ...spansOf(range, against, nowMs),
      order,
      text: textOf(query),
      deviceId: idOf(query.get('device')) || null,
      groupId: idOf(query.get('group')) || null,
      location: query.get('location')?.slice(0, 255) || null,
    }
  },
  async load({ services, actor, nowMs }, { range, against, ...wanted }) {
    const { network, fleet, devices, deviceGroups, config } = services
    const { deviceId, order } = wanted
    const asked = order === 'change' ? wanted : { ...wanted, before: null }
    const [found, { locations }, groups, named] = await Promise.all([
      network.topPorts(actor, asked, `${range.from} ${range.to} ${against}`, nowMs),
      fleet.deviceChoices(actor),
      isAllowed(actor, 'DeviceGroup.viewAny', config) ? deviceGroups.list(actor) : [],
      deviceId === null ? null : devices.find(actor, String(deviceId)).catch(() => null),
    ])
    const device = named?.hostname ?? (deviceId === null ? null : String(deviceId))
    return { ...found, device, groups, locations }
  },
  caption: ({ wanted }) => ORDER_WORDS[wanted.order],
  columns: ({ wanted }) => columnsOf(wanted.order),
  head: ({ wanted }) => (
    <>
      <h1>Ports over time</h1>
      <p>
        {wanted.order === 'errors'
          ? 'Packets in the range. Both ends of a link are listed, since each counts what it receives.'
          : wanted.order === 'change'
            ? `Mean rates, compared with ${AGAINST_WORDS[wanted.against]}. Each link is listed once.`
            : 'Mean rates in the range. Each link is listed once; virtual interfaces are left out.'}
      </p>
    </>
  ),
  acts: (_, { query }) => (
    <>
      <a class="btn" href="/ports">
        Now
      </a>
      <CsvLink query={query} />
    </>
  ),
  above: ({ wanted }, { query }) => <RangeBar range={wanted.range} query={query} />,
  filters: ({ wanted, device, groups, locations }, { query }) => (
    <>
      <Segments
        label="Order"
        name="by"
        current={wanted.order === 'busiest' ? null : wanted.order}
        query={query}
        choices={TOP_ORDERS.map((order) => ({
          value: order === 'busiest' ? null : order,
          label: ORDER_WORDS[order],
        }))}
      />
      {device === null ? null : <Chip label="device" value={plain(device)} href={withQuery(query, { device: null })} />}
      {wanted.groupId === null ? null : (
        <Chip
          label="group"
          value={plain(groups.find(({ id }) => id === wanted.groupId)?.name ?? String(wanted.groupId))}
          href={withQuery(query, { group: null })}
        />
      )}
      {wanted.location === null ? null : (
        <Chip label="location" value={placeText(wanted.location)} href={withQuery(query, { location: null })} />
      )}
      <FilterMenu action="/ports/top">
        {keptFields(query, ['group', 'location', 'against'])}
        <FilterChoice
          name="group"
          label="Device group"
          current={wanted.groupId === null ? null : String(wanted.groupId)}
          options={groups.map(({ id, name }) => ({ value: String(id), label: plain(name) }))}
        />
        <FilterChoice
          name="location"
          label="Location"
          current={wanted.location}
          options={locations.map((name) => ({ value: name, label: placeText(name) }))}
        />
        <FilterChoice
          name="against"
          label="Compare with"
          current={wanted.against === 'previous' ? null : wanted.against}
          options={AGAINST.slice(1).map((one) => ({ value: one, label: AGAINST_WORDS[one] }))}
        />
      </FilterMenu>
      <QuickFind action="/ports/top" query={query} text={wanted.text} />
    </>
  ),
  empty: ({ wanted: { text, deviceId, groupId, location, order } }) => (
    <Empty
      title={
        text !== '' || deviceId !== null || groupId !== null || location !== null ? 'No port matches' : NONE[order]
      }
      help={['how-to/troubleshooting#no-graph-or-a-graph-with-gaps', 'When values are missing']}
    />
  ),
})
