import { deviceInScope, type Scope } from '../base/scope.ts'
import type { Sql, Store } from '../database/client.ts'
import { containing } from '../database/patterns.ts'

/** Groups of services in the list; `held`: those of devices that are down, whose state stays as it was. */
export const CHECK_LIST_STATES = ['critical', 'warning', 'unknown', 'fine', 'held', 'disabled'] as const
export type CheckListState = (typeof CHECK_LIST_STATES)[number]

export interface CheckListQuery {
  readonly state: CheckListState | null
  /** Part of the name, the type, the message or the device's name, regardless of case; '': all. */
  readonly text: string
  readonly type: string | null
  readonly offset: number
  readonly limit: number
}

/** A service with its device and its last check. */
export interface CheckListRow {
  readonly service_id: number
  readonly device_id: number
  readonly device: string
  readonly type: string
  /** Its name, else its description; null: neither. */
  readonly name: string | null
  readonly state: CheckListState
  readonly message: string | null
  /** When it entered this state; null: it was never checked. */
  readonly since: Date | null
  /** null: it was never checked. */
  readonly checked_at: Date | null
  readonly took_ms: number | null
  /** Failed checks in a row that have not changed the state yet; then `last_message` is what they found. */
  readonly attempt: number
  readonly last_message: string | null
}

export interface CheckList {
  readonly rows: readonly CheckListRow[]
  readonly counts: Readonly<Record<CheckListState, number>>
}

const STATE = `case when s.service_disabled <> 0 or d.disabled <> 0 then 'disabled'
  when d.status = 0 and d.status_reason <> '' then 'held'
  when s.service_status = 0 then 'fine' when s.service_status = 1 then 'warning' when s.service_status = 2 then 'critical'
  else 'unknown' end`

/** Services in scope, worst first, then by their last change, the latest first; and the number in each state. */
export async function readCheckList({ sql }: Store, scope: Scope, query: CheckListQuery): Promise<CheckList> {
  const { state, offset, limit } = query
  const state_ = sql.unsafe(STATE)
  const [rows, counted] = await Promise.all([
    await sql<CheckListRow[]>`
        select ${columns(sql)} from services s join devices d on d.device_id = s.device_id
          left join service_checks c on c.service_id = s.service_id
        where ${chosen(sql, scope, query)} and ${state === null ? sql`true` : sql`${state_} = ${state}`}
        order by array_position(${[...CHECK_LIST_STATES]}::text[], ${state_}), s.service_changed desc, s.service_id
        limit ${limit} offset ${offset}`,
    await sql<{ state: CheckListState; count: number }[]>`
        select ${state_} as state, count(*)::int as count from services s join devices d on d.device_id = s.device_id
        where ${chosen(sql, scope, query)} group by 1`,
  ])
  const counts = { critical: 0, warning: 0, unknown: 0, fine: 0, held: 0, disabled: 0 }
  for (const one of counted) counts[one.state] = one.count
  return { rows, counts }
}

/** Types of the services in scope, the most used first. */
export async function usedTypes({ sql }: Store, scope: Scope): Promise<string[]> {
  const rows = await sql<{ type: string }[]>`
      select s.service_type as type from services s join devices d on d.device_id = s.device_id
      where ${deviceInScope(sql, scope)} group by 1 order by count(*) desc, 1 limit 50`
  return rows.map(({ type }) => type)
}

/** What the page of a service shows besides its row. */
export interface ServiceDetail extends CheckListRow {
  readonly ip: string | null
  readonly param: string | null
  readonly service_name: string | null
  readonly desc: string | null
  readonly ignored: boolean
  readonly is_disabled: boolean
  readonly hostname: string
  /** JSON object with the unit of each data set; may be invalid. */
  readonly ds: string | null
  readonly datasets: readonly { readonly id: number; readonly ds: string }[]
}

/** A service in scope; null: none. */
export async function serviceDetail({ sql }: Store, scope: Scope, serviceId: number): Promise<ServiceDetail | null> {
  const [row] = await sql<ServiceDetail[]>`
      select ${columns(sql)}, s.service_ip as ip, s.service_param as param, s.service_name, s.service_desc as desc,
        s.service_ignore <> 0 as ignored, s.service_disabled <> 0 as is_disabled, d.hostname, s.service_ds as ds,
        (select coalesce(json_agg(json_build_object('id', x.service_dataset_id, 'ds', x.ds) order by x.service_dataset_id), '[]')
          from service_datasets x where x.service_id = s.service_id) as datasets
      from services s join devices d on d.device_id = s.device_id left join service_checks c on c.service_id = s.service_id
      where s.service_id = ${serviceId} and ${deviceInScope(sql, scope)}`
  return row ?? null
}

/** When the service was last checked; null: never. */
export async function lastChecked({ sql }: Store, serviceId: number): Promise<Date | null> {
  const [row] = await sql<{ at: Date }[]>`select checked_at as at from service_checks where service_id = ${serviceId}`
  return row?.at ?? null
}

function columns(sql: Sql) {
  return sql`s.service_id, s.device_id, coalesce(nullif(d.display, ''), d.hostname) as device, s.service_type as type,
    coalesce(nullif(s.service_name, ''), nullif(s.service_desc, '')) as name, ${sql.unsafe(STATE)} as state,
    s.service_message as message, c.checked_at, c.took_ms, coalesce(c.attempt, 0) as attempt, c.last_message,
    case when c.checked_at is not null and s.service_changed > 0 then to_timestamp(s.service_changed) end as since`
}

function chosen(sql: Sql, scope: Scope, { text, type }: CheckListQuery) {
  const like = containing(text)
  return sql`${deviceInScope(sql, scope)} and ${type === null ? sql`true` : sql`s.service_type = ${type}`}
    and ${
      text === ''
        ? sql`true`
        : sql`(s.service_name ilike ${like} or s.service_desc ilike ${like} or s.service_type ilike ${like}
          or s.service_message ilike ${like} or d.hostname ilike ${like} or d.display ilike ${like})`
    }`
}
