import type { Settings } from '../../../config/schema.ts'
import { type Actor, isAdmin } from '../../base/actor.ts'
import { recordChange } from '../../base/change-audit.ts'
import { differences } from '../../base/differences.ts'
import { conflict, forbidden, notFound } from '../../base/errors.ts'
import { isAllowed } from '../../base/permissions.ts'
import type { Store } from '../../database/client.ts'
import { requireName } from './name.ts'
import type { ShownTransport, TransportDraft, TransportService } from './service.ts'
import {
  deleteTransportGroup,
  listTransportGroups,
  putTransportGroup,
  renameTransportGroup,
  type TransportGroupRow,
} from './write.ts'

/** A transport as API v1 shows it. */
export interface ListedTransport extends Omit<ShownTransport, 'settings' | 'problems'> {
  /** Secrets are shown as ***. null: only administrators see settings. */
  readonly settings: ShownTransport['settings'] | null
  readonly problems: readonly string[]
}

/** A group of transports. */
export interface ListedGroup {
  readonly id: number
  readonly name: string
  /** Names of its transports. */
  readonly members: readonly string[]
  readonly rules: readonly number[]
}

/** Transports and groups for API v1. Administrators change them; actors who see all templates see them. */
export function createTransportDirectory({
  store,
  settings,
  transports,
}: {
  readonly store: Store
  readonly settings: Settings
  readonly transports: TransportService
}) {
  function requireAdmin(actor: Actor): void {
    if (!isAdmin(actor)) throw forbidden('Only an administrator may change transports')
  }

  function requireView(actor: Actor): void {
    if (!isAllowed(actor, 'AlertTemplate.viewAny', settings)) throw forbidden('This action is unauthorized.')
  }

  async function list(actor: Actor): Promise<ListedTransport[]> {
    requireView(actor)
    const all = await transports.list()
    return isAdmin(actor) ? all : all.map((one) => ({ ...one, settings: null }))
  }

  async function get(actor: Actor, id: number): Promise<ListedTransport> {
    const found = (await list(actor)).find((one) => one.id === id)
    if (found === undefined) throw notFound(`There is no transport ${id}`)
    return found
  }

  async function groups(actor: Actor): Promise<ListedGroup[]> {
    requireView(actor)
    return (await listTransportGroups(store)).map(listed)
  }

  async function group(actor: Actor, id: number): Promise<ListedGroup> {
    const found = (await groups(actor)).find((one) => one.id === id)
    if (found === undefined) throw notFound(`There is no transport group ${id}`)
    return found
  }

  /** The ids, each once. Throws `not_found` for one that does not exist. */
  async function known(members: readonly number[]): Promise<number[]> {
    const ids = new Set((await transports.list()).map(({ id }) => id))
    const absent = members.find((id) => !ids.has(id))
    if (absent !== undefined) throw notFound(`There is no transport ${absent}`)
    return [...new Set(members)]
  }

  return {
    list,
    get,
    groups,
    group,

    /** Stores a transport; returns it. Throws `forbidden`, and what the transport service throws. */
    async add(actor: Actor, draft: TransportDraft): Promise<ListedTransport> {
      requireAdmin(actor)
      return await get(actor, await transports.add(draft, actor))
    },

    /** Changes settings that are named; '' removes one. `isDefault` null: unchanged. Throws as `add`. */
    async change(
      actor: Actor,
      id: number,
      changes: Readonly<Record<string, unknown>>,
      isDefault: boolean | null,
    ): Promise<ListedTransport> {
      requireAdmin(actor)
      await get(actor, id)
      await transports.change(String(id), changes, isDefault, actor)
      return await get(actor, id)
    },

    /** Deletes a transport and its notifications. Throws `forbidden`, `not_found`. */
    async remove(actor: Actor, id: number): Promise<void> {
      requireAdmin(actor)
      await get(actor, id)
      await transports.remove(String(id), actor)
    },

    /** Stores a group with these transports, by id; returns it. Throws `forbidden`, `invalid`, `not_found`, `conflict`. */
    async addGroup(actor: Actor, name: string, members: readonly number[]): Promise<ListedGroup> {
      requireAdmin(actor)
      requireName(name)
      if ((await groups(actor)).some((one) => one.name.toLowerCase() === name.toLowerCase()))
        throw conflict(`There already is a transport group ${name}`)
      const id = await putTransportGroup(store, name, await known(members))
      await recordChange(store, actor, 'transport', name, `Transport group ${name} added`)
      return await group(actor, id)
    },

    /** Replaces name and transports of a group; it keeps its id. Throws as `addGroup`. */
    async changeGroup(actor: Actor, id: number, name: string, members: readonly number[]): Promise<ListedGroup> {
      requireAdmin(actor)
      requireName(name)
      const before = await group(actor, id)
      const ids = await known(members)
      if (name !== before.name && !(await renameTransportGroup(store, id, name)))
        throw conflict(`There already is a transport group ${name}`)
      await putTransportGroup(store, name, ids)
      const after = await group(actor, id)
      const what = differences({ name: before.name, members: before.members }, { name, members: after.members })
      if (what !== '')
        await recordChange(store, actor, 'transport', before.name, `Transport group ${before.name}: ${what}`)
      return after
    },

    /** Deletes a group, not its transports. Throws `forbidden`, `not_found`. */
    async removeGroup(actor: Actor, id: number): Promise<void> {
      requireAdmin(actor)
      const { name } = await group(actor, id)
      await deleteTransportGroup(store, id)
      await recordChange(store, actor, 'transport', name, `Transport group ${name} deleted`)
    },
  }
}

const listed = (row: TransportGroupRow): ListedGroup => ({
  id: row.transport_group_id,
  name: row.transport_group_name,
  members: row.members,
  rules: row.rules,
})

export type TransportDirectory = ReturnType<typeof createTransportDirectory>
