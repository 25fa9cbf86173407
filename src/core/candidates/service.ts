import type { Settings } from '../../config/schema.ts'
import { type Actor, scopeOf } from '../base/actor.ts'
import { recordChange } from '../base/change-audit.ts'
import { forbidden, invalid, notFound } from '../base/errors.ts'
import type { Gateway } from '../base/gateway.ts'
import { isId } from '../base/ids.ts'
import { isAllowed } from '../base/permissions.ts'
import type { Store } from '../database/client.ts'
import type { DeviceService } from '../devices/service.ts'
import type { DeviceGroupService } from '../groups/device-groups.ts'
import type { Double } from '../identity/read-doubles.ts'
import type { SettingsService } from '../settings/service.ts'
import { acceptEach } from './accept-each.ts'
import type { Accepted, AcceptOptions, Candidate, UnmonitoredNeighbour } from './candidate.ts'
import { createElsewhere } from './elsewhere.ts'
import { LIMITS } from './limits.ts'
import { moveDevice } from './move.ts'
import { type NamePreview, previewNames } from './name-preview.ts'
import { exclusions } from './neighbours.ts'
import {
  type Addable,
  addableCandidates,
  type CandidateOverview,
  type CandidateQuery,
  candidateOverview,
  countNew,
  listCandidates,
} from './read-candidates.ts'
import type { OtherAddress } from './read-other-addresses.ts'
import { readUnmonitored } from './read-unmonitored.ts'
import { type Reverse, reverseName } from './reverse.ts'
import { createCandidateRules } from './rule-service.ts'
import { wholeNetwork } from './rules.ts'
import { inTurn, setState } from './write-candidates.ts'
import type { RuleBody } from './write-rules.ts'

export { LIMITS } from './limits.ts'
export { CANDIDATE_ORDERS } from './read-candidates.ts'
export { SOURCE_KINDS } from './words.ts'
export type { CandidateQuery, Double, NamePreview, OtherAddress, RuleBody }

export interface CandidateDeps {
  readonly store: Store
  readonly settings: Settings
  readonly gateway: Gateway
  readonly devices: Pick<DeviceService, 'update'>
  readonly groups: Pick<DeviceGroupService, 'find' | 'create' | 'add'>
  readonly stored: SettingsService
  /** Looks up names of addresses. Default: the DNS. */
  readonly reverse?: Reverse | undefined
}

/**
 * Operations on found devices. All of them need the right to add devices (Device.create) and throw `forbidden` without
 * it; rules and excluded networks are settings, for administrators. A user who sees only some devices sees the
 * candidates that those report.
 */
export function createCandidateService(deps: CandidateDeps) {
  const { store, settings, gateway, devices, groups, stored, reverse = reverseName } = deps

  function guard(actor: Actor): void {
    if (!isAllowed(actor, 'Device.create', settings))
      throw forbidden('Insufficient permissions: found devices are shown to those who may add devices')
  }
  const require = async (actor: Actor, ids: readonly number[]): Promise<Addable[]> => {
    guard(actor)
    return await chosen(store, actor, ids)
  }

  const record = (actor: Actor, subject: string, message: string) =>
    recordChange(store, actor, 'device-edit', subject, message)

  async function change(actor: Actor, ids: readonly number[], state: 'new' | 'ignored', why: string): Promise<number> {
    const found = await require(actor, ids)
    const fitting = found.filter((one) => one.state === (state === 'new' ? 'ignored' : 'new'))
    if (fitting.length === 0) return 0
    const chosen = fitting.map(({ id }) => id)
    const done = await inTurn(store, (tx) => setState({ sql: tx }, chosen, state, why))
    await record(
      actor,
      'candidates',
      `Found devices ${state === 'new' ? 'no longer ignored' : 'ignored'}: ${namesText(fitting)}`,
    )
    return done.length
  }

  return {
    /** A page of candidates, and how many there are. Default: those that wait for a decision, the latest first. */
    async list(
      actor: Actor,
      query: CandidateQuery = {},
    ): Promise<{ readonly rows: Candidate[]; readonly total: number }> {
      guard(actor)
      const network = query.network === undefined ? undefined : wholeNetwork(query.network)
      return await listCandidates(store, scopeOf(actor), { ...query, network })
    },

    /** How many wait for a decision; 0 for those who may not add devices. */
    async waiting(actor: Actor): Promise<number> {
      return isAllowed(actor, 'Device.create', settings) ? await countNew(store, scopeOf(actor)) : 0
    },

    /** How many there are in each state, of those that the other filters leave, and the systems of all. */
    async overview(actor: Actor, query: CandidateQuery = {}): Promise<CandidateOverview> {
      guard(actor)
      const network = query.network === undefined ? undefined : wholeNetwork(query.network)
      return await candidateOverview(store, scopeOf(actor), { ...query, network })
    },

    /** Throws `not_found`. */
    async get(actor: Actor, id: number): Promise<Candidate> {
      guard(actor)
      const { rows } = await listCandidates(store, scopeOf(actor), { state: 'all', ids: isId(id) ? [id] : [] })
      const [candidate] = rows
      if (candidate === undefined) throw notFound(`Candidate ${id} not found`)
      return candidate
    },

    /**
     * Adds candidates as devices, one after the other, each as adding a device does. A refusal does not affect the
     * others; once the database is unavailable, the error is thrown. `hostname` is for a single candidate.
     */
    async accept(actor: Actor, ids: readonly number[], options: AcceptOptions = {}): Promise<Accepted[]> {
      const found = await require(actor, ids)
      if (options.hostname !== undefined && found.length > 1) throw invalid('A hostname is for a single candidate')
      if ((options.deviceGroups?.length ?? 0) > 0 && !isAllowed(actor, 'DeviceGroup.update', settings))
        throw forbidden('Insufficient permissions to change device groups')
      const results = await acceptEach({ store, settings, gateway, reverse, groups }, actor, found, options)
      const added = results.filter(({ state }) => state === 'added')
      await record(
        actor,
        'candidates',
        `Found devices accepted: ${added.length} added, ${results.length - added.length} not`,
      )
      return results
    },

    /** Ignores candidates until they are no longer ignored. Returns how many were changed. */
    async ignore(actor: Actor, ids: readonly number[]): Promise<number> {
      return await change(actor, ids, 'ignored', `Ignored by ${actor.username || 'the command line'}`)
    },

    /** Lets candidates wait for a decision again. Returns how many were changed. */
    async unignore(actor: Actor, ids: readonly number[]): Promise<number> {
      return await change(actor, ids, 'new', 'It was ignored and waits for a decision again')
    },

    /** The names that candidates would have. */
    async namePreview(actor: Actor, ids: readonly number[]): Promise<NamePreview[]> {
      const found = await require(actor, ids)
      return await previewNames(found, settings.get('mydomain'), reverse)
    },

    /**
     * Gives the device that a candidate was found to be the address at which it answers now. Returns the device's id.
     * Throws `invalid` where the candidate is not one that moved.
     */
    async acceptMove(actor: Actor, id: number): Promise<number> {
      if (!isAllowed(actor, 'Device.update', settings)) throw forbidden('Insufficient permissions to change devices')
      const [candidate] = await require(actor, [id])
      if (candidate === undefined) throw notFound(`Candidate ${id} not found`)
      return await moveDevice({ store, gateway, devices }, actor, candidate)
    },

    /** Unmonitored neighbours of the devices that the actor sees, or of one; not those that the settings leave alone. */
    async unmonitored(actor: Actor, deviceId: number | null = null): Promise<UnmonitoredNeighbour[]> {
      return await readUnmonitored(store, scopeOf(actor), exclusions(settings), deviceId)
    },

    ...createElsewhere(store),
    ...createCandidateRules({ store, settings, stored, guard }),
  }
}

/** The candidates with these ids, all of which the actor sees. Throws `not_found` or `invalid`. */
async function chosen(store: Store, actor: Actor, ids: readonly number[]): Promise<Addable[]> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) throw invalid('No candidate was chosen')
  if (wanted.length > LIMITS.bulk)
    throw invalid(`${wanted.length} candidates were chosen; the most at once is ${LIMITS.bulk}`)
  const found = await addableCandidates(store, scopeOf(actor), wanted.filter(isId))
  const missing = wanted.find((id) => !found.some((candidate) => candidate.id === id))
  if (missing !== undefined) throw notFound(`Candidate ${missing} not found`)
  return found
}

/** The names of the first ten, and how many more. */
function namesText(some: readonly Addable[]): string {
  const names = some.map((one) => one.sys_name ?? one.heard_name ?? one.address ?? `candidate ${one.id}`)
  return `${names.slice(0, 10).join(', ')}${names.length > 10 ? ` and ${names.length - 10} more` : ''}`
}

export type CandidateService = ReturnType<typeof createCandidateService>
