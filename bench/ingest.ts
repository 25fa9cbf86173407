/**
 * Writes samples the same way as polling does: batches of 250 devices x 48 ports, 12 counters, as with an interval of
 * 30 s. On the embedded server, and on those given by DATABASE_URL, TEST_DATABASE_URL and TEST_TIMESCALE_URL (in a
 * separate database on each, dropped afterwards).
 *
 * Baselines with the same server and rows: an unlogged table without indexes, filled by the same statement and by
 * binary COPY (the upper bound of the server).
 */

import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { client, connect, type Store } from '../src/core/database/client.ts'
import { integers } from '../src/core/database/pg-array.ts'
import { migrate } from '../src/core/schema/migrate.ts'
import { writeSamples } from '../src/core/series/write.ts'
import { PORT_COUNTERS } from '../src/lib/port-counters.ts'
import { createLog } from '../src/observe/log.ts'
import { startEmbedded } from '../src/postgres/embedded.ts'
import { serverProcesses } from '../src/postgres/postmaster.ts'
import { deviceValues } from '../src/series/kinds/device.ts'
import type { SampleBatch } from '../src/series/samples.ts'
import { dataFolder } from './support/folder.ts'
import { type BenchResult, result } from './support/result.ts'

const DEVICES = 1000
const PORTS = 48
const PER_BATCH = 250
const ROWS = PER_BATCH * PORTS
const ROUNDS = 6
const INTERVAL_MS = 30_000
const COUNTERS = PORT_COUNTERS.map((c) => c.series)
const log = createLog('error')

export async function run(): Promise<BenchResult[]> {
  const results: BenchResult[] = []
  const folder = dataFolder()
  const embedded = await startEmbedded({ dataDir: folder, log })
  const servers = ['DATABASE_URL', 'TEST_DATABASE_URL', 'TEST_TIMESCALE_URL'].flatMap((name) => process.env[name] ?? [])
  try {
    const cpu = (): number => serverCpuSeconds(join(folder, 'postgres', 'data'))
    results.push(...(await measure(embedded.url, 'embedded, ', cpu)))
    for (const url of servers) results.push(...(await measure(url, '', null)))
  } finally {
    await embedded.stop()
    rmSync(folder, { recursive: true })
  }
  return results
}

/** `cpu` returns the CPU seconds used by the server so far; null for servers that cannot be observed. */
async function measure(server: string, label: string, cpu: (() => number) | null): Promise<BenchResult[]> {
  const name = `bench_${process.pid}`
  const url = new URL(server)
  url.pathname = `/${name}`
  await admin(server, `create database ${name}`)
  try {
    const { mode, serverVersion } = await migrate(url.href, log)
    const store = connect(url.href, { max: 2 })
    try {
      const where = `${label}${mode} ${serverVersion}`
      return await measureStore(store, url.href, where, cpu)
    } finally {
      await store.close()
    }
  } finally {
    await admin(server, `drop database ${name} with (force)`)
  }
}

async function measureStore(
  store: Store,
  url: string,
  where: string,
  cpu: (() => number) | null,
): Promise<BenchResult[]> {
  await store.sql`
    insert into devices (hostname, "sysDescr", "sysName", hardware)
    select 'device-' || i, repeat('x', 120), 'name-' || i, 'switch' from generate_series(1, ${DEVICES}::int) i`
  await store.sql`
    insert into ports (device_id, "ifIndex", "ifName")
    select (i - 1) / ${PORTS}::int + 1, (i - 1) % ${PORTS}::int + 1, 'Gi0/' || i from generate_series(1, ${DEVICES * PORTS}::int) i`
  await store.sql.unsafe('vacuum analyze')
  let time = Date.now() - 4 * ROUNDS * INTERVAL_MS
  const round = async (write: (batch: SampleBatch) => Promise<unknown>, part: 'samples' | 'polls'): Promise<void> => {
    time += INTERVAL_MS
    for (let first = 1; first <= DEVICES; first += PER_BATCH) await write(makeBatch(first, time, part))
  }
  const rate = async (write: (batch: SampleBatch) => Promise<unknown>, part: 'samples' | 'polls'): Promise<number> => {
    await round(write, part)
    const begun = performance.now()
    for (let i = 0; i < ROUNDS; i++) await round(write, part)
    return (ROUNDS * DEVICES * PORTS * 1000) / (performance.now() - begun)
  }

  const results: BenchResult[] = []
  const samples = await rate((batch) => writeSamples(store, batch), 'samples')
  await store.sql.unsafe('create unlogged table heap as select * from ts.port_samples limit 0')
  const heap = await rate((batch) => insertHeap(store, batch), 'samples')
  await store.sql.unsafe('truncate heap')
  const copied = await copyRate(url)
  const goal = { text: '>= 80,000', met: samples >= 80_000 }
  results.push(
    result(`port samples (${where})`, samples, 'rows/s', { name: 'unlogged heap, same path', value: heap }, goal),
  )
  results.push(result(`port samples (${where})`, samples, 'rows/s', { name: 'unlogged heap, COPY', value: copied }))

  const own = process.cpuUsage()
  const theirs = cpu?.() ?? 0
  const polls = await rate((batch) => writeSamples(store, batch), 'polls')
  results.push(result(`whole polls: samples, raw counters, device (${where})`, polls / PORTS, 'devices/s'))
  if (cpu !== null) {
    const { user, system } = process.cpuUsage(own)
    const perThousand = ((user + system) / 1e6 + cpu() - theirs) / (ROUNDS + 1)
    const ceiling = { text: '<= 1.2', met: perThousand <= 1.2 }
    results.push(result(`CPU of 1,000 whole polls, server included (${where})`, perThousand, 's', null, ceiling))
  }
  return results
}

const deltas = Float64Array.from({ length: ROWS * COUNTERS.length }, (_, i) => {
  const noise = Math.abs(Math.imul(i + 1, 2_654_435_761)) / 2 ** 31
  const counter = Math.floor(i / ROWS)
  if (counter < 2) return Math.floor(noise * 3e9)
  if (counter < 4) return Math.floor(noise * 4e6)
  return counter < 8 ? Number(noise > 0.98) : Math.floor(noise * 200)
})
const states = Array.from({ length: DEVICES }, (_, d) => ({
  portId: Int32Array.from({ length: PORTS }, (_, p) => d * PORTS + p + 1),
  counters: BigUint64Array.from({ length: PORTS * COUNTERS.length }, (_, i) =>
    BigInt(i < 2 * PORTS ? 1e13 + i * 1e6 : i),
  ),
}))

const POLL = { tookMs: 55, uptimeS: 1_234_567 }

function makeBatch(first: number, time: number, part: 'samples' | 'polls'): SampleBatch {
  const devices = part === 'samples' ? [] : Array.from({ length: PER_BATCH }, (_, i) => first + i)
  return {
    ports: {
      length: ROWS,
      capacity: ROWS,
      time: new Float64Array(ROWS).fill(time),
      portId: Int32Array.from({ length: ROWS }, (_, i) => (first - 1) * PORTS + i + 1),
      periodMs: new Int32Array(ROWS).fill(INTERVAL_MS),
      deltas,
    },
    portState: devices.map((deviceId) => ({
      deviceId,
      time,
      ...(states[deviceId - 1] as (typeof states)[number]),
      ticks: new Uint32Array(PORTS).fill(123_456_789),
      present: new Uint32Array(PORTS).fill(4095),
    })),
    polls: devices.map((deviceId) => ({ deviceId, time, ...POLL, answered: true })),
    series: {
      device: {
        time: devices.map(() => time),
        id: devices,
        periodMs: devices.map(() => 0),
        values: deviceValues({ ...POLL, requests: 14, timeouts: 0 }).map((value) => devices.map(() => value)),
      },
    },
  }
}

async function insertHeap({ sql }: Store, { ports }: SampleBatch): Promise<void> {
  await sql.unsafe(
    `insert into heap select to_timestamp(ms / 1000), id, period, ${COUNTERS.join()}
     from unnest($1::float8[], $2::int[], $3::int[], ${COUNTERS.map((_, i) => `$${i + 4}::bigint[]`).join()}) u(ms, id, period, ${COUNTERS.join()})`,
    [
      integers(ports.time, ports.length),
      integers(ports.portId, ports.length),
      integers(ports.periodMs, ports.length),
      ...COUNTERS.map((_, c) => integers(ports.deltas, ports.length, c * ports.capacity)),
    ],
    { prepare: true },
  )
}

/** Rows per second with binary COPY. Rows are encoded beforehand, so this measures only the server. */
async function copyRate(address: string): Promise<number> {
  const url = new URL(address)
  const folder = url.searchParams.get('host')
  const sql = new Bun.SQL(
    folder === null
      ? { url: address, adapter: 'postgres', max: 1 }
      : // the client supports `path`, but its types lack it
        ({
          adapter: 'postgres',
          path: `${folder}/.s.PGSQL.${url.port}`,
          username: url.username,
          database: url.pathname.slice(1),
          max: 1,
        } as object),
  )
  const rows = copyRows(makeBatch(1, Date.now(), 'samples'))
  const copy = async (): Promise<void> => {
    const query = sql`copy heap from stdin with (format binary)` as unknown as {
      writable(): Promise<WritableStream<Uint8Array>>
    }
    const writer = (await query.writable()).getWriter()
    await writer.write(rows)
    await writer.close()
  }
  await copy()
  const begun = performance.now()
  const times = (ROUNDS * DEVICES) / PER_BATCH
  for (let i = 0; i < times; i++) await copy()
  const seconds = (performance.now() - begun) / 1000
  await sql.end()
  return (times * ROWS) / seconds
}

/** PostgreSQL's binary COPY format (documentation of COPY, "Binary Format"). */
function copyRows({ ports }: SampleBatch): Uint8Array {
  const fields = 3 + COUNTERS.length
  const out = Buffer.alloc(19 + ports.length * (2 + 12 + 8 + 8 + COUNTERS.length * 12) + 2)
  let at = out.write('PGCOPY\n\xff\r\n\0', 'latin1') + 8
  for (let row = 0; row < ports.length; row++) {
    at = out.writeInt16BE(fields, at)
    at = out.writeInt32BE(8, at)
    at = out.writeBigInt64BE(BigInt((ports.time[row] ?? 0) - 946_684_800_000) * 1000n, at)
    at = out.writeInt32BE(4, at)
    at = out.writeInt32BE(ports.portId[row] ?? 0, at)
    at = out.writeInt32BE(4, at)
    at = out.writeInt32BE(ports.periodMs[row] ?? 0, at)
    for (let c = 0; c < COUNTERS.length; c++) {
      at = out.writeInt32BE(8, at)
      at = out.writeBigInt64BE(BigInt(ports.deltas[c * ports.capacity + row] ?? 0), at)
    }
  }
  out.writeInt16BE(-1, at)
  return out
}

/** CPU seconds of all processes of a server (Linux: clock ticks of 1/100 s). */
function serverCpuSeconds(data: string): number {
  let ticks = 0
  for (const pid of serverProcesses(data)) {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    ticks += Number(fields[11]) + Number(fields[12])
  }
  return ticks / 100
}

async function admin(url: string, statement: string): Promise<void> {
  const sql = client(url, 1)
  try {
    await sql.unsafe(statement)
  } finally {
    await sql.end()
  }
}
