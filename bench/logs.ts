import type { Store } from '../src/core/database/client.ts'
import { listLog } from '../src/core/logs/read.ts'
import type { LogPage } from '../src/core/logs/tables.ts'
import { withDatabase } from './support/database.ts'
import { option } from './support/option.ts'
import { type BenchResult, result } from './support/result.ts'

/**
 * Pages of a long syslog (`--rows N`, default 10,000,000, over 30 days) compared with the same pages by OFFSET, and the
 * last pages of a device with a thousandth of the messages and of one with a tenth.
 */

const GOAL_MS = 100
const PAGE: LogPage = { deviceId: null, from: null, to: null, search: null, descending: true, offset: 0, limit: 50 }
const ALL = { kind: 'all' } as const

export async function run(): Promise<BenchResult[]> {
  return await withDatabase(4, async (store) => {
    const rows = Math.round(option('rows', 10_000_000) / 30) * 30
    await fill(store, rows)
    return [...(await pages(store, rows)), ...(await devicePages(store))]
  })
}

/** Inserts typical messages of devices: mostly of a few forms, with addresses, interfaces and numbers. */
async function fill({ sql }: Store, rows: number): Promise<void> {
  await sql`insert into devices (device_id, hostname) select d, 'device-' || d from generate_series(1, 1000) d`
  for (let day = 29; day >= 0; day--) {
    await sql`select make_log_partition('syslog', now() - make_interval(days => ${day}))`
    await sql`
      insert into syslog (device_id, facility, priority, level, "timestamp", program, msg)
      select 1 + (random() * 999)::int, 'local7', 'notice', 'notice',
        date_trunc('day', now() - make_interval(days => ${day})) + n * interval '86400 s' / ${Math.round(rows / 30)}::int,
        '%LINEPROTO-5-UPDOWN',
        case n % 4 when 0 then 'Line protocol on Interface GigabitEthernet' || n % 8 || '/0/' || n % 48 || ', changed state to down'
          when 1 then 'Accepted publickey for admin from 10.' || n % 200 || '.' || n % 99 || '.' || n % 251 || ' port ' || n % 60000 || ' ssh2'
          when 2 then 'list ACL-' || n % 50 || ' denied tcp 192.0.2.' || n % 255 || '(' || n % 65536 || ') -> 198.51.100.' || n % 199 || '(22), 1 packet'
          else 'session ' || md5(n::text) || ' closed after ' || n % 900 || ' s' end
      from generate_series(1, ${Math.round(rows / 30)}::int) n`
  }
  await sql`vacuum analyze syslog`
  await sql`
    with gone as (delete from log_counts returning log, bucket, "rows")
    insert into log_counts select log, bucket, sum("rows") from gone group by 1, 2`
}

async function pages(store: Store, rows: number): Promise<BenchResult[]> {
  const results: BenchResult[] = []
  for (const [what, offset, limit] of [
    ['the first page of 50', 0, 50],
    ['page 1,000 of 50', 50_000, 50],
    ['page 1,000 of 1,000', 1_000_000, 1000],
    ['the last page of 50', rows - 50, 50],
  ] as const) {
    if (offset + limit > rows) continue
    const page = { ...PAGE, offset, limit }
    const ours = await best(async () => {
      const { chunks, total } = listLog(store, ALL, 'syslog', page)
      let count = 0
      for await (const chunk of chunks) count += chunk.count
      const exact = await total(count)
      if (count !== limit) throw new Error(`${count} rows instead of ${limit}`)
      if (exact < rows * 0.99) throw new Error(`total ${exact}`)
    })
    const plain = await best(
      () => store.sql`select * from syslog order by "timestamp" desc, seq desc limit ${limit} offset ${offset}`,
    )
    results.push(
      result(
        `${what}, with its total, of ${rows} messages`,
        ours,
        'ms',
        { name: 'OFFSET without total', value: plain },
        { text: `<= ${GOAL_MS} ms`, met: ours <= GOAL_MS },
      ),
    )
  }
  const counted = await best(() => store.sql`select count(*) from syslog`)
  results.push(result('  count(*) of them', counted, 'ms'))
  return results
}

async function devicePages(store: Store): Promise<BenchResult[]> {
  const results: BenchResult[] = []
  for (const [share, ids] of [
    ['a thousandth', [2]],
    ['a tenth', Array.from({ length: 100 }, (_, i) => 100 + i)],
  ] as const) {
    // assign the messages of a hundred devices to one
    const [deviceId = 0] = ids
    if (ids.length > 1) {
      await store.sql`update syslog set device_id = ${deviceId} where device_id = any(${`{${ids}}`}::int4[])`
      await store.sql`vacuum analyze syslog`
    }
    const [row] = await store.sql<{ n: number }[]>`select count(*)::int as n from syslog where device_id = ${deviceId}`
    const rows = row?.n ?? 0
    for (const [what, offset] of [
      ['first', 0],
      ['last', rows - 50],
    ] as const) {
      const ours = await best(async () => {
        const { chunks, total } = listLog(store, ALL, 'syslog', { ...PAGE, deviceId, offset })
        let count = 0
        for await (const chunk of chunks) count += chunk.count
        if (count !== 50 || (await total(count)) !== rows) throw new Error(`${count} rows of ${rows}`)
      })
      results.push(
        result(`the ${what} page of 50 of a device with ${share}: ${rows}`, ours, 'ms', null, {
          text: `<= ${GOAL_MS} ms`,
          met: ours <= GOAL_MS,
        }),
      )
    }
  }
  return results
}

/** The best of three runs, ms, after a warm-up run. */
async function best(work: () => PromiseLike<unknown>): Promise<number> {
  await work()
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < 3; i++) {
    const began = performance.now()
    await work()
    least = Math.min(least, performance.now() - began)
  }
  return least
}
