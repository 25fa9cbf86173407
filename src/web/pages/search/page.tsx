/** @jsxImportSource #jsx */

import { isAllowed, type Permission } from '../../../core/base/permissions.ts'
import type { Hit } from '../../../core/lists/service.ts'
import type { StationHit } from '../../../core/sightings/service.ts'
import { Button } from '../../components/form.tsx'
import { Icon, type IconName, Mark } from '../../components/icon.tsx'
import { addressText, Card, duration, Empty, mac, plain } from '../../components/values.tsx'
import { type PageRequest, page } from '../../page.ts'

/** Maximum number of hits of each kind, in the search dialog and on the page. */
const IN_PALETTE = 6
const ON_PAGE = 50

/** A hit as it is listed. `station`: a MAC address with where it is, or was. */
interface Found extends Omit<Hit, 'kind'> {
  readonly kind: Hit['kind'] | 'station'
}

interface SearchData {
  readonly text: string
  readonly hits: readonly Found[]
}

const KINDS: readonly (readonly [Found['kind'], string, IconName, Permission])[] = [
  ['device', 'Devices', 'server', 'Device.viewAny'],
  ['port', 'Ports', 'port', 'Port.viewAny'],
  ['station', 'Stations', 'pin', 'Port.viewAny'],
  ['address', 'Addresses', 'hash', 'Port.viewAny'],
  ['vlan', 'VLANs', 'layers', 'Vlan.viewAny'],
  ['as', 'Autonomous systems', 'route', 'BgpPeer.viewAny'],
  ['location', 'Locations', 'pin', 'Location.viewAny'],
]

/** Search over everything: a page, and JSON for the search dialog. */
export const searchPage = page<SearchData>({
  path: '/search',
  gate: 'token',
  load,
  view: ({ text, hits }) => ({
    title: text === '' ? 'Search' : `Search for ${text}`,
    crumbs: [{ label: 'Search' }],
    body: (
      <>
        <div class="head">
          <h1>{text === '' ? 'Search' : hits.length === 0 ? 'Nothing found' : `Results for “${plain(text)}”`}</h1>
        </div>
        <form class="filters" method="get" action="/search" role="search">
          <input
            class="inp quick"
            type="search"
            name="q"
            value={text}
            aria-label="Search"
            maxlength="100"
            autofocus={text === ''}
          />
          <Button first>Search</Button>
        </form>
        <div class="stack">
          {hits.length === 0 ? (
            <section class="card">
              <Empty title="What is searched" help={['how-to/faq', 'Questions and answers']}>
                <p>
                  Device names, addresses and serials; port names and aliases, also with the device (sw1 Gi1/0/17); IP
                  addresses and networks (10.20.0.0/24); MAC addresses or parts of them (4c:14), their manufacturers,
                  and users of network access control, with where they are and were; VLANs; autonomous systems;
                  locations.
                </p>
              </Empty>
            </section>
          ) : null}
          {KINDS.map(([kind, label, icon]) => {
            const found = hits.filter((hit) => hit.kind === kind)
            return found.length === 0 ? null : (
              <Card title={label} sub={found.length}>
                <ul class="rows">
                  {found.map((hit) => (
                    <li>
                      <Icon name={icon} />
                      <span class="grow">
                        <a href={addressOf(hit)} dir="auto">
                          {titleOf(hit)}
                        </a>
                        <span class="l2" dir="auto">
                          {plain(hit.detail)}
                        </span>
                      </span>
                      <span class="sub">{hit.field}</span>
                      {hit.state === '' ? null : (
                        <Mark
                          tone={hit.state === 'up' ? 'ok' : hit.state === 'down' ? 'bad' : 'off'}
                          label={hit.state}
                        />
                      )}
                    </li>
                  ))}
                </ul>
              </Card>
            )
          })}
        </div>
      </>
    ),
  }),
})

async function load({ services, actor, query, nowMs }: PageRequest): Promise<SearchData | Response> {
  const text = (query.get('q') ?? '').trim().slice(0, 100)
  const isJson = query.get('format') === 'json'
  const open = new Set(KINDS.filter(([, , , gate]) => isAllowed(actor, gate, services.config)).map(([kind]) => kind))
  const most = isJson ? IN_PALETTE : ON_PAGE
  const [found, stations] = await Promise.all([
    services.fleet.search(actor, text, most),
    open.has('station') ? services.sightings.find(actor, text, most) : [],
  ])
  const hits = [...found, ...stations.map((station) => stationHit(station, nowMs))].filter(({ kind }) => open.has(kind))
  if (!isJson) return { text, hits }
  const groups = KINDS.flatMap(([kind, label, icon]) => {
    const rows = hits.filter((hit) => hit.kind === kind)
    return rows.length === 0
      ? []
      : [
          {
            label,
            icon,
            hits: rows.map((hit) => ({
              title: titleOf(hit),
              detail: plain(hit.detail),
              field: hit.field,
              state: hit.state,
              href: addressOf(hit),
            })),
          },
        ]
  })
  return Response.json(
    { groups },
    { headers: { 'Cache-Control': 'private, no-store', 'X-Content-Type-Options': 'nosniff' } },
  )
}

function stationHit(station: StationHit, nowMs: number): Found {
  const { device, port, vlan, address, username, uplink, open, last_seen } = station
  const isRouter = station.kind === 'arp' || station.kind === 'nd'
  const relation = uplink ? 'through uplink' : isRouter ? 'in the ARP table of' : 'behind'
  const where = [relation, device, port].filter(Boolean).join(' ')
  const when = open ? null : `last seen ${duration((nowMs - last_seen.getTime()) / 1000)} ago`
  const more = [vlan === null ? null : `VLAN ${vlan}`, address === null ? null : addressText(address), username, when]
  return {
    kind: 'station',
    device_id: station.device_id,
    port_id: station.port_id,
    title: station.mac,
    detail: [where, ...more].filter(Boolean).join(' · '),
    field: 'MAC',
    state: '',
  }
}

function titleOf({ field, title }: Found): string {
  return field === 'MAC' ? mac(title) : plain(title)
}

function addressOf(hit: Found): string {
  if (hit.kind === 'station') return `/mac/${hit.title}`
  if (hit.kind === 'location') return `/devices?location=${encodeURIComponent(hit.title)}`
  if (hit.kind === 'vlan') return `/device/${hit.device_id}/vlans`
  if (hit.kind === 'as') return `/device/${hit.device_id}/routing`
  return hit.port_id === null ? `/device/${hit.device_id}` : `/port/${hit.port_id}`
}
