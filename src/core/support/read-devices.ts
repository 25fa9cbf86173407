import type { Store } from '../database/client.ts'

/** Devices worth a look: those with a failure first, then those down, then the slowest to poll. Throws StoreError. */
export async function listTroubled({ sql }: Store, count: number): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
      select d.device_id as id from devices d left join device_failures f on f.device_id = d.device_id
      where d.disabled = 0
      order by f.device_id is null, d.status, d.last_polled_timetaken desc nulls last, d.device_id limit ${count}`
  return rows.map(({ id }) => id)
}
