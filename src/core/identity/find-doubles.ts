import { createYielder } from '../../lib/yield-thread.ts'
import type { Store } from '../database/client.ts'
import { compareHosts } from './identity.ts'
import { sharesHardware } from './new-device.ts'
import { type KnownDevice, knownDevices } from './read-devices.ts'
import { devicesThatShare } from './read-doubles.ts'

/** Pairs that are kept; the rest is found when these are settled. */
export const MAX_DOUBLES = 1000
/** Devices read at a time. */
const CHUNK = 64

/** A pair of devices that are one; `a` has the smaller id. */
interface Pair {
  readonly a: KnownDevice
  readonly b: KnownDevice
  readonly reason: string
}

export interface DoubleOptions {
  /** Whether several devices may have a system name (setting allow_duplicate_sysName). */
  readonly namesRepeat: boolean
  /** Aborted: the round ends without a change. */
  readonly signal: AbortSignal
}

/**
 * Compares the monitored devices with each other, since what tells them apart may have become known only after they were
 * added: an import keeps the devices of the other installation and asks none of them. Pairs that are one device are kept and
 * get an event each; those that are none any more are forgotten. Nothing is merged. Returns how many are new. Throws
 * StoreError.
 */
export async function findDoubles(store: Store, { namesRepeat, signal }: DoubleOptions): Promise<number> {
  const groups = await devicesThatShare(store)
  const known = new Map<number, KnownDevice>()
  const ids = [...new Set(groups.flat())]
  for (let i = 0; i < ids.length; i += CHUNK) {
    if (signal.aborted) return 0
    for (const device of await knownDevices(store.sql, ids.slice(i, i + CHUNK))) known.set(device.key, device)
  }
  const pairs = new Map<string, Pair>()
  const yieldThread = createYielder()
  for (const group of groups) {
    await yieldThread()
    if (signal.aborted) return 0
    for (const [i, a] of group.entries())
      for (const b of group.slice(i + 1)) {
        const pair = pairOf(known.get(a), known.get(b), namesRepeat)
        if (pair !== null && pairs.size < MAX_DOUBLES) pairs.set(`${a} ${b}`, pair)
      }
  }
  return await writeDoubles(store, [...pairs.values()])
}

/** The pair, if both are one device by the rules that apply when a device is added; null if not. */
function pairOf(a: KnownDevice | undefined, b: KnownDevice | undefined, namesRepeat: boolean): Pair | null {
  const [one, other] = [a?.evidence[0], b?.evidence[0]]
  if (a === undefined || b === undefined || one === undefined || other === undefined) return null
  const isNear = a.pollerGroup === b.pollerGroup
  const { verdict, reason } = compareHosts(isNear ? one : { ...one, addresses: [] }, other)
  if (verdict !== 'same') return null
  // clones have the engine ID of their image, and no more was read than that
  const isNamed = one.sysName !== null && one.sysName === other.sysName && !namesRepeat
  return isNamed || sharesHardware(one, other) ? { a, b, reason } : null
}

async function writeDoubles({ sql }: Store, pairs: readonly Pair[]): Promise<number> {
  const rows = pairs.map(({ a, b, reason }) => ({ device_id: a.key, other_id: b.key, reason: reason.slice(0, 500) }))
  return await sql.begin(async (tx) => {
    const fresh = await tx<{ device_id: number; other_id: number }[]>`
      with found as (
        select x.* from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as x (device_id int, other_id int, reason text)
          join devices a on a.device_id = x.device_id join devices b on b.device_id = x.other_id),
      gone as (
        delete from device_doubles g where not exists (
          select from found f where f.device_id = g.device_id and f.other_id = g.other_id)),
      kept as (
        insert into device_doubles (device_id, other_id, reason) select device_id, other_id, reason from found
        on conflict (device_id, other_id) do update set reason = excluded.reason returning device_id, other_id, xmax = 0 as first)
      select device_id, other_id from kept where first`
    // Whoever sees a device reads its events, and need not see the other one, so that its name is not in them.
    await tx`
      insert into eventlog (device_id, message, type, reference, severity)
      select o.device_id, left(format('Probably monitored twice, also as another device: %s. Its page says which; delete one of them', x.reason), 255),
        'discovery', o.device_id::text, 4
      from device_doubles x join devices o on o.device_id in (x.device_id, x.other_id)
      where (x.device_id, x.other_id) in (select (y ->> 'device_id')::int, (y ->> 'other_id')::int
        from jsonb_array_elements(${JSON.stringify(fresh)}::text::jsonb) y)
      order by x.device_id, x.other_id, o.device_id`
    return fresh.length
  })
}
