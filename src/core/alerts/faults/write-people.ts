import type { Tx } from '../../database/client.ts'
import { integers } from '../../database/pg-array.ts'
import type { AcknowledgedUntil, HistoryKind } from './fault.ts'

/** Who did something, and what they wrote; '': nothing. */
export interface ByPerson {
  readonly by: string
  readonly note: string
}

/** Which faults of locked alerts are meant: of one alert, or some. */
type Which = { readonly alertId: number } | { readonly ids: readonly number[] }

const chosen = (tx: Tx, which: Which) =>
  'alertId' in which ? tx`f.alert_id = ${which.alertId}` : tx`f.id = any(${integers(which.ids)}::text::bigint[])`

/**
 * Acknowledges open faults. Of those that are acknowledged already, only until when is changed. `count`: how many faults
 * the alert has, for `worse`.
 */
export async function acknowledgeFaults(
  tx: Tx,
  which: Which,
  {
    by,
    note,
    until,
    untilAt,
  }: ByPerson & { readonly until: AcknowledgedUntil | null; readonly untilAt: number | null },
): Promise<void> {
  await tx`
    with acknowledged as (
      update faults f set state = 2, acknowledged_until = coalesce(${until}::text, f.acknowledged_until, 'clear'),
        acknowledged_until_at = case when ${until}::text is null then f.acknowledged_until_at
          else to_timestamp(${untilAt === null ? null : untilAt / 1000}::float8) end,
        acknowledged_by = ${by}, acknowledged_at = now(), acknowledged_note = ${note},
        acknowledged_count = (select count(*) from faults o where o.alert_id = f.alert_id and o.live = 1 and o.state <> 0),
        acknowledged_severity = f.severity
      where ${chosen(tx, which)} and f.state <> 0 and f.live = 1 returning f.id)
    insert into fault_history (fault_id, what, by, note)
    select id, 'acknowledged', ${by}, ${note} from acknowledged order by id`
}

/** The faults of an alert that was acknowledged as a whole. `until` null: as before, or until they are over. */
export async function acknowledgeFaultsOf(
  tx: Tx,
  alertId: number,
  how: ByPerson & { readonly until: 'clear' | 'worse' | null },
): Promise<void> {
  await acknowledgeFaults(tx, { alertId }, { ...how, untilAt: null })
}

/** Makes acknowledged faults active again; they are notified again. */
export async function unacknowledgeFaults(tx: Tx, which: Which, { by, note }: ByPerson): Promise<void> {
  await tx`
    with active as (
      update faults f set state = 1, speaks = 1, acknowledged_by = null, acknowledged_at = null, acknowledged_note = null,
        acknowledged_until = null, acknowledged_until_at = null, acknowledged_count = null, acknowledged_severity = null
      where ${chosen(tx, which)} and f.state = 2 and f.live = 1 returning f.id)
    insert into fault_history (fault_id, what, by, note)
    select id, 'unacknowledged', ${by}, ${note} from active order by id`
}

export async function unacknowledgeFaultsOf(tx: Tx, alertId: number, how: ByPerson): Promise<void> {
  await unacknowledgeFaults(tx, { alertId }, how)
}

/** Adds an entry to the history of a fault. */
export async function noteFault(tx: Tx, id: number, what: HistoryKind, { by, note }: ByPerson): Promise<void> {
  await tx`insert into fault_history (fault_id, what, by, note) values (${id}, ${what}, ${by}, ${note})`
}
