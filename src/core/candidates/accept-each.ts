import type { Actor } from '../base/actor.ts'
import { toDomainError } from '../base/errors.ts'
import type { DeviceGroupService } from '../groups/device-groups.ts'
import { joinGroup } from '../groups/join.ts'
import { type AcceptDeps, acceptCandidate } from './accept.ts'
import type { Accepted, AcceptOptions } from './candidate.ts'
import type { Addable } from './read-candidates.ts'

interface Deps extends AcceptDeps {
  readonly groups: Pick<DeviceGroupService, 'find' | 'create' | 'add'>
}

/**
 * Adds candidates one after the other, and the devices to the groups of the options. A refusal does not affect the
 * others. Throws what is not a refusal, and DomainError `unavailable`.
 */
export async function acceptEach(
  deps: Deps,
  actor: Actor,
  candidates: readonly Addable[],
  options: AcceptOptions,
): Promise<Accepted[]> {
  const results: Accepted[] = []
  for (const candidate of candidates) results.push(await acceptOne(deps, actor, candidate, options))
  const added = results.flatMap(({ deviceId, state }) => (state === 'added' && deviceId !== null ? [deviceId] : []))
  const problems: string[] = []
  for (const group of added.length === 0 ? [] : (options.deviceGroups ?? [])) {
    const problem = await joinGroup(deps.groups, actor, String(group), added)
    if (problem !== null) problems.push(`Added, but not to device group ${group}: ${problem}`)
  }
  if (problems.length === 0) return results
  return results.map((one) => (one.state === 'added' ? { ...one, problem: problems.join('. ') } : one))
}

async function acceptOne(deps: Deps, actor: Actor, candidate: Addable, options: AcceptOptions): Promise<Accepted> {
  const at = { candidateId: candidate.id }
  if (candidate.state === 'added' && candidate.device_id !== null)
    return { ...at, deviceId: candidate.device_id, state: 'known', problem: 'It is monitored already' }
  try {
    const because = `Added by ${actor.username || 'the command line'}`
    const deviceId = await acceptCandidate(deps, actor, candidate, { ...options, because })
    return { ...at, deviceId, state: 'added', problem: null }
  } catch (error) {
    const known = toDomainError(error)
    if (known === null || known.code === 'unavailable') throw error
    return { ...at, deviceId: null, state: 'found', problem: known.message }
  }
}
