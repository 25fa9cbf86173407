import type { Settings } from '../../config/schema.ts'
import type { Log } from '../../observe/log.ts'
import { type Actor, isAdmin, scopeOf } from '../base/actor.ts'
import { recordChange } from '../base/change-audit.ts'
import { differences } from '../base/differences.ts'
import { notFound, unusable } from '../base/errors.ts'
import { requireGrants } from '../base/grants-check.ts'
import type { Store } from '../database/client.ts'
import { toStoreError } from '../database/errors.ts'
import { readGroupMembers } from '../devices/read-record.ts'
import type { DeviceRow } from '../records/device.ts'
import { compile } from '../rules/compile.ts'
import { BuilderError } from '../rules/errors.ts'
import { sentenceOf } from '../rules/in-words.ts'
import { createDeviceGroupBody } from './device-group-body.ts'
import { type Fields, FormErrors, isRowId, NAME_TAKEN } from './form.ts'
import {
  type DeviceGroupRecord,
  deviceGroupMembers,
  deviceGroupsMembers,
  dynamicGroups,
  findDeviceGroup,
  listDeviceGroups,
} from './read.ts'
import {
  deleteDeviceGroup,
  deleteDeviceGroupMembers,
  insertDeviceGroup,
  insertDeviceGroupMembers,
  syncDynamicMembers,
  updateDeviceGroup,
} from './write.ts'

export type { DeviceGroupRecord }

/** Result of `refresh`. */
export interface GroupRefresh {
  readonly groups: number
  /** Number of members added or removed. */
  readonly changed: number
}

export interface GroupDeps {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
}

async function requireGroup(store: Store, actor: Actor, ref: string): Promise<DeviceGroupRecord> {
  const group = await findDeviceGroup(store, scopeOf(actor), ref)
  if (!group) throw notFound(`Device group ${ref} not found`)
  return group
}

/**
 * Operations on device groups. `ref` is a name, or an id if it consists of digits. Bodies are validated here: invalid
 * fields throw `invalid` with messages by field, and rules that cannot be compiled throw `unusable`.
 */
export function createDeviceGroupService({ store, settings, log }: GroupDeps) {
  const require = (actor: Actor, ref: string) => requireGroup(store, actor, ref)

  /** The group, to be changed. Throws `not_found`, or `forbidden` when it has devices that the actor is not granted. */
  async function requireWhole(actor: Actor, ref: string): Promise<DeviceGroupRecord> {
    const group = await require(actor, ref)
    await requireGrants(store, actor, { deviceGroups: [group.id] })
    return group
  }

  const { devicesOf, known, changesOf } = createDeviceGroupBody({ store, settings, log })

  const record = (actor: Actor, name: string, what: string) =>
    recordChange(store, actor, 'group', name, `Device group ${name} ${what}`)

  return {
    /** Groups with a device that the actor may see, in order of name. */
    async list(actor: Actor): Promise<DeviceGroupRecord[]> {
      return await listDeviceGroups(store, scopeOf(actor), null)
    },

    /** Groups of which a device is a member, in order of name. */
    async ofDevice(actor: Actor, deviceId: number): Promise<DeviceGroupRecord[]> {
      return await listDeviceGroups(store, scopeOf(actor), deviceId)
    },

    /** The group; null: it does not exist, or the actor may not see it. */
    async find(actor: Actor, ref: string): Promise<DeviceGroupRecord | null> {
      return await findDeviceGroup(store, scopeOf(actor), ref)
    },

    /** The joins of a builder's tables, `[table, column, column]` each; empty for an invalid builder. */
    joins: joinsOf,

    /** Ids of the members that the actor may see. */
    async members(actor: Actor, group: DeviceGroupRecord): Promise<number[]> {
      return await deviceGroupMembers(store, scopeOf(actor), group.id)
    },

    /** Ids of the members that the actor may see, of all groups, by group; groups without any are absent. */
    async allMembers(actor: Actor): Promise<ReadonlyMap<number, number[]>> {
      return await deviceGroupsMembers(store, scopeOf(actor))
    },

    /** The members that the actor may see. */
    async records(actor: Actor, group: DeviceGroupRecord): Promise<DeviceRow[]> {
      return await readGroupMembers(store, scopeOf(actor), group.id, { secrets: isAdmin(actor) })
    },

    /** Creates a group; a dynamic one gets its members at once. */
    async create(actor: Actor, fields: Fields): Promise<{ id: number; name: string }> {
      const { changes, kind, devices, rule } = await changesOf(actor, fields, null)
      const { name = '', desc = null, rules = null } = changes
      const members = kind === 'static' ? (devices ?? []) : []
      const id = await written(
        () => insertDeviceGroup(store, { name, desc, type: kind, rules }, members),
        'Failed to create device group',
      )
      if (rule !== null) {
        await syncDynamicMembers(store, id, rule).catch(async (error: unknown) => {
          await deleteDeviceGroup(store, id)
          throw tooSlow(error)
        })
      }
      await record(actor, name, `added: ${rules === null ? listed(members) : sentenceOf(rules)}`)
      return { id, name }
    },

    /**
     * Changes a group. A static group made dynamic gets the members that its rules match; a dynamic one made static
     * gets the members in the body.
     */
    async update(actor: Actor, ref: string, fields: Fields): Promise<void> {
      const before = await requireWhole(actor, ref)
      const { changes, kind, devices, rule } = await changesOf(actor, fields, before)
      const members = kind === 'static' ? (devices ?? null) : null
      const had = members === null ? null : await deviceGroupMembers(store, { kind: 'all' }, before.id)
      await written(() => updateDeviceGroup(store, before.id, changes, members), 'Failed to save changes device group')
      const what = differences(audited(before, had), audited({ ...before, ...changes }, members))
      if (what !== '') await record(actor, before.name, `changed: ${what}`)
      if (rule === null) return
      await syncDynamicMembers(store, before.id, rule).catch((error: unknown) => {
        throw tooSlow(error)
      })
    },

    async delete(actor: Actor, ref: string): Promise<void> {
      const group = await requireWhole(actor, ref)
      if (!(await deleteDeviceGroup(store, group.id))) throw notFound(`Device group ${ref} not found`)
      await record(actor, group.name, 'deleted')
    },

    /** Adds members to a static group; returns 'dynamic' if the group has rules instead. */
    async add(actor: Actor, ref: string, fields: Fields): Promise<'added' | 'dynamic'> {
      const group = await requireWhole(actor, ref)
      if (group.type === 'dynamic') return 'dynamic'
      const ids = await devicesOf(fields)
      const errors = new FormErrors()
      await known(actor, ids, errors)
      errors.throwIfAny()
      await insertDeviceGroupMembers(store, group.id, ids)
      await record(actor, group.name, `got devices ${ids.join(', ')}`)
      return 'added'
    },

    /** Removes members from a static group; devices that are not members are ignored. */
    async remove(actor: Actor, ref: string, fields: Fields): Promise<'removed' | 'dynamic'> {
      const group = await requireWhole(actor, ref)
      if (group.type === 'dynamic') return 'dynamic'
      const ids = (await devicesOf(fields)).filter(isRowId)
      await deleteDeviceGroupMembers(store, group.id, ids)
      await record(actor, group.name, `lost devices ${ids.join(', ')}`)
      return 'removed'
    },

    refresh: () => refreshGroups(store, log),
  }
}

const listed = (members: readonly number[]): string => `devices ${members.join(', ') || 'none'}`

/** What the audit compares of a group; `members` null: they stay. */
const audited = ({ name, type, desc, rules }: DeviceGroupRecord, members: readonly number[] | null) => ({
  ...{ name, type, desc, rules: rules && sentenceOf(rules) },
  ...(members !== null && { devices: [...members].toSorted((a, b) => a - b) }),
})

export type DeviceGroupService = ReturnType<typeof createDeviceGroupService>

const isTimeout = (error: unknown) => toStoreError(error).code === '57014'

/** Converts a timeout to a refusal; returns other errors unchanged. */
function tooSlow(error: unknown): unknown {
  return isTimeout(error) ? unusable('The rule takes too long') : error
}

/** If two requests save the same name at once, the later one gets the same error as from the usual check. */
async function written<T>(work: () => Promise<T>, otherwise: string): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code } = toStoreError(error)
    if (code === '23505') {
      const errors = new FormErrors()
      errors.add('name', NAME_TAKEN)
      errors.throwIfAny()
    }
    throw code === '23503' ? unusable(otherwise, error) : error
  }
}

/**
 * Updates the members of all dynamic groups, with one statement per group. If the rules of a group no longer work, it
 * keeps its members and a warning is logged.
 */
async function refreshGroups(store: Store, log: Log): Promise<GroupRefresh> {
  const groups = await dynamicGroups(store)
  let changed = 0
  for (const { id, rules } of groups) {
    try {
      changed += await syncDynamicMembers(store, id, compile(rules))
    } catch (error) {
      if (!(error instanceof BuilderError) && toStoreError(error).kind === 'unavailable' && !isTimeout(error))
        throw error
      const reason = error instanceof Error ? error.message : String(error)
      log.warn({ deviceGroupId: id, reason }, 'the members of a dynamic group could not be refreshed')
    }
  }
  return { groups: groups.length, changed }
}

function joinsOf(builder: unknown): readonly (readonly string[])[] {
  try {
    return compile(builder).joins
  } catch (error) {
    if (error instanceof BuilderError) return []
    throw error
  }
}
