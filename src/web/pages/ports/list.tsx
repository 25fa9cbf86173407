/** @jsxImportSource #jsx */
import { PORT_SORTS, PORT_STATES } from '../../../core/lists/network-service.ts'
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
import { sortOf, withQuery } from '../../components/table.tsx'
import { amount, Empty } from '../../components/values.tsx'
import { listPage } from '../../list-page.tsx'
import { PORT_COLUMNS, STATE_TONES, STATE_WORDS } from './columns.tsx'

const USED = [50, 80, 95] as const

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
  columns: PORT_COLUMNS,
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
        choices={stateChoices(PORT_STATES, (state) => [STATE_TONES[state], STATE_WORDS[state]], counts)}
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
    if (state !== null) return <NoMatch title={`No ports: ${STATE_WORDS[state]}`} list="/ports" />
    return (
      <Empty title="No ports yet" help={['how-to/find-devices', 'How devices are found']}>
        <p>Ports are listed after the discovery of the first device.</p>
      </Empty>
    )
  },
})
