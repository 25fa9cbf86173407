import type { Store } from '../../store/client.ts'
import { removeParents, replaceParents } from '../../store/devices/parents.ts'
import { findDevice } from '../../store/devices/read.ts'
import { type Actor, scopeOf } from '../actor.ts'
import { invalid } from '../errors.ts'
import { requireGrants } from '../reach.ts'

/** Operations on dependencies: no alerts are sent for a child while its parents are down. */
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
     * Ids of the devices that the references name. Throws `invalid` for an unknown one, `forbidden` for one not
     * granted.
     */
    idsOf,

    /**
     * Replaces the parents of a device that the actor sees; others stay. Throws `invalid` when it would depend on
     * itself.
     */
    async replace(actor: Actor, deviceId: number, parentIds: readonly number[]): Promise<void> {
      if (!(await replaceParents(store, scopeOf(actor), deviceId, parentIds)))
        throw invalid('Check your parent and device IDs')
    },

    /**
     * Removes parents from a device; null: all that the actor sees. Throws `invalid` when none of them was a parent.
     */
    async remove(actor: Actor, deviceId: number, parentIds: readonly number[] | null): Promise<void> {
      if ((await removeParents(store, scopeOf(actor), deviceId, parentIds)) === 0) {
        throw invalid('Device dependency cannot be deleted check device and parents ids')
      }
    },
  }
}

export type ParentService = ReturnType<typeof createParentService>
