import { cumulusBgpPeerTable, cumulusVrfBgpPeerTable } from '../../mibs/bgp4-mib.ts'
import { aristaBgp4v2, type Bgp4v2Tables, draftBgp4v2, os10Bgp4v2 } from '../../mibs/bgp4v2-mib.ts'
import {
  cbgpFamilyTable,
  cbgpPeer2Table,
  cbgpPeer3Table,
  cbgpPrefix2Table,
  cbgpPrefixTable,
} from '../../mibs/cisco-bgp4-mib.ts'
import { fbBgpPeerTable } from '../../mibs/firebrick-bgp-mib.ts'
import {
  hwBgpPeerRouteTable,
  hwBgpPeerSessionExtTable,
  hwBgpPeerStatisticTable,
  hwBgpPeerTable,
} from '../../mibs/huawei-bgp-vpn-mib.ts'
import {
  jnxBgpM2PeerCountersTable,
  jnxBgpM2PeerErrorsTable,
  jnxBgpM2PeerEventTimesTable,
  jnxBgpM2PeerTable,
  jnxBgpM2PrefixCountersTable,
} from '../../mibs/juniper-bgp4-v2-mib.ts'
import { tBgpPeerNgOperTable, tBgpPeerNgTable } from '../../mibs/timetra-bgp-mib.ts'
import { type DeviceFacts, need } from '../module.ts'
import { isOf, type Source, source } from '../source.ts'
import type { Vendor } from '../vendor.ts'
import { bgp4v2Counters, bgp4v2Peers } from './bgp4v2.ts'
import { ciscoCounters, ciscoPeers, ciscoVrfPeers } from './cisco.ts'
import { cumulusPeers } from './cumulus.ts'
import { firebrickCounters, firebrickPeers } from './firebrick.ts'
import { huaweiCounters, huaweiPeers } from './huawei.ts'
import { juniperCounters, juniperPeers } from './juniper.ts'
import { nokiaPeers } from './nokia.ts'
import type { BgpCounterRow } from './observation.ts'
import { bgp4Peers, type Peer } from './peer.ts'
import { asNumber } from './values.ts'

/** What a source found. */
interface Found {
  readonly peers: readonly Peer[]
  readonly counters?: readonly BgpCounterRow[]
  /** The router's AS numbers as reported by its sessions; undefined or absent: unknown. */
  readonly localAs?: readonly (number | undefined)[]
}

/**
 * A vendor's own tables of sessions and prefixes, which cover more than BGP4-MIB: IPv6, other routing instances,
 * counters.
 */
interface BgpSource extends Omit<Source<readonly Peer[], Found>, 'vendors'> {
  /** Vendors whose routers are asked; absent: every router without sessions in BGP4-MIB, except those in `unless`. */
  readonly vendors?: readonly Vendor[]
  /** Vendors whose routers are not asked; only used if `vendors` is absent. */
  readonly unless?: readonly Vendor[]
  /** These routers have no other BGP MIB, so they are asked even without bgpLocalAs. */
  readonly alone?: true
}

function bgp4v2(tables: Bgp4v2Tables, asked: Pick<BgpSource, 'vendors' | 'unless' | 'alone'>): BgpSource {
  return source({
    ...asked,
    tables: {
      peers: need(tables.peers),
      errors: need(tables.errors),
      times: need(tables.times),
      counters: need(tables.counters),
      prefixes: need(tables.prefixes),
    },
    read: (rows) => ({
      peers: bgp4v2Peers(rows),
      counters: bgp4v2Counters(rows.prefixes, rows.peers),
      localAs: [...rows.peers.values()].map((row) => row.localAs),
    }),
  })
}

/** In reading order; if two sources have the same session, the later one wins. `known`: the sessions found before. */
const SOURCES: readonly BgpSource[] = [
  source({
    vendors: ['cumulus'],
    tables: { unnumbered: need(cumulusBgpPeerTable), vrfs: need(cumulusVrfBgpPeerTable) },
    read: ({ unnumbered, vrfs }) => ({ peers: [...bgp4Peers(unnumbered), ...cumulusPeers(vrfs)] }),
  }),
  source({
    vendors: ['cisco'],
    tables: {
      peers: need(cbgpPeer2Table),
      vrfs: need(cbgpPeer3Table),
      old: need(cbgpPrefixTable),
      prefixes: need(cbgpPrefix2Table),
      families: need(cbgpFamilyTable),
    },
    read({ peers, vrfs, old, prefixes, families }, known: readonly Peer[]) {
      const own = ciscoPeers(peers)
      const addresses = new Set([...known, ...own].map((peer) => peer.bgpPeerIdentifier))
      return { peers: [...own, ...ciscoVrfPeers(vrfs, addresses)], counters: ciscoCounters(old, prefixes, families) }
    },
  }),
  source({
    vendors: ['juniper'],
    tables: {
      peers: need(jnxBgpM2PeerTable),
      errors: need(jnxBgpM2PeerErrorsTable),
      times: need(jnxBgpM2PeerEventTimesTable),
      counters: need(jnxBgpM2PeerCountersTable),
      prefixes: need(jnxBgpM2PrefixCountersTable),
    },
    read: (rows) => ({ peers: juniperPeers(rows), counters: juniperCounters(rows) }),
  }),
  source({
    vendors: ['huawei'],
    tables: {
      peers: need(hwBgpPeerTable),
      routes: need(hwBgpPeerRouteTable),
      statistics: need(hwBgpPeerStatisticTable),
      descriptions: need(hwBgpPeerSessionExtTable),
    },
    read: ({ peers, routes, statistics, descriptions }) => ({
      peers: huaweiPeers(peers, statistics, descriptions),
      counters: huaweiCounters(routes, peers),
    }),
  }),
  source({
    vendors: ['nokia'],
    tables: { peers: need(tBgpPeerNgTable), states: need(tBgpPeerNgOperTable) },
    read: ({ peers, states }) => ({ peers: nokiaPeers(peers, states) }),
  }),
  source({
    vendors: ['firebrick'],
    alone: true,
    tables: { peers: need(fbBgpPeerTable) },
    read: ({ peers }) => ({
      peers: firebrickPeers(peers),
      counters: firebrickCounters(peers),
      localAs: [...peers.values()].map((row) => row.fbBgpPeerLocalAS),
    }),
  }),
  bgp4v2(os10Bgp4v2, { vendors: ['dellOs10'], alone: true }),
  bgp4v2(aristaBgp4v2, { vendors: ['arista'] }),
  bgp4v2(draftBgp4v2, { unless: ['cisco', 'juniper', 'huawei', 'nokia', 'dellOs10', 'arista'] }),
]

/**
 * The sources to read from a router. `sessions`: number of sessions in BGP4-MIB; `localAs`: bgpLocalAs, 0 or undefined
 * without BGP.
 */
export function sourcesOf(device: DeviceFacts, localAs: number | undefined, sessions: number): readonly BgpSource[] {
  const speaks = (asNumber(localAs) ?? 0) > 0 || sessions > 0
  return SOURCES.filter(({ vendors, unless = [], alone }) => {
    if (vendors !== undefined) return isOf(device, vendors) && (speaks || alone === true)
    return speaks && sessions === 0 && !isOf(device, unless)
  })
}
