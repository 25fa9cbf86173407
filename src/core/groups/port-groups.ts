import { type Actor, scopeOf } from '../base/actor.ts'
import { recordChange } from '../base/change-audit.ts'
import { differences } from '../base/differences.ts'
import { notFound } from '../base/errors.ts'
import { requireGrants } from '../base/grants-check.ts'
import type { Store } from '../database/client.ts'
import { toStoreError } from '../database/errors.ts'
import { descField, type Fields, FormErrors, idsField, isRowId, NAME_TAKEN, refuseUnknown, textField } from './form.ts'
import {
  findPortGroup,
  isGroupNameTaken,
  listPortGroups,
  type PortGroupRecord,
  portGroupMembers,
  portGroupSizes,
  portsOfTypes,
  unknownIds,
  visiblePorts,
} from './read.ts'
import {
  deletePortGroup,
  deletePortGroupMembers,
  insertPortGroup,
  insertPortGroupMembers,
  updatePortGroup,
} from './write.ts'

export type { PortGroupRecord }

/** Operations on port groups. Bodies are validated here, as for device groups. */
export function createPortGroupService({ store }: { readonly store: Store }) {
  /**
   * The group, to be changed; anyone may change a group without ports. Throws `not_found`, or `forbidden` when it has
   * ports that the actor is not granted.
   */
  async function requireId(actor: Actor, id: string): Promise<PortGroupRecord> {
    const group = /^\d+$/.test(id) ? await findPortGroup(store, scopeOf(actor), id, { orEmpty: true }) : null
    if (!group) throw notFound(`Port Group ID ${id} not found`)
    await requireGrants(store, actor, { portGroups: [group.id] })
    return group
  }

  /** Name and description in a body; `own`: id of the group that may already have the name. Throws `invalid`. */
  async function checkedFields(fields: Fields, own: number): Promise<{ name: string; desc: string | null }> {
    const errors = new FormErrors()
    const name = textField(fields, 'name', true, errors) ?? ''
    const desc = descField(fields, errors) ?? null
    if (name !== '' && (await isGroupNameTaken(store, 'port_groups', name, own))) errors.add('name', NAME_TAKEN)
    errors.throwIfAny()
    return { name, desc }
  }

  const record = (actor: Actor, name: string, what: string) =>
    recordChange(store, actor, 'group', name, `Port group ${name} ${what}`)

  return {
    /** Groups with a port that the actor may see, in order of name. */
    async list(actor: Actor): Promise<PortGroupRecord[]> {
      return await listPortGroups(store, scopeOf(actor))
    },

    /**
     * The group with this name, or id if it consists of digits; null: it does not exist, or the actor may not see it.
     */
    async find(actor: Actor, ref: string): Promise<PortGroupRecord | null> {
      return await findPortGroup(store, scopeOf(actor), ref)
    },

    /** Ids of the members that the actor may see. */
    async members(actor: Actor, group: PortGroupRecord): Promise<number[]> {
      return await portGroupMembers(store, scopeOf(actor), group.id)
    },

    /** Number of members that the actor may see, of all groups, by group; groups without any are absent. */
    async sizes(actor: Actor): Promise<ReadonlyMap<number, number>> {
      return await portGroupSizes(store, scopeOf(actor))
    },

    /** Creates a group. Throws `invalid` with messages by field. */
    async create(actor: Actor, fields: Fields): Promise<{ id: number; name: string }> {
      const { name, desc } = await checkedFields(fields, 0)
      const id = await unlessTaken(() => insertPortGroup(store, name, desc))
      await record(actor, name, 'added')
      return { id, name }
    },

    /** Changes name and description. Throws `invalid` with messages by field, `not_found` or `forbidden`. */
    async update(actor: Actor, groupId: string, fields: Fields): Promise<void> {
      const group = await requireId(actor, groupId)
      const values = await checkedFields(fields, group.id)
      if (!(await unlessTaken(() => updatePortGroup(store, group.id, values))))
        throw notFound(`Port Group ID ${groupId} not found`)
      const what = differences({ name: group.name, desc: group.desc }, values)
      if (what !== '') await record(actor, group.name, `changed: ${what}`)
    },

    /** Deletes a group; its ports stay. Throws `not_found` or `forbidden`. */
    async delete(actor: Actor, groupId: string): Promise<void> {
      const group = await requireId(actor, groupId)
      if (!(await deletePortGroup(store, group.id))) throw notFound(`Port Group ID ${groupId} not found`)
      await record(actor, group.name, 'deleted')
    },

    /** Adds ports to a group; returns the ids. `given` is the list of the body. */
    async assign(actor: Actor, groupId: string, given: unknown): Promise<number[]> {
      const group = await requireId(actor, groupId)
      const errors = new FormErrors()
      const ids = idsField(given, 'port_ids', errors) ?? []
      await requireGrants(store, actor, { ports: ids.map((portId) => (isRowId(portId) ? portId : -1)) })
      const unknown = await unknownIds(store, 'ports', ids.filter(isRowId))
      refuseUnknown('port_ids', ids, unknown, errors)
      errors.throwIfAny()
      await insertPortGroupMembers(store, group.id, ids)
      await record(actor, group.name, `got ports ${ids.join(', ')}`)
      return ids
    },

    /** Removes ports from a group; returns the ids, including those that were not members. */
    async remove(actor: Actor, groupId: string, given: unknown): Promise<number[]> {
      const group = await requireId(actor, groupId)
      const errors = new FormErrors()
      const ids = idsField(given, 'port_ids', errors) ?? []
      errors.throwIfAny()
      await deletePortGroupMembers(store, group.id, ids.filter(isRowId))
      await record(actor, group.name, `lost ports ${ids.join(', ')}`)
      return ids
    },

    /** Ports that the actor may see whose port_descr_type is one of the types; `@` in a type matches any text. */
    async ofTypes(actor: Actor, types: readonly string[]): Promise<number[]> {
      return await portsOfTypes(store, scopeOf(actor), types)
    },

    /** Those of the ids whose ports the actor may see. */
    async visible(actor: Actor, ids: readonly number[]): Promise<number[]> {
      return await visiblePorts(store, scopeOf(actor), ids)
    },
  }
}

/** If two requests save the same name at once, the later one gets the same error as from the usual check. */
async function unlessTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (toStoreError(error).code !== '23505') throw error
    const errors = new FormErrors()
    errors.add('name', NAME_TAKEN)
    errors.throwIfAny()
    throw error
  }
}

export type PortGroupService = ReturnType<typeof createPortGroupService>
