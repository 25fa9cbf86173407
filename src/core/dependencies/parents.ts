import { type Actor, scopeOf } from '../base/actor.ts'
import { invalid } from '../base/errors.ts'
import { requireGrants } from '../base/grants-check.ts'
import type { Store } from '../database/client.ts'
import { type DeviceFamily, readFamily } from './read-family.ts'
import { type Choice, removeParents, replaceParents } from './write-parents.ts'

export type { DeviceFamily }

export interface ParentDeps {
  readonly store: Store
  /** The device with this id or hostname; null: there is none. */
  readonly find: (ref: string) => Promise<{ readonly device_id: number } | null>
}

/** Operations on device dependencies: no alerts are sent for a device while every way to it is down. */
export function createParentService({ store, find }: ParentDeps) {
  async function idsOf(actor: Actor, refs: readonly string[]): Promise<number[]> {
    const ids = new Set<number>()
    for (const ref of refs) {
      const device = await find(ref)
      await requireGrants(store, actor, { devices: [device?.device_id ?? -1] })
      if (!device) throw invalid(`Parent device IDs/Hostname does not exist: ${ref}`)
      ids.add(device.device_id)
    }
    return [...ids]
  }

  return {
    /**
     * Ids of the referenced devices. Throws `invalid` for an unknown device, `forbidden` for one that is not granted.
     */
    idsOf,

    /**
     * Parents and children of a device in the actor's sight, and why it does not answer. Does not check access to the device
     * itself.
     */
    async family(actor: Actor, deviceId: number): Promise<DeviceFamily> {
      return await readFamily(store, scopeOf(actor), deviceId)
    },

    /**
     * Sets the parents of a device by hand, instead of those set before that the actor may see (others stay) and of the
     * computed ones. `none`: it has no parents; `computed`: those that are computed apply again. Throws `invalid` when parents
     * set by hand would depend on each other.
     */
    async replace(actor: Actor, deviceId: number, choice: Choice): Promise<void> {
      if (!(await replaceParents(store, scopeOf(actor), deviceId, choice)))
        throw invalid('Check your parent and device IDs')
    },

    /**
     * Removes parents of a device that were set by hand; null: all that the actor may see. Computed ones apply again when none
     * is left. Throws `invalid` when none of them was a parent set by hand.
     */
    async remove(actor: Actor, deviceId: number, parentIds: readonly number[] | null): Promise<void> {
      if ((await removeParents(store, scopeOf(actor), deviceId, parentIds)) === 0) {
        throw invalid('Device dependency cannot be deleted check device and parents ids')
      }
    },
  }
}

export type ParentService = ReturnType<typeof createParentService>
