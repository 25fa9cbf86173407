import { bgpLocalAs, bgpPeerTable } from '../../mibs/bgp4-mib.ts'
import { need, phase } from '../module.ts'
import type { BgpCounterRow, BgpRow } from './observation.ts'
import { bgp4Peers, type Peer } from './peer.ts'
import { sourcesOf } from './sources.ts'
import { asNumber, asText } from './values.ts'

/**
 * BGP sessions. Every router has BGP4-MIB, which covers only IPv4 peers. Vendor MIBs add IPv6 peers, more counters and
 * prefixes; they are read from routers that run BGP (bgpLocalAs), and from OS10 and FireBrick devices, which have only
 * their own MIB.
 */
export const discoverBgp = phase({
  scalars: { localAs: bgpLocalAs },
  tables: { peers: need(bgpPeerTable) },
  follow: ({ tables: { peers }, scalars: { localAs }, device }) =>
    sourcesOf(device, localAs, peers.rows.size).map(({ tables }, i) => ({ key: `source ${i}`, tables })),
  run({ tables: { peers }, scalars: { localAs }, scalarsComplete, followed, device, unread }) {
    const sessions: Peer[] = [...bgp4Peers(peers.rows)]
    if (peers.rows.size > 0 && sessions.length === 0) unread(bgpPeerTable, peers.rows.keys())
    const counters: BgpCounterRow[] = []
    let complete = scalarsComplete && peers.complete
    let as = asNumber(localAs)
    for (const [i, source] of sourcesOf(device, localAs, peers.rows.size).entries()) {
      const tables = followed.get(`source ${i}`)?.tables
      if (tables === undefined) continue
      complete &&= Object.values(tables).every((table) => table.complete)
      const found = source.read(tables, sessions)
      sessions.push(...found.peers)
      counters.push(...(found.counters ?? []))
      as ??= sameAs(found.localAs ?? [])
    }
    return [
      ...(as === undefined ? [] : [{ kind: 'system' as const, bgpLocalAs: as === 0 ? null : as }]),
      { kind: 'bgp', complete, rows: mergedPeers(sessions) },
      { kind: 'bgp_counters', complete, rows: mergedCounters(counters) },
    ]
  },
})

/** The local AS, if all sessions agree on it. Agents without bgpLocalAs report it per session. */
function sameAs(ofSessions: readonly (number | undefined)[]): number | undefined {
  const [as, ...others] = new Set(ofSessions.map(asNumber))
  return others.length === 0 ? as : undefined
}

/** One row per session; the vendor's MIB takes precedence over BGP4-MIB. Peers whose AS is unknown are left out. */
function mergedPeers(peers: readonly Peer[]): readonly BgpRow[] {
  return [...merged(peers, (peer) => `${peer.bgpPeerIdentifier} ${peer.context_name ?? ''}`).values()].flatMap(
    (peer) => {
      const { bgpPeerRemoteAs } = peer
      if (bgpPeerRemoteAs === undefined) return []
      return [
        {
          bgpLocalAddr: '0.0.0.0',
          bgpPeerRemoteAddr: '0.0.0.0',
          context_name: '',
          ...peer,
          bgpPeerRemoteAs,
          astext: asText(bgpPeerRemoteAs),
        },
      ]
    },
  )
}

function mergedCounters(counters: readonly BgpCounterRow[]): readonly BgpCounterRow[] {
  return [...merged(counters, (row) => `${row.bgpPeerIdentifier} ${row.context_name} ${row.afi} ${row.safi}`).values()]
}

/** Rows merged by key. Each member has the last known value. */
function merged<T extends object>(list: readonly T[], keyOf: (row: T) => string): ReadonlyMap<string, T> {
  const byKey = new Map<string, T>()
  for (const row of list) {
    const key = keyOf(row)
    const known = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined))
    // Both have the members of T, so the merged object has them too.
    byKey.set(key, { ...byKey.get(key), ...known } as T)
  }
  return byKey
}
