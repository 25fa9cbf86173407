import { bgpLocalAs, bgpPeerTable, cumulusBgpPeerTable, cumulusVrfBgpPeerTable } from '../../mibs/bgp4-mib.ts'
import { aristaBgp4v2, type Bgp4v2Tables, draftBgp4v2, os10Bgp4v2 } from '../../mibs/bgp4v2-mib.ts'
import { cbgpPeer2Table, cbgpPeer3Table, cbgpPrefix2Table, cbgpPrefixTable } from '../../mibs/cisco-bgp4-mib.ts'
import { fbBgpPeerTable } from '../../mibs/firebrick-bgp-mib.ts'
import { hwBgpPeerRouteTable, hwBgpPeerStatisticTable, hwBgpPeerTable } from '../../mibs/huawei-bgp-vpn-mib.ts'
import {
  jnxBgpM2PeerCountersTable,
  jnxBgpM2PeerErrorsTable,
  jnxBgpM2PeerEventTimesTable,
  jnxBgpM2PeerTable,
  jnxBgpM2PrefixCountersTable,
} from '../../mibs/juniper-bgp4-v2-mib.ts'
import { tBgpPeerNgOperTable, tBgpPeerNgTable } from '../../mibs/timetra-bgp-mib.ts'
import type { Rows } from '../../snmp/table.ts'
import { need, phase } from '../module.ts'
import { isFrom, type Vendor, when } from '../vendor.ts'
import { bgp4v2Counters, bgp4v2Peers } from './bgp4v2.ts'
import { ciscoCounters, ciscoPeers, ciscoVrfPeers } from './cisco.ts'
import { cumulusPeers } from './cumulus.ts'
import { firebrickCounters, firebrickPeers } from './firebrick.ts'
import { huaweiCounters, huaweiPeers } from './huawei.ts'
import { juniperCounters, juniperPeers } from './juniper.ts'
import { nokiaPeers } from './nokia.ts'
import type { BgpCounterRow, BgpRow } from './observation.ts'
import { bgp4Peers, type Peer } from './peer.ts'
import { asNumber, asText } from './values.ts'

const v2 = (asked: boolean, tables: Bgp4v2Tables) => ({
  peers: when(asked, need(tables.peers)),
  errors: when(asked, need(tables.errors)),
  times: when(asked, need(tables.times)),
  counters: when(asked, need(tables.counters)),
  prefixes: when(asked, need(tables.prefixes)),
})

/**
 * BGP sessions. Every router has BGP4-MIB, which covers only IPv4 peers. Vendor MIBs add IPv6 peers, more counters and
 * prefixes; they are read from routers that run BGP (bgpLocalAs), and from OS10 and FireBricks, which have only their own MIB.
 */
export const discoverBgp = phase({
  scalars: { localAs: bgpLocalAs },
  tables: { peers: need(bgpPeerTable) },
  follow({ tables: { peers }, scalars: { localAs }, device }) {
    const speaks = (asNumber(localAs) ?? 0) > 0 || peers.rows.size > 0
    const of = (vendor: Vendor) => speaks && isFrom(device, vendor)
    const [cisco, juniper, huawei, nokia] = [of('cisco'), of('juniper'), of('huawei'), of('nokia')]
    const others = speaks && peers.rows.size === 0 && !cisco && !juniper && !huawei && !nokia
    const [own, tables] = isFrom(device, 'dellOs10')
      ? [true, os10Bgp4v2]
      : isFrom(device, 'arista')
        ? [speaks, aristaBgp4v2]
        : [others, draftBgp4v2]
    return [
      {
        key: 'own',
        tables: {
          cumulus: when(of('cumulus'), need(cumulusBgpPeerTable)),
          cumulusVrfs: when(of('cumulus'), need(cumulusVrfBgpPeerTable)),
          cisco: when(cisco, need(cbgpPeer2Table)),
          ciscoVrfs: when(cisco, need(cbgpPeer3Table)),
          ciscoOld: when(cisco, need(cbgpPrefixTable)),
          ciscoPrefixes: when(cisco, need(cbgpPrefix2Table)),
          juniper: when(juniper, need(jnxBgpM2PeerTable)),
          juniperErrors: when(juniper, need(jnxBgpM2PeerErrorsTable)),
          juniperTimes: when(juniper, need(jnxBgpM2PeerEventTimesTable)),
          juniperCounters: when(juniper, need(jnxBgpM2PeerCountersTable)),
          juniperPrefixes: when(juniper, need(jnxBgpM2PrefixCountersTable)),
          huawei: when(huawei, need(hwBgpPeerTable)),
          huaweiRoutes: when(huawei, need(hwBgpPeerRouteTable)),
          huaweiStatistics: when(huawei, need(hwBgpPeerStatisticTable)),
          firebrick: when(isFrom(device, 'firebrick'), need(fbBgpPeerTable)),
          nokia: when(nokia, need(tBgpPeerNgTable)),
          nokiaStates: when(nokia, need(tBgpPeerNgOperTable)),
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
        ...cumulusPeers(own.cumulusVrfs.rows),
        ...ciscoPeers(own.cisco.rows),
        ...juniperPeers(juniper),
        ...huaweiPeers(own.huawei.rows, own.huaweiStatistics.rows),
        ...nokiaPeers(own.nokia.rows, own.nokiaStates.rows),
        ...firebrickPeers(own.firebrick.rows),
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
        ...huaweiCounters(own.huaweiRoutes.rows, own.huawei.rows),
        ...firebrickCounters(own.firebrick.rows),
        ...bgp4v2Counters(own.prefixes.rows, own.peers.rows),
      )
    }
    const as = asNumber(localAs) ?? localAsOf(own?.peers.rows) ?? firebrickLocalAs(own?.firebrick.rows)
    return [
      ...(as === undefined ? [] : [{ kind: 'system' as const, bgpLocalAs: as === 0 ? null : as }]),
      { kind: 'bgp', complete, rows: mergedPeers(sessions) },
      { kind: 'bgp_counters', complete, rows: mergedCounters(counters) },
    ]
  },
})

/** The local AS, if all sessions have the same. Agents without bgpLocalAs report it per session. */
function localAsOf(peers: ReadonlyMap<string, { readonly localAs?: number | undefined }> | undefined) {
  const [as, ...others] = new Set([...(peers?.values() ?? [])].map(({ localAs }) => asNumber(localAs)))
  return others.length === 0 ? as : undefined
}

function firebrickLocalAs(peers: Rows<typeof fbBgpPeerTable> | undefined) {
  return localAsOf(new Map([...(peers ?? [])].map(([index, row]) => [index, { localAs: row.fbBgpPeerLocalAS }])))
}

/** One row for each session. The vendor's MIB takes precedence over BGP4-MIB. Peers without a known AS are left out. */
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

/** Rows by key. Each member has the last value that is known. */
function merged<T extends object>(list: readonly T[], keyOf: (row: T) => string): ReadonlyMap<string, T> {
  const byKey = new Map<string, T>()
  for (const row of list) {
    const key = keyOf(row)
    const known = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined))
    // Both have the members of T; known values replace unknown ones.
    byKey.set(key, { ...byKey.get(key), ...known } as T)
  }
  return byKey
}
