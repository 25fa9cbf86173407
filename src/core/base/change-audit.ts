import type { Store } from '../database/client.ts'
import { type Actor, changerOf } from './actor.ts'
import { type ChangeKind, insertChange } from './write-changes.ts'

/** Records a change in the audit. `message` must not contain a secret. `deviceId`: the device that was changed. */
export function recordChange(
  store: Store,
  actor: Actor,
  kind: ChangeKind,
  subject: string,
  message: string,
  deviceId: number | null = null,
): Promise<void> {
  return insertChange(store, { kind, subject, message, username: changerOf(actor), deviceId })
}
