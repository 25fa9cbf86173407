import type { Actor } from '../base/actor.ts'
import { differences } from '../base/differences.ts'
import type { ChangeRow } from '../base/write-changes.ts'
import { createAudit } from './admin-audit.ts'
import { createSettingAdmin, type SettingAdminDeps } from './admin-settings.ts'
import { createUserAdmin, type UserAdminDeps } from './admin-users.ts'
import type { TokenRecord, TokenTerms } from './tokens/service.ts'

export type { SettingRow } from './admin-settings.ts'
export type { ChangeRow }

/**
 * Administration of settings and users, with an audit of who changed what. Every operation throws `forbidden` for
 * actors without role `admin`.
 */
export function createAdminService(deps: SettingAdminDeps & UserAdminDeps) {
  const audit = createAudit(deps.store)
  const { guard, record } = audit
  const { users } = deps
  return {
    ...createSettingAdmin(deps, audit),
    ...createUserAdmin(deps, audit),

    /** Creates or changes a custom role. Throws `invalid`. */
    async defineRole(actor: Actor, role: string, permissions: readonly string[]): Promise<void> {
      guard(actor)
      const before = (await users.roles()).find(({ name }) => name === role)
      await users.defineRole(role, permissions)
      const was = before === undefined ? '' : `, before ${before.permissions.join(', ') || 'nothing'}`
      await record(actor, 'access', role, `Role ${role} may now ${permissions.join(', ') || 'nothing'}${was}`)
    },

    /** Deletes a custom role. Throws `invalid` or `not_found`. */
    async deleteRole(actor: Actor, role: string): Promise<void> {
      guard(actor)
      await users.deleteRole(role)
      await record(actor, 'access', role, `Role ${role} deleted`)
    },

    /** Records what users change of their own account, which has already been done. `what` holds no secret. */
    async noteOwn(actor: Actor, what: string): Promise<void> {
      await record(actor, 'access', actor.username, `User ${actor.username}: ${what}`)
    },

    /** Records a change of a token's terms, which the token service has already made. */
    async noteTokenTerms(actor: Actor, before: TokenRecord, terms: Partial<TokenTerms>): Promise<void> {
      const { scope, expires_at: expiresAt, dialect } = before
      const what = differences({ scope, expiresAt, dialect }, { scope, expiresAt, dialect, ...terms })
      if (what === '') return
      await record(actor, 'access', 'API tokens', `API token ${before.id} of ${before.username}: ${what}`)
    },

    /** Records a change of a token, which the token service has already made. */
    async noteToken(actor: Actor, message: string): Promise<void> {
      await record(actor, 'access', 'API tokens', message)
    },
  }
}

export type AdminService = ReturnType<typeof createAdminService>
