import type { Store } from '../database/client.ts'
import { type Actor, scopeOf } from './actor.ts'
import { forbidden } from './errors.ts'
import { firstBeyond, type GrantReach, type ReachKind } from './read-grants.ts'

export type { GrantReach as Reach }

const NAMED: Readonly<Record<ReachKind, string>> = {
  devices: 'device',
  ports: 'port',
  bills: 'bill',
  deviceGroups: 'device group',
  portGroups: 'port group',
  pollerGroups: 'poller group',
  locations: 'location',
  rules: 'alert rule',
  services: 'service',
  components: 'component',
  places: 'location',
  placeNames: 'location',
  names: 'device',
}

/**
 * The rule for all changes: every object affected by a change must be granted to the actor. `admin` and `global-read`
 * see all devices, so with additional permissions an actor with such a role may change all of them; other actors are
 * limited to their grants. Every writing operation lists the objects that it affects and checks them here first.
 */
export async function isWithinGrants(store: Store, actor: Actor, reach: GrantReach): Promise<boolean> {
  return (await firstBeyond(store, scopeOf(actor), reach)) === null
}

/** Throws `forbidden` where `isWithinGrants` is false; the message names only the kind of object. */
export async function requireGrants(store: Store, actor: Actor, reach: GrantReach): Promise<void> {
  const kind = await firstBeyond(store, scopeOf(actor), reach)
  if (kind !== null) throw forbidden(`Insufficient permissions to access this ${NAMED[kind]}`)
}

/** For objects that belong to no device or to all devices. Throws `forbidden` for actors who do not see all devices. */
export function requireAllDevices(actor: Actor): void {
  if (scopeOf(actor).kind !== 'all') throw forbidden('Insufficient permissions: this is for all devices')
}
