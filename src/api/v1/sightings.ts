import { addressPart, macPart } from '../../core/base/address-text.ts'
import { forbidden, invalid } from '../../core/base/errors.ts'
import { isAllowed } from '../../core/base/permissions.ts'
import type { Services } from '../../core/services.ts'
import {
  MAX_LISTED,
  MAX_PORT_MACS,
  SIGHTING_KINDS,
  type SightingQuery,
  type SightingRow,
} from '../../core/sightings/service.ts'
import { parseMac } from '../../lib/mac.ts'
import { Elysia, t } from '../elysia.ts'
import { whole } from '../integer.ts'
import { Text, Whole } from '../nullable.ts'
import { bearerPlugin } from '../token.ts'
import { numberOf, type QueryTexts } from './given.ts'
import { REFUSALS } from './model.ts'
import { type Run, v1Run } from './run.ts'

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1000

const Given = (description: string) => t.Optional(t.String({ description }))
const Query = t.NoValidate(
  t.Object({
    mac: Given('MAC address, or its first digits, in any notation'),
    address: Given('IP address, or a network such as 10.20.0.0/24'),
    device: Given('device_id'),
    port: Given('port_id'),
    vlan: Given('Number of the VLAN'),
    kind: Given(SIGHTING_KINDS.join(', ')),
    since: Given('Only sightings that had not ended at this time: RFC 3339, or epoch seconds'),
    until: Given('Only sightings that had begun at this time'),
    open: Given('1: only open sightings; 0: only those that ended'),
    limit: Given(`1 to ${MAX_LIMIT}; default ${DEFAULT_LIMIT}`),
    offset: Given(`0 to ${MAX_LISTED}; default 0`),
  }),
)

const SIGHTING = {
  kind: t.String({ description: 'The table it is from: fdb, arp, nd or nac' }),
  mac_address: t.String({ description: '12 lower-case hex digits' }),
  vlan: Whole,
  address: Text,
  username: t.Union([t.String(), t.Null()], { description: 'User authenticated by network access control' }),
  device_id: whole(),
  hostname: t.Union([t.String(), t.Null()], { description: 'null: the device is not granted to the caller' }),
  port_id: t.Union([whole(), t.Null()], { description: 'null: the port no longer exists' }),
  ifName: Text,
  ifAlias: Text,
  first_seen: t.String({ description: 'RFC 3339' }),
  last_seen: t.String({ description: 'Of an open sighting: when the table of the device was last read completely' }),
  open: t.Boolean({ description: 'It has not ended' }),
}
const Resource = <T extends Parameters<typeof t.Object>[0]>(attributes: T, title: string) =>
  t.Object({ type: t.String(), id: t.String(), attributes: t.Object(attributes, { title }) })

const List = t.NoValidate(
  t.Object({
    data: t.Array(Resource(SIGHTING, 'Sighting')),
    meta: t.Object({
      total: whole({ description: `Sightings that match, counted up to ${MAX_LISTED}` }),
      limit: whole(),
      offset: whole(),
    }),
  }),
)

const Station = t.NoValidate(
  t.Object({
    data: Resource(
      {
        mac_address: t.String(),
        manufacturer: t.String({ description: 'Empty: unknown, or a locally administered address' }),
        virtual: t.Boolean({ description: 'Shared by several routers (VRRP, HSRP, GLBP, CARP)' }),
        addresses: t.Array(t.String(), { description: 'IP addresses that it has now' }),
        places: t.Array(
          t.Object(
            {
              ...SIGHTING,
              uplink: t.Boolean({ description: 'The port leads to another device, as far as is known' }),
              macs: whole({ description: `MAC addresses on the port now, counted up to ${MAX_PORT_MACS}` }),
            },
            { title: 'StationPlace' },
          ),
          { description: 'Ports that it is on now, the edge port first' },
        ),
      },
      'Station',
    ),
  }),
)

type SightingDeps = Pick<Services, 'auth' | 'sessions' | 'sightings' | 'config' | 'log'>

/** Where MAC addresses and IP addresses are, and were. These operations are our own; LibreNMS has none like them. */
export const sightingRoutes = (services: SightingDeps) => {
  const { sightings, config } = services
  const details = (id: string, summary: string) => ({
    operationId: id,
    summary,
    tags: ['v1'],
    security: [{ bearer: [] }],
    'x-gate': 'Port.viewAny',
  })
  const run = v1Run(services)
  /** Answers for an actor who may see ports. */
  const answer: Run = (id, asked, work) =>
    run(id, asked, (actor) => {
      if (!isAllowed(actor, 'Port.viewAny', config)) throw forbidden('')
      return work(actor)
    })
  return new Elysia({ name: 'v1.sightings' })
    .use(bearerPlugin())
    .get(
      '/sightings',
      ({ bearer, request, query }) =>
        answer('v1_sightings', { bearer, request }, async (actor) => {
          const limit = numberOf(query, 'limit', MAX_LIMIT, 1) ?? DEFAULT_LIMIT
          const offset = numberOf(query, 'offset', MAX_LISTED) ?? 0
          const { rows, total } = await sightings.list(actor, filterOf(query), { offset, limit })
          return {
            data: rows.map((row) => ({ type: 'sightings', id: String(row.sighting_id), attributes: recordOf(row) })),
            meta: { total, limit, offset },
          }
        }),
      {
        query: Query,
        response: { 200: List, ...REFUSALS },
        detail: details('v1_sightings', 'Where MAC addresses and IP addresses were seen, the latest first'),
      },
    )
    .get(
      '/stations/:mac',
      ({ bearer, request, params }) =>
        answer('v1_station', { bearer, request, params }, async (actor) => {
          const mac = parseMac(params.mac)
          if (mac === null) throw invalid(`'${params.mac}' is not a MAC address, such as 4c:14:a3:00:00:01`)
          const { manufacturer, isVirtual, addresses, places } = await sightings.station(actor, mac)
          return {
            data: {
              type: 'stations',
              id: mac,
              attributes: {
                mac_address: mac,
                manufacturer,
                virtual: isVirtual,
                addresses,
                places: places.map(({ uplink, macs, ...row }) => ({ ...recordOf(row), uplink, macs })),
              },
            },
          }
        }),
      {
        params: t.NoValidate(t.Object({ mac: t.String({ description: 'MAC address in any notation' }) })),
        response: { 200: Station, ...REFUSALS },
        detail: details('v1_station', 'A MAC address: its manufacturer, addresses, and the ports it is on now'),
      },
    )
}

/** Years that both JavaScript and PostgreSQL write with four digits. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00Z')
const LATEST_MS = Date.parse('9999-12-31T23:59:59Z')

/** A time of a query, epoch ms; null: absent. Throws `invalid` for others. */
function time(query: QueryTexts, name: string): number | null {
  const text = query[name]
  if (text === undefined || text === '') return null
  const ms = /^\d{1,11}$/.test(text) ? Number(text) * 1000 : /^\d{4}-/.test(text) ? Date.parse(text) : Number.NaN
  if (!(ms >= EARLIEST_MS && ms <= LATEST_MS))
    throw invalid(`'${name}' is neither RFC 3339, such as 2026-01-31T12:00:00Z, nor epoch seconds`)
  return ms
}

const MAX_ID = 2_147_483_647
const MAX_VLAN = 4095

function filterOf(query: QueryTexts): SightingQuery {
  const { mac: macText = '', address: addressText = '', kind: kindText = '', open = '' } = query
  const mac = macText === '' ? null : (parseMac(macText) ?? macPart(macText))
  if (macText !== '' && mac === null) throw invalid("'mac' is not a MAC address, nor three or more of its first digits")
  const address = addressText === '' ? null : addressPart(addressText)
  if (addressText !== '' && address === null) throw invalid("'address' is not an IP address, nor a network")
  const kind = SIGHTING_KINDS.find((one) => one === kindText)
  if (kindText !== '' && kind === undefined) throw invalid(`'kind' is not one of ${SIGHTING_KINDS.join(', ')}`)
  if (open !== '' && open !== '0' && open !== '1') throw invalid("'open' is not 0 or 1")
  const [deviceId, portId, vlan] = [
    numberOf(query, 'device', MAX_ID),
    numberOf(query, 'port', MAX_ID),
    numberOf(query, 'vlan', MAX_VLAN),
  ]
  const [since, until] = [time(query, 'since'), time(query, 'until')]
  return {
    ...(mac !== null && { mac }),
    ...(address !== null && { address }),
    ...(kind !== undefined && { kind }),
    ...(open !== '' && { open: open === '1' }),
    ...(deviceId !== null && { deviceId }),
    ...(portId !== null && { portId }),
    ...(vlan !== null && { vlan }),
    ...(since !== null && { since }),
    ...(until !== null && { until }),
  }
}

function recordOf(row: SightingRow) {
  return {
    kind: row.kind,
    mac_address: row.mac,
    vlan: row.vlan,
    address: row.address,
    username: row.username,
    device_id: row.device_id,
    hostname: row.device,
    port_id: row.port_id,
    ifName: row.port,
    ifAlias: row.alias,
    first_seen: row.first_seen.toISOString(),
    last_seen: row.last_seen.toISOString(),
    open: row.open,
  }
}
