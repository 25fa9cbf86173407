import type { Store } from '../../src/core/database/client.ts'

/** A port whose samples do not cover the time between its first and its last one exactly once. */
export interface Uncovered {
  readonly port_id: number
  /** Seconds that no sample covers; negative: that are covered twice. */
  readonly off: number
}

/**
 * Ports with a lost or repeated sample, judged from the sum of the periods. A busy machine receives a response seconds
 * late, which makes two neighbouring samples seem to overlap or leave a gap; that evens out, a lost sample does not. So
 * the earliest of the last two samples counts against the earliest of the first two, and half an interval is too much.
 * `except`: name of a device that is left out.
 */
export async function uncovered({ sql }: Pick<Store, 'sql'>, intervalS: number, except = ''): Promise<Uncovered[]> {
  return await sql<Uncovered[]>`
    with s as (
      select port_id,
        extract(epoch from "time") - sum(period_ms) over (partition by port_id order by "time") / 1000.0 as began,
        row_number() over (partition by port_id order by "time") as n, count(*) over (partition by port_id) as samples
      from ts.port_samples join ports using (port_id) join devices using (device_id)
      where hostname <> ${except}),
    p as (
      select port_id, (min(began) filter (where n > samples - 2) - min(began) filter (where n <= 2))::float8 as off
      from s group by port_id)
    select port_id, off from p where abs(off) > ${intervalS / 2}::float8 order by port_id limit 20`
}
