import { type Actor, scopeOf } from '../base/actor.ts'
import { invalid } from '../base/errors.ts'
import { requireGrants } from '../base/grants-check.ts'
import type { Store } from '../database/client.ts'
import { findDevice } from './read.ts'
import { removeParents, replaceParents } from './write-parents.ts'

/** Operations on device dependencies: no alerts are sent for a device while its parents are down. */
export function createParentService({ store }: { readonly store: Store }) {
  async function idsOf(actor: Actor, refs: readonly string[]): Promise<number[]> {
    const ids = new Set<number>()
    for (const ref of refs) {
      const device = await findDevice(store, ref)
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
     * Replaces those parents of a device that the actor may see; others stay. Throws `invalid` when the device would
     * depend on itself.
     */
    async replace(actor: Actor, deviceId: number, parentIds: readonly number[]): Promise<void> {
      if (!(await replaceParents(store, scopeOf(actor), deviceId, parentIds)))
        throw invalid('Check your parent and device IDs')
    },

    /**
     * Removes parents of a device; null: all that the actor may see. Throws `invalid` when none of them was a parent.
     */
    async remove(actor: Actor, deviceId: number, parentIds: readonly number[] | null): Promise<void> {
      if ((await removeParents(store, scopeOf(actor), deviceId, parentIds)) === 0) {
        throw invalid('Device dependency cannot be deleted check device and parents ids')
      }
    },
  }
}

export type ParentService = ReturnType<typeof createParentService>
