import { type Actor, isAdmin } from '../base/actor.ts'
import { recordChange } from '../base/change-audit.ts'
import { forbidden } from '../base/errors.ts'
import type { ChangeKind } from '../base/write-changes.ts'
import type { Store } from '../database/client.ts'

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
