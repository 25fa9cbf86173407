import type { Settings } from '../../config/schema.ts'
import { type Actor, scopeOf } from '../base/actor.ts'
import { isAllowed, type Permission } from '../base/permissions.ts'
import { LIVE_KINDS, type LiveEvent, type LiveKind } from './event.ts'

/**
 * Objects granted to a user; `devices` null: all. When grants change, its members are replaced for all views that share
 * it.
 */
export interface Grants {
  devices: ReadonlySet<number> | null
  ports: ReadonlySet<number>
}

/** What a client wants to see; null: everything. */
export interface LiveFilter {
  readonly kinds: readonly LiveKind[] | null
  readonly devices: readonly number[] | null
}

/** The events that a client gets. Clients with the same view share the text of events. */
export interface LiveView {
  readonly kinds: ReadonlySet<LiveKind>
  readonly only: ReadonlySet<number> | null
  readonly grants: Grants
}

const GATES: Readonly<Record<LiveKind, Permission>> = {
  device: 'Device.viewAny',
  port: 'Port.viewAny',
  alert: 'Alert.viewAny',
  fault: 'Alert.viewAny',
  poll: 'Device.viewAny',
}

/** The wanted kinds of events that the actor's roles allow. */
export function kindsFor(actor: Actor, { kinds }: LiveFilter, settings: Settings): LiveKind[] {
  return LIVE_KINDS.filter((kind) => kinds?.includes(kind) !== false && isAllowed(actor, GATES[kind], settings))
}

/** A key that is equal for actors with the same grants. */
export function grantsKey(actor: Actor): string {
  const scope = scopeOf(actor)
  return scope.kind === 'all' ? 'all' : `${scope.userId} ${scope.dynamicGroups}`
}

export function viewKey(actor: Actor, kinds: readonly LiveKind[], { devices }: LiveFilter): string {
  return [grantsKey(actor), kinds.join(), devices?.toSorted((a, b) => a - b).join() ?? 'all'].join(' ')
}

/** Whether the view includes the event, by its kind and its device or port. */
export function shows({ kinds, only, grants }: LiveView, { kind, deviceId, portId }: LiveEvent): boolean {
  if (!kinds.has(kind) || only?.has(deviceId) === false) return false
  return grants.devices === null || grants.devices.has(deviceId) || (portId !== null && grants.ports.has(portId))
}
