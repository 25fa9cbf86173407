import type { Settings } from '../../config/schema.ts'
import { type Actor, scopeOf } from '../base/actor.ts'
import { forbidden } from '../base/errors.ts'
import { isAllowed, type Permission } from '../base/permissions.ts'
import { type CompiledRule, compile, type RuleReader } from './compile.ts'
import { scopedFrom } from './read-scope.ts'
import { BILL_TABLES } from './read-tables.ts'

/** The permission that the rows of a table require, as on the pages and in the API. Other tables: any rule. */
const GATES: Readonly<Record<string, Permission>> = {
  bgpPeers: 'BgpPeer.viewAny',
  bgpPeers_cbgp: 'BgpPeer.viewAny',
  bill_ports: 'Bill.viewAny',
  bills: 'Bill.viewAny',
  component: 'Device.viewAny',
  component_prefs: 'Device.viewAny',
  device_claims: 'Poller.viewAny',
  eventlog: 'Eventlog.viewAny',
  default_routes: 'Route.viewAny',
  ipsec_tunnels: 'Route.viewAny',
  isis_adjacencies: 'Route.viewAny',
  links: 'Link.viewAny',
  locations: 'Location.viewAny',
  mpls_saps: 'Route.viewAny',
  mpls_services: 'Route.viewAny',
  ospf_nbrs: 'Route.viewAny',
  ospf_ports: 'Route.viewAny',
  ospfv3_areas: 'Route.viewAny',
  ospfv3_instances: 'Route.viewAny',
  ospfv3_nbrs: 'Route.viewAny',
  ospfv3_ports: 'Route.viewAny',
  ports_nac: 'PortsNac.viewAny',
  ports_stp: 'Port.viewAny',
  ports_vlans: 'Vlan.viewAny',
  qos_classes: 'Port.viewAny',
  sensors: 'Sensor.viewAny',
  services: 'Service.viewAny',
  stp: 'Port.viewAny',
  syslog: 'Syslog.viewAny',
  vlans: 'Vlan.viewAny',
  vrfs: 'Vrf.viewAny',
  wireless_sensors: 'Sensor.viewAny',
}

/** The rows that an actor may see in each table of a rule. */
export function readerOf(actor: Actor, settings: Settings): RuleReader {
  const scope = scopeOf(actor)
  return {
    refuses(table) {
      const gate = Object.hasOwn(GATES, table) ? GATES[table] : undefined
      if (gate === undefined || isAllowed(actor, gate, settings)) return null
      return `The rule reads table ${table}, which you may not see`
    },
    from: (table) => (scope.kind === 'all' ? table.from : scopedFrom(table, scope)),
  }
}

/**
 * Compiles a rule that is to be stored. Stored rules see all rows of the devices that they apply to, so they may only
 * read tables of which the actor sees all these rows. Throws BuilderError, or `forbidden` for such a table.
 */
export function compileFor(actor: Actor, settings: Settings, builder: unknown): CompiledRule {
  const reader = readerOf(actor, settings)
  const compiled = compile(builder)
  for (const table of compiled.parts.tables) {
    const why = reader.refuses(table)
    if (why !== null) throw forbidden(`Insufficient permissions: ${why}`)
    if (BILL_TABLES.has(table) && scopeOf(actor).kind !== 'all')
      throw forbidden(`Insufficient permissions: a rule reads all bills of a port, and you see only granted ones`)
  }
  return compiled
}
