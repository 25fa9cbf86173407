import type { Tx } from './write-rows.ts'

/** A row of the event log, about a change on a device. */
export interface Event {
  readonly deviceId: number
  readonly message: string
  /** `system`, `interface`, `sensor`, ... */
  readonly type: string
  /** Id of the object; null: the device as a whole. */
  readonly reference: number | null
  readonly severity: Severity
  /** Epoch ms; absent: now. */
  readonly at?: number
}

/** SCHEMA of the event log: 1 ok, 2 info, 3 notice, 4 warning, 5 error. */
export type Severity = 1 | 2 | 3 | 4 | 5

const WORST_FIRST: readonly Severity[] = [5, 4, 3, 2, 1]

/** Above this number, changes of one kind in one run are logged as one event with their number. */
const MAX_SINGLE_EVENTS = 50

/** Maximum characters of a message. `text` in the API's record has no limit, but people read the log. */
const MESSAGE_LIMIT = 1000

/** The events, or a single one with their number if there are too many to read, as when a line card is removed. */
export function condensed(events: readonly Event[], what: string): readonly Event[] {
  const first = events[0]
  if (first === undefined || events.length <= MAX_SINGLE_EVENTS) return events
  const severity = WORST_FIRST.find((level) => events.some((event) => event.severity === level)) ?? 3
  return [{ ...first, message: `${events.length} ${what}`, reference: null, severity }]
}

export async function writeEvents(tx: Tx, events: readonly Event[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map((event) => ({
    device_id: event.deviceId,
    message: [...event.message.replaceAll('\0', '').toWellFormed()].slice(0, MESSAGE_LIMIT).join(''),
    type: event.type,
    reference: event.reference === null ? null : String(event.reference),
    severity: event.severity,
    at: event.at ?? null,
  }))
  await tx`
    insert into eventlog (device_id, datetime, message, type, reference, severity)
    select device_id, coalesce(to_timestamp(at / 1000), now()), message, type, reference, severity
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as x(device_id int4, message text, type text, reference text, severity int2, at float8)`
}

/** `ifOperStatus: up -> down`; an unknown value is shown as empty text. */
export function changed(name: string, from: string | number | null, to: string | number | null): string {
  return `${name}: ${from ?? ''} -> ${to ?? ''}`
}
