import { steadyNow } from '../../../../lib/steady.ts'
import type { Log } from '../../../../observe/log.ts'
import type { Store } from '../../../database/client.ts'
import { toStoreError } from '../../../database/errors.ts'
import { writeRefusal } from '../write.ts'
import { MessageError, type RefusalReason } from './checks.ts'
import { type PartPosition, parsePosition } from './position.ts'

/** Messages of a remote poller that could not be stored. */
export interface Refusals {
  counts(): Readonly<Partial<Record<RefusalReason, number>>>
  count(reason: RefusalReason): void
  /** Logs a warning about the poller, up to a number per minute. */
  say(fields: Readonly<Record<string, unknown>>, text: string): void
  /**
   * Counts and logs a message that cannot be stored, and sets it aside, so that reading continues with the next.
   * `position`: the text of its header. `arrived`: the part that did arrive; null: it may come again. Never rejects.
   */
  refuse(error: unknown, position: string, message: Uint8Array, arrived: PartPosition | null): Promise<void>
}

/** Refused messages logged per minute; the others are only counted. */
const LOGGED_A_MINUTE = 5

export function createRefusals(
  store: Store,
  poller: { readonly id: number; readonly name: string },
  log: Log,
): Refusals {
  const refused: Partial<Record<RefusalReason, number>> = {}
  let logged = { minute: 0, lines: 0 }

  function count(reason: RefusalReason): void {
    refused[reason] = (refused[reason] ?? 0) + 1
  }

  function say(fields: Readonly<Record<string, unknown>>, text: string): void {
    const minute = Math.floor(steadyNow() / 60_000)
    if (logged.minute !== minute) logged = { minute, lines: 0 }
    if (++logged.lines <= LOGGED_A_MINUTE) log.warn({ poller: poller.name, ...fields }, text)
  }

  return {
    counts: () => ({ ...refused }),
    count,
    say,
    async refuse(error, position, message, arrived) {
      const reason = error instanceof MessageError ? error.reason : 'garbled'
      count(reason)
      // only the text of a MessageError is known to contain nothing from the message
      say(
        { reason, octets: message.length, why: error instanceof MessageError ? error.message : 'unexpected form' },
        'refused a message',
      )
      const known = parsePosition(position) === null ? '' : position
      await writeRefusal(store, poller.id, { reason, position: known, message, arrived }).catch((cause: unknown) =>
        say({ reason: toStoreError(cause).code }, 'could not set aside a refused message'),
      )
    },
  }
}
