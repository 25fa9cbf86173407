import type { Sql, Tx } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'
import { MAX_OVERRIDES, MAX_SCHEDULES } from './check.ts'
import { type ContactMethod, contactMethodsFor, type Lets } from './contact-methods.ts'
import { type Layer, type Override, type Rotations, spanAt, type Unit } from './rotation.ts'

/** A stored layer: who is in it, with those whose users are disabled. */
export interface StoredLayer extends Omit<Layer, 'people'> {
  readonly people: readonly Person[]
}

/** A user as schedules show one. */
export interface Person {
  readonly id: number
  readonly username: string
  /** Real name, else username. */
  readonly name: string
  readonly enabled: boolean
}

/** A stored override that is not over, or ended lately. */
export interface StoredOverride extends Omit<Override, 'userId'> {
  readonly person: Person
  readonly note: string
  readonly madeBy: string
}

/** A stored schedule. */
export interface StoredSchedule {
  readonly id: number
  readonly name: string
  readonly zone: string
  readonly notes: string
  /** Version of the secret address of its calendar; null: it has none. */
  readonly feed: number | null
  readonly layers: readonly StoredLayer[]
  readonly overrides: readonly StoredOverride[]
}

const NAME = `coalesce(nullif(u.realname, ''), u.username)`

/**
 * Schedules in order of name; `ids` null: all. Overrides that ended before an instant (epoch ms) are left out. At most
 * MAX_SCHEDULES, with as many overrides each as can be added.
 */
export async function readSchedules(
  sql: Sql | Tx,
  ids: readonly number[] | null,
  endedAfterMs: number,
): Promise<StoredSchedule[]> {
  const chosen = ids === null ? sql`true` : sql`s.id = any(${integers(ids)}::text::int[])`
  const rows = await sql<
    (Omit<StoredSchedule, 'layers' | 'overrides'> & { layers: LayerRow[]; overrides: OverrideRow[] })[]
  >`
      select s.id, s.name, s.zone, s.notes, s.feed,
        coalesce((select json_agg(x order by x.position) from (
          select l.position, l.name, l.unit, l.length, l.begins, l.ends, l.days, l.from_minute, l.to_minute,
            coalesce((select json_agg(json_build_object('id', u.user_id, 'username', u.username, 'name', ${sql.unsafe(NAME)}, 'enabled', u.enabled = 1)
              order by t.position) from on_call_turns t join users u using (user_id) where t.layer_id = l.id), '[]') as people
          from on_call_layers l where l.schedule_id = s.id) x), '[]') as layers,
        coalesce((select json_agg(x order by x.id) from (
          select o.id, floor(extract(epoch from o.begins_at) * 1000)::float8 as "fromMs",
            floor(extract(epoch from o.ends_at) * 1000)::float8 as "toMs", o.note, o.made_by as "madeBy",
            json_build_object('id', u.user_id, 'username', u.username, 'name', ${sql.unsafe(NAME)}, 'enabled', u.enabled = 1) as person
          from on_call_overrides o join users u using (user_id)
          where o.schedule_id = s.id and o.ends_at > to_timestamp(${endedAfterMs / 1000})
          order by o.id desc limit ${MAX_OVERRIDES}) x), '[]') as overrides
      from on_call_schedules s where ${chosen} order by lower(s.name) limit ${MAX_SCHEDULES}`
  return rows.map(({ layers, ...row }) => ({ ...row, layers: layers.map(layerOf) }))
}

type OverrideRow = StoredOverride

interface LayerRow {
  readonly name: string
  readonly unit: Unit
  readonly length: number
  readonly begins: string
  readonly ends: string | null
  readonly days: string | null
  readonly from_minute: number
  readonly to_minute: number
  readonly people: Person[]
}

const layerOf = ({ name, unit, length, begins, ends, days, people, ...row }: LayerRow): StoredLayer => ({
  ...{ name, unit, length, begins, ends, people },
  days: days === null ? null : days.split(',').map(Number),
  fromMinute: row.from_minute,
  toMinute: row.to_minute,
})

/** What decides who is on call; disabled users are nobody, so that the layer beneath them counts. */
export function rotationsOf({ zone, layers, overrides }: StoredSchedule): Rotations {
  const idOf = ({ id, enabled }: Person) => (enabled ? id : null)
  return {
    zone,
    layers: layers.map((layer) => ({ ...layer, people: layer.people.map(idOf) })),
    overrides: overrides.map(({ id, fromMs, toMs, person }) => ({ id, fromMs, toMs, userId: idOf(person) })),
  }
}

/** The contact methods of users, by user, in their order. Those of disabled users are left out. */
export async function readContactMethods(
  sql: Sql | Tx,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, readonly ContactMethod[]>> {
  if (userIds.length === 0) return new Map()
  const rows = await sql<ContactMethodRow[]>`
      select w.user_id, w.transport_id, t.transport_name, w.attempt, w.zone, w.quiet
      from on_call_ways w join alert_transports t using (transport_id) join users u using (user_id)
      where w.user_id = any(${integers(userIds)}::text::int[]) and u.enabled = 1
      order by w.user_id, w.attempt, w.transport_id`
  return Map.groupBy(rows.map(contactMethodOf), ({ userId }) => userId)
}

interface StoredQuiet {
  readonly days: readonly number[] | null
  readonly from: number
  readonly to: number
  readonly lets: Lets
}

interface ContactMethodRow {
  readonly user_id: number
  readonly transport_id: number
  readonly transport_name: string
  readonly attempt: number
  readonly zone: string
  /** As `replaceContactMethods` stores it. */
  readonly quiet: readonly StoredQuiet[]
}

const contactMethodOf = (row: ContactMethodRow): ContactMethod & { readonly userId: number } => ({
  userId: row.user_id,
  transportId: row.transport_id,
  transport: row.transport_name,
  attempt: row.attempt,
  zone: row.zone,
  quiet: row.quiet.map(({ days, from, to, lets }) => ({ days, fromMinute: from, toMinute: to, lets })),
})

/** Users by name, for forms and lists; at most 2,000. */
export async function readPeople(sql: Sql, ids: readonly number[] | null = null): Promise<Person[]> {
  return await sql<Person[]>`
      select u.user_id as id, u.username, ${sql.unsafe(NAME)} as name, u.enabled = 1 as enabled from users u
      where ${ids === null ? sql`true` : sql`u.user_id = any(${integers(ids)}::text::int[])`}
      order by lower(${sql.unsafe(NAME)}), u.user_id limit 2000`
}

/** A transport that reaches a person who is on call. */
export interface OnCallTarget {
  readonly transportId: number
  readonly transportName: string
  readonly userId: number
  /** Real name, else username. */
  readonly person: string
  readonly scheduleId: number
  readonly schedule: string
}

/**
 * The transports that reach whoever is on call in these schedules at an instant (epoch ms), for a problem of this
 * severity; each once, in the order of the schedules and of the person's contact methods. `attempt`: the number of this notification
 * of the problem, from 1, so that later methods are used too; absent: all methods. Empty: nobody is on call, or all methods are
 * quiet. Unknown ids have nobody.
 */
export async function resolveOnCall(
  sql: Sql | Tx,
  scheduleIds: readonly number[],
  atMs: number,
  severity: string,
  attempt?: number,
): Promise<OnCallTarget[]> {
  const ids = [...new Set(scheduleIds)].slice(0, MAX_SCHEDULES)
  if (ids.length === 0) return []
  const schedules = new Map((await readSchedules(sql, ids, atMs)).map((schedule) => [schedule.id, schedule]))
  const onCall = ids.flatMap((id) => {
    const schedule = schedules.get(id)
    const person = schedule === undefined ? null : personAt(schedule, atMs)
    return schedule === undefined || person === null ? [] : [{ schedule, person }]
  })
  const methods = await readContactMethods(
    sql,
    onCall.map(({ person }) => person.id),
  )
  const targets = new Map<number, OnCallTarget>()
  for (const { schedule, person } of onCall)
    for (const { transportId, transport } of contactMethodsFor(methods.get(person.id) ?? [], atMs, severity, attempt))
      if (!targets.has(transportId))
        targets.set(transportId, {
          ...{ transportId, transportName: transport, userId: person.id, person: person.name },
          ...{ scheduleId: schedule.id, schedule: schedule.name },
        })
  return [...targets.values()]
}

/** Who is on call at an instant (epoch ms); null: nobody. */
function personAt(schedule: StoredSchedule, atMs: number): Person | null {
  const span = spanAt(rotationsOf(schedule), atMs)
  return span === null ? null : (peopleOf(schedule).get(span.userId) ?? null)
}

/** Everybody of a schedule by user id. */
export function peopleOf({ layers, overrides }: StoredSchedule): ReadonlyMap<number, Person> {
  const all = [...layers.flatMap(({ people }) => people), ...overrides.map(({ person }) => person)]
  return new Map(all.map((person) => [person.id, person]))
}

/** User ids of everybody who has turns. */
export const peopleInLayers = ({ layers }: StoredSchedule): ReadonlySet<number> =>
  new Set(layers.flatMap(({ people }) => people.map(({ id }) => id)))

/**
 * Who a transport reaches: the enabled user that has it as a contact method, if it is exactly one; null: several or none, so that it
 * stands for itself.
 */
export async function personOfTransport(sql: Sql, transportId: number): Promise<number | null> {
  const rows = await sql<{ user_id: number }[]>`
      select w.user_id from on_call_ways w join users u using (user_id)
      where w.transport_id = ${transportId} and u.enabled = 1 limit 2`
  return rows.length === 1 ? (rows[0]?.user_id ?? null) : null
}
