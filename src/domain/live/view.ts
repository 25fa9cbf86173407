import type { Settings } from '../../config/schema.ts'
import { type Actor, scopeOf } from '../actor.ts'
import { type Gate, passes } from '../gates.ts'
import { LIVE_KINDS, type LiveEvent, type LiveKind } from './event.ts'

/** Objects granted to a user; `devices` null: all. Replaced when grants change, for all views that share it. */
export interface Grants {
  devices: ReadonlySet<number> | null
  ports: ReadonlySet<number>
}

/** What a client wants to see; null: everything. */
export interface Wanted {
  readonly kinds: readonly LiveKind[] | null
  readonly devices: readonly number[] | null
}

/** Which events a client gets. Clients with the same view share its text. */
export interface View {
  readonly kinds: ReadonlySet<LiveKind>
  readonly only: ReadonlySet<number> | null
  readonly grants: Grants
}

const GATES: Readonly<Record<LiveKind, Gate>> = {
  device: 'Device.viewAny',
  port: 'Port.viewAny',
  alert: 'Alert.viewAny',
  poll: 'Device.viewAny',
}

/** Kinds of events that the actor's roles open, of those wanted. */
export function kindsFor(actor: Actor, { kinds }: Wanted, settings: Settings): LiveKind[] {
  return LIVE_KINDS.filter((kind) => kinds?.includes(kind) !== false && passes(actor, GATES[kind], settings))
}

/** The same text for actors whose grants are the same. */
export function grantsKey(actor: Actor): string {
  const scope = scopeOf(actor)
  return scope.kind === 'all' ? 'all' : `${scope.userId} ${scope.dynamicGroups}`
}

export function viewKey(actor: Actor, kinds: readonly LiveKind[], { devices }: Wanted): string {
  return [grantsKey(actor), kinds.join(), devices?.toSorted((a, b) => a - b).join() ?? 'all'].join(' ')
}

/** Whether the view shows the event: its kind, and its device or port. */
export function shows({ kinds, only, grants }: View, { kind, deviceId, portId }: LiveEvent): boolean {
  if (!kinds.has(kind) || only?.has(deviceId) === false) return false
  return grants.devices === null || grants.devices.has(deviceId) || (portId !== null && grants.ports.has(portId))
}
