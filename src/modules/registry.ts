import { DEFINITIONS } from '../definitions/catalogue.ts'
import { HEALTH } from '../definitions/health-catalogue.ts'
import { loadedDefinitions } from '../librenms/store.ts'
import { discoverAddresses } from './addresses/discover.ts'
import { discoverArp } from './arp/discover.ts'
import { discoverBgp } from './bgp/discover.ts'
import { discoverDefaultRoutes } from './default-routes/discover.ts'
import { discoverDefined } from './defined/discover.ts'
import { discoverEtherlike, pollEtherlike } from './etherlike/read.ts'
import { discoverFdb } from './fdb/discover.ts'
import { discoverInventory } from './inventory/discover.ts'
import { discoverIpsec } from './ipsec/discover.ts'
import { discoverIsis } from './isis/discover.ts'
import { discoverLinks } from './links/discover.ts'
import { discoverLoadBalancers } from './load-balancers/discover.ts'
import { discoverLoaded } from './loaded/discover.ts'
import { discoverMempools } from './mempools/discover.ts'
import type { Module } from './module.ts'
import { discoverMpls } from './mpls/discover.ts'
import { readNac } from './nac/discover.ts'
import { discoverOspf } from './ospf/discover.ts'
import { discoverOspfv3 } from './ospf/discover-v3.ts'
import { readPortSecurity } from './port-security/discover.ts'
import { discoverPortStack } from './port-stack/discover.ts'
import { discoverPorts } from './ports/discover.ts'
import { discoverPrinterSupplies } from './printer-supplies/discover.ts'
import { discoverProcessors } from './processors/discover.ts'
import { discoverQos, pollQos } from './qos/read.ts'
import { discoverEntitySensors } from './sensors/entity-sensors.ts'
import { discoverLmSensors } from './sensors/lm-sensors.ts'
import { discoverSla } from './sla/discover.ts'
import { discoverSpanningTree, pollSpanningTree } from './spanning-tree/discover.ts'
import { discoverStorage } from './storage/discover.ts'
import { discoverSystem } from './system/discover.ts'
import { discoverSystemStats } from './system-stats/discover.ts'
import { discoverTransceivers } from './transceivers/discover.ts'
import { discoverVlans } from './vlans/discover.ts'
import { discoverVrf } from './vrf/discover.ts'
import { discoverXdsl } from './xdsl/discover.ts'

/** Every module in run order: `system` first, because the others depend on the OS. */
export const MODULES: readonly Module[] = [
  {
    name: 'system',
    about: 'System group, OS, hardware, version, serial number.',
    discover: discoverSystem(DEFINITIONS, loadedDefinitions),
  },
  {
    name: 'ports',
    about: 'Interfaces and which counters they have.',
    discover: discoverPorts(DEFINITIONS.definitionOf, loadedDefinitions),
  },
  {
    name: 'etherlike',
    about: 'Ethernet errors and collisions of the interfaces (EtherLike-MIB). Off unless switched on.',
    discover: discoverEtherlike,
    poll: pollEtherlike,
  },
  { name: 'addresses', about: 'IPv4 and IPv6 addresses of the interfaces.', discover: discoverAddresses },
  { name: 'arp', about: 'ARP and IPv6 neighbour caches.', discover: discoverArp },
  { name: 'links', about: 'Neighbours from LLDP, CDP and similar protocols.', discover: discoverLinks },
  { name: 'nac', about: 'Sessions of network access control.', discover: readNac, poll: readNac },
  {
    name: 'port-security',
    about: 'Port security of Cisco switches.',
    discover: readPortSecurity,
    poll: readPortSecurity,
  },
  {
    name: 'inventory',
    about: 'Physical entities: chassis, modules, power supplies, fans.',
    discover: discoverInventory,
  },
  { name: 'processors', about: 'Processors and their load.', discover: discoverProcessors },
  { name: 'mempools', about: 'Memory and swap.', discover: discoverMempools },
  { name: 'storage', about: 'Filesystems and disks.', discover: discoverStorage },
  {
    name: 'entity-sensors',
    about: 'Sensors of physical entities (ENTITY-SENSOR-MIB).',
    discover: discoverEntitySensors,
  },
  { name: 'lm-sensors', about: 'Mainboard sensors of Linux servers (LM-SENSORS-MIB).', discover: discoverLmSensors },
  {
    name: 'xdsl',
    about: 'DSL lines: noise margin, attenuation, power and rates, as sensors.',
    discover: discoverXdsl,
  },
  {
    name: 'sla',
    about: 'Probes that routers send: IP SLA of Cisco, RPM of Juniper and pings of DISMAN-PING-MIB, as sensors.',
    discover: discoverSla,
  },
  {
    name: 'defined-health',
    about: 'Sensors, processors, memory and storage from vendor MIBs, as the definitions describe them.',
    discover: discoverDefined(HEALTH, loadedDefinitions),
  },
  {
    name: 'loaded-definitions',
    about: 'Sensors, processors, memory and storage as loaded definitions of LibreNMS describe them.',
    discover: discoverLoaded(loadedDefinitions),
  },
  {
    name: 'system-stats',
    about: 'Load, processor time, users, processes, and counters of IP, ICMP, TCP, UDP and SNMP.',
    discover: discoverSystemStats,
  },
  {
    name: 'printer-supplies',
    about: 'Toner and paper of printers, and what they complain about.',
    discover: discoverPrinterSupplies,
  },
  {
    name: 'port-stack',
    about: 'Which interfaces are layered on others, and link aggregation groups.',
    discover: discoverPortStack,
  },
  { name: 'vlans', about: 'VLANs, the ports in them, and the VLAN of each port.', discover: discoverVlans },
  {
    name: 'spanning-tree',
    about: 'Spanning trees, their roots and the states of their ports.',
    discover: discoverSpanningTree,
    poll: pollSpanningTree,
  },
  { name: 'fdb', about: 'Learned MAC addresses and their ports.', discover: discoverFdb },
  { name: 'transceivers', about: 'Pluggable optics and their EEPROM data.', discover: discoverTransceivers },
  { name: 'vrf', about: 'Virtual routing and forwarding instances.', discover: discoverVrf },
  { name: 'bgp', about: 'BGP sessions and their prefixes.', discover: discoverBgp, poll: discoverBgp },
  { name: 'ospf', about: 'OSPF interfaces and neighbours.', discover: discoverOspf, poll: discoverOspf },
  { name: 'ospfv3', about: 'OSPFv3 interfaces and neighbours.', discover: discoverOspfv3, poll: discoverOspfv3 },
  { name: 'isis', about: 'IS-IS adjacencies.', discover: discoverIsis, poll: discoverIsis },
  { name: 'default-routes', about: 'Next hops of the default route.', discover: discoverDefaultRoutes },
  { name: 'mpls', about: 'MPLS services and their access points.', discover: discoverMpls, poll: discoverMpls },
  {
    name: 'qos',
    about: 'Classes of QoS policies on interfaces of Cisco routers and switches, and what they send and drop.',
    discover: discoverQos,
    poll: pollQos,
  },
  { name: 'ipsec', about: 'IPsec tunnels.', discover: discoverIpsec, poll: discoverIpsec },
  {
    name: 'load-balancers',
    about: 'Pools, pool members, virtual servers and bandwidth policies of load balancers, as components.',
    discover: discoverLoadBalancers,
    poll: discoverLoadBalancers,
  },
]
