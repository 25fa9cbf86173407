import type { UnmonitoredNeighbour } from '../../../core/candidates/candidate.ts'
import type { NeighbourRow, StationRow } from '../../../core/lists/service.ts'
import type { PageRequest } from '../../page.ts'
import { can } from '../../permissions.ts'

/** Where to add a neighbour that is not monitored: what was found of it, or the form with its name. */
export const addHref = ({ candidateId, name }: Pick<UnmonitoredNeighbour, 'candidateId' | 'name'>): string =>
  candidateId === null ? newDevice(name) : `/found/accept?ids=${candidateId}`

/** The form for a new device, with its name or address. */
const newDevice = (name: string): string => `/devices/new?hostname=${encodeURIComponent(name.slice(0, 255))}`

/** Where to add the neighbours of a device that are not monitored, by the id of their link; empty for those who may not. */
export async function addLinks(
  visit: PageRequest,
  deviceId: number,
  rows: readonly NeighbourRow[],
): Promise<ReadonlyMap<number, string>> {
  const open = rows.filter((row) => row.remote_device_id === null)
  if (open.length === 0 || !can(visit, 'Device.create')) return new Map()
  const neighbours = await visit.services.candidates.unmonitored(visit.actor, deviceId)
  return new Map(
    open.flatMap((row) => {
      const here = neighbours.filter(({ links }) => links.some(({ portId }) => portId === row.port_id))
      // several on one port are told apart by their names
      const neighbour =
        here.find(({ name }) => name === row.remote_hostname) ?? (here.length === 1 ? here[0] : undefined)
      return neighbour === undefined ? [] : [[row.id, addHref(neighbour)] as const]
    }),
  )
}

/** Where to add what answers at addresses of an ARP table and is not monitored, by address; empty for those who may not. */
export async function addAddresses(
  visit: PageRequest,
  rows: readonly StationRow[],
): Promise<ReadonlyMap<string, string>> {
  const addresses = rows.flatMap(({ address }) => address ?? [])
  if (addresses.length === 0 || !can(visit, 'Device.create')) return new Map()
  const addable = await visit.services.fleet.addable(visit.actor, addresses)
  return new Map(addable.map(({ address, candidateId }) => [address, addHref({ candidateId, name: address })]))
}
