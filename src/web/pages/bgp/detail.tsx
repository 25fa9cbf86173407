/** @jsxImportSource #jsx */
import { notFound } from '../../../core/base/errors.ts'
import { isAllowed } from '../../../core/base/permissions.ts'
import type { BgpFamily, BgpSession, SessionEvent } from '../../../core/lists/network-service.ts'
import { ChartCard } from '../../components/chart.tsx'
import { deviceGraph, TALL } from '../../components/graph-specs.ts'
import { Pill, type Tone } from '../../components/icon.tsx'
import { Events } from '../../components/lists.tsx'
import { type PageRange, RangeBar, rangeOf } from '../../components/range.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Card, count, duration, Empty, plain, Unknown } from '../../components/values.tsx'
import { idOf } from '../../id.ts'
import { page } from '../../page.ts'

const EVENTS = 200

interface BgpData {
  readonly session: BgpSession
  /** null: the actor may not read the event log. */
  readonly events: readonly SessionEvent[] | null
  readonly range: PageRange
}

/** A BGP session: its state and history, prefixes and messages. */
export const bgpPage = page<BgpData>({
  path: '/bgp/:id',
  gate: 'BgpPeer.viewAny',
  scripts: ['chart.js'],
  async load({ services: { network, fleet, config }, actor, params, query, nowMs }) {
    const id = idOf(params['id'])
    const session = id === 0 ? null : await network.bgpSession(actor, id)
    if (session === null) throw notFound(`BGP session ${params['id']} does not exist`)
    const events = isAllowed(actor, 'Eventlog.viewAny', config) ? await network.bgpSessionEvents(session, EVENTS) : null
    return { session, events, range: rangeOf(query, nowMs, await fleet.addedAt(session.device_id)) }
  },
  view({ session, events, range }, { query, nowMs }) {
    const state = stateOf(session)
    const name = `BGP session with ${plain(session.peer)}`
    const graph = (type: string, title: string) => ({
      ...deviceGraph({ deviceId: session.device_id, hostname: session.hostname }, `device_${type}`, title, {
        height: TALL,
        rows: type === 'bgp_prefixes' ? 1 : 2,
      }),
      src: `/graph/device/${session.device_id}/device_${type}?only=${session.id}`,
      api: null,
    })
    const facts: readonly (readonly [string, string | null])[] = [
      ['Remote AS', `AS${session.remote_as}${session.as_name === '' ? '' : ` ${session.as_name}`}`],
      ['Local AS', session.local_as === null ? null : `AS${session.local_as}`],
      ['Description', session.descr],
      ['Local address', session.local_address],
      ['Remote address', session.remote_address === session.peer ? null : session.remote_address],
      ['VRF', session.vrf],
      [state.isUp ? 'Established for' : 'Not established for', session.since_s > 0 ? duration(session.since_s) : null],
      ['Last error', session.error],
    ]
    return {
      title: `${name} of ${plain(session.device)}`,
      crumbs: [
        { label: 'Routing', href: '/routing' },
        { label: plain(session.device), href: `/device/${session.device_id}/routing` },
        { label: plain(session.peer) },
      ],
      body: (
        <>
          <div class="title">
            <h1 dir="auto">
              {plain(session.device)}: {name}
            </h1>
            <Pill tone={state.tone}>{state.word}</Pill>
          </div>
          <div class="meta">
            {facts.map(([label, value]) =>
              value === null || value === '' ? null : (
                <span dir="auto">
                  <b>{label}</b>
                  {plain(value)}
                </span>
              ),
            )}
            {session.port_id === null ? null : (
              <span>
                <b>Port</b>
                <a href={`/port/${session.port_id}`}>{plain(session.port ?? '') || `port ${session.port_id}`}</a>
              </span>
            )}
          </div>
          <RangeBar range={range} query={query} />
          <div class="stack">
            <ChartCard
              spec={graph('bgp_prefixes', 'Accepted prefixes')}
              range={range}
              sub="all address families together"
            />
            <div class="two">
              <ChartCard spec={graph('bgp_updates', 'Updates')} range={range} />
              <ChartCard spec={graph('bgp_messages', 'Messages')} range={range} />
            </div>
            <Card title="Prefixes" sub="at the last discovery, by address family">
              {session.families.length === 0 ? (
                <Empty
                  title="The device does not report prefixes of this session"
                  help={['reference/coverage', 'What is found on which devices']}
                />
              ) : (
                <Table columns={FAMILIES} rows={session.families} query={query} caption="Prefixes by address family" />
              )}
            </Card>
            {events === null ? null : (
              <Card title="History" sub="changes of the state, latest first">
                {events.length === 0 ? (
                  <Empty title="The session has not changed since the oldest event that is kept" />
                ) : (
                  <Events rows={events} nowMs={nowMs} device={false} />
                )}
              </Card>
            )}
          </div>
        </>
      ),
    }
  },
})

function stateOf({ state, admin }: BgpSession): {
  readonly tone: Tone
  readonly word: string
  readonly isUp: boolean
} {
  const isUp = state.toLowerCase() === 'established'
  if (isUp) return { tone: 'ok', word: 'Established', isUp }
  const isStopped = admin === 'stop' || admin === 'halted'
  return isStopped
    ? { tone: 'off', word: 'Admin down', isUp }
    : { tone: state === '' ? 'off' : 'bad', word: plain(state) || 'Unknown', isUp }
}

const number = (id: keyof BgpFamily & string, label: string): Column<BgpFamily> => ({
  id,
  label,
  numeric: true,
  cell: (row) => count(Number(row[id])),
})

const FAMILIES: readonly Column<BgpFamily>[] = [
  { id: 'family', label: 'Address family', class: 'full', cell: ({ family }) => plain(family) },
  number('accepted', 'Accepted'),
  number('denied', 'Denied'),
  number('advertised', 'Advertised'),
  number('suppressed', 'Suppressed'),
  number('withdrawn', 'Withdrawn'),
  {
    id: 'limit',
    label: 'Limit',
    numeric: true,
    cell: ({ limit }) => (limit > 0 ? count(limit) : <Unknown why="no limit is configured" />),
  },
]
