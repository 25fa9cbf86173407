/** @jsxImportSource #jsx */
import { type FleetPort, PORT_SORTS, PORT_STATES, type PortState } from '../../../core/lists/network-service.ts'
import { portState } from '../../components/device-state.tsx'
import {
  Chip,
  CsvLink,
  FilterChoice,
  FilterMenu,
  keptFields,
  NoMatch,
  oneOf,
  QuickFind,
  Segments,
  stateChoices,
  textOf,
} from '../../components/filters.tsx'
import { Mark, Pill, type Tone } from '../../components/icon.tsx'
import { Spark } from '../../components/spark.tsx'
import { amountColumn, type Column, shareColumn, sortOf, withQuery } from '../../components/table.tsx'
import { amount, DeviceText, Empty, plain, Unknown } from '../../components/values.tsx'
import { listPage } from '../../list-page.tsx'

const USED = [50, 80, 95] as const

const WORDS: Readonly<Record<PortState, string>> = {
  down: 'Down',
  errors: 'Errors',
  up: 'Up',
  unknown: 'Unknown',
  off: 'Admin down',
}
const TONES: Readonly<Record<PortState, Tone>> = { down: 'bad', errors: 'warn', up: 'ok', unknown: 'off', off: 'off' }

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

/** Ports of all devices: those down first, then those with errors, then the busiest. */
export const portsPage = listPage({
  path: '/ports',
  gate: 'Port.viewAny',
  nav: { label: 'Ports', icon: 'port', group: 'main', order: 40 },
  title: 'Ports',
  caption: 'Ports',
  what: ['port', 'ports'],
  csv: { name: 'ports', most: 100_000 },
  query(query) {
    const number = (name: string) => {
      const value = Number(query.get(name) || Number.NaN)
      return Number.isFinite(value) && value > 0 && value < 1e15 ? Math.round(value) : null
    }
    return {
      state: oneOf(query, 'state', PORT_STATES),
      text: textOf(query),
      minUsed: number('used'),
      speed: number('speed'),
      ...sortOf(query, PORT_SORTS, 'worst'),
    }
  },
  async load({ services: { network }, actor }, wanted) {
    const [{ rows, counts }, speeds] = await Promise.all([network.ports(actor, wanted), network.speeds(actor)])
    return { rows, counts, speeds, total: counts[wanted.state ?? 'all'] }
  },
  columns: COLUMNS,
  keyOf: ({ port_id }) => `port:${port_id}`,
  acts: (_, { query }) => (
    <>
      <a class="btn" href="/ports/top">
        Over time
      </a>
      <CsvLink query={query} />
    </>
  ),
  filters: ({ counts, speeds, wanted }, { query }) => (
    <>
      <Segments
        label="State"
        name="state"
        current={wanted.state}
        query={query}
        choices={stateChoices(PORT_STATES, (state) => [TONES[state], WORDS[state]], counts)}
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
    </>
  ),
  empty({ wanted: { text, minUsed, speed, state } }) {
    if (text !== '' || minUsed !== null || speed !== null) return <NoMatch title="No port matches" list="/ports" />
    if (state !== null) return <NoMatch title={`No ports: ${WORDS[state]}`} list="/ports" />
    return (
      <Empty title="No ports yet">
        <p>Ports are listed after the discovery of the first device.</p>
      </Empty>
    )
  },
})
