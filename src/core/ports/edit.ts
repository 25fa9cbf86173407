import { readable } from '../../lib/si.ts'
import { type Actor, scopeOf } from '../base/actor.ts'
import { invalid, notFound } from '../base/errors.ts'
import type { Gateway } from '../base/gateway.ts'
import type { Store } from '../database/client.ts'
import { findPort, maySeePort, type PortKey, portRecord } from './read.ts'
import { isSpeedSet, type PortSettings, updatePortDescription, updatePortNotes, updatePortSettings } from './write.ts'

/** bit/s: what a port's record can hold. */
const MAX_SPEED = 1e14

/** A port by id; null: it does not exist, or the actor may not see it. */
export async function findVisible(store: Store, actor: Actor, portId: number): Promise<PortKey | null> {
  const port = await findPort(store, portId)
  return port && (await maySeePort(store, scopeOf(actor), portId)) ? port : null
}

/** Changes of a port that a person makes: its description, its notes, and whether and as what it counts. */
export function createPortEdit({ store, gateway }: { readonly store: Store; readonly gateway: Gateway }) {
  /** What a person decided about a port; `null`: it does not exist, or the actor may not see it. */
  async function settingsOf(actor: Actor, portId: number): Promise<PortSettings | null> {
    const port = await findVisible(store, actor, portId)
    const record = port && (await portRecord(store, portId))
    if (!port || record === null) return null
    const speed = (await isSpeedSet(store, port)) ? record['ifSpeed'] : null
    return {
      ignore: record['ignore'] === 1,
      disabled: record['disabled'] === 1,
      speed: typeof speed === 'number' ? speed : null,
    }
  }

  return {
    /**
     * Sets the description (ifAlias) and locks it; with an empty one, the device's own applies again. Throws `invalid`
     * for an unknown port.
     */
    async describe(actor: Actor, portId: number, description: string): Promise<void> {
      const port = await findVisible(store, actor, portId)
      if (!port) throw invalid('Invalid port ID.')
      await updatePortDescription(store, port, description === '' ? null : description, actor.username)
      gateway.refresh(port.device_id)
    },

    settings: settingsOf,

    /**
     * Changes what a person decides about a port; the changes are events of the port. Speeds are 1 bit/s to 100 Tbit/s.
     * Throws `not_found`, and `invalid` for such a speed.
     */
    async decide(actor: Actor, portId: number, settings: PortSettings): Promise<void> {
      const port = await findVisible(store, actor, portId)
      const before = await settingsOf(actor, portId)
      if (!port || before === null) throw notFound(`Port ${portId} does not exist`)
      const { ignore, disabled, speed } = settings
      if (speed !== null && !(Number.isSafeInteger(speed) && speed >= 1 && speed <= MAX_SPEED))
        throw invalid('The speed must be between 1 bit/s and 100 Tbit/s')
      const changes = [
        ...(ignore === before.ignore ? [] : [ignore ? 'is ignored: it raises no alerts' : 'is no longer ignored']),
        ...(disabled === before.disabled ? [] : [disabled ? 'is no longer polled' : 'is polled again']),
        ...(speed === before.speed
          ? []
          : [speed === null ? 'speed: as the device reports it' : `speed set to ${readable(speed, 'bit/s', 'large')}`]),
      ]
      if (changes.length === 0) return
      await updatePortSettings(store, port, settings, changes, actor.username)
      gateway.refresh(port.device_id)
    },

    /** Stores notes on a port of the device; empty notes are deleted. Throws `not_found`. */
    async annotate(deviceId: number, portId: number, notes: string): Promise<void> {
      if (!(await updatePortNotes(store, deviceId, portId, notes === '' ? null : notes))) {
        throw notFound(`Port ${portId} does not exist`)
      }
    },
  }
}
