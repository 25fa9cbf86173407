import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Socket } from 'bun'
import { client, connect, type Sql } from '../../../src/core/database/client.ts'
import { StoreError, toStoreError } from '../../../src/core/database/errors.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'

setDefaultTimeout(60_000)

let database: TestDatabase
let relay: Relay
const clients: Sql[] = []
beforeAll(async () => {
  database = await testDatabase()
  relay = startRelay(database.url)
})
afterAll(async () => {
  for (const sql of clients) await sql.end({ timeout: 0 })
  relay.stop()
  await database.drop()
})

function open(url: string, max: number, answerTimeoutS?: number): Sql {
  const sql = client(url, max, answerTimeoutS)
  clients.push(sql)
  return sql
}

interface Relay {
  readonly url: string
  /** Resets every connection, as a failing network or server does. */
  reset(): void
  /** While true, new connections are accepted and closed at once, as by a load balancer without backends. */
  refuse(refusing: boolean): void
  stop(): void
}

interface Pair {
  other: Socket<Pair> | null
  waiting: Buffer[]
}

/** A TCP relay in front of the database's unix socket. */
function startRelay(url: string): Relay {
  const target = new URL(url)
  const unix = `${target.searchParams.get('host') ?? ''}/.s.PGSQL.${target.port}`
  const inside = new Set<Socket<Pair>>()
  let refusing = false
  const listener = Bun.listen<Pair>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      async open(socket) {
        socket.data = { other: null, waiting: [] }
        if (refusing) return void socket.end()
        inside.add(socket)
        const server = await Bun.connect<Pair>({
          unix,
          data: { other: socket, waiting: [] },
          socket: {
            data: (from, chunk) => void from.data.other?.write(chunk),
            close: (from) => void from.data.other?.end(),
            error: () => undefined,
          },
        })
        socket.data.other = server
        for (const chunk of socket.data.waiting) server.write(chunk)
      },
      data(socket, chunk) {
        if (socket.data.other === null) socket.data.waiting.push(Buffer.from(chunk))
        else socket.data.other.write(chunk)
      },
      close(socket) {
        inside.delete(socket)
        socket.data.other?.end()
      },
      error: () => undefined,
    },
  })
  target.searchParams.delete('host')
  target.hostname = '127.0.0.1'
  target.port = String(listener.port)
  return {
    url: target.href,
    reset() {
      for (const socket of inside) socket.terminate()
    },
    refuse(value) {
      refusing = value
    },
    stop: () => listener.stop(true),
  }
}

/** Waits until the server runs the statement. */
async function running(text: string): Promise<void> {
  await eventually(async () => {
    const rows = await database.store.sql`
      select pid from pg_stat_activity where state = 'active' and query like ${`%${text}%`} and pid <> pg_backend_pid()`
    return rows.length > 0 ? true : null
  })
}

test('after a reset during a transaction the connection serves other statements', async () => {
  const sql = open(relay.url, 1)
  for (let round = 0; round < 5; round++) {
    const lost = sql.begin(async (tx) => {
      await tx`select pg_sleep(60), 'transaction'`
    })
    lost.catch(() => undefined)
    await running("'transaction'")
    relay.reset()
    expect(toStoreError(await lost.catch((error: unknown) => error))).toMatchObject({ kind: 'unavailable' })
    expect([...(await sql`select ${round}::int as n`)]).toEqual([{ n: round }])
  }
})

test('after a reset a reserved connection stays unusable, and its slot is free', async () => {
  const sql = open(relay.url, 1)
  const session = await sql.reserve()
  const lost = session`select pg_sleep(60), 'reserved'`.catch((error: unknown) => error)
  await running("'reserved'")
  relay.reset()
  expect(toStoreError(await lost)).toMatchObject({ kind: 'unavailable' })
  expect([...(await sql`select 1 as n`)]).toEqual([{ n: 1 }])
  expect(toStoreError(await session`select 2`.catch((error: unknown) => error))).toMatchObject({ kind: 'unavailable' })
  session.release()
  const next = await sql.reserve()
  expect([...(await next`select 3 as n`)]).toEqual([{ n: 3 }])
  next.release()
})

test('a failed reservation takes no connection later', async () => {
  const sql = open(relay.url, 1)
  relay.refuse(true)
  for (let i = 0; i < 3; i++) {
    expect(toStoreError(await sql.reserve().catch((error: unknown) => error))).toMatchObject({ kind: 'unavailable' })
  }
  relay.refuse(false)
  for (let n = 0; n < 3; n++) expect([...(await sql`select ${n}::int as n`)]).toEqual([{ n }])
})

test('connections closed as soon as they are opened fail the statement', async () => {
  const sql = open(relay.url, 2)
  relay.refuse(true)
  const outcomes = await Promise.allSettled([
    sql`select 1`,
    sql`select 2`,
    sql`select 3`,
    sql.begin((tx) => tx`select 4`),
  ])
  expect(outcomes.map((o) => (o.status === 'rejected' ? toStoreError(o.reason).kind : o.status))).toEqual(
    Array(4).fill('unavailable'),
  )
  relay.refuse(false)
  expect([...(await sql`select 5 as n`)]).toEqual([{ n: 5 }])
})

test('a server that stops answering fails only the statement and its connection', async () => {
  const sql = open(database.url, 1, 1)
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  const pid = row?.pid ?? 0
  process.kill(pid, 'SIGSTOP')
  try {
    const first = sql`select 1`.catch((error: unknown) => error)
    // statements not sent yet use the next connection
    const others = Promise.allSettled([sql`select 2`, sql.begin((tx) => tx`select 3`)])
    expect(toStoreError(await first)).toMatchObject({ kind: 'unavailable', retryable: true, code: 'ANSWER_TIMEOUT' })
    await others
    const [fresh] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
    expect(fresh?.pid).not.toBe(pid)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
})

test('statements that keep answering may take longer', async () => {
  const sql = open(database.url, 1, 1)
  const all = await Promise.all(Array.from({ length: 4 }, (_, n) => sql`select ${n}::int as n, pg_sleep(0.5)`))
  expect(all.map(([row]) => row?.['n'])).toEqual([0, 1, 2, 3])
})

test('rows of one statement that keep arriving may take longer', async () => {
  const sql = open(database.url, 1, 1)
  // the server sends its buffer of 8 KiB when it is full
  const rows = await sql<{ n: number }[]>`
    select n, repeat('x', 20000) as filler, pg_sleep(0.4) from generate_series(1, 5) n`
  expect(rows.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5])
})

test('a transaction queued behind more than a hundred statements on one connection stays intact', async () => {
  const sql = open(database.url, 1)
  await sql`create table queued (n int)`
  await sql`select 1`
  const before = Array.from({ length: 150 }, () => sql`select 1`.execute())
  const undone = sql
    .begin(async (tx) => {
      await tx`insert into queued values (1)`
      throw new Error('not this one')
    })
    .catch((error: unknown) => error)
  await Promise.all(before)
  expect(await undone).toEqual(new Error('not this one'))
  await sql`insert into queued values (2)`
  expect([...(await database.store.sql`select n from queued`)]).toEqual([{ n: 2 }])
})

test.each([
  ['a value of no type that SQL has', undefined],
  ['more parameters than the protocol counts', Array(65_534).fill(1)],
])('%s fails its own statement, not the one before it nor those behind it', async (_, value) => {
  const sql = open(database.url, 1)
  await sql`select 1`
  const before = sql`select pg_sleep(0.2), 'before' as n`.execute()
  const wrong = (Array.isArray(value) ? sql`select ${sql(value)}` : sql`select ${value as unknown as null}::int`)
    .execute()
    .catch((error: unknown) => error)
  const behind = sql`select 'behind' as n`.execute()
  expect(await wrong).toBeInstanceOf(StoreError)
  expect((await before)[0]?.['n']).toBe('before')
  expect((await behind)[0]?.['n']).toBe('behind')
  // alone on its connection it is the current statement
  await expect(sql`select ${undefined as unknown as null}::int`.execute()).rejects.toBeInstanceOf(StoreError)
  expect((await sql`select 'after' as n`)[0]?.['n']).toBe('after')
})

test('a value that cannot be sent undoes its transaction, whose connection then serves others', async () => {
  const sql = open(database.url, 1)
  await sql`create table refused_values (n int)`
  const undone = sql.begin((tx) => [
    tx`insert into refused_values values (1)`,
    tx`insert into refused_values values (${undefined as unknown as null})`,
    tx`insert into refused_values values (2)`,
  ])
  await expect(undone).rejects.toBeInstanceOf(StoreError)
  expect([...(await sql`select n from refused_values`)]).toEqual([])
})

test.each(['a\0b', '\ud800'])('text that the server cannot store fails only its statement: %j', async (text) => {
  const sql = open(database.url, 1)
  const before = sql`select 'before' as n`.execute()
  const wrong = sql`select ${text}::text as text`.execute().catch((error: unknown) => error)
  const behind = sql`select ${'behind'}::text as n`.execute()
  expect((await before)[0]?.['n']).toBe('before')
  await wrong
  expect((await behind)[0]?.['n']).toBe('behind')
})

test('the server ends an idle transaction', async () => {
  const store = connect(database.url, { max: 2 })
  const [row] = await store.sql`select current_setting('idle_in_transaction_session_timeout') as limit`
  await store.close(1)
  expect(row).toEqual({ limit: '5min' })
})
