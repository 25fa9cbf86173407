import { runBilling } from '../src/core/bills/calculate.ts'
import { billingPeriod } from '../src/core/bills/period.ts'
import type { Store } from '../src/core/database/client.ts'
import { withDatabase } from './support/database.ts'
import { databaseCpuS } from './support/processes.ts'
import { type BenchResult, result } from './support/result.ts'

/**
 * 1,000 bills of 20 ports each, with a month of rows and the samples of the last hour: a round as it runs every 5
 * minutes, which counts the last half hour again and computes all figures, and another round after all figures were
 * reset. Then an hour of late samples of all ports, and a new bill with a month of samples.
 */
const BILLS = 1000
const PORTS = 20
const OPTIONS = { intervalS: 300, keepDays: 60, closeHours: 48 }
/** Ports of the new bill, with a sample every 5 minutes over the whole period. */
const NEW_PORTS = 20

export async function run(): Promise<BenchResult[]> {
  return await withDatabase(8, measured)
}

async function measured(store: Store): Promise<BenchResult[]> {
  const { sql } = store
  // the last hours of a period of 31 days
  const nowS = new Date(2026, 7, 31, 23, 0).getTime() / 1000
  const { fromS } = billingPeriod(1, nowS)
  const uptoS = Math.floor((nowS - 360) / 300) * 300
  await sql`insert into devices (hostname) select 'd' || n from generate_series(1, 200) n`
  await sql`insert into ports (device_id, "ifIndex", "ifSpeed")
    select device_id, n, 1e10 from devices, generate_series(1, ${(BILLS * PORTS) / 200}::int) n`
  await sql`insert into bills (bill_name, bill_type, bill_cdr, dir_95th, bill_custid, bill_ref, bill_notes)
    select 'b' || n, 'cdr', 1e9, 'in', '', '', '' from generate_series(1, ${BILLS}::int) n`
  await sql`insert into bill_ports (bill_id, port_id)
    select b.bill_id, p.port_id from (select bill_id, row_number() over (order by bill_id) as n from bills) b
      join (select port_id, row_number() over (order by port_id) as n from ports) p on (p.n - 1) / ${PORTS} = b.n - 1`
  for (let day = 0; day < 31; day++) {
    await sql`insert into bill_data (bill_id, "timestamp", period, delta, in_delta, out_delta, unknown_s, unknown_octets)
      select bill_id, t, 300, i + o, i, o, 0, 0
      from bills, generate_series(to_timestamp(${fromS + day * 86_400 + 300}), to_timestamp(${Math.min(uptoS - 300, fromS + (day + 1) * 86_400)}), '300 s') t,
        lateral (select (random() * 3e11)::bigint as i, (random() * 1e11)::bigint as o, t as at) r
      order by t, bill_id`
  }
  await sql`update bills set counted_from = to_timestamp(${fromS}), counted_upto = to_timestamp(${uptoS - 300}),
    bill_last_calc = to_timestamp(${nowS - 300}), due = false`
  await samples(nowS - 7200, nowS, 'true')
  await sql.unsafe('vacuum analyze bill_data')
  await sql.unsafe('analyze')
  const round = await timed(store, () => runBilling(store, OPTIONS, nowS))
  await sql`update bills set due = true, rate_95th = 0, total_data = 0`
  const figures = await timed(store, () => runBilling(store, OPTIONS, nowS + 1))
  await sql`insert into bill_late select port_id, to_timestamp(${nowS - 7200}), to_timestamp(${nowS - 3600}) from ports`
  const late = await timed(store, () => runBilling(store, OPTIONS, nowS + 2))
  await samples(fromS, nowS - 7200, `port_id <= (select min(port_id) from ports) + ${NEW_PORTS - 1}`)
  await sql`insert into bills (bill_name, bill_type, bill_cdr, dir_95th, bill_custid, bill_ref, bill_notes)
    values ('new', 'cdr', 1e9, 'in', '', '', '')`
  await sql`insert into bill_ports (bill_id, port_id)
    select (select max(bill_id) from bills), port_id from ports order by port_id limit ${NEW_PORTS}`
  const fresh = await timed(store, () => runBilling(store, OPTIONS, nowS + 3))
  const [rows] = await sql<{ n: number; zero: number }[]>`
    select (select count(*)::int from bill_data) as n, (select count(*)::int from bills where rate_95th = 0) as zero`
  if (rows?.zero !== 0) throw new Error(`${rows?.zero} bills have no figures`)
  const both = (name: string, { wallS, cpuS }: Cost) => [
    result(name, wallS, 's', null, { text: 'at most 10 s', met: wallS <= 10 }),
    result(`${name}, CPU of the database`, cpuS, 's'),
  ]
  return [
    result(`rows of ${BILLS} bills`, rows?.n ?? 0, 'rows'),
    ...both(`round of ${BILLS} bills x ${PORTS} ports`, round),
    ...both(`figures of ${BILLS} bills, a month each`, figures),
    ...both(`an hour late on all ${BILLS * PORTS} ports`, late),
    ...both(`a new bill of ${NEW_PORTS} ports, a month of samples`, fresh),
  ]

  async function samples(startS: number, endS: number, which: string): Promise<void> {
    for (let day = startS; day <= endS; day += 86_400) {
      await sql`select ts.ensure_partitions('ts.port_samples', to_timestamp(${day}))`
    }
    await sql`select ts.ensure_partitions('ts.port_samples', to_timestamp(${endS}))`
    await sql.unsafe(`insert into ts.port_samples ("time", port_id, period_ms, in_octets, out_octets)
      select t + (port_id % 300) * interval '1 second', port_id, 300000, (random() * 1e10)::bigint, (random() * 1e10)::bigint
      from ports, generate_series(to_timestamp(${startS}), to_timestamp(${endS - 300}), '300 s') t where ${which} on conflict do nothing`)
  }
}

interface Cost {
  readonly wallS: number
  readonly cpuS: number
}

/** Duration of the work, and CPU time of the database's connections. */
async function timed(store: Store, work: () => Promise<unknown>): Promise<Cost> {
  const [start, before] = [performance.now(), await databaseCpuS(store)]
  await work()
  return { wallS: (performance.now() - start) / 1000, cpuS: (await databaseCpuS(store)) - before }
}
