import type { Store, Tx } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'
import { type CheckedContactMethod, type CheckedSchedule, MAX_OVERRIDES, MAX_SCHEDULES } from './check.ts'

/** How long overrides that are over are kept. */
const KEPT_DAYS = 366

/** Adds a schedule and returns its id; null: there are MAX_SCHEDULES already. Throws StoreError (name in use, no such user). */
export async function insertSchedule({ sql }: Store, schedule: CheckedSchedule): Promise<number | null> {
  return await sql.begin(async (tx) => {
    const [row] = await tx<{ id: number }[]>`
        insert into on_call_schedules (name, zone, notes)
        select ${schedule.name}, ${schedule.zone}, ${schedule.notes}
        where (select count(*) from on_call_schedules) < ${MAX_SCHEDULES} returning id`
    if (row === undefined) return null
    await insertLayers(tx, row.id, schedule)
    return row.id
  })
}

/** Replaces a schedule with its layers; overrides stay. False: there is none. Throws StoreError as `insertSchedule`. */
export async function updateSchedule({ sql }: Store, id: number, schedule: CheckedSchedule): Promise<boolean> {
  return await sql.begin(async (tx) => {
    const rows = await tx`
        update on_call_schedules set name = ${schedule.name}, zone = ${schedule.zone}, notes = ${schedule.notes},
          changed_at = now() where id = ${id} returning id`
    if (rows.length === 0) return false
    await tx`delete from on_call_layers where schedule_id = ${id}`
    await insertLayers(tx, id, schedule)
    return true
  })
}

async function insertLayers(tx: Tx, scheduleId: number, { layers }: CheckedSchedule): Promise<void> {
  for (const [position, layer] of layers.entries()) {
    const [row] = await tx<{ id: number }[]>`
        insert into on_call_layers (schedule_id, position, name, unit, length, begins, ends, days, from_minute, to_minute)
        values (${scheduleId}, ${position}, ${layer.name}, ${layer.unit}, ${layer.length}, ${layer.begins}, ${layer.ends},
          ${layer.days?.join() ?? null}, ${layer.fromMinute}, ${layer.toMinute}) returning id`
    await tx`
        insert into on_call_turns (layer_id, position, user_id)
        select ${row?.id ?? 0}, x.n - 1, x.id
        from unnest(${integers(layer.people)}::text::int[]) with ordinality as x (id, n)`
  }
}

/** Deletes a schedule with its overrides, also from operations that notify it; false: there is none. */
export async function deleteSchedule({ sql }: Store, id: number): Promise<boolean> {
  const gone = await sql`
      with targets as (
        delete from alert_operation_transport_map where target_type = 'on_call' and transport_or_group_id = ${id})
      delete from on_call_schedules where id = ${id} returning id`
  return gone.length > 0
}

export interface NewOverride {
  readonly scheduleId: number
  readonly userId: number
  readonly fromMs: number
  readonly toMs: number
  readonly note: string
  readonly madeBy: string
}

/**
 * Adds an override and returns its id; null: the schedule has MAX_OVERRIDES that are not over. Deletes those of the
 * schedule that ended more than a year ago. Throws StoreError (no such schedule or user).
 */
export async function insertOverride({ sql }: Store, override: NewOverride): Promise<number | null> {
  const { scheduleId, userId, fromMs, toMs, note, madeBy } = override
  return await sql.begin(async (tx) => {
    await tx`select from on_call_schedules where id = ${scheduleId} for update`
    await tx`
        delete from on_call_overrides
        where schedule_id = ${scheduleId} and ends_at < now() - make_interval(days => ${KEPT_DAYS})`
    const [row] = await tx<{ id: number }[]>`
        insert into on_call_overrides (schedule_id, user_id, begins_at, ends_at, note, made_by)
        select ${scheduleId}, ${userId}, to_timestamp(${fromMs / 1000}), to_timestamp(${toMs / 1000}), ${note}, ${madeBy}
        where (select count(*) from on_call_overrides where schedule_id = ${scheduleId} and ends_at > now())
          < ${MAX_OVERRIDES} returning id`
    return row?.id ?? null
  })
}

/** Deletes an override of a schedule; false: there is none. */
export async function deleteOverride({ sql }: Store, scheduleId: number, id: number): Promise<boolean> {
  const rows = await sql`
      delete from on_call_overrides where id = ${id} and schedule_id = ${scheduleId} returning id`
  return rows.length > 0
}

/** Gives the calendar of a schedule a new address, or none; false: there is no such schedule. */
export async function updateFeed({ sql }: Store, id: number, open: boolean): Promise<boolean> {
  // a random version, so that an address that was closed stays closed
  const rows = await sql`
      update on_call_schedules set feed = case when ${open} then floor(random() * 2147483647)::int end
      where id = ${id} returning id`
  return rows.length > 0
}

/** Replaces the contact methods of a user. Throws StoreError (no such user or transport). */
export async function replaceContactMethods(
  { sql }: Store,
  userId: number,
  zone: string,
  methods: readonly CheckedContactMethod[],
): Promise<void> {
  await sql.begin(async (tx) => {
    // of two that replace them, the second waits here
    await tx`select from users where user_id = ${userId} for no key update`
    await tx`delete from on_call_ways where user_id = ${userId}`
    for (const { transportId, attempt, quiet } of methods)
      await tx`
          insert into on_call_ways (user_id, transport_id, attempt, zone, quiet)
          values (${userId}, ${transportId}, ${attempt}, ${zone}, ${JSON.stringify(
            quiet.map(({ days, fromMinute, toMinute, lets }) => ({ days, from: fromMinute, to: toMinute, lets })),
          )}::text::jsonb)`
  })
}
