import type { Tx } from './rows.ts'

/** One row of the event log, about something that changed on a device. */
export interface Event {
  readonly deviceId: number
  readonly message: string
  /** `system`, `interface`, `sensor`, ... */
  readonly type: string
  /** Id of the concerned object; null: the device as a whole. */
  readonly reference: number | null
  readonly severity: Severity
}

/** SCHEMA of the event log: 1 ok, 2 info, 3 notice, 4 warning, 5 error. */
export type Severity = 1 | 2 | 3 | 4 | 5

const WORST_FIRST: readonly Severity[] = [5, 4, 3, 2, 1]

/** Changes of one kind in one run that are told one by one; more are told as a number. */
const MOST_SINGLE_EVENTS = 50

/** Most characters of a message: `text` in the API's record, but a log is read by people. */
const MESSAGE_LIMIT = 1000

/** The events, or one that gives their number when there are more than anybody reads: a line card gone, say. */
export function condensed(events: readonly Event[], what: string): readonly Event[] {
  const first = events[0]
  if (first === undefined || events.length <= MOST_SINGLE_EVENTS) return events
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
  }))
  await tx`
    insert into eventlog (device_id, message, type, reference, severity)
    select device_id, message, type, reference, severity
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as x(device_id int4, message text, type text, reference text, severity int2)`
}

/** `ifOperStatus: up -> down`; an unknown value is shown as nothing. */
export function changed(name: string, from: string | number | null, to: string | number | null): string {
  return `${name}: ${from ?? ''} -> ${to ?? ''}`
}
