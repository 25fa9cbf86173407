/** @jsxImportSource #jsx */
import type { StationRow } from '../../../../core/lists/service.ts'
import { type Column, Pager, pageNumber, Table } from '../../../components/table.tsx'
import { addressText, Empty, mac, plain, Time, Unknown } from '../../../components/values.tsx'
import { addAddresses } from '../../found/neighbours.ts'
import { tab } from '../tab.ts'

const PER_PAGE = 200

interface FdbData {
  readonly rows: readonly StationRow[]
  readonly total: number
  readonly text: string
  /** Where to add what answers at an address, by address. */
  readonly add: ReadonlyMap<string, string>
}

/** Forwarding database and ARP table combined. */
export const fdbTab = tab<FdbData>({
  id: 'fdb',
  label: 'FDB and ARP',
  gate: 'Device.viewAny',
  count: ({ fdb }) => fdb,
  async load(visit, { deviceId }) {
    const { services, query } = visit
    const text = (query.get('q') ?? '').trim().slice(0, 40)
    const page = { text, offset: (pageNumber(query) - 1) * PER_PAGE, limit: PER_PAGE }
    const list = await services.fleet.stationsOf(deviceId, page)
    return { ...list, text, add: await addAddresses(visit, list.rows) }
  },
  view: ({ rows, total, text, add }, { query, nowMs }, { deviceId }) => (
    <>
      <form class="filters" method="get" action={`/device/${deviceId}/fdb`} role="search">
        <input
          class="inp quick"
          type="search"
          name="q"
          value={text}
          placeholder="MAC or address"
          aria-label="Find a MAC or address"
          maxlength="40"
        />
      </form>
      <section class="card">
        <Table
          columns={add.size === 0 ? columns(nowMs) : [...columns(nowMs), addColumn(add)]}
          rows={rows}
          query={query}
          caption="Stations"
          empty={
            <Empty
              title={text === '' ? 'No stations have been seen' : 'No stations match'}
              help={['how-to/where-is-it', 'Where stations are read']}
            />
          }
        />
        <Pager query={query} perPage={PER_PAGE} total={total} what={['stations', 'stations']} />
      </section>
    </>
  ),
})

const addColumn = (add: FdbData['add']): Column<StationRow> => ({
  id: 'add',
  label: 'Add',
  quiet: true,
  class: 'num r',
  cell: ({ address }) => {
    const href = address === null ? undefined : add.get(address)
    return href === undefined ? null : (
      <a class="btn s-s" href={href} aria-label={`Add ${address}`}>
        Add
      </a>
    )
  },
})

const columns = (nowMs: number): readonly Column<StationRow>[] => [
  { id: 'mac', label: 'MAC', class: 'mono', cell: (row) => <a href={`/mac/${row.mac}`}>{mac(row.mac)}</a> },
  {
    id: 'address',
    label: 'Address',
    class: 'r',
    cell: ({ address }) => (address === null ? <Unknown why="not in the ARP table" /> : addressText(address)),
  },
  { id: 'vlan', label: 'VLAN', numeric: true, cell: ({ vlan }) => vlan ?? <Unknown /> },
  {
    id: 'port',
    label: 'Port',
    class: 'r',
    cell: ({ port_id, ifName }) =>
      port_id === null ? <Unknown /> : <a href={`/port/${port_id}`}>{plain(ifName ?? String(port_id))}</a>,
  },
  {
    id: 'seen',
    label: 'Last seen',
    numeric: true,
    cell: ({ seen }) =>
      seen === null ? <Unknown why="not recorded in the ARP table" /> : <Time at={seen} nowMs={nowMs} />,
  },
]
