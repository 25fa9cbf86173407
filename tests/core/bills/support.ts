import { runBilling } from '../../../src/core/bills/calculate.ts'
import { billHistory, listBills } from '../../../src/core/bills/read.ts'
import type { Store } from '../../../src/core/database/client.ts'

/** Local time as epoch seconds: `2026-03-10 00:05`. */
export const at = (local: string) => new Date(local.replace(' ', 'T')).getTime() / 1000

/** A stored sample of a port: octets in the `periodS` seconds before `endS`; null: refused. */
export interface Sample {
  readonly port: number
  readonly endS: number
  readonly periodS: number
  readonly in: number | null
  readonly out: number | null
}

let minted = 0

/** A device with ports of these speeds in bit/s; null: unknown. */
export async function makePorts({ sql }: Store, speeds: readonly (number | null)[]): Promise<number[]> {
  const [device] = await sql<{ id: number }[]>`
    insert into devices (hostname) values (${`b${++minted}.example.net`}) returning device_id as id`
  const ids: number[] = []
  for (const [i, speed] of speeds.entries()) {
    const [port] = await sql<{ id: number }[]>`insert into ports (device_id, "ifIndex", "ifName", "ifSpeed")
      values (${device?.id ?? 0}, ${i + 1}, ${`Gi0/${i + 1}`}, ${speed}) returning port_id as id`
    ids.push(port?.id ?? 0)
  }
  return ids
}

export interface BillInput {
  readonly type?: 'cdr' | 'quota'
  /** Bits per second, or octets. */
  readonly limit?: number
  readonly day?: number
  readonly dir?: 'in' | 'out' | 'agg'
}

/** A bill with these ports that has never been counted. */
export async function makeBill({ sql }: Store, ports: readonly number[], input: BillInput = {}): Promise<number> {
  const { type = 'cdr', limit = 1000, day = 1, dir = 'in' } = input
  const [bill] = await sql<{ id: number }[]>`
    insert into bills (bill_name, bill_type, bill_cdr, bill_quota, bill_day, dir_95th, bill_custid, bill_ref, bill_notes)
    values ('b', ${type}, ${type === 'cdr' ? limit : 0}, ${type === 'quota' ? limit : 0}, ${day}, ${dir}, '', '', '')
    returning bill_id as id`
  const billId = bill?.id ?? 0
  for (const port of ports) await sql`insert into bill_ports (bill_id, port_id) values (${billId}, ${port})`
  return billId
}

/** Stores samples as the writer would have at the time. */
export async function store({ sql }: Store, samples: readonly Sample[]): Promise<void> {
  const days = new Set(samples.map(({ endS }) => Math.floor(endS / 86_400) * 86_400))
  for (const day of days) await sql`select ts.ensure_partitions('ts.port_samples', to_timestamp(${day}))`
  for (let from = 0; from < samples.length; from += 5000) {
    await sql`insert into ts.port_samples ("time", port_id, period_ms, in_octets, out_octets)
      select to_timestamp((r->>'endS')::float8), (r->>'port')::int, ((r->>'periodS')::float8 * 1000)::int,
        (r->>'in')::bigint, (r->>'out')::bigint
      from json_array_elements(${JSON.stringify(samples.slice(from, from + 5000))}::text::json) r`
  }
}

/** Inserts rows of bill_data as another program would have stored them. */
export async function importRows(
  { sql }: Store,
  billId: number,
  rows: readonly { readonly endS: number; readonly periodS: number; readonly in: number; readonly out: number }[],
): Promise<void> {
  for (const row of rows) {
    await sql`insert into bill_data (bill_id, "timestamp", period, delta, in_delta, out_delta)
      values (${billId}, to_timestamp(${row.endS}), ${row.periodS}, ${row.in + row.out}, ${row.in}, ${row.out})`
  }
}

export const INTERVAL_S = 300

/** Runs billing at this time. All samples are retained. */
export const bill = (store: Store, nowS: number, closeHours = 48) =>
  runBilling(store, { intervalS: INTERVAL_S, keepDays: 3650, closeHours }, nowS)

/** The bill in the API, and the newest periods of its history. */
export async function shown(store: Store, billId: number) {
  const [record] = await listBills(store, { kind: 'all' }, { id: billId })
  return { record, history: await billHistory(store, billId) }
}

/** Rows of a bill that have traffic or known time: end after `originS`, seconds, octets in and out, unknown seconds. */
export async function rowsOf({ sql }: Store, billId: number, originS: number): Promise<(number | null)[][]> {
  const rows = await sql<{ t: number; period: number; i: number; o: number; unknown: number | null }[]>`
    select extract(epoch from "timestamp")::float8 as t, period, in_delta::float8 as i, out_delta::float8 as o,
      unknown_s as unknown
    from bill_data where bill_id = ${billId} and (period > 0 or delta > 0) order by "timestamp"`
  return rows.map((row) => [row.t - originS, row.period, row.i, row.o, row.unknown])
}
