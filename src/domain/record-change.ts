import { type ChangeKind, insertChange } from '../store/access/changes.ts'
import type { Store } from '../store/client.ts'
import type { Actor } from './actor.ts'

/** Who made changes by commands. */
const CLI = 'cli'

/** Writes a change to the audit. `message` holds no secret. `deviceId`: the device that was changed. */
export function recordChange(
  store: Store,
  actor: Actor,
  kind: ChangeKind,
  subject: string,
  message: string,
  deviceId: number | null = null,
): Promise<void> {
  const username = actor.userId === null ? actor.username || CLI : actor.username
  return insertChange(store, { kind, subject, message, username, deviceId })
}
