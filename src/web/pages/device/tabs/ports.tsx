/** @jsxImportSource #jsx */
import { isAllowed } from '../../../../core/base/permissions.ts'
import type { PortListRow } from '../../../../core/lists/service.ts'
import { portState } from '../../../components/device-state.tsx'
import { CsvLink } from '../../../components/filters.tsx'
import { csvOf, Table, withQuery } from '../../../components/table.tsx'
import { devicePortColumns } from '../../ports/columns.tsx'
import { tab } from '../tab.ts'

interface PortsData {
  readonly rows: readonly PortListRow[]
  readonly packets: boolean
  /** The role shows neighbours. */
  readonly neighbours: boolean
  readonly only: 'all' | 'physical' | 'up' | 'down'
  readonly total: number
}

const ONLY = ['all', 'physical', 'up', 'down'] as const
const WORDS = { all: 'All', physical: 'Physical', up: 'Up', down: 'Down' } as const

/** Ports of a device: worst first, then by ifIndex. */
export const portsTab = tab<PortsData>({
  id: 'ports',
  label: 'Ports',
  gate: 'Port.viewAny',
  count: ({ ports }) => ports,
  async load({ services, actor, query }, { deviceId }) {
    const all = await services.fleet.ports(actor, deviceId)
    const only = ONLY.find((name) => name === query.get('only')) ?? 'all'
    const packets = query.get('unit') === 'packets'
    const rows = all.filter((port) => matches(port, only)).toSorted((a, b) => rank(a) - rank(b))
    const neighbours = isAllowed(actor, 'Link.viewAny', services.config)
    if (query.get('format') === 'csv') return csvOf(devicePortColumns(packets, neighbours), rows, 'ports')
    return { rows, packets, neighbours, only, total: all.length }
  },
  view({ rows, packets, neighbours, only, total }, { query }) {
    return (
      <>
        <div class="filters">
          <div class="seg" role="group" aria-label="Which ports">
            {ONLY.map((name) => (
              <a
                href={withQuery(query, { only: name === 'all' ? null : name })}
                aria-current={name === only ? 'true' : null}
              >
                {WORDS[name]}
              </a>
            ))}
          </div>
          <div class="seg" role="group" aria-label="Unit">
            <a href={withQuery(query, { unit: null })} aria-current={packets ? null : 'true'}>
              bit/s
            </a>
            <a href={withQuery(query, { unit: 'packets' })} aria-current={packets ? 'true' : null}>
              packets/s
            </a>
          </div>
          <span class="grow" />
          <CsvLink query={query} />
        </div>
        <section class="card">
          <Table
            columns={devicePortColumns(packets, neighbours)}
            rows={rows}
            query={query}
            caption="Ports"
            keyOf={({ port_id }) => `port:${port_id}`}
          />
          <div class="pager">
            <span>
              {rows.length} of {total} ports
            </span>
          </div>
        </section>
      </>
    )
  },
})

function matches(port: PortListRow, only: PortsData['only']): boolean {
  if (only === 'physical') return port.ifType === 'ethernetCsmacd'
  if (only === 'all') return true
  if (only === 'up') return port.ifOperStatus === 'up'
  return !['up', 'unknown', null].includes(port.ifOperStatus)
}

/** Ports that went down come first, then those with errors; the others, perhaps never connected, keep their order. */
const rank = (port: PortListRow) => {
  if (portState(port).tone === 'bad') return port.ifOperStatus_prev === 'up' ? 0 : 2
  return (port.errors ?? 0) > 0 || (port.discards ?? 0) > 0 ? 1 : 2
}
