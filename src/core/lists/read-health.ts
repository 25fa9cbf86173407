import { deviceInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { containing } from '../database/patterns.ts'
import { NEAR, nearness } from './nearness.ts'
import { HEALTH_VALUES, type HealthValue } from './read-health-values.ts'
import { ANSWERS, OLD_SINCE } from './read-old-values.ts'

/** How near a value is to its limits, worst first. */
export const HEALTH_LEVELS = ['over', 'near', 'fine', 'unknown'] as const
export type HealthLevel = (typeof HEALTH_LEVELS)[number]

export interface HealthQuery {
  /** null: all. */
  readonly level: HealthLevel | null
  /** Class of sensors, or `processor`, `memory`, `storage`; null: all. */
  readonly class: string | null
  /** Part of the device's name or the description, case-insensitive; '' for all. */
  readonly text: string
  readonly offset: number
  readonly limit: number
}

/** A value with limits, of any device. */
export interface FleetHealthRow extends Omit<HealthValue, 'kind'> {
  readonly kind: HealthValue['kind'] | 'wireless'
  readonly device_id: number
  readonly device: string
  readonly level: HealthLevel
}

export interface HealthClass {
  readonly class: string
  readonly over: number
  readonly near: number
  readonly all: number
}

const WIRELESS = `
  select 'wireless' as kind, sensor_id as id, device_id, sensor_class as class, coalesce(sensor_descr, '') as descr,
    sensor_current as value, sensor_limit_low as low, sensor_limit_low_warn as low_warn, sensor_limit_warn as high_warn,
    sensor_limit as high, null::float8 as used, null::float8 as size, null as state, null::int as state_kind
  from wireless_sensors where sensor_deleted = 0`

const LEVEL = `case when not ${ANSWERS} then 'unknown'
  when v.class = 'state' then (array['fine', 'near', 'over', 'unknown'])[1 + least(3, greatest(0, coalesce(v.state_kind, 3)))]
  when v.value is null then 'unknown' when v.value > v.high or v.value < v.low then 'over'
  when v.value > v.high_warn or v.value < v.low_warn then 'near'
  when ${nearness('v.value', 'v.low', 'v.high')} >= ${NEAR} then 'near' else 'fine' end`

/** The number that orders values of a level: their nearness, or the share in use if there are no limits. */
const SHARE = `coalesce(${nearness('v.value', 'coalesce(v.low, v.low_warn)', 'coalesce(v.high, v.high_warn)')},
  case when v.kind in ('processor', 'mempool', 'storage') then v.value / 100 end)`

/** Values of devices in scope, worst first, and the classes with the number that match the text. `of`: which values. */
export async function listFleetHealth(
  { sql }: Store,
  scope: Scope,
  of: 'health' | 'wireless',
  query: HealthQuery,
): Promise<{ rows: FleetHealthRow[]; classes: HealthClass[] }> {
  const like = containing(query.text)
  const known = sql`
    ${valuesOf(sql, scope, of)}
      and ${query.text === '' ? sql`true` : sql`(v.descr ilike ${like} or d.hostname ilike ${like} or d.display ilike ${like})`}`
  const [rows, classes] = await Promise.all([
    await sql<FleetHealthRow[]>`
        select * from (${known}) x where ${query.level === null ? sql`true` : sql`level = ${query.level}`}
          and ${query.class === null ? sql`true` : sql`class = ${query.class}`}
        order by array_position(array['over', 'near', 'fine', 'unknown'], level), share desc nulls last, class, lower(device), descr, id
        limit ${query.limit} offset ${query.offset}`,
    await sql<HealthClass[]>`
        select class, count(*) filter (where level = 'over')::int as over, count(*) filter (where level = 'near')::int as near,
          count(*)::int as all from (${known}) x where ${query.level === null ? sql`true` : sql`level = ${query.level}`}
        group by class order by 2 desc, 3 desc, class`,
  ])
  return { rows: [...rows], classes: [...classes] }
}

/** Values of devices in scope with their level. Ends with a condition, to which others can be added. */
const valuesOf = (sql: Store['sql'], scope: Scope, of: 'health' | 'wireless') => sql`
  select v.*, coalesce(nullif(d.display, ''), d.hostname) as device, ${sql.unsafe(OLD_SINCE)} as old_since, ${sql.unsafe(LEVEL)} as level, ${sql.unsafe(SHARE)} as share
  from (${sql.unsafe(of === 'health' ? HEALTH_VALUES : WIRELESS)}) v join devices d on d.device_id = v.device_id
  where d.disabled = 0 and ${deviceInScope(sql, scope)}`

/** One value of a device in scope; null: there is none. */
export async function fleetHealthValue(
  { sql }: Store,
  scope: Scope,
  of: 'health' | 'wireless',
  { kind, id }: Pick<FleetHealthRow, 'kind' | 'id'>,
): Promise<FleetHealthRow | null> {
  const [row] = await sql<FleetHealthRow[]>`${valuesOf(sql, scope, of)} and v.kind = ${kind} and v.id = ${id}`
  return row ?? null
}
