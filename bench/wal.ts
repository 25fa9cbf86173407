import type { Store } from '../src/core/database/client.ts'
import { writeSamples } from '../src/core/series/write.ts'
import { PORT_COUNTERS } from '../src/lib/port-counters.ts'
import { deviceValues } from '../src/series/kinds/device.ts'
import type { SampleBatch } from '../src/series/samples.ts'
import { withDatabase } from './support/database.ts'
import { option } from './support/option.ts'
import { type BenchResult, result } from './support/result.ts'

/**
 * WAL of a poll of a device with 48 ports, by what it is for: a day of polls, with checkpoints as far apart as the
 * embedded server makes them. `--interval S`, `--hours N`, `--devices N` and `--checkpoint S` change that. What is named
 * `table.index` is an index, `images of pages` are pages in full, at their first change after a checkpoint.
 *
 * Also the time to read a port's day from those rows, and the WAL of rolling the day up and packing it.
 */

const DEVICES = option('devices', 40)
const PORTS = 48
const ROWS = DEVICES * PORTS
const INTERVAL_S = option('interval', 300)
const HOURS = option('hours', 24)
const COUNTERS = PORT_COUNTERS.length
const DAY_MS = 86_400_000
const GOAL = 14_000

export async function run(): Promise<BenchResult[]> {
  return withDatabase(2, measure)
}

/** Octets of WAL for one part: `images` are whole pages, written at their first change after a checkpoint. */
interface Part {
  readonly records: number
  readonly images: number
}

async function measure(store: Store): Promise<BenchResult[]> {
  const { sql } = store
  await sql.unsafe('create extension pg_walinspect')
  // what is read must not be removed by the checkpoint after it
  await sql.unsafe("alter system set wal_keep_size = '256MB'")
  await sql`select pg_reload_conf()`
  await sql`
    insert into devices (hostname, "sysDescr", "sysName", hardware)
    select 'device-' || i, repeat('x', 120), 'name-' || i, 'switch' from generate_series(1, ${DEVICES}::int) i`
  await sql`
    insert into ports (device_id, "ifIndex", "ifName")
    select (i - 1) / ${PORTS}::int + 1, (i - 1) % ${PORTS}::int + 1, 'Gi0/' || i from generate_series(1, ${ROWS}::int) i`
  // long enough ago that the day can be packed
  const begin = (Math.floor(Date.now() / DAY_MS) - 3) * DAY_MS
  const [server] = await sql<{ seconds: number }[]>`
    select extract(epoch from current_setting('checkpoint_timeout')::interval)::float8 as seconds`
  const apart = option('checkpoint', server?.seconds ?? Number.NaN)
  const polls = (HOURS * 3600) / INTERVAL_S
  const raw = Array.from({ length: DEVICES }, firstCounters)
  const parts = new Map<string, Part>()
  let counted = 0
  await write(store, raw, begin)
  await sql.unsafe('checkpoint')
  const at = await position(store)
  let from = at
  for (let poll = 1; poll < polls; poll++) {
    await write(store, raw, begin + poll * INTERVAL_S * 1000)
    counted += DEVICES
    const checkpointed = Math.floor((poll * INTERVAL_S) / apart) > Math.floor(((poll - 1) * INTERVAL_S) / apart)
    if (checkpointed || poll === polls - 1) {
      from = await account(store, from, parts)
      await sql.unsafe('checkpoint')
    }
  }
  const total = await since(store, at)
  const each = (octets: number) => octets / counted
  const sum = (of: (part: Part) => number) => [...parts.values()].reduce((s, part) => s + of(part), 0)
  return [
    result(`WAL of a poll of ${PORTS} ports`, each(total), 'octets', null, {
      text: `<= ${GOAL.toLocaleString('en-US')}`,
      met: each(total) <= GOAL,
    }),
    result('  of these, images of pages after a checkpoint', each(sum((p) => p.images)), 'octets'),
    ...[...parts]
      .sort(([, a], [, b]) => b.records + b.images - a.records - a.images)
      .flatMap(([name, { records, images }]) => [
        result(`  ${name}`, each(records + images), 'octets'),
        ...(images > 0 ? [result('    images of pages', each(images), 'octets')] : []),
      ]),
    ...(await reads(store, begin)),
    ...(await closing(store, begin, counted)),
  ]
}

/** Adds what was written since `from` to the parts; returns where that ends. */
async function account({ sql }: Store, from: string, parts: Map<string, Part>): Promise<string> {
  const to = await position({ sql } as Store)
  const rows = await sql<{ name: string; records: number; images: number }[]>`
    with blocks as (
      select start_lsn, min(relfilenode) filter (where block_id = 0) as file, sum(block_fpi_length)::float8 as images, max(record_length)::float8 as length
      from pg_get_wal_block_info(${from}::pg_lsn, ${to}::pg_lsn, false) group by 1),
    named as (
      select coalesce(nullif(regexp_replace(coalesce(t.relname || '.' || case when c.relkind = 'i' then 'index' else '' end || 'toast', i.relname || '.' || c.relname, c.relname), '_p20[0-9]{6}(_h[0-9]+)?', '', 'g'), ''), 'other') as name,
        b.images, b.length
      from blocks b left join pg_class c on c.relfilenode = b.file
        left join pg_index x on x.indexrelid = c.oid left join pg_class i on i.oid = x.indrelid
        left join pg_class t on t.reltoastrelid = coalesce(i.oid, c.oid)),
    rest as (
      select 'transactions' as name, 0::float8 as images, r.record_length::float8 as length
      from pg_get_wal_records_info(${from}::pg_lsn, ${to}::pg_lsn) r where not exists (select from blocks b where b.start_lsn = r.start_lsn))
    select name, sum(length - images) as records, sum(images) as images from (select * from named union all select * from rest) x group by 1`
  for (const { name, records, images } of rows) {
    const before = parts.get(name) ?? { records: 0, images: 0 }
    parts.set(name, { records: before.records + records, images: before.images + images })
  }
  return to
}

async function position({ sql }: Store): Promise<string> {
  const [row] = await sql<{ at: string }[]>`select pg_current_wal_flush_lsn()::text as at`
  return row?.at ?? ''
}

/** What roll-ups and packing write of the day when it has closed. */
async function closing(store: Store, begin: number, polls: number): Promise<BenchResult[]> {
  const { sql } = store
  await sql.unsafe('checkpoint')
  let at = await position(store)
  await sql`update ts.rollup set watermark = to_timestamp(${begin / 1000}) where base = 'port'`
  for (const level of ['1h', '1d']) {
    for (;;) {
      const [row] = await sql<{ done: number }[]>`select ts.roll(${`ts.port_${level}`}::text::regclass) as done`
      if ((row?.done ?? 0) === 0) break
    }
  }
  const rolled = await since(store, at)
  at = await position(store)
  for (;;) {
    const steps = await sql`select subjects from ts.pack_step('ts.port_samples')`
    if (steps.length === 0) break
  }
  const packed = await since(store, at)
  return [
    result('WAL of the roll-ups of a poll of ports', rolled / polls, 'octets'),
    result('WAL of packing the samples of a poll of ports', packed / polls, 'octets'),
  ]
}

/** Octets of WAL since `from`. */
async function since(store: Store, from: string): Promise<number> {
  const [row] = await store.sql<{ octets: number }[]>`
    select pg_wal_lsn_diff(${await position(store)}::pg_lsn, ${from}::pg_lsn)::float8 as octets`
  return row?.octets ?? Number.NaN
}

async function reads({ sql }: Store, begin: number): Promise<BenchResult[]> {
  await sql.unsafe('vacuum analyze')
  const times: number[] = []
  for (let i = 0; i < 200; i++) {
    const port = ((i * 7919) % ROWS) + 1
    const began = performance.now()
    await sql`select percentile_disc(0.95) within group (order by in_octets::float8 / period_ms) from ts.port_samples
      where port_id = ${port}::int and "time" >= to_timestamp(${begin / 1000}) and "time" < to_timestamp(${begin / 1000 + 86_400})`
    times.push(performance.now() - began)
  }
  times.sort((a, b) => a - b)
  const [sizes] = await sql<{ rows: number; octets: number; index: number }[]>`
    select (select count(*)::float8 from ts.port_samples) as rows, sum(pg_total_relation_size(relid))::float8 as octets,
      sum(pg_indexes_size(relid))::float8 as index
    from pg_partition_tree('ts.port_samples') where isleaf`
  return [
    result("95th of a port's day", times[100] ?? Number.NaN, 'ms'),
    result('octets of a row with its index', (sizes?.octets ?? 0) / (sizes?.rows ?? 1), 'octets'),
    result('  of these, indexes', (sizes?.index ?? 0) / (sizes?.rows ?? 1), 'octets'),
  ]
}

function noise(i: number): number {
  return Math.abs(Math.imul(i + 1, 2_654_435_761)) / 2 ** 31
}

/** What a counter grows by between two polls: errors and discards mostly by nothing, a fifth of the ports not at all. */
function growth(port: number, counter: number, poll: number): number {
  const random = noise(port * 31 + counter * 7 + poll * 1009)
  if (port % 5 === 0) return 0
  if (counter < 2) return Math.floor(random * 1e8 * INTERVAL_S)
  if (counter < 4) return Math.floor(random * 1e5 * INTERVAL_S)
  return counter < 8 ? Number(random > 0.98) : Math.floor(random * 200)
}

function firstCounters(): BigUint64Array {
  return BigUint64Array.from({ length: PORTS * COUNTERS }, (_, i) => {
    if (Math.floor(i % PORTS) % 5 === 0) return 0n
    return BigInt(i < 2 * PORTS ? 1e13 + i * 1e6 : i < 4 * PORTS ? 1e10 + i : i)
  })
}

async function write(store: Store, raw: readonly BigUint64Array[], time: number): Promise<void> {
  const poll = Math.floor(time / 1000 / INTERVAL_S)
  const deltas = new Float64Array(ROWS * COUNTERS)
  for (let row = 0; row < ROWS; row++) {
    const state = raw[Math.floor(row / PORTS)] as BigUint64Array
    for (let c = 0; c < COUNTERS; c++) {
      const delta = growth(row, c, poll)
      deltas[c * ROWS + row] = delta
      state[c * PORTS + (row % PORTS)] = (state[c * PORTS + (row % PORTS)] ?? 0n) + BigInt(delta)
    }
  }
  const devices = Array.from({ length: DEVICES }, (_, i) => i + 1)
  const measured = { tookMs: 50 + (poll % 17), uptimeS: 1_000_000 + (poll % 100_000) * INTERVAL_S }
  const batch: SampleBatch = {
    ports: {
      length: ROWS,
      capacity: ROWS,
      time: Float64Array.from({ length: ROWS }, (_, i) => time + Math.floor(i / PORTS)),
      portId: Int32Array.from({ length: ROWS }, (_, i) => i + 1),
      periodMs: new Int32Array(ROWS).fill(INTERVAL_S * 1000),
      deltas,
    },
    portState: devices.map((deviceId) => ({
      deviceId,
      time: time + deviceId - 1,
      portId: Int32Array.from({ length: PORTS }, (_, p) => (deviceId - 1) * PORTS + p + 1),
      counters: raw[deviceId - 1] as BigUint64Array,
      ticks: new Uint32Array(PORTS).fill(123_456_789 + (poll % 100_000) * INTERVAL_S * 100),
      present: new Uint32Array(PORTS).fill(4095),
    })),
    polls: devices.map((deviceId) => ({ deviceId, time: time + deviceId - 1, ...measured, answered: true })),
    series: {
      device: {
        time: devices.map((d) => time + d - 1),
        id: devices,
        periodMs: devices.map(() => 0),
        values: deviceValues({ ...measured, requests: 14, timeouts: 0 }).map((value) => devices.map(() => value)),
      },
    },
  }
  await writeSamples(store, batch, time)
}
