import type { Settings } from '../../../config/schema.ts'
import { invalid, notFound } from '../../base/errors.ts'
import { isPermission } from '../../base/permissions.ts'
import type { Store } from '../../database/client.ts'
import { toStoreError } from '../../database/errors.ts'
import type { UserRecord } from '../read.ts'
import {
  findGrantable,
  type GrantIds,
  type GrantKind,
  type GrantRecord,
  grantedDeviceCount,
  listGrants,
  listRoles,
} from '../read-grants.ts'
import { deleteGrants, deleteRole, insertGrants, replacePermissions } from '../write-grants.ts'

export type { GrantIds, GrantKind, GrantRecord }

/** References to objects, by kind: hostnames, names of groups and bills, or ids; for ports only ids. */
export type GrantRefs = Readonly<Partial<Record<GrantKind, readonly string[]>>>

export interface GrantDeps {
  readonly store: Store
  readonly settings: Settings
  /** Called after every change of permissions. */
  readonly announce: () => Promise<void>
  readonly require: (username: string) => Promise<UserRecord>
}

const KINDS: Readonly<Record<GrantKind, string>> = {
  deviceIds: 'device',
  deviceGroupIds: 'device group',
  locationIds: 'location',
  portIds: 'port',
  billIds: 'bill',
}

function missingText(kind: GrantKind, ref: string): string {
  if (kind === 'deviceIds') return `There is no device ${ref}: give its hostname or id`
  if (kind === 'portIds') return `There is no port ${ref}: give its id`
  return `There is no ${KINDS[kind]} ${ref}, or more than one of that name: give its id`
}

const BUILT_IN: ReadonlySet<string> = new Set(['admin', 'global-read', 'user'])
const ROLE_NAME = /^[a-z][a-z0-9_-]{0,63}$/

/** Operations on grants of users with role `user`, and on custom roles. */
export function createGrants({ store, settings, announce, require }: GrantDeps) {
  const isDynamicOn = () => settings.get('permission.device_group.allow_dynamic')

  return {
    /** Grants objects to a user. Throws `not_found` for an unknown user or object. */
    async grant(username: string, ids: GrantIds): Promise<void> {
      const user = await require(username)
      try {
        await insertGrants(store, user.user_id, ids)
      } catch (error) {
        const known = toStoreError(error)
        if (known.code === '23503') throw notFound('Unknown device, device group, location, port or bill')
        throw known
      }
      await announce()
    },

    /** Revokes grants of a user; returns how many were removed. Throws `not_found` for an unknown user. */
    async revoke(username: string, ids: GrantIds): Promise<number> {
      const gone = await deleteGrants(store, (await require(username)).user_id, ids)
      await announce()
      return gone
    },

    /** Grants of a user, and how many devices each shows now. Throws `not_found`. */
    async grants(username: string): Promise<GrantRecord[]> {
      return await listGrants(store, (await require(username)).user_id, isDynamicOn())
    },

    /** Number of devices that the grants of a user show together; more may be seen by role. Throws `not_found`. */
    async reach(username: string): Promise<number> {
      const { user_id: userId } = await require(username)
      return await grantedDeviceCount(store, { kind: 'granted', userId, dynamicGroups: isDynamicOn() })
    },

    /** Ids of the referenced objects. Throws `not_found` for the first that is unknown or ambiguous. */
    async grantable(refs: GrantRefs): Promise<GrantIds> {
      const ids: Partial<Record<GrantKind, number[]>> = {}
      for (const [kind, list] of Object.entries(refs) as [GrantKind, readonly string[]][]) {
        ids[kind] = []
        for (const ref of list) {
          const id = await findGrantable(store, kind, ref)
          if (id === null) throw notFound(missingText(kind, ref))
          ids[kind].push(id)
        }
      }
      return ids
    },

    /** All roles, with the permissions of custom ones. */
    async roles(): Promise<{ name: string; permissions: string[]; users: number }[]> {
      return await listRoles(store)
    },

    /** Creates or changes a custom role with single permissions, such as `device.update`. Throws `invalid`. */
    async defineRole(role: string, permissions: readonly string[]): Promise<void> {
      if (BUILT_IN.has(role)) throw invalid(`Role ${role} cannot be changed`)
      if (!ROLE_NAME.test(role))
        throw invalid('The name of a role must have at most 64 lower-case letters, digits, hyphens and underscores')
      const names = permissions.map((name) => name.toLowerCase())
      const unknown = names.find((name) => !isPermission(name))
      if (unknown !== undefined) throw invalid(`Unknown permission ${unknown}; an example is device.update`)
      await replacePermissions(store, role, names)
      await announce()
    },

    /** Deletes a custom role. Throws `invalid` or `not_found`. */
    async deleteRole(role: string): Promise<void> {
      if (BUILT_IN.has(role)) throw invalid(`Role ${role} cannot be deleted`)
      if (!(await deleteRole(store, role))) throw notFound(`Role ${role} does not exist`)
      await announce()
    },
  }
}
