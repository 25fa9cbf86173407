import { IS_TRAFFIC_PORT } from '../../series/traffic-ports.ts'
import { deviceInScope, portInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'
import { bitsPerSecond } from './rates.ts'

/** An hour of a small chart; null: unknown. */
export interface SparkPoint {
  readonly id: number
  /** Of the 24 whole hours before now: 0 is the oldest, 23 the last. */
  readonly at: number
  /** Bits per second in; or the value. */
  readonly above: number | null
  /** Bits per second out; null for values, which have one direction. */
  readonly below: number | null
}

const HOURS = 24

const rate = (way: string, position: number) =>
  bitsPerSecond(`r.${way}_octets`, `nullif(coalesce(r.known[${position}], r.period_ms), 0)`)

const hours = ({ sql }: Store) => ({
  at: sql`(${HOURS} - extract(epoch from date_trunc('hour', now()) - r.bucket)::int / 3600)`,
  since: sql`r.bucket >= date_trunc('hour', now()) - make_interval(hours => ${HOURS}) and r.bucket < date_trunc('hour', now())`,
})

/** Traffic of ports in scope. */
export async function portSparks(store: Store, scope: Scope, ids: readonly number[]): Promise<SparkPoint[]> {
  const { sql } = store
  const { at, since } = hours(store)
  return await sql<SparkPoint[]>`
      select r.port_id as id, ${at} as at, ${sql.unsafe(rate('in', 1))} as above, ${sql.unsafe(rate('out', 2))} as below
      from ts.port_1h r join ports p on p.port_id = r.port_id
      where r.port_id = any(${integers(ids)}::int[]) and ${since} and ${portInScope(sql, scope)}`
}

/** Traffic of devices in scope: the sum of the ports that count towards it. */
export async function deviceSparks(store: Store, scope: Scope, ids: readonly number[]): Promise<SparkPoint[]> {
  const { sql } = store
  const { at, since } = hours(store)
  return await sql<SparkPoint[]>`
      select p.device_id as id, ${at} as at, sum(${sql.unsafe(rate('in', 1))}) as above, sum(${sql.unsafe(rate('out', 2))}) as below
      from ports p join ts.port_1h r on r.port_id = p.port_id join devices d on d.device_id = p.device_id
      where p.device_id = any(${integers(ids)}::int[]) and ${sql.unsafe(IS_TRAFFIC_PORT)}
        and ${since} and ${deviceInScope(sql, scope)}
      group by 1, 2`
}

/** Kinds of values: the table of the objects, its key, and the stored column. */
const VALUES = {
  sensor: ['sensors', 'sensor_id', 'value'],
  wireless: ['wireless_sensors', 'sensor_id', 'value'],
  processor: ['processors', 'processor_id', 'usage'],
  mempool: ['mempools', 'mempool_id', 'perc'],
  storage: ['storage', 'storage_id', 'perc'],
} as const

/** Kinds of values that have small charts. */
export type SparkKind = keyof typeof VALUES

/** Whether the text names a kind of values. */
export const isSparkKind = (text: string): text is SparkKind => Object.hasOwn(VALUES, text)

/** Values of sensors, processors, memory or file systems of devices in scope. */
export async function valueSparks(
  store: Store,
  scope: Scope,
  kind: SparkKind,
  ids: readonly number[],
): Promise<SparkPoint[]> {
  const { sql } = store
  const { at, since } = hours(store)
  const [table, key, column] = VALUES[kind]
  return await sql<SparkPoint[]>`
      select r.${sql(key)} as id, ${at} as at, r.${sql(column)} as above, null::float8 as below
      from ${sql(`ts.${kind}_1h`)} r join ${sql(table)} x on x.${sql(key)} = r.${sql(key)}
        join devices d on d.device_id = x.device_id
      where r.${sql(key)} = any(${integers(ids)}::int[]) and ${since} and ${deviceInScope(sql, scope)}`
}
