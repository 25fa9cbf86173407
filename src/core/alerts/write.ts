import { isAcknowledged, isOpen } from '../base/alert-states.ts'
import { deviceInScope, type Scope } from '../base/scope.ts'
import type { Store, Tx } from '../database/client.ts'
import { lasting, type Until } from './faults/fault.ts'
import { acknowledgeFaults, unacknowledgeFaults, wakeEngine } from './faults/write-people.ts'
import { notesWith } from './notes.ts'

/** An action of a person on an alert. */
export interface AlertChange {
  readonly id: number
  readonly state: 1 | 2
  /** Line appended to the note. */
  readonly line: string
  /** How long the acknowledgement lasts; null: keep what is stored. */
  readonly until: Until | null
  /** For the event log. */
  readonly event: string
  readonly username: string
  /** When the problem began that the person saw, epoch ms. Default, and null: the one that is open now is meant. */
  readonly seen?: number | null
  /** What the person wrote; '': nothing. */
  readonly note?: string
}

/** `ended`: the problem is over, and nothing was changed. `absent`: there is no such alert in scope. */
export type AlertChangeResult = 'done' | 'ended' | 'absent'

/**
 * Changes the state of an open alert in scope, and logs an event and who did it in the alert log. An alert that has
 * ended stays as it is: its next problem is a new one that nobody has seen. Only a change of state, of the alert or of
 * one of its faults, is notified; acknowledging what is acknowledged, or unmuting what is not, only adds the line.
 */
export async function changeAlert({ sql }: Store, scope: Scope, change: AlertChange): Promise<AlertChangeResult> {
  return await sql.begin(async (tx): Promise<AlertChangeResult> => {
    // rule and device are locked before the alert, as by whoever deletes them
    const [alert] = await tx<(LockedAlert & { began: number | null })[]>`
        select a.device_id, a.rule_id, a.state, floor(extract(epoch from a.began_at) * 1000)::float8 as began, a.info, r.name
        from alerts a join devices d on d.device_id = a.device_id join alert_rules r on r.id = a.rule_id
        where a.id = ${change.id} and ${deviceInScope(sql, scope)}
        for key share of r, d for update of a`
    if (alert === undefined) return 'absent'
    const { seen = null } = change
    const another = seen !== null && alert.began !== null && seen !== alert.began
    if (!isOpen(alert.state) || another) return 'ended'
    await turnAlert(tx, alert, change)
    await (change.state === 2
      ? acknowledgeFaults(
          tx,
          { alertId: change.id },
          {
            by: change.username,
            note: change.note ?? '',
            ...lasting(change.until),
          },
        )
      : unacknowledgeFaults(tx, { alertId: change.id }, { by: change.username, note: change.note ?? '' }))
    await wakeEngine(tx, [change.id])
    return 'done'
  })
}

/** An alert whose row is locked. */
export interface LockedAlert {
  readonly device_id: number
  readonly rule_id: number
  readonly state: number
  readonly info: string
  /** Of its rule. */
  readonly name: string
}

/**
 * Acknowledges a locked, open alert, or makes it active again, and logs it. Its faults are not touched, and the engine is
 * not woken.
 */
export async function turnAlert(tx: Tx, alert: LockedAlert, change: AlertChange): Promise<void> {
  const turns = isAcknowledged(alert.state) !== isAcknowledged(change.state)
  const info = change.until === null ? alert.info : withUntilClear(alert.info, change.until !== 'worse')
  await tx`
        update alerts a set info = ${info}, note = ${notesWith(tx, change.line)}
          ${turns ? tx`, state = ${change.state}, open = 1, held = null` : tx``}
        where id = ${change.id}`
  await tx`
        insert into eventlog (device_id, message, type, reference, username, severity)
        values (${alert.device_id}, ${`${change.event}: ${alert.name}`}, 'alert', ${String(alert.rule_id)},
          ${change.username}, 2)`
  // an active alert shows the rows of its latest entry that is no acknowledgement
  const matched =
    change.state === 2
      ? tx``
      : tx`(select l.details from alert_log l
              where l.rule_id = ${alert.rule_id} and l.device_id = ${alert.device_id} and l.state <> 2
                and jsonb_typeof(l.details) = 'object' order by l.id desc limit 1),`
  await tx`
        insert into alert_log (rule_id, device_id, state, details)
        select ${alert.rule_id}, ${alert.device_id}, ${change.state}, coalesce(${matched} '{"rule": []}'::jsonb)
          || jsonb_build_object('by', ${change.username}::text, 'note', ${change.note ?? ''}::text)`
}

/** Keeps the other members of `info`; replaces text that is not a JSON object. */
function withUntilClear(info: string, untilClear: boolean): string {
  let members: unknown = {}
  try {
    members = JSON.parse(info || '{}')
  } catch {
    // written by another program
  }
  const known = typeof members === 'object' && members !== null && !Array.isArray(members) ? members : {}
  return JSON.stringify({ ...known, until_clear: untilClear })
}
