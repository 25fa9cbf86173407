/** @jsxImportSource #jsx */
import { notFound } from '../../../core/base/errors.ts'
import {
  MAX_LISTED,
  MAX_PORT_MACS,
  type SightingRow,
  type Station,
  type StationPlace,
} from '../../../core/sightings/service.ts'
import { parseMac } from '../../../lib/mac.ts'
import { type Column, Pager, PER_PAGE, pageNumber, Table } from '../../components/table.tsx'
import { addressText, Card, count, Empty, mac, plain, Time } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { page } from '../../page.ts'
import { KIND_WORDS, placeOf, sightingColumns } from '../sightings/columns.tsx'

interface MacData {
  readonly station: Station
  readonly rows: readonly SightingRow[]
  readonly total: number
}

/** A MAC address: the port that it is on now, and where it was. */
export const macPage = page<MacData>({
  path: '/mac/:mac',
  gate: 'Port.viewAny',
  async load({ services: { sightings }, actor, params, query }) {
    const digits = parseMac(params['mac'] ?? '')
    if (digits === null) throw notFound(`${params['mac']} is not a MAC address, such as 4c:14:a3:00:00:01`)
    const part = { offset: (pageNumber(query) - 1) * PER_PAGE, limit: PER_PAGE }
    const [station, { rows, total }] = await Promise.all([
      sightings.station(actor, digits),
      sightings.list(actor, { mac: digits }, part),
    ])
    return { station, rows, total }
  },
  view({ station, rows, total }, { query, nowMs }) {
    const name = mac(station.mac)
    const [first] = rows
    // NAC and the forwarding database may both say the same
    const ports = new Set(station.places.map(({ port_id }) => port_id)).size
    return {
      title: name,
      crumbs: [{ label: 'Sightings', href: '/sightings' }, { label: name }],
      body: (
        <>
          <div class="title">
            <h1 class="mono">{name}</h1>
          </div>
          <div class="meta">
            <span dir="auto">
              <b>Manufacturer</b>
              {manufacturerText(station)}
            </span>
            {station.addresses.length === 0 ? null : (
              <span>
                <b>Addresses</b>
                {station.addresses.map((address, i) => (
                  <>
                    {i === 0 ? null : ', '}
                    <a href={`/sightings?q=${encodeURIComponent(address)}`}>{addressText(address)}</a>
                  </>
                ))}
              </span>
            )}
          </div>
          <div class="stack">
            <Card title="Now" sub={ports > 1 ? `${ports} ports` : undefined}>
              {station.places.length === 0 ? (
                <Empty title={first === undefined ? 'Not seen' : 'On no port now'}>
                  <p>
                    {first === undefined
                      ? 'No device has reported this MAC address, or none that you may see.'
                      : 'The last readings of the forwarding databases do not have it. The history says where it was.'}
                  </p>
                </Empty>
              ) : (
                <Table
                  columns={placeColumns(nowMs)}
                  rows={station.places}
                  query={query}
                  caption="Ports it is on now"
                  empty={<Empty title="On no port now" />}
                />
              )}
            </Card>
            <section class="card">
              <header>
                <h2>History</h2>
              </header>
              <Table
                columns={sightingColumns(nowMs, false)}
                rows={rows}
                query={query}
                caption="History"
                empty={<Empty title="No sightings" help={['how-to/where-is-it', 'Where stations are read']} />}
              />
              <Pager query={query} perPage={PER_PAGE} total={total} what={['sighting', 'sightings']} />
              {total < MAX_LISTED ? null : <footer>Only the latest {count(MAX_LISTED)} are listed.</footer>}
            </section>
          </div>
        </>
      ),
    }
  },
})

function manufacturerText({ mac: digits, manufacturer, isVirtual }: Station): string {
  if (isVirtual) return 'shared by routers (VRRP, HSRP, GLBP or CARP)'
  if (manufacturer !== '') return plain(manufacturer)
  const isLocal = (Number.parseInt(digits.slice(0, 2), 16) & 2) !== 0
  return isLocal ? 'unknown: locally administered address' : 'unknown'
}

const placeColumns = (nowMs: number): readonly Column<StationPlace>[] => [
  {
    id: 'place',
    label: 'Device and port',
    class: 'full',
    cell: ({ port_id, alias, ...row }): Html => (
      <>
        <a href={`/port/${port_id}`} dir="auto">
          {placeOf(row)}
        </a>
        {alias === null || alias === '' ? null : (
          <span class="l2" dir="auto">
            {plain(alias)}
          </span>
        )}
      </>
    ),
  },
  {
    id: 'what',
    label: 'What it is',
    class: 'r',
    cell: ({ uplink, macs }) => {
      const many =
        macs >= MAX_PORT_MACS ? `${count(MAX_PORT_MACS)} MAC addresses or more` : `${count(macs)} MAC addresses`
      return uplink ? `uplink, ${many}` : macs > 1 ? many : 'edge port, no other MAC address on it'
    },
  },
  { id: 'vlan', label: 'VLAN', numeric: true, cell: ({ vlan }) => vlan ?? '' },
  {
    id: 'by',
    label: 'By',
    cell: ({ kind, username }) => (username === null ? KIND_WORDS[kind] : `${KIND_WORDS[kind]}: ${plain(username)}`),
  },
  { id: 'since', label: 'Since', numeric: true, cell: ({ first_seen }) => <Time at={first_seen} nowMs={nowMs} /> },
  { id: 'read', label: 'Last seen', numeric: true, cell: ({ last_seen }) => <Time at={last_seen} nowMs={nowMs} /> },
]
