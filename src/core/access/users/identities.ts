import type { Settings } from '../../../config/schema.ts'
import { conflict, invalid } from '../../base/errors.ts'
import type { Store } from '../../database/client.ts'
import type { UserRecord } from '../read.ts'
import { deleteIdentities, type IdentityRecord, insertIdentity, isSubject, listIdentities } from '../read-identities.ts'
import { deleteOtherSessions } from '../write-sessions.ts'

export interface IdentityDeps {
  readonly store: Store
  readonly settings: Settings
  /** Called after sessions were ended. */
  readonly announce: () => Promise<void>
  /** The user called by this name or id. Throws `not_found` and `conflict`. */
  readonly require: (username: string) => Promise<UserRecord>
}

/** Accounts at OpenID Connect providers that may sign in as a user. */
export function createIdentities({ store, settings, announce, require }: IdentityDeps) {
  return {
    /**
     * Lets an account at the OpenID Connect provider sign in as the user. `subject`: its claim `sub`. `of`: the issuer;
     * null: that of the settings. Throws `not_found`, `invalid`, or `conflict` if the account is already linked.
     */
    async link(username: string, subject: string, of: string | null = null): Promise<void> {
      const issuer = of ?? settings.get('auth.oidc.issuer')
      if (issuer === '') throw invalid('Give the issuer, or set auth.oidc.issuer first')
      if (!isSubject(subject)) throw invalid('A subject must have 1 to 255 characters, and no control characters')
      const user = await require(username)
      if (!(await insertIdentity(store, user.user_id, { issuer, subject })))
        throw conflict(`${subject} of ${issuer} is already linked`)
    },

    /**
     * Removes all accounts at providers from the user and ends its sessions; returns the number of accounts. Throws
     * `not_found`.
     */
    async unlink(username: string): Promise<number> {
      const { user_id } = await require(username)
      const gone = await deleteIdentities(store, user_id)
      if (gone > 0) {
        await deleteOtherSessions(store, user_id, null)
        await announce()
      }
      return gone
    },

    /** Accounts at providers that can sign in as the user. Throws `not_found`. */
    async identities(username: string): Promise<IdentityRecord[]> {
      return await listIdentities(store, (await require(username)).user_id)
    },
  }
}
