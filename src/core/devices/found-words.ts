import { counted } from '../../lib/counted.ts'
import type { DeviceExplanation } from './explain.ts'

/** What discovery found; zero counts are left out. */
export function foundText(found: DeviceExplanation['found']): string {
  const gone = found.portsDeleted > 0 ? ` (${found.portsDeleted} more deleted)` : ''
  const parts = [
    found.ports + found.portsDeleted > 0 && counted(found.ports, 'port') + gone,
    found.addresses > 0 && counted(found.addresses, 'IP address', 'IP addresses'),
    found.inventory > 0 && counted(found.inventory, 'inventory entry', 'inventory entries'),
    found.processors > 0 && counted(found.processors, 'processor'),
    found.mempools > 0 && counted(found.mempools, 'memory pool'),
    found.storage > 0 && counted(found.storage, 'volume'),
    found.sensors > 0 && counted(found.sensors, 'sensor'),
    found.wireless > 0 && counted(found.wireless, 'wireless sensor'),
    found.vlans > 0 && counted(found.vlans, 'VLAN'),
    found.neighbours > 0 && counted(found.neighbours, 'neighbour'),
    found.bgpPeers > 0 && counted(found.bgpPeers, 'BGP peer'),
  ].filter((part) => part !== false)
  return parts.length === 0 ? 'nothing yet' : parts.join(', ')
}
