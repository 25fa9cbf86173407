import type { TransactionSql } from 'postgres'
import type { DeviceClaim } from '../../series/samples.ts'
import type { Store } from './client.ts'
import { integers } from './pg-array.ts'

/**
 * Claims these devices; returns the number of the claim. Waits for writers of their samples, so that anything read
 * about the devices afterwards includes all that was stored without this claim. Throws StoreError.
 */
export async function claimDevices(
  { sql }: Store,
  deviceIds: readonly number[],
  poller: number | null,
): Promise<number> {
  const [row] = await sql<{ claim: number }[]>`
      with drawn as materialized (select nextval('device_claim_numbers') as claim), taken as (
        insert into device_claims (device_id, claim, poller)
        select id, claim, ${poller}::int from unnest(${integers(deviceIds.toSorted((a, b) => a - b))}::int[]) id, drawn
        on conflict (device_id) do update set claim = excluded.claim, poller = excluded.poller, claimed_at = now())
      select claim::float8 as claim from drawn`
  return row?.claim ?? 0
}

/** Devices claimed for a remote poller. */
export interface SiteClaim {
  readonly claim: number
  /** When devices that another poller had until now were last polled, epoch ms, by device_id; absent: never. */
  readonly polledAt: ReadonlyMap<number, number>
}

/**
 * Claims these devices for a remote poller, as `claimDevices` does for one of the cluster. In `device_claims.poller` it
 * has its negative id. Throws StoreError.
 */
export async function claimForSite(
  { sql }: Store,
  deviceIds: readonly number[],
  remotePoller: number,
): Promise<SiteClaim> {
  const ids = integers(deviceIds.toSorted((a, b) => a - b))
  return await sql.begin(async (tx) => {
    const before = await tx<{ device_id: number; poller: number | null }[]>`
        select device_id, poller from device_claims where device_id = any(${ids}::int[]) order by device_id for update`
    const others = new Set(before.filter((row) => row.poller !== -remotePoller).map((row) => row.device_id))
    const [row] = await tx<{ claim: number }[]>`
        with drawn as materialized (select nextval('device_claim_numbers') as claim), taken as (
          insert into device_claims (device_id, claim, poller)
          select id, claim, ${-remotePoller}::int from unnest(${ids}::int[]) id, drawn
          on conflict (device_id) do update set claim = excluded.claim, poller = excluded.poller, claimed_at = now())
        select claim::float8 as claim from drawn`
    const states = await tx<{ device_id: number; at: number }[]>`
        select device_id, extract(epoch from time)::float8 * 1000 as at from ts.port_state where device_id = any(${ids}::int[])`
    const polled = states.filter((state) => others.has(state.device_id))
    return { claim: row?.claim ?? 0, polledAt: new Map(polled.map((state) => [state.device_id, state.at])) }
  })
}

/** Whether a device is still claimed with this number. */
export async function isClaimed({ sql }: Store, { deviceId, claim }: DeviceClaim): Promise<boolean> {
  const rows = await sql`select from device_claims where device_id = ${deviceId} and claim = ${claim}`
  return rows.length > 0
}

/**
 * Positions of the claims that are no longer in force. The others stay in force until the transaction ends; another
 * process that claims one of their devices waits for that.
 */
export async function lostClaims(
  tx: Pick<TransactionSql, 'unsafe'>,
  claims: readonly DeviceClaim[],
): Promise<ReadonlySet<number>> {
  if (claims.length === 0) return new Set()
  const ids = [...new Set(claims.map(({ deviceId }) => deviceId))].sort((a, b) => a - b)
  const rows = await tx.unsafe<{ device_id: number; claim: number }[]>(
    `select device_id, claim::float8 as claim from device_claims where device_id = any($1::int[])
     order by device_id for share`,
    [integers(ids)],
    { prepare: true },
  )
  const inForce = new Map(rows.map((row) => [row.device_id, row.claim]))
  return new Set(claims.flatMap(({ deviceId, claim }, i) => (inForce.get(deviceId) === claim ? [] : [i])))
}

/** Deletes the claims of deleted devices. */
export async function dropOldClaims({ sql }: Store): Promise<void> {
  await sql`delete from device_claims c where not exists (select from devices d where d.device_id = c.device_id)`
}
