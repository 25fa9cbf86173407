import type { Store } from '../../core/database/client.ts'
import { HERE, type Owner, unserved } from '../../core/pollers/owner.ts'
import { remotePollerOf } from '../../core/pollers/remote/read.ts'
import { deviceGroups } from '../../core/polling/read-plan.ts'
import type { PollerShare } from '../../poller/database-upstream.ts'
import type { Poller } from '../../poller/poller.ts'
import type { RemotePollers } from '../leader/served-pollers.ts'
import type { Member } from './member.ts'

export interface OwnersDeps {
  readonly store: Store
  readonly member: Pick<Member, 'name' | 'others' | 'ownership' | 'report'>
  readonly sites: Pick<RemotePollers, 'serves' | 'run' | 'contact'>
}

/** Who polls a device according to the members of the cluster. Throws StoreError. */
export async function ownerOf({ store, member, sites }: OwnersDeps, deviceId: number): Promise<Owner> {
  const remote = await remotePollerOf(store, deviceId)
  if (remote !== null) {
    if (sites.serves()) return { at: 'site', name: remote, sites }
    return member.others ? { at: 'elsewhere', name: remote } : unserved(remote)
  }
  const [device] = await deviceGroups(store, deviceId)
  const name = device === undefined ? null : member.ownership().ownerOf(deviceId, device.poller_group)
  if (name === null) return { at: 'nobody', name, reason: 'no running poller serves the poller group of this device' }
  return name === member.name ? HERE : { at: 'elsewhere', name }
}

/**
 * Who polls a device, for a request about it: a device that this process polls is its own until it is given up, and
 * before it is said that nobody polls a device, the database is asked which pollers are running. Throws StoreError.
 */
export async function currentOwner(
  { poller, ...deps }: OwnersDeps & { readonly poller: Pick<Poller, 'has'> },
  deviceId: number,
): Promise<Owner> {
  if (poller.has(deviceId)) return HERE
  const owner = await ownerOf(deps, deviceId)
  if (owner.at !== 'nobody') return owner
  await deps.member.report()
  return await ownerOf(deps, deviceId)
}

/** The devices of this process, as its poller asks for them. */
export function shareOf(member: Member): PollerShare {
  return {
    owns: (deviceId, group) => member.ownership().ownerOf(deviceId, group) === member.name,
    shared: () => member.others,
    id: () => member.id,
    learn: () => member.report(),
  }
}
