import { type Actor, isAdmin } from '../base/actor.ts'
import { recordChange } from '../base/change-audit.ts'
import { forbidden } from '../base/errors.ts'
import type { ChangeKind } from '../base/write-changes.ts'
import type { Store } from '../database/client.ts'
import type { UserService } from './users/service.ts'

/** What every operation of administration does besides its work. */
export interface Audit {
  /** Throws `forbidden` for actors without role `admin`. */
  guard(actor: Actor): void
  /** Records who changed what. `message` holds no secret. */
  record(actor: Actor, kind: ChangeKind, subject: string, message: string): Promise<void>
}

export function createAudit(store: Store): Audit {
  return {
    guard(actor) {
      if (!isAdmin(actor)) throw forbidden('Only administrators may do this')
    },
    record: (actor, kind, subject, message) => recordChange(store, actor, kind, subject, message),
  }
}

/** Makes operations that change a user, given by name or id, and record it. `words`: what was done to the user. */
export function userChange(users: Pick<UserService, 'find'>, { guard, record }: Audit) {
  return <A extends readonly unknown[], R>(
    work: (actor: Actor, username: string, ...args: A) => Promise<R>,
    words: (...args: A) => string,
  ) =>
    async (actor: Actor, username: string, ...args: A): Promise<R> => {
      guard(actor)
      const user = await users.find(username)
      const result = await work(actor, `id=${user.user_id}`, ...args)
      await record(actor, 'access', user.username, `User ${user.username}: ${words(...args)}`)
      return result
    }
}
