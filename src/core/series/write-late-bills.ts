import type { TransactionSql } from 'postgres'
import type { PortSamples, RefusedPair } from '../../series/samples.ts'
import type { Store } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'

/**
 * Bills are counted again for the last LATE_S + 20 minutes; the writer records samples that began earlier than LATE_S
 * ago. The difference is the longest time that a transaction may take to become visible.
 */
export const LATE_S = 600
export const RECOUNTED_S = LATE_S + 1200

/** Records samples of billed ports that began more than LATE_S ago, in the transaction that stores them. */
export async function noteLate(tx: TransactionSql, ports: PortSamples, nowMs: number): Promise<void> {
  const edge = nowMs - LATE_S * 1000
  const late: number[] = []
  for (let i = 0; i < ports.length; i++) {
    if ((ports.time[i] as number) - (ports.periodMs[i] as number) < edge) late.push(i)
  }
  if (late.length === 0) return
  await tx`
    insert into bill_late as l (port_id, since, until)
    select id, to_timestamp(min(f) / 1000.0), to_timestamp(max(t) / 1000.0)
    from unnest(${integers(late.map((i) => ports.portId[i] as number))}::int[],
      ${integers(late.map((i) => (ports.time[i] as number) - (ports.periodMs[i] as number)))}::bigint[],
      ${integers(late.map((i) => ports.time[i] as number))}::bigint[]) u(id, f, t)
    where exists (select from bill_ports x where x.port_id = u.id) or exists (select from bill_ports_past x where x.port_id = u.id)
    group by id order by id
    on conflict (port_id) do update set since = least(l.since, excluded.since), until = greatest(l.until, excluded.until)`
}

/** Stores why octets of billed ports are unknown. */
export async function writeRefusals(tx: TransactionSql, refused: readonly RefusedPair[]): Promise<void> {
  if (refused.length === 0) return
  await tx`
    insert into port_refusals (port_id, "timestamp", since, reason)
    select id, to_timestamp(t / 1000.0), to_timestamp(f / 1000.0), reason
    from unnest(${integers(refused.map((r) => r.portId))}::int[], ${integers(refused.map((r) => r.time))}::bigint[],
      ${integers(refused.map((r) => r.since))}::bigint[], ${refused.map((r) => r.reason)}::text[]) u(id, t, f, reason)
    where exists (select from bill_ports x where x.port_id = u.id)
    on conflict do nothing`
}

/** Time range of the late samples of a port, as it was read. */
export interface LateBill {
  readonly port_id: number
  /** Exact texts of the instants, to recognise an unchanged row. */
  readonly since: string
  readonly until: string
}

/** Marks of late samples. */
export async function lateBills({ sql }: Store): Promise<LateBill[]> {
  return await sql<LateBill[]>`select port_id, since::text, until::text from bill_late`
}

/** Removes marks whose bills were counted, except those that a later sample has extended. */
export async function clearLate({ sql }: Store, late: readonly LateBill[]): Promise<void> {
  if (late.length === 0) return
  await sql`
      delete from bill_late l using (
        select x.port_id from bill_late x
          join unnest(${integers(late.map((m) => m.port_id))}::int[], ${late.map((m) => m.since)}::timestamptz[],
            ${late.map((m) => m.until)}::timestamptz[]) m(port_id, since, until) using (port_id, since, until)
        order by x.port_id for update of x) done
      where l.port_id = done.port_id`
}

/** Removes refusals before this moment, epoch seconds. */
export async function dropOldRefusals({ sql }: Store, beforeS: number): Promise<void> {
  await sql`delete from port_refusals where "timestamp" < to_timestamp(${beforeS})`
}
