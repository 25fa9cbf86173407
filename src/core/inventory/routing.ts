import { type Actor, scopeOf } from '../base/actor.ts'
import type { Store } from '../database/client.ts'
import * as readers from './read-routing.ts'
import { describeBgpPeer } from './write-routing.ts'

/** Filters of BGP sessions. */
export type BgpQuery = Omit<readers.BgpFilter, 'scope'>

/**
 * Operations on routing: BGP, OSPF, VRFs, MPLS and IPsec. Lists are limited to what the actor may see, and to one
 * device if given; they are in order of id and come in chunks of JSON.
 */
export function routingOperations(store: Store) {
  const of = (actor: Actor, deviceId: number | undefined): readers.RoutingFilter => ({
    scope: scopeOf(actor),
    deviceId,
  })
  return {
    bgpPeers: (actor: Actor, query: BgpQuery) => readers.listBgpPeers(store, { ...query, scope: scopeOf(actor) }),
    /** null: it does not exist, or the actor may not see it. */
    bgpPeer: (actor: Actor, id: number) => readers.findBgpPeer(store, scopeOf(actor), id),
    bgpCounters: (actor: Actor, deviceId?: number) => readers.listBgpCounters(store, of(actor, deviceId)),
    ospfNeighbours: (actor: Actor, deviceId?: number) => readers.listOspfNeighbours(store, of(actor, deviceId)),
    ospfPorts: (actor: Actor, deviceId?: number) => readers.listOspfPorts(store, of(actor, deviceId)),
    ospfv3Neighbours: (actor: Actor, deviceId?: number) => readers.listOspfv3Neighbours(store, of(actor, deviceId)),
    ospfv3Ports: (actor: Actor, deviceId?: number) => readers.listOspfv3Ports(store, of(actor, deviceId)),
    vrfs: (actor: Actor, query: { deviceId?: number | undefined; name?: string }) =>
      readers.listVrfs(store, { ...query, scope: scopeOf(actor) }),
    /** null: it does not exist, or the actor may not see it. */
    vrf: (actor: Actor, id: number) => readers.findVrf(store, scopeOf(actor), id),
    mplsServices: (actor: Actor, deviceId?: number) => readers.listMplsServices(store, of(actor, deviceId)),
    mplsSaps: (actor: Actor, deviceId?: number) => readers.listMplsSaps(store, of(actor, deviceId)),
    /** Active tunnels. */
    ipsecTunnels: (actor: Actor, deviceId: number) => readers.listIpsecTunnels(store, of(actor, deviceId)),
    /** Returns false if there is no such session. */
    describeBgpPeer: (id: number, descr: string) => describeBgpPeer(store, id, descr),
  }
}
