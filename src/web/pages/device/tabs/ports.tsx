/** @jsxImportSource #jsx */
import type { PortListRow } from '../../../../core/lists/service.ts'
import { portState } from '../../../components/device-state.tsx'
import { CsvLink } from '../../../components/filters.tsx'
import { Mark } from '../../../components/icon.tsx'
import { Spark } from '../../../components/spark.tsx'
import { type Column, csvOf, Table, withQuery } from '../../../components/table.tsx'
import { Amount, amount, DeviceText, mac, plain, Unknown } from '../../../components/values.tsx'
import { tab } from '../tab.ts'

interface PortsData {
  readonly rows: readonly PortListRow[]
  readonly packets: boolean
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
    if (query.get('format') === 'csv') return csvOf(columns(packets), rows, 'ports')
    return { rows, packets, only, total: all.length }
  },
  view({ rows, packets, only, total }, { query }) {
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
            columns={columns(packets)}
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
  return (port.ifOperStatus === 'up') === (only === 'up')
}

/** Ports that went down come first, then those with errors; the others, perhaps never connected, keep their order. */
const rank = (port: PortListRow) => {
  if (portState(port).tone === 'bad') return port.ifOperStatus_prev === 'up' ? 0 : 2
  return (port.errors ?? 0) > 0 || (port.discards ?? 0) > 0 ? 1 : 2
}

const columns = (packets: boolean): readonly Column<PortListRow>[] => [
  {
    id: 'state',
    label: 'State',
    quiet: true,
    class: 'no',
    cell: (port) => <Mark tone={portState(port).tone} label={portState(port).word} />,
    text: (port) => portState(port).word,
  },
  {
    id: 'name',
    label: 'Port',
    cell: ({ port_id, ifName, ifDescr, ifAlias }) => (
      <>
        <a class="name nowrap" href={`/port/${port_id}`}>
          {plain(ifName ?? ifDescr ?? `port ${port_id}`)}
        </a>
        <span class="l2" dir="auto">
          {plain(ifAlias ?? '')}
        </span>
      </>
    ),
    text: ({ ifName, ifDescr }) => ifName ?? ifDescr,
  },
  {
    id: 'word',
    label: 'State',
    quiet: true,
    class: 'r only-s',
    cell: (port) => portState(port).word,
  },
  {
    id: 'alias',
    label: 'Alias',
    class: 'no lg',
    cell: ({ ifAlias }) => <DeviceText text={ifAlias} />,
    text: ({ ifAlias }) => ifAlias,
  },
  {
    id: 'day',
    label: '24 h',
    class: 'no w4',
    cell: ({ port_id }) => <Spark kind="port" id={port_id} />,
  },
  {
    id: 'in',
    label: 'In',
    unit: packets ? 'packets/s' : 'bit/s',
    numeric: true,
    cell: (port) => <Amount value={packets ? port.in_pps : port.in_bps} unit={packets ? '/s' : 'bit/s'} />,
    text: (port) => (packets ? port.in_pps : port.in_bps),
  },
  {
    id: 'out',
    label: 'Out',
    unit: packets ? 'packets/s' : 'bit/s',
    numeric: true,
    class: 'r',
    cell: (port) => <Amount value={packets ? port.out_pps : port.out_bps} unit={packets ? '/s' : 'bit/s'} />,
    text: (port) => (packets ? port.out_pps : port.out_bps),
  },
  {
    id: 'errors',
    label: 'Errors',
    unit: '/s',
    numeric: true,
    cell: ({ errors }) =>
      errors !== null && errors > 0 ? (
        <span class="t-bad">{amount(errors, '/s')}</span>
      ) : (
        <Amount value={errors} unit="/s" />
      ),
    text: ({ errors }) => errors,
  },
  {
    id: 'discards',
    label: 'Discards',
    unit: '/s',
    numeric: true,
    class: 'r',
    cell: ({ discards }) =>
      discards !== null && discards > 0 ? (
        <span class="t-warn">{amount(discards, '/s')}</span>
      ) : (
        <Amount value={discards} unit="/s" />
      ),
    text: ({ discards }) => discards,
  },
  {
    id: 'speed',
    label: 'Speed',
    unit: 'bit/s',
    numeric: true,
    class: 'no w5',
    cell: ({ ifSpeed }) => (ifSpeed === null || ifSpeed === 0 ? <Unknown /> : amount(ifSpeed, 'bit/s')),
    text: ({ ifSpeed }) => ifSpeed,
  },
  {
    id: 'vlan',
    label: 'VLAN',
    numeric: true,
    class: 'no lg',
    cell: ({ ifVlan }) => (ifVlan === null || ifVlan === '' ? <Unknown /> : plain(ifVlan)),
    text: ({ ifVlan }) => ifVlan,
  },
  {
    id: 'mac',
    label: 'MAC',
    class: 'no lg mono',
    cell: ({ ifPhysAddress }) => (ifPhysAddress === null || ifPhysAddress === '' ? <Unknown /> : mac(ifPhysAddress)),
    text: ({ ifPhysAddress }) => ifPhysAddress,
  },
  {
    id: 'neighbour',
    label: 'Neighbour',
    class: 'no w3',
    cell: ({ neighbour, neighbour_port }) =>
      neighbour === null ? null : (
        <>
          <span dir="auto">{plain(neighbour)}</span>
          <span class="l2">{plain(neighbour_port ?? '')}</span>
        </>
      ),
    text: ({ neighbour }) => neighbour,
  },
]
