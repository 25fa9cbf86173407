import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql as text } from 'drizzle-orm'
import { connect, type Store } from '../src/core/database/client.ts'
import { toStoreError } from '../src/core/database/errors.ts'
import { listen, notify } from '../src/core/database/listen.ts'
import { migrate } from '../src/core/schema/migrate.ts'
import { createLog, type Log } from '../src/observe/log.ts'
import { startEmbedded } from '../src/postgres/embedded.ts'
import { readPidFile } from '../src/postgres/postmaster.ts'
import { dataFolder } from './support/folder.ts'
import { textOption } from './support/option.ts'
import { type BenchResult, result } from './support/result.ts'

/**
 * Kills the postmaster repeatedly while clients of every kind use it: transactions, single statements, reserved
 * connections, Drizzle, a listener. Each client must get only correct results and continue within the deadline after
 * each kill. `--times N` (500), `--deadline SECONDS` (30), `--folder FOLDER` for the data (default: a temporary one).
 */

interface Client {
  readonly name: string
  done: number
  failed: number
  /** The step that it is waiting for. */
  step: string
}

export async function run(): Promise<BenchResult[]> {
  const times = Number(textOption('times') ?? 500)
  const deadlineMs = Number(textOption('deadline') ?? 30) * 1000
  const folder = dataFolder('portlight-kills-', textOption('folder'))
  const log = createLog('silent')
  const server = await startEmbedded({ dataDir: folder, log })
  const store = connect(server.url)
  try {
    await migrate(server.url, log)
    await store.sql`create table written (client text, n int)`
    return await measure(store, join(folder, 'postgres', 'data'), { times, deadlineMs, log })
  } finally {
    await Promise.race([store.close(1), Bun.sleep(5000)])
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(
  store: Store,
  data: string,
  { times, deadlineMs, log }: { times: number; deadlineMs: number; log: Log },
): Promise<BenchResult[]> {
  const clients: Client[] = []
  let stopping = false
  let wrong = 0

  const start = (name: string, work: (client: Client, n: number) => Promise<void>): Promise<void> => {
    const client: Client = { name, done: 0, failed: 0, step: '' }
    clients.push(client)
    return (async () => {
      for (let n = 0; !stopping; n++) {
        try {
          await work(client, n)
          client.done++
          await Bun.sleep(Math.random() * 4)
        } catch (error) {
          client.failed++
          const known = toStoreError(error)
          if (known.kind !== 'unavailable') {
            wrong++
            console.error(`${name} in "${client.step}": ${error instanceof Error ? error.stack : String(error)}`)
          }
          client.step = 'pause'
          await Bun.sleep(5 + Math.random() * 20)
        }
      }
    })()
  }
  const same = (got: unknown, expected: unknown): void => {
    if (got !== expected) throw new Error(`expected ${String(expected)}, got ${String(got)}`)
  }

  const transaction = async (client: Client, n: number): Promise<void> => {
    client.step = 'begin'
    await store.sql.begin(async (tx) => {
      client.step = 'select'
      same((await tx`select ${n}::int as n, ${client.name} as name`)[0]?.['n'], n)
      client.step = 'insert'
      await tx`insert into written values (${client.name}, ${n})`
      client.step = 'two at once'
      const [a, b] = await Promise.all([tx`select 1 as a`, tx`select 2 as b`])
      same(a[0]?.['a'], 1)
      same(b[0]?.['b'], 2)
      client.step = 'commit'
    })
    client.step = 'after'
  }
  const single = async (client: Client, n: number): Promise<void> => {
    client.step = 'single'
    const rows = await store.sql`select i as n from generate_series(1, ${(n % 50) + 1}::int) i`
    same(rows.length, (n % 50) + 1)
    same(rows[0]?.['n'], 1)
  }
  const reserved = async (client: Client, n: number): Promise<void> => {
    client.step = 'reserve'
    const session = await store.sql.reserve()
    try {
      client.step = 'reserved select'
      for (let i = 0; i < 3; i++) same((await session`select ${n + i}::int as n`)[0]?.['n'], n + i)
    } finally {
      session.release()
    }
  }
  const drizzled = async (client: Client, n: number): Promise<void> => {
    client.step = 'drizzle begin'
    await store.db.transaction(async (tx) => {
      client.step = 'drizzle select'
      same((await tx.execute<{ n: number }>(text`select ${n}::int as n`))[0]?.n, n)
      client.step = 'drizzle insert'
      await tx.execute(text`insert into written values (${client.name}, ${n})`)
      client.step = 'drizzle commit'
    })
  }
  let heard = 0
  const listening = listen(
    store,
    'kills',
    () => heard++,
    () => undefined,
    log,
  )
  const notifying = async (client: Client): Promise<void> => {
    const before = heard
    client.step = 'notify'
    await notify(store, 'kills')
    client.step = 'listen'
    // notifications are lost while the listener is disconnected, so notify repeatedly
    const patience = performance.now() + 200
    while (heard === before) {
      if (performance.now() > patience) return await notifying(client)
      await Bun.sleep(5)
    }
  }

  const work = [
    ...['t1', 't2', 't3', 't4', 't5'].map((name) => start(name, transaction)),
    ...['s1', 's2'].map((name) => start(name, single)),
    ...['d1', 'd2'].map((name) => start(name, drizzled)),
    start('r1', reserved),
    start('n1', notifying),
  ]

  const began = performance.now()
  let longest = 0
  let hung = 0
  let kills = 0
  let lastKilled = 0
  for (; kills < times; kills++) {
    // half of the kills hit running work, the others a server or connections that are starting
    if (kills % 2 === 0) await Bun.sleep(Math.random() * 40)
    const before = clients.map((client) => client.done)
    let pid = readPidFile(data)?.pid ?? 0
    for (; pid === 0 || pid === lastKilled; pid = readPidFile(data)?.pid ?? 0) await Bun.sleep(2)
    try {
      process.kill(pid, 'SIGKILL')
      lastKilled = pid
    } catch {
      // already ended
    }
    if (kills % 8 === 7) {
      await Bun.sleep(Math.random() * 150)
      continue
    }
    const killedAt = performance.now()
    const behind = () => clients.filter((client, i) => client.done <= (before[i] ?? 0))
    while (behind().length > 0 && performance.now() - killedAt < deadlineMs) await Bun.sleep(3)
    longest = Math.max(longest, performance.now() - killedAt)
    if (behind().length > 0) {
      hung++
      console.error(`kill ${kills + 1}: no progress after ${deadlineMs} ms`)
      for (const { name, step, done, failed } of clients)
        console.error(`  ${name} in "${step}", ${done} done, ${failed} failed`)
      break
    }
    if ((kills + 1) % 100 === 0) {
      const seconds = (performance.now() - began) / 1000
      console.error(`${kills + 1} kills in ${seconds.toFixed(0)} s, longest ${longest.toFixed(0)} ms, ${wrong} wrong`)
    }
  }
  stopping = true
  await Promise.race([Promise.all(work), Bun.sleep(deadlineMs)])
  await listening.stop()
  const seconds = (performance.now() - began) / 1000
  return [
    result('kills of the postmaster', kills, 'kills', null, { text: `${times}`, met: kills >= times }),
    result('kills after which a client hung', hung, 'kills', null, { text: '0', met: hung === 0 }),
    result('wrong answers, or errors other than an outage', wrong, 'answers', null, { text: '0', met: wrong === 0 }),
    result('longest recovery of all clients', longest, 'ms'),
    result('time per kill', (seconds * 1000) / kills, 'ms'),
  ]
}
