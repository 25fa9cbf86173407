import { bgpLocalAs, bgpPeerTable, cumulusBgpPeerTable } from '../../mibs/bgp4-mib.ts'
import { aristaBgp4v2, type Bgp4v2Tables, draftBgp4v2, os10Bgp4v2 } from '../../mibs/bgp4v2-mib.ts'
import { cbgpPeer2Table, cbgpPeer3Table, cbgpPrefix2Table, cbgpPrefixTable } from '../../mibs/cisco-bgp4-mib.ts'
import { hwBgpPeerRouteTable, hwBgpPeerStatisticTable, hwBgpPeerTable } from '../../mibs/huawei-bgp-vpn-mib.ts'
import {
  jnxBgpM2PeerCountersTable,
  jnxBgpM2PeerErrorsTable,
  jnxBgpM2PeerEventTimesTable,
  jnxBgpM2PeerTable,
  jnxBgpM2PrefixCountersTable,
} from '../../mibs/juniper-bgp4-v2-mib.ts'
import { tBgpPeerNgOperTable, tBgpPeerNgTable } from '../../mibs/timetra-bgp-mib.ts'
import type { MibTable } from '../../snmp/table.ts'
import { isFrom, OS10 } from '../enterprise.ts'
import { need, phase } from '../module.ts'
import { bgp4v2Counters, bgp4v2Peers } from './bgp4v2.ts'
import { ciscoCounters, ciscoPeers, ciscoVrfPeers } from './cisco.ts'
import { huaweiCounters, huaweiPeers } from './huawei.ts'
import { juniperCounters, juniperPeers } from './juniper.ts'
import { nokiaPeers } from './nokia.ts'
import type { BgpCounterRow, BgpRow } from './observation.ts'
import { bgp4Peers, type Peer } from './peer.ts'
import { asNumber, asText } from './values.ts'

/** The table with all its columns, or with none: then nothing is asked. */
function when<const T extends MibTable>(asked: boolean, table: T) {
  return asked ? need(table) : need(table, [])
}

const v2 = (asked: boolean, tables: Bgp4v2Tables) => ({
  peers: when(asked, tables.peers),
  errors: when(asked, tables.errors),
  times: when(asked, tables.times),
  counters: when(asked, tables.counters),
  prefixes: when(asked, tables.prefixes),
})

/**
 * BGP sessions. BGP4-MIB is what every router has, for IPv4 peers alone; makers' own MIBs know IPv6 peers, more
 * counters and prefixes. They are asked of routers that speak BGP (bgpLocalAs), and of OS10, which has its own MIB only.
 */
export const discoverBgp = phase({
  scalars: { localAs: bgpLocalAs },
  tables: { peers: need(bgpPeerTable) },
  follow({ tables: { peers }, scalars: { localAs }, device: { sysObjectID } }) {
    const speaks = (asNumber(localAs) ?? 0) > 0 || peers.rows.size > 0
    const of = (enterprise: string) => speaks && isFrom(sysObjectID, enterprise)
    const [cisco, juniper, huawei, nokia] = ['9', '2636', '2011', '6527'].map(of) as [
      boolean,
      boolean,
      boolean,
      boolean,
    ]
    const others = speaks && peers.rows.size === 0 && !cisco && !juniper && !huawei && !nokia
    const [own, tables] = isFrom(sysObjectID, OS10)
      ? [true, os10Bgp4v2]
      : isFrom(sysObjectID, '30065')
        ? [speaks, aristaBgp4v2]
        : [others, draftBgp4v2]
    return [
      {
        key: 'own',
        tables: {
          cumulus: when(of('40310'), cumulusBgpPeerTable),
          cisco: when(cisco, cbgpPeer2Table),
          ciscoVrfs: when(cisco, cbgpPeer3Table),
          ciscoOld: when(cisco, cbgpPrefixTable),
          ciscoPrefixes: when(cisco, cbgpPrefix2Table),
          juniper: when(juniper, jnxBgpM2PeerTable),
          juniperErrors: when(juniper, jnxBgpM2PeerErrorsTable),
          juniperTimes: when(juniper, jnxBgpM2PeerEventTimesTable),
          juniperCounters: when(juniper, jnxBgpM2PeerCountersTable),
          juniperPrefixes: when(juniper, jnxBgpM2PrefixCountersTable),
          huawei: when(huawei, hwBgpPeerTable),
          huaweiRoutes: when(huawei, hwBgpPeerRouteTable),
          huaweiStatistics: when(huawei, hwBgpPeerStatisticTable),
          nokia: when(nokia, tBgpPeerNgTable),
          nokiaStates: when(nokia, tBgpPeerNgOperTable),
          ...v2(own, tables),
        },
      },
    ]
  },
  run({ tables: { peers }, scalars: { localAs }, scalarsComplete, followed }) {
    const own = followed.get('own')?.tables
    const complete = scalarsComplete && peers.complete && Object.values(own ?? {}).every((table) => table.complete)
    const sessions: Peer[] = [...bgp4Peers(peers.rows)]
    const counters: BgpCounterRow[] = []
    if (own !== undefined) {
      const juniper = {
        peers: own.juniper.rows,
        errors: own.juniperErrors.rows,
        times: own.juniperTimes.rows,
        counters: own.juniperCounters.rows,
        prefixes: own.juniperPrefixes.rows,
      }
      sessions.push(
        ...bgp4Peers(own.cumulus.rows),
        ...ciscoPeers(own.cisco.rows),
        ...juniperPeers(juniper),
        ...huaweiPeers(own.huawei.rows, own.huaweiStatistics.rows),
        ...nokiaPeers(own.nokia.rows, own.nokiaStates.rows),
        ...bgp4v2Peers({
          peers: own.peers.rows,
          errors: own.errors.rows,
          times: own.times.rows,
          counters: own.counters.rows,
        }),
      )
      sessions.push(...ciscoVrfPeers(own.ciscoVrfs.rows, new Set(sessions.map((peer) => peer.bgpPeerIdentifier))))
      counters.push(
        ...ciscoCounters(own.ciscoOld.rows, own.ciscoPrefixes.rows),
        ...juniperCounters(juniper),
        ...huaweiCounters(own.huaweiRoutes.rows),
        ...bgp4v2Counters(own.prefixes.rows),
      )
    }
    const as = asNumber(localAs) ?? localAsOf(own?.peers.rows)
    return [
      ...(as === undefined ? [] : [{ kind: 'system' as const, bgpLocalAs: as === 0 ? null : as }]),
      { kind: 'bgp', complete, rows: mergedPeers(sessions) },
      { kind: 'bgp_counters', complete, rows: mergedCounters(counters) },
    ]
  },
})

/** The AS that all sessions have on our side; agents without bgpLocalAs tell it there. */
function localAsOf(peers: ReadonlyMap<string, { readonly localAs?: number | undefined }> | undefined) {
  const [as, ...others] = new Set([...(peers?.values() ?? [])].map(({ localAs }) => asNumber(localAs)))
  return others.length === 0 ? as : undefined
}

/** One row for each session; what the maker's own MIB says goes before BGP4-MIB. A peer whose AS nobody tells is not known. */
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
  return [...merged(counters, (row) => `${row.bgpPeerIdentifier} ${row.afi} ${row.safi}`).values()]
}

/** Rows by key; of each member the last value that is known. */
function merged<T extends object>(list: readonly T[], keyOf: (row: T) => string): ReadonlyMap<string, T> {
  const byKey = new Map<string, T>()
  for (const row of list) {
    const key = keyOf(row)
    const known = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined))
    // Both have the members of T, known ones in place of unknown ones.
    byKey.set(key, { ...byKey.get(key), ...known } as T)
  }
  return byKey
}
