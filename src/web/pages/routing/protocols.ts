import type { Permission } from '../../../core/base/permissions.ts'
import type { RoutingProtocol } from '../../../core/lists/network-service.ts'

/** What it takes to see the sessions of a protocol, as in API v0. */
const GATES: Readonly<Record<RoutingProtocol, Permission>> = {
  BGP: 'BgpPeer.viewAny',
  OSPF: 'Route.viewAny',
  OSPFv3: 'Route.viewAny',
}

const PROTOCOLS = ['BGP', 'OSPF', 'OSPFv3'] as const

/** Protocols whose sessions an actor may see. */
export const protocolsFor = (may: (gate: Permission) => boolean): readonly RoutingProtocol[] =>
  PROTOCOLS.filter((protocol) => may(GATES[protocol]))
