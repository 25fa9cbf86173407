import type { Scope } from '../base/scope.ts'
import type { Sql, Store } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'
import { ZONE } from '../database/zone.ts'
import { BILL_CALCULATED, BILL_HISTORY, BILL_KEPT, BILL_PORTS, PERIOD_CALCULATED } from '../records/bills.ts'

/** A port of a bill. */
export interface BillPort {
  readonly device_id: number
  readonly port_id: number
  readonly ifName: string | null
}

/** A bill as the API shows it, without computed members. Times are local. */
export interface BillRecord {
  readonly bill_id: number
  readonly bill_name: string
  readonly bill_type: string
  readonly bill_cdr: number
  readonly bill_day: number
  readonly bill_quota: number
  readonly rate_95th_in: number
  readonly rate_95th_out: number
  readonly rate_95th: number
  readonly dir_95th: string
  readonly total_data: number
  readonly total_data_in: number
  readonly total_data_out: number
  readonly rate_average_in: number
  readonly rate_average_out: number
  readonly rate_average: number
  readonly bill_last_calc: string
  readonly bill_custid: string
  readonly bill_ref: string
  readonly bill_notes: string
  readonly bill_autoadded: number
  readonly ports: BillPort[]
}

/** The figures of a bill for one period. `bill_percent` is decimal text with 2 places. Times are local. */
export interface BillHistoryRecord {
  readonly bill_hist_id: number
  readonly bill_id: number
  readonly updated: string
  readonly bill_datefrom: string
  readonly bill_dateto: string
  readonly bill_type: string
  readonly bill_allowed: number
  readonly bill_used: number
  readonly bill_overuse: number
  readonly bill_percent: string
  readonly rate_95th_in: number
  readonly rate_95th_out: number
  readonly rate_95th: number
  readonly dir_95th: string
  readonly rate_average: number
  readonly rate_average_in: number
  readonly rate_average_out: number
  readonly traf_in: number
  readonly traf_out: number
  readonly traf_total: number
  readonly bill_peak_out: number | null
  readonly bill_peak_in: number | null
  readonly pdf: null
}

/** The bill of the last finished period: its history record and the unchanging part of the bill. */
export type PreviousBillRecord = BillHistoryRecord &
  Pick<
    BillRecord,
    | 'bill_autoadded'
    | 'bill_cdr'
    | 'bill_custid'
    | 'bill_day'
    | 'bill_name'
    | 'bill_notes'
    | 'bill_quota'
    | 'bill_ref'
    | 'total_data'
    | 'total_data_in'
    | 'total_data_out'
    | 'bill_last_calc'
    | 'ports'
  >

/** Filter of bills; empty: all. */
export interface BillFilter {
  readonly id?: number
  readonly ref?: string
  readonly custid?: string
}

function billInScope(sql: Sql, scope: Scope) {
  if (scope.kind === 'all') return sql`true`
  return sql`b.bill_id in (select bill_id from bill_perms where user_id = ${scope.userId})`
}

function chosen(sql: Sql, scope: Scope, { id, ref, custid }: BillFilter) {
  return sql`${billInScope(sql, scope)} and ${id === undefined ? sql`true` : sql`b.bill_id = ${id}`}
    and ${ref === undefined ? sql`true` : sql`b.bill_ref = ${ref}`}
    and ${custid === undefined ? sql`true` : sql`b.bill_custid = ${custid}`}`
}

/** Bills in scope by name, with figures of the current period. */
export async function listBills({ sql }: Store, scope: Scope, filter: BillFilter): Promise<BillRecord[]> {
  return await sql<BillRecord[]>`
    select b.bill_id, b.bill_type, ${sql.unsafe(BILL_KEPT)}, b.rate_95th_in, b.rate_95th_out, b.rate_95th, b.dir_95th,
      b.total_data, b.total_data_in, b.total_data_out, b.rate_average_in, b.rate_average_out, b.rate_average,
      ${sql.unsafe(BILL_CALCULATED)}, ${sql.unsafe(BILL_PORTS)}
    from bills b where ${chosen(sql, scope, filter)} order by b.bill_name, b.bill_id`
}

/**
 * Bills in scope by name, with figures of the last finished period. Bills without one in the last 40 days are omitted.
 */
export async function listPreviousBills(
  { sql }: Store,
  scope: Scope,
  filter: BillFilter,
): Promise<PreviousBillRecord[]> {
  return await sql<PreviousBillRecord[]>`
    select ${sql.unsafe(BILL_HISTORY)}, ${sql.unsafe(BILL_KEPT)}, h.traf_total as total_data, h.traf_in as total_data_in,
      h.traf_out as total_data_out, ${sql.unsafe(PERIOD_CALCULATED)},
      ${sql.unsafe(BILL_PORTS)}
    from bills b cross join lateral (
      select * from bill_history where bill_id = b.bill_id and bill_dateto < now()
        and bill_dateto > now() - interval '40 days'
      order by bill_dateto desc limit 1) h
    where ${chosen(sql, scope, filter)} order by b.bill_name, b.bill_id`
}

/** Whether the scope covers the bill, which need not exist. */
export async function maySeeBill({ sql }: Store, scope: Scope, billId: number): Promise<boolean> {
  if (scope.kind === 'all') return true
  const found = await sql`select 1 from bills b where b.bill_id = ${billId} and ${billInScope(sql, scope)}`
  return found.length > 0
}

/** A period of a bill's history with its start and end in epoch seconds. */
export type HistoryPeriod = BillHistoryRecord & {
  readonly from_s: number
  readonly to_s: number
  /** When the figures were computed, epoch seconds. */
  readonly updated_s: number
}

/** History of a bill, newest first: at most `limit` periods, or only the one with id `histId`. */
export async function billHistory(
  { sql }: Store,
  billId: number,
  { limit = 24, histId }: { readonly limit?: number; readonly histId?: number } = {},
): Promise<HistoryPeriod[]> {
  return await sql<HistoryPeriod[]>`
    select ${sql.unsafe(BILL_HISTORY)}, extract(epoch from h.bill_datefrom)::float8 as from_s,
      extract(epoch from h.bill_dateto)::float8 as to_s, extract(epoch from h.updated)::float8 as updated_s
    from bill_history h
    where h.bill_id = ${billId} and ${histId === undefined ? sql`true` : sql`h.bill_hist_id = ${histId}`}
    order by h.bill_datefrom desc limit ${limit}`
}

/** The time for which a bill has been counted, epoch seconds; null: it was not counted yet. */
export async function countedSpan({ sql }: Store, billId: number): Promise<{ fromS: number; uptoS: number } | null> {
  const [row] = await sql<{ fromS: number; uptoS: number }[]>`
    select extract(epoch from counted_from)::float8 as "fromS", extract(epoch from counted_upto)::float8 as "uptoS"
    from bills where bill_id = ${billId} and counted_upto is not null`
  return row ?? null
}

/** Traffic of a bill: octets in the `periodS` seconds that end at `timeS`. */
export interface BillSampleRecord {
  readonly timeS: number
  readonly periodS: number
  readonly inOctets: number
  readonly outOctets: number
}

/** Maximum number of samples per read: ten years. */
const MAX_SAMPLES = 1_100_000

/** Samples after `fromS` and up to `toS` (epoch seconds), in order. Buckets in which nothing is known are omitted. */
export async function billSamples(
  { sql }: Store,
  billId: number,
  { fromS, toS }: { readonly fromS: number; readonly toS: number },
): Promise<BillSampleRecord[]> {
  return await sql<BillSampleRecord[]>`
    select extract(epoch from "timestamp")::float8 as "timeS", period as "periodS", in_delta::float8 as "inOctets",
      out_delta::float8 as "outOctets"
    from bill_data
    where bill_id = ${billId} and "timestamp" > to_timestamp(${fromS}) and "timestamp" <= to_timestamp(${toS})
      and (period > 0 or delta > 0 or unknown_s is null)
    order by "timestamp" limit ${MAX_SAMPLES}`
}

/** Whether a bill has any samples with known time. */
export async function billHasSamples({ sql }: Store, billId: number): Promise<boolean> {
  return (
    (
      await sql`select 1 from bill_data where bill_id = ${billId} and (period > 0 or delta > 0 or unknown_s is null) limit 1`
    ).length > 0
  )
}

/** The device that all ports of a bill belong to; null: several, or none. */
export async function deviceOfBill({ sql }: Store, billId: number): Promise<number | null> {
  const [row] = await sql<{ device_id: number | null }[]>`
    select case when min(device_id) = max(device_id) then min(device_id) end as device_id
    from bill_ports join ports using (port_id) where bill_id = ${billId}`
  return row?.device_id ?? null
}

/** Octets of one hour of the day (`00:00`) or one day (`2026-08-01`), local time. */
export interface BillBarRecord {
  readonly label: string
  readonly in: number
  readonly out: number
}

const LABELS = { hour: 'HH24":00"', day: 'YYYY-MM-DD' } as const

/**
 * Traffic of a period by hour of the day, or by day, in order. Those without samples are omitted. The row that ends at
 * midnight belongs to the day before.
 */
export async function billBars(
  { sql }: Store,
  billId: number,
  by: keyof typeof LABELS,
  { fromS, toS }: { readonly fromS: number; readonly toS: number },
): Promise<BillBarRecord[]> {
  return await sql<BillBarRecord[]>`
    select to_char(("timestamp" - interval '1 second') at time zone ${ZONE}, ${LABELS[by]}) as label, sum(in_delta)::float8 as "in",
      sum(out_delta)::float8 as "out"
    from bill_data
    where bill_id = ${billId} and "timestamp" > to_timestamp(${fromS}) and "timestamp" <= to_timestamp(${toS + 1})
      and (period > 0 or delta > 0 or unknown_s is null)
    group by 1 order by 1`
}

/** Ports of a bill. */
export async function billPortIds({ sql }: Store, billId: number): Promise<number[]> {
  const rows = await sql<{ port_id: number }[]>`select port_id from bill_ports where bill_id = ${billId}`
  return rows.map((row) => row.port_id)
}

/** The ids that are not ports. */
export async function unknownPorts({ sql }: Store, portIds: readonly number[]): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select x.id from unnest(${integers(portIds)}::text::int[]) with ordinality x(id, n)
    where not exists (select from ports p where p.port_id = x.id) order by x.n`
  return rows.map((row) => row.id)
}
