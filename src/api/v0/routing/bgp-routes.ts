import { expandIpv6, parseIpv4, parseIpv6 } from '@portlight/addresses/ip.ts'
import { absent, invalid, notFound, unusable } from '../../../core/base/errors.ts'
import type { BgpQuery } from '../../../core/inventory/routing.ts'
import type { Services } from '../../../core/services.ts'
import { Elysia, t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { operation, v0Context } from '../context.ts'
import { documented, ErrorModel, Ok } from '../envelope.ts'
import { listAnswer, listOrMissing } from '../list-answer.ts'
import { rowId } from '../lookup.ts'
import { refusals } from '../statuses.ts'
import { deviceOf, HostnameQuery } from './device-filter.ts'
import { BgpCounter, BgpPeer } from './model.ts'

const BgpModel = {
  query: documented(
    t.Object({
      hostname: t.Optional(t.String({ description: 'hostname or device id' })),
      asn: t.Optional(t.String({ description: 'local AS' })),
      remote_asn: t.Optional(t.String()),
      remote_address: t.Optional(t.String()),
      local_address: t.Optional(t.String()),
      bgp_descr: t.Optional(t.String({ description: 'part of the description' })),
      bgp_state: t.Optional(t.String({ description: 'established, idle, ...' })),
      bgp_adminstate: t.Optional(t.String({ description: 'start, stop, running, ...' })),
      bgp_family: t.Optional(t.String({ description: '4 or 6' })),
    }),
  ),
  id: documented(t.Object({ id: t.String() })),
  body: documented(t.Object({ bgp_descr: t.String() })),
  sessions: documented(
    t.Object({ status: Ok, message: t.Literal(''), bgp_sessions: t.Array(BgpPeer), count: whole() }),
  ),
  session: documented(t.Object({ status: Ok, bgp_session: t.Array(BgpPeer), count: whole() })),
  edited: documented(t.Object({ status: Ok, message: t.String() })),
  counters: documented(t.Object({ status: Ok, bgp_counters: t.Array(BgpCounter), count: whole() })),
}

/** An address in the notation that sessions are stored with. Throws 400 if it is not an address. */
function address(text: string, message: string): string {
  if (parseIpv4(text) !== null) return text
  const octets = parseIpv6(text)
  if (octets === null) throw invalid(message)
  return expandIpv6(octets)
}

/** An AS number; characters other than digits are ignored. */
function asn(text: string): number {
  return Number(text.replace(/\D/g, '').slice(0, 15))
}

function filterOf(query: typeof BgpModel.query.static): BgpQuery {
  const { bgp_family: family, bgp_descr: descr, bgp_state: state, bgp_adminstate: adminStatus } = query
  return {
    ...(query.asn !== undefined && { localAs: asn(query.asn) }),
    ...(query.remote_asn !== undefined && { remoteAs: asn(query.remote_asn) }),
    ...(query.local_address !== undefined && { localAddress: address(query.local_address, 'Invalid local address') }),
    ...(query.remote_address !== undefined && {
      remoteAddress: address(query.remote_address, 'Invalid remote address'),
    }),
    ...(descr !== undefined && { descr }),
    ...(state !== undefined && { state }),
    ...(adminStatus !== undefined && { adminStatus }),
    ...(family === '4' && { family: 4 }),
    ...(family === '6' && { family: 6 }),
  }
}

/** The id of a session in a path. Throws 400 if it is not a number. */
export function numericId(text: string): number {
  if (!/^\d+$/.test(text)) throw invalid('Invalid id has been provided')
  return rowId(text)
}

/** BGP sessions and their prefixes. */
export const bgpRoutes = ({ devices, inventory, log }: Pick<Services, 'devices' | 'inventory' | 'log'>) =>
  new Elysia({ name: 'v0.bgp' })
    .use(v0Context)
    .get(
      '/bgp',
      async ({ actor, query }) => {
        const filter = filterOf(query)
        const deviceId = await deviceOf(devices, actor, query.hostname)
        const sessions = inventory.bgpPeers(actor, { ...filter, deviceId })
        return await listAnswer(sessions, log, { name: 'bgp_sessions', message: true })
      },
      {
        ...operation({ id: 'list_bgp', gate: 'BgpPeer.viewAny', summary: 'BGP sessions' }),
        query: BgpModel.query,
        response: { 200: BgpModel.sessions, 400: ErrorModel },
      },
    )
    .get(
      '/bgp/:id',
      async ({ actor, params }) => {
        const session = await inventory.bgpPeer(actor, numericId(params.id))
        if (session === null) throw notFound(`BGP peer ${params.id} does not exist`)
        return { status: 'ok' as const, bgp_session: [session], count: 1 }
      },
      {
        ...operation({ id: 'get_bgp', gate: 'BgpPeer.viewAny', summary: 'One BGP session' }),
        params: BgpModel.id,
        response: { 200: BgpModel.session, 400: ErrorModel, 404: ErrorModel },
      },
    )
    .post(
      '/bgp/:id',
      async ({ actor, params, body }) => {
        const descr = typeof body === 'object' && body !== null ? body.bgp_descr : undefined
        if (typeof descr !== 'string' || descr === '') throw unusable('Invalid JSON data')
        const id = numericId(params.id)
        const session = await inventory.bgpPeer(actor, id)
        if (session === null) throw notFound(`BGP peer ${params.id} does not exist`)
        const fit = [...descr].slice(0, 255).join('')
        if (!(await inventory.describeBgpPeer(id, fit))) throw absent('Failed to update existing bgp')
        const { bgpPeerIdentifier, device_id } = session
        return {
          status: 'ok' as const,
          message: `BGP description for peer ${bgpPeerIdentifier} on device ${device_id} updated to ${fit}.`,
        }
      },
      {
        ...operation({
          id: 'edit_bgp_descr',
          gate: 'BgpPeer.update',
          summary: 'Sets the description of a BGP session',
        }),
        params: BgpModel.id,
        body: BgpModel.body,
        response: { 200: BgpModel.edited, ...refusals('invalid', 'unusable', 'not_found', 'absent') },
      },
    )
    .get(
      '/routing/bgp/cbgp',
      async ({ actor, query }) => {
        const device = query.hostname === undefined ? null : await devices.find(actor, query.hostname)
        const counters = inventory.bgpCounters(actor, device?.device_id)
        return await listAnswer(counters, log, listOrMissing('bgp_counters', 'BGP counters does not exist'))
      },
      {
        ...operation({ id: 'list_cbgp', gate: 'Route.viewAny', summary: 'Prefixes of BGP sessions by address family' }),
        query: HostnameQuery,
        response: { 200: BgpModel.counters, 403: ErrorModel, 404: ErrorModel },
      },
    )
