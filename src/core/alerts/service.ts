import { type Actor, scopeOf } from '../base/actor.ts'
import type { ListChunk } from '../base/lists.ts'
import type { Store } from '../database/client.ts'
import { checkTime, type Until } from './faults/fault.ts'
import { ALERT_COLUMNS, type AlertFilter, type AlertOrder, listAlerts } from './read.ts'
import { rfc2822 } from './rfc2822.ts'
import { type AlertChangeResult, changeAlert } from './write.ts'

export type { AlertChangeResult, AlertFilter, AlertOrder }

/** Maximum characters of a user's note on an alert. */
const MAX_NOTE = 10_000

/** Operations on alerts, limited to those of devices that the actor may see. */
export function createAlertService({
  store,
  now = () => new Date(),
}: {
  readonly store: Store
  readonly now?: () => Date
}) {
  const line = (what: string, actor: Actor, note: string) =>
    `${rfc2822(now())} - ${what} (${actor.username}) ${note.slice(0, MAX_NOTE)}`.trimEnd()

  return {
    /** Alerts in the given order. */
    async list(actor: Actor, filter: AlertFilter, order: AlertOrder): Promise<readonly ListChunk[]> {
      return await listAlerts(store, scopeOf(actor), filter, order)
    },

    /**
     * Acknowledges an open alert with all its open faults, and stores the note. `seen`: when the problem began that the
     * person saw, epoch ms; if another one is open by now, that is `ended`. Throws `invalid` for a time that is over.
     */
    async acknowledge(
      actor: Actor,
      id: number,
      { note, until, seen = null }: { readonly note: string; readonly until: Until; readonly seen?: number | null },
    ): Promise<AlertChangeResult> {
      if (until instanceof Date) checkTime(until, now())
      return await changeAlert(store, scopeOf(actor), {
        id,
        state: 2,
        line: line('Ack', actor, note),
        note: note.slice(0, MAX_NOTE),
        until,
        event: 'Alert acknowledged',
        username: actor.username,
        seen,
      })
    },

    /** Makes an acknowledged alert active again. */
    async unmute(actor: Actor, id: number, note: string): Promise<AlertChangeResult> {
      return await changeAlert(store, scopeOf(actor), {
        id,
        state: 1,
        line: line('Ack', actor, note),
        note: note.slice(0, MAX_NOTE),
        until: null,
        event: 'Alert unmuted',
        username: actor.username,
      })
    },
  }
}

/** The column of alerts with this name; null: none. */
export function alertColumn(name: string): AlertOrder['column'] | null {
  return ALERT_COLUMNS.find((column) => column === name) ?? null
}

export type AlertService = ReturnType<typeof createAlertService>
