import type { Scope } from '../store/readers/scope.ts'

/** Form of the answers in the four places where the documentation and LibreNMS differ (setting `api.v0.dialect`). */
export type Dialect = 'documented' | 'librenms'

/** Who acts. Built from a token for each request; never stored. */
export interface Actor {
  /** null: the program itself (command line, poller). */
  readonly userId: number | null
  readonly username: string
  /** `admin`, `global-read`, `user` and those the operator made. Empty: may do nothing but ask for the version. */
  readonly roles: ReadonlySet<string>
  /** Named permissions of the roles, lower case, for example `device.update`. */
  readonly permissions: ReadonlySet<string>
  /** Whether dynamic groups that were granted count too (setting permission.device_group.allow_dynamic). */
  readonly dynamicGroups: boolean
  /** The token's own dialect; null: the installation's. */
  readonly dialect: Dialect | null
}

/** The program itself: everything is allowed. Used by the command line. */
export const SYSTEM: Actor = {
  userId: null,
  username: '',
  roles: new Set(['admin']),
  permissions: new Set(),
  dynamicGroups: true,
  dialect: null,
}

/** Whether secrets of devices (community, passwords) are shown to the actor. */
export function isAdmin(actor: Actor): boolean {
  return actor.roles.has('admin')
}

/** Which objects the actor may see. `admin` and `global-read`: all; anybody else: those granted. */
export function scopeOf(actor: Actor): Scope {
  if (actor.userId === null || actor.roles.has('admin') || actor.roles.has('global-read')) return { kind: 'all' }
  return { kind: 'granted', userId: actor.userId, dynamicGroups: actor.dynamicGroups }
}
