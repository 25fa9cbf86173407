import type { Store } from '../../store/client.ts'
import { findDevice } from '../../store/readers/devices.ts'
import { removeParents, replaceParents } from '../../store/writers/parents.ts'
import { invalid } from '../errors.ts'

/** The verbs on dependencies: a child is not alerted for while its parents are down. */
export function createParentService({ store }: { readonly store: Store }) {
  async function idsOf(refs: readonly string[]): Promise<number[]> {
    const ids = new Set<number>()
    for (const ref of refs) {
      const device = await findDevice(store, ref)
      if (!device) throw invalid(`Parent device IDs/Hostname does not exist: ${ref}`)
      ids.add(device.device_id)
    }
    return [...ids]
  }

  return {
    /** Ids of the devices that the references name. Throws `invalid` for the first that names none. */
    idsOf,

    /** Makes these the parents of a device, in place of those it had. Throws `invalid` when it would depend on itself. */
    async replace(deviceId: number, parentIds: readonly number[]): Promise<void> {
      if (!(await replaceParents(store, deviceId, parentIds))) throw invalid('Check your parent and device IDs')
    },

    /** Takes parents from a device; null: all. Throws `invalid` when it had none of them. */
    async remove(deviceId: number, parentIds: readonly number[] | null): Promise<void> {
      if ((await removeParents(store, deviceId, parentIds)) === 0) {
        throw invalid('Device dependency cannot be deleted check device and parents ids')
      }
    },
  }
}

export type ParentService = ReturnType<typeof createParentService>
