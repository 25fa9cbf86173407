import { asc, eq, sql } from 'drizzle-orm'
import { devices, eventlog, users } from '../db/schema/index.ts'
import type { Store } from '../src/core/database/client.ts'
import { integers } from '../src/core/database/pg-array.ts'
import { prepared } from '../src/core/database/prepared.ts'
import { type BenchResult, formatResult, result } from './result.ts'
import { type BenchServer, startServer } from './server.ts'

/**
 * Overhead of Drizzle over the same hand-written statement, for docs/adr/0008-drizzle-and-sql.md. Microseconds per
 * call, one call at a time, alternating; figures are medians.
 */

const ROWS = 1000
const ROUNDS = 5

interface Pair {
  readonly name: string
  readonly calls: number
  readonly drizzle: () => PromiseLike<unknown>
  readonly byHand: () => PromiseLike<unknown>
}

export async function run(): Promise<BenchResult[]> {
  const server = await startServer([])
  try {
    return await measure(server)
  } finally {
    await server.stop()
  }
}

async function measure({ store }: BenchServer): Promise<BenchResult[]> {
  await store.sql`
    insert into devices (hostname, disabled) select 'device-' || n, 1 from generate_series(1, ${ROWS}) n`
  const results: BenchResult[] = []
  for (const { name, calls, drizzle, byHand } of pairs(store)) {
    const took = { drizzle: [] as number[], byHand: [] as number[] }
    for (let round = 0; round < ROUNDS; round++) {
      took.drizzle.push(await perCall(calls, drizzle))
      took.byHand.push(await perCall(calls, byHand))
    }
    results.push(result(name, median(took.drizzle), 'us by Drizzle', { name: 'by hand', value: median(took.byHand) }))
  }
  return results
}

const COLUMNS = { device_id: devices.device_id, hostname: devices.hostname, os: devices.os, uptime: devices.uptime }
const byId = prepared((db) =>
  db
    .select(COLUMNS)
    .from(devices)
    .where(eq(devices.device_id, sql.placeholder('id')))
    .prepare('device'),
)

function pairs(store: Store): Pair[] {
  const { db, sql: byHand } = store
  const one = () => byHand`select device_id, hostname, os, uptime from devices where device_id = ${1}`
  const events = Array.from({ length: ROWS }, (_, i) => ({ device_id: i + 1, message: 'up', type: 'up', severity: 1 }))
  const ids = integers(events.map((e) => e.device_id))
  return [
    { name: 'one record, prepared', calls: 1000, drizzle: () => byId(db).execute({ id: 1 }), byHand: one },
    {
      name: 'one record, built at each call',
      calls: 1000,
      drizzle: () => db.select(COLUMNS).from(devices).where(eq(devices.device_id, 1)),
      byHand: one,
    },
    {
      name: 'one update',
      calls: 300,
      drizzle: () => db.update(users).set({ descr: 'x' }).where(eq(users.username, 'admin')),
      byHand: () => byHand`update users set descr = 'x' where username = 'admin'`,
    },
    {
      name: `a list of ${ROWS} records of 4 columns`,
      calls: 50,
      drizzle: () => db.select(COLUMNS).from(devices).orderBy(asc(devices.device_id)),
      byHand: () => byHand`select device_id, hostname, os, uptime from devices order by device_id`,
    },
    {
      name: `${ROWS} rows written`,
      calls: 10,
      drizzle: () => db.insert(eventlog).values(events),
      byHand: () =>
        byHand`insert into eventlog (device_id, message, type, severity) select id, 'up', 'up', 1 from unnest(${ids}::int[]) id`,
    },
  ]
}

async function perCall(calls: number, call: () => PromiseLike<unknown>): Promise<number> {
  const began = performance.now()
  for (let i = 0; i < calls; i++) await call()
  return ((performance.now() - began) * 1000) / calls
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

if (import.meta.main) {
  for (const r of await run()) console.log(formatResult(r))
  process.exit(0)
}
