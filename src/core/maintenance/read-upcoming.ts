import type { Store } from '../database/client.ts'
import { occurrences } from './read-occurrences.ts'

const MAX_WINDOWS = 300

/** A time at which a window is open. */
export interface Occurrence {
  readonly schedule_id: number
  readonly title: string
  readonly opens: Date
  readonly closes: Date
}

/** When windows are open between two instants (epoch ms), the earliest first. */
export async function nextOccurrences({ sql }: Store, fromMs: number, toMs: number): Promise<Occurrence[]> {
  return await sql<Occurrence[]>`
      select o.schedule_id, s.title, o.opens, o.closes
      from (${occurrences(sql, fromMs / 1000, toMs / 1000)}) o join alert_schedule s using (schedule_id)
      order by o.opens, o.schedule_id limit ${MAX_WINDOWS}`
}

/** Ends a window now; one that has not begun ends at its start. Returns false when there is none, or it is over. */
export async function endSchedule({ sql }: Store, id: number): Promise<boolean> {
  const rows = await sql`update alert_schedule set "end" = greatest(start, date_trunc('second', now()))
      where schedule_id = ${id} and "end" > now() returning schedule_id`
  return rows.length > 0
}
