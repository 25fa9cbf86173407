import { eq, sql } from 'drizzle-orm'
import { alertSchedulables, alertSchedule, devices, usersPrefs } from '../../../db/schema/index.ts'
import type { DbTx, Store } from '../database/client.ts'

/** A maintenance window for one target. */
export interface NewSchedule {
  readonly title: string
  readonly notes: string
  readonly behavior: 1 | 2 | 3
  readonly start: Date
  readonly end: Date
  /** 1: on the weekdays of `recurring_day` (ISO numbers joined by commas; null: all) between the times of day. */
  readonly recurring?: 0 | 1
  readonly recurring_day?: string | null
  readonly repeat?: RepeatedWindow['repeat']
  readonly zone?: string
  readonly duration_s?: number
  readonly target: { readonly kind: 'device' | 'device_group' | 'location' | 'port' | 'sensor'; readonly id: number }
}

/** A window that repeats, with times in its own zone. */
export interface RepeatedWindow {
  readonly repeat: 'daily' | 'weekly' | 'monthly'
  readonly zone: string
  /** Local, `Y-m-d H:i:s`; null: the current minute. */
  readonly start: string | null
  readonly durationS: number
  /** ISO weekdays joined by commas; null: as for `repeat`. */
  readonly days: string | null
  /** Last day on which it begins, `Y-m-d`. */
  readonly until: string
}

/** Start and end as they are stored. Null: the last day is before the first. Throws 22023 for an unknown zone. */
export async function repeatedTimes(
  { sql }: Store,
  { zone, start, durationS, until }: RepeatedWindow,
  nowMs: number,
): Promise<{ start: Date; end: Date } | null> {
  const [row] = await sql<{ start: Date; end: Date; ok: boolean }[]>`
      with t as (select coalesce(${start}::text::timestamp,
        date_trunc('minute', to_timestamp(${nowMs / 1000}) at time zone ${zone})) as first)
      select t.first at time zone ${zone} as start, ${until}::text::date >= t.first::date as ok,
        (${until}::text::date + t.first::time) at time zone ${zone} + make_interval(secs => ${durationS}) as "end"
      from t`
  return row?.ok === true ? { start: row.start, end: row.end } : null
}

/** Preference that appends the notes of a maintenance window to those of its devices. */
const NOTE_PREFERENCE = 'add_schedule_note_to_device'

/**
 * Stores a schedule. `note` is appended to the notes of the device, or of the devices at the location, if the user has
 * that preference. Throws a foreign key violation (23503) when the target is gone.
 */
export async function insertSchedule(
  { db }: Store,
  { target, ...schedule }: NewSchedule,
  note: { readonly userId: number; readonly line: string } | null,
): Promise<number> {
  return await db.transaction(async (tx) => {
    const [made] = await tx.insert(alertSchedule).values(schedule).returning({ id: alertSchedule.schedule_id })
    if (!made) throw new Error('insert returned no row')
    await tx
      .insert(alertSchedulables)
      .values({ schedule_id: made.id, alert_schedulable_id: target.id, alert_schedulable_type: target.kind })
    const noted = target.kind === 'device' || target.kind === 'location'
    if (note !== null && noted && (await prefersNotes(tx, note.userId))) {
      const noting = eq(target.kind === 'device' ? devices.device_id : devices.location_id, target.id)
      await tx.execute(sql`select from devices where ${noting} order by device_id for no key update`)
      await tx
        .update(devices)
        .set({ notes: sql`concat_ws(E'\n', nullif(${devices.notes}, ''), ${note.line}::text)` })
        .where(noting)
    }
    return made.id
  })
}

/** Changes a maintenance window except its targets. Returns false when it does not exist. */
export async function updateSchedule(
  { db }: Store,
  id: number,
  { recurring = 0, recurring_day = null, repeat, zone, duration_s, ...schedule }: Omit<NewSchedule, 'target'>,
): Promise<boolean> {
  const values = {
    ...schedule,
    ...{ recurring, recurring_day, repeat: repeat ?? null, zone: zone ?? null, duration_s: duration_s ?? null },
  }
  const changed = await db
    .update(alertSchedule)
    .set(values)
    .where(eq(alertSchedule.schedule_id, id))
    .returning({ id: alertSchedule.schedule_id })
  return changed.length > 0
}

/** The targets of a window. */
export async function scheduleTargets({ sql: query }: Store, id: number): Promise<NewSchedule['target'][]> {
  return await query<NewSchedule['target'][]>`
      select alert_schedulable_type as kind, alert_schedulable_id as id from alert_schedulables where schedule_id = ${id}
      order by item_id`
}

/** Deletes a maintenance window. Returns false when it did not exist. */
export async function deleteSchedule({ db }: Store, id: number): Promise<boolean> {
  const gone = await db
    .delete(alertSchedule)
    .where(eq(alertSchedule.schedule_id, id))
    .returning({ id: alertSchedule.schedule_id })
  return gone.length > 0
}

async function prefersNotes(tx: DbTx, userId: number): Promise<boolean> {
  const rows = await tx
    .select({ value: usersPrefs.value })
    .from(usersPrefs)
    .where(sql`${usersPrefs.user_id} = ${userId} and ${usersPrefs.pref} = ${NOTE_PREFERENCE}`)
  return rows.some(({ value }) => value !== '' && value !== '0' && value !== 'false')
}
