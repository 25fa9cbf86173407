import type { Store } from '../../../../src/core/database/client.ts'

/** A value read some time ago; null: the poll gave none. */
export interface Reading {
  readonly agoS: number
  readonly value: number | null
}

/** Sensors of one device with these histories; returns their ids, in order. */
export async function sensorsWith(
  { sql }: Store,
  deviceId: number,
  histories: readonly (readonly Reading[])[],
): Promise<number[]> {
  const made = await sql<{ id: number }[]>`
    insert into sensors (device_id, sensor_class, sensor_type, sensor_index, sensor_oid, sensor_descr, sensor_current)
    select ${deviceId}, 'temperature', 'test', gen_random_uuid()::text, '1.3.6.1', 'Inlet ' || i, v
    from unnest(${histories.map((one) => nowOf(one))}::float8[]) with ordinality u(v, i) order by i
    returning sensor_id as id`
  const ids = made.map(({ id }) => id)
  const rows = histories.flatMap((history, i) => history.map((one) => ({ id: ids[i] ?? 0, ...one })))
  await sql`select ts.ensure_partitions('ts.sensor_samples', now() - interval '8 days'), ts.ensure_partitions('ts.sensor_samples', now())`
  await sql`
    insert into ts.sensor_samples (sensor_id, "time", value)
    select * from (select id, now() - make_interval(secs => s), v
      from unnest(${rows.map(({ id }) => id)}::int[], ${rows.map(({ agoS }) => agoS)}::float8[],
        ${rows.map(({ value }) => value)}::float8[]) u(id, s, v)) x`
  return ids
}

/** The newest known value. */
export function nowOf(history: readonly Reading[]): number | null {
  return history.toSorted((a, b) => a.agoS - b.agoS).find(({ value }) => value !== null)?.value ?? null
}
