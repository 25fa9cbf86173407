import type { Scope } from './scope.ts'

/** Form of responses where LibreNMS and its documentation differ (setting `api.v0.dialect`). */
export type Dialect = 'documented' | 'librenms'

/** The user or program making a request. Built for each request from its token, never stored. */
export interface Actor {
  /** null: the program itself (command line, poller). */
  readonly userId: number | null
  readonly username: string
  /** `admin`, `global-read`, `user` and roles defined by the operator. Empty: may only request the version. */
  readonly roles: ReadonlySet<string>
  /** Named permissions of the roles, lower case, for example `device.update`. */
  readonly permissions: ReadonlySet<string>
  /** Whether grants of dynamic groups count (setting permission.device_group.allow_dynamic). */
  readonly dynamicGroups: boolean
  /** The token's own dialect; null: that of the setting. */
  readonly dialect: Dialect | null
  /** Whether the token is read-only. */
  readonly readOnly: boolean
}

/** The program itself, which may do everything. Used by the command line. */
export const SYSTEM: Actor = {
  userId: null,
  username: '',
  roles: new Set(['admin']),
  permissions: new Set(),
  dynamicGroups: true,
  dialect: null,
  readOnly: false,
}

/** Name under which changes by the actor are recorded: `cli` for the command line. */
export const changerOf = ({ username }: Actor): string => username || 'cli'

/** Who made a change, as people read it. `name`: as recorded. */
export const whoWords = (name: string): string => (name === '' || name === 'cli' ? 'the command line' : name)

/** Whether the actor sees secrets of devices (community, passwords). */
export function isAdmin(actor: Actor): boolean {
  return actor.roles.has('admin')
}

/** Objects that the actor may see: all for `admin` and `global-read`, otherwise the granted ones. */
export function scopeOf(actor: Actor): Scope {
  if (actor.userId === null || actor.roles.has('admin') || actor.roles.has('global-read')) return { kind: 'all' }
  return { kind: 'granted', userId: actor.userId, dynamicGroups: actor.dynamicGroups }
}
