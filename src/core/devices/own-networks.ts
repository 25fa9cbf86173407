import { isIP } from 'node:net'
import { addressOctets, inNetwork, parseNetwork } from '@portlight/addresses/networks.ts'
import type { Settings } from '../../config/schema.ts'
import { type Actor, isAdmin } from '../base/actor.ts'
import { forbidden } from '../base/errors.ts'
import type { Gateway } from '../base/gateway.ts'

export interface OwnNetworksDeps {
  readonly settings: Settings
  readonly gateway: Pick<Gateway, 'resolve'>
}

/**
 * Whether the actor may have stored credentials sent to a host, a name or an address. Those who see credentials may
 * choose any host, and others only one in the networks of setting `nets`: at any other host they could read them. A name
 * needs its IPv4 and its IPv6 address there.
 */
export async function maySendStored({ settings, gateway }: OwnNetworksDeps, actor: Actor, host: string) {
  if (isAdmin(actor)) return true
  const networks = settings.get('nets').map(parseNetwork)
  if (networks.length === 0) return false
  const isOwn = (address: string): boolean => {
    const octets = addressOctets(address.replace(/%.*/, ''))
    return octets !== null && networks.some((network) => network !== null && inNetwork(octets, network))
  }
  if (isIP(host) !== 0) return isOwn(host)
  // which family is asked depends on the device's transport, which can be changed afterwards
  const found = await Promise.all(([4, 6] as const).map((family) => gateway.resolve(host, family)))
  const addresses = found.filter((address) => address !== null)
  return addresses.length > 0 && addresses.every(isOwn)
}

/** Throws `forbidden` if the actor may not have stored credentials sent to one of the hosts. */
export async function requireOwnNetwork(deps: OwnNetworksDeps, actor: Actor, hosts: readonly string[]): Promise<void> {
  for (const host of new Set(hosts)) {
    if (await maySendStored(deps, actor, host)) continue
    throw forbidden(
      `Insufficient permissions: the stored SNMP credentials would be sent to ${host}, which is not in a network of setting nets. An administrator can add its network there, or make this change`,
    )
  }
}

/** Where a device is polled. */
interface Aim {
  readonly hostname: string
  readonly overwrite_ip: string | null
  readonly ip: string | null
  readonly port: number | null
  readonly transport: string | null
  readonly poller_group: number
}

/** The name or address that is asked. */
export const hostOf = ({ overwrite_ip, hostname }: Pick<Aim, 'overwrite_ip' | 'hostname'>): string =>
  overwrite_ip || hostname

/**
 * The hosts to which the device's requests go after a change although they did not before: those of a new name or
 * address, and the same host if only the port, the transport or the poller group is new: at another site somebody else
 * may have the same address.
 */
export function newAims(before: Aim, after: Aim): string[] {
  const isMoved =
    hostOf(before) !== hostOf(after) ||
    (['port', 'transport', 'poller_group'] as const).some((name) => before[name] !== after[name])
  // the last known address is used while no name server answers
  const isKnownMoved = after.ip !== null && after.ip !== '' && before.ip !== after.ip
  return [...(isMoved ? [hostOf(after)] : []), ...(isKnownMoved && after.ip !== null ? [after.ip] : [])]
}
