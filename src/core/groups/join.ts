import type { Actor } from '../base/actor.ts'
import { toDomainError } from '../base/errors.ts'
import type { DeviceGroupService } from './device-groups.ts'

/**
 * Adds devices to a static group, which is created if it does not exist. Returns the reason if it refuses them; null:
 * they are members. Rethrows unexpected errors.
 */
export async function joinGroup(
  groups: Pick<DeviceGroupService, 'find' | 'create' | 'add'>,
  actor: Actor,
  name: string,
  deviceIds: readonly number[],
): Promise<string | null> {
  const devices = [...deviceIds]
  try {
    const group = await groups.find(actor, name)
    if (group === null) await groups.create(actor, { name, type: 'static', devices })
    else if ((await groups.add(actor, String(group.id), { devices })) === 'dynamic')
      return 'Its members are determined by its rule'
    return null
  } catch (error) {
    const known = toDomainError(error)
    if (known === null) throw error
    return known.fields === null ? known.message : Object.values(known.fields).flat().join(' ')
  }
}
