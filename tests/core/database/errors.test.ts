import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { inspect } from 'node:util'
import { eq, sql as text } from 'drizzle-orm'
import { locations, users } from '../../../db/schema/index.ts'
import { insertToken, insertUser } from '../../../src/core/access/write.ts'
import { client, connect, type Db, type Sql } from '../../../src/core/database/client.ts'
import { StoreError } from '../../../src/core/database/errors.ts'
import { insertDevice } from '../../../src/core/devices/write.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

setDefaultTimeout(60_000)
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  await database.store.sql`create table once (n int4 primary key)`
  await database.store.sql`insert into once values (1)`
})
afterAll(() => database.drop())

const SECRET = 'only-the-owner-knows-this'

/** The error of `work`; null: it succeeded. */
async function failure(work: () => unknown): Promise<unknown> {
  try {
    await work()
    return null
  } catch (error) {
    return error
  }
}

/** Every way to run a statement that fails with 22012, and to read what it returns. */
const STATEMENTS: Readonly<Record<string, (sql: Sql) => unknown>> = {
  'tagged template': (sql) => sql`select 1 / ${0}::int4, ${SECRET}::text`,
  'text without values': (sql) => sql.unsafe('select 1 / 0'),
  'text with values': (sql) => sql.unsafe('select 1 / $1::int4, $2::text', [0, SECRET]),
  'prepared text': (sql) => sql.unsafe('select 1 / $1::int4, $2::text', [0, SECRET], { prepare: true }),
  'fragment in a statement': (sql) => sql`select ${sql`1 / ${0}::int4`}, ${SECRET}::text`,
  'then alone': (sql) => sql`select 1 / ${0}::int4`.then(() => null),
  catch: (sql) => sql`select 1 / ${0}::int4`.catch((error) => Promise.reject(error)),
  finally: (sql) => sql`select 1 / ${0}::int4`.finally(() => null),
  execute: (sql) => sql`select 1 / ${0}::int4`.execute(),
  simple: (sql) => sql`select 1 / 0`.simple(),
  raw: (sql) => sql`select 1 / ${0}::int4`.raw(),
  values: (sql) => sql`select 1 / ${0}::int4`.values(),
  forEach: (sql) => sql`select 1 / ${0}::int4`.forEach(() => {}),
  'cursor with a function': (sql) => sql`select 1 / (3 - n) from generate_series(1, 5) n`.cursor(1, () => undefined),
  'cursor, first rows': (sql) => Array.fromAsync(sql`select 1 / ${0}::int4`.cursor(1)),
  'cursor, later rows': (sql) => Array.fromAsync(sql`select 1 / (3 - n) from generate_series(1, 5) n`.cursor(1)),
  'one of several at once': (sql) => Promise.all([sql`select 1`, sql`select 1 / ${0}::int4`, sql`select 2`]),
  'copy out, at its start': (sql) => sql`copy (select 1 / 0) to stdout`.readable(),
  'async function': async (sql) => await sql`select 1 / ${0}::int4`,
}

/** Failures other than the server's 22012. */
const OTHER: Readonly<Record<string, { readonly code: string; readonly run: (sql: Sql) => unknown }>> = {
  describe: { code: '42P01', run: (sql) => sql`select * from nowhere`.describe() },
  'copied rows': {
    code: '22P02',
    run: (sql) =>
      sql.unsafe('copy locations (id) from stdin', [], { copy: Buffer.from(`${SECRET}\n`) } as Record<string, unknown>),
  },
  'copy in, at its start': { code: '42P01', run: (sql) => sql`copy nowhere from stdin`.writable() },
  duplicate: { code: '23505', run: (sql) => sql`insert into once values (1)` },
}

/** Where statements run. */
const PLACES: Readonly<Record<string, (sql: Sql, work: (sql: Sql) => unknown) => unknown>> = {
  'a client': (sql, work) => work(sql),
  'a transaction': (sql, work) => sql.begin((tx) => work(tx as unknown as Sql)),
  'a transaction with options': (sql, work) => sql.begin('read write', (tx) => work(tx as unknown as Sql)),
  'a list of statements in a transaction': (sql, work) => sql.begin((tx) => [tx`select 1`, work(tx as unknown as Sql)]),
  'a savepoint': (sql, work) => sql.begin((tx) => tx.savepoint((inner) => work(inner as unknown as Sql))),
  'a named savepoint': (sql, work) => sql.begin((tx) => tx.savepoint('here', (inner) => work(inner as unknown as Sql))),
  'a reserved connection': async (sql, work) => {
    const session = await sql.reserve()
    try {
      await work(session)
    } finally {
      session.release()
    }
  },
}

describe.each(Object.entries(PLACES))('in %s', (_place, run) => {
  test.each(Object.entries(STATEMENTS))('%s', async (_name, statement) => {
    expectConverted(await failure(() => run(database.store.sql, statement)), '22012')
  })
  test.each(Object.entries(OTHER))('%s', async (_name, other) => {
    expectConverted(await failure(() => run(database.store.sql, other.run)), other.code)
  })
  test('own errors keep their class', async () => {
    const own = new RangeError('not of the database')
    const thrown = await failure(() =>
      run(database.store.sql, async (sql) => {
        await sql`select 1`
        throw own
      }),
    )
    expect(thrown).toBe(own)
  })
})

/** Every kind of statement of Drizzle; all fail with `code`. */
const OF_DRIZZLE: Readonly<Record<string, { readonly code: string; readonly run: (db: Db) => unknown }>> = {
  select: {
    code: '22012',
    run: (db) => db.select({ n: text`1 / 0` }).from(users).where(text`${SECRET}::text <> ''`).limit(1),
  },
  insert: {
    code: '22P02',
    run: (db) => db.insert(locations).values({ location: SECRET, lat: text`${SECRET}::float8` }),
  },
  returning: {
    code: '22P02',
    run: (db) =>
      db
        .insert(locations)
        .values({ location: SECRET, lat: text`${SECRET}::float8` })
        .returning(),
  },
  update: { code: '22P02', run: (db) => db.update(users).set({ realname: text`${SECRET}::int4::text` }) },
  delete: { code: '22P02', run: (db) => db.delete(users).where(text`${SECRET}::int4 = 1`) },
  'relational query': { code: '22P02', run: (db) => db.query.users.findFirst({ where: text`${SECRET}::int4 = 1` }) },
  execute: { code: '22P02', run: (db) => db.execute(text`select ${SECRET}::int4`) },
  'text of execute': { code: '22012', run: (db) => db.execute('select 1 / 0') },
  count: { code: '22P02', run: (db) => db.$count(users, text`${SECRET}::int4 = 1`) },
  prepared: {
    code: '22P02',
    run: (db) =>
      db
        .select()
        .from(users)
        .where(eq(users.user_id, text`${text.placeholder('id')}::text::int4`))
        .prepare('users_of_errors')
        .execute({ id: SECRET }),
  },
}

const PLACES_OF_DRIZZLE: Readonly<Record<string, (db: Db, work: (db: Db) => unknown) => unknown>> = {
  'a client': (db, work) => work(db),
  'a transaction': (db, work) => db.transaction(async (tx) => await work(tx as unknown as Db)),
  'a transaction in one': (db, work) =>
    db.transaction((tx) => tx.transaction(async (inner) => await work(inner as unknown as Db))),
}

describe.each(Object.entries(PLACES_OF_DRIZZLE))('Drizzle in %s', (_place, run) => {
  test.each(Object.entries(OF_DRIZZLE))('%s', async (_name, { code, run: statement }) => {
    await database.store.sql`
      insert into users (username, password) values ('mallory', 'x') on conflict do nothing`
    expectConverted(await failure(() => run(database.store.db, statement)), code)
  })
  test('own errors keep their class', async () => {
    const own = new RangeError('not of the database')
    const work = () => Promise.reject(own)
    expect(await failure(() => run(database.store.db, work))).toBe(own)
  })
})

/** What Drizzle adds to its errors is nowhere in it, and neither is a value of the statement. */
function expectConverted(error: unknown, code: string): void {
  expect(error).toBeInstanceOf(StoreError)
  expect(error).toMatchObject({ code })
  const shown = inspect(error, { depth: 10, showHidden: false })
  expect(shown).not.toContain('Failed query')
  // PostgreSQL quotes the text that it cannot read
  if (code !== '22P02') expect(shown).not.toContain(SECRET)
}

test('an error contains the message of PostgreSQL, but no values of the query', async () => {
  const { store } = database
  const user = { username: 'eve', password: SECRET, realname: '', email: '', descr: '', roles: [] }
  const device = { hostname: 'switch.example.net', community: SECRET }
  const token = { userId: 0, hash: SECRET, description: '', dialect: null, scope: 'write', expiresAt: null } as const
  await insertUser(store, user)
  await insertDevice(store, device, null, 'eve')
  const refused = [
    { code: '23505', error: await failure(() => insertUser(store, user)) },
    { code: '23505', error: await failure(() => insertDevice(store, device, null, 'eve')) },
    { code: '23503', error: await failure(() => insertToken(store, token)) },
  ]
  for (const { code, error } of refused) {
    expectConverted(error, code)
    expect(error).toMatchObject({ kind: 'conflict' })
  }
})

test('a value that the driver refuses fails its statement, and the connection is used again', async () => {
  const { sql } = database.store
  const refused = (tx: Pick<Sql, 'unsafe'>) => tx.unsafe('select $1::text', [undefined as never])
  expectConverted(await failure(() => refused(sql)), 'UNDEFINED_VALUE')
  expectConverted(await failure(() => sql.begin((tx) => refused(tx))), 'UNDEFINED_VALUE')
  expect([...(await sql`select 1 as n`)]).toEqual([{ n: 1 }])
})

test('the stack of the cause names the file of the statement', async () => {
  const { sql } = database.store
  for (const work of [() => sql`select 1 / 0 as here`, () => sql.begin((tx) => tx`select 1 / 0 as there`)]) {
    const error = (await failure(work)) as Error
    expect(String((error.cause as Error).stack)).toContain('errors.test.ts')
  }
})

test('of several errors of a transaction the first one is reported', async () => {
  const { sql } = database.store
  const later = await failure(() =>
    sql.begin(async (tx) => {
      await tx`select 1 / 0`.catch(() => undefined)
      await tx`select 1`
    }),
  )
  expectConverted(later, '22012')
  const swallowed = await failure(() => sql.begin(async (tx) => void (await tx`select 1 / 0`.catch(() => undefined))))
  expectConverted(swallowed, '22012')
})

test('an error of the commit is converted', async () => {
  const { sql } = database.store
  await sql`create table twice (n int4 unique deferrable initially deferred)`
  const error = await failure(() => sql.begin((tx) => tx`insert into twice values (1), (1)`))
  expectConverted(error, '23505')
})

test('a transaction that could not be serialized is recognised and succeeds when it is repeated', async () => {
  const { sql } = database.store
  await sql`create table counted (n int4)`
  await sql`insert into counted values (0)`
  const codes: unknown[] = []
  const count = async (between: () => Promise<unknown>): Promise<void> => {
    try {
      await sql.begin('isolation level repeatable read', async (tx) => {
        const [row] = await tx<{ n: number }[]>`select n from counted`
        await between()
        await tx`update counted set n = ${(row?.n ?? 0) + 1}`
      })
    } catch (error) {
      if (!(error instanceof StoreError) || !error.retryable) throw error
      codes.push(error.code)
      await count(async () => undefined)
    }
  }
  await count(async () => await sql`update counted set n = n + 10`)
  expect(codes).toEqual(['40001'])
  expect([...(await sql`select n from counted`)]).toEqual([{ n: 11 }])
})

test('a connection that is lost or never made fails every kind of use', async () => {
  const own = client(database.url, 1)
  const lost = await failure(() =>
    own.begin(async (tx) => {
      const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
      await database.store.sql`select pg_terminate_backend(${row?.pid ?? 0})`
      await tx`select 1`
    }),
  )
  expect(lost).toMatchObject({ name: 'StoreError', kind: 'unavailable', retryable: true })

  const reading = await failure(async () => {
    const session = await own.reserve()
    const [row] = await session<{ pid: number }[]>`select pg_backend_pid() as pid`
    const rows = await session`copy (select repeat('x', 1000) from generate_series(1, 1000000)) to stdout`.readable()
    await database.store.sql`select pg_terminate_backend(${row?.pid ?? 0})`
    for await (const _ of rows);
  })
  expect(reading).toMatchObject({ name: 'StoreError', kind: 'unavailable', retryable: true })
  await own.end()

  const nowhere = connect('postgres://nobody@127.0.0.1:1/nothing', { max: 2 })
  const uses = [
    () => nowhere.sql`select 1`,
    () => nowhere.sql.unsafe('select 1'),
    () => nowhere.sql.begin((tx) => tx`select 1`),
    () => nowhere.sql.reserve(),
    () => Array.fromAsync(nowhere.sql`select 1`.cursor()),
    () => nowhere.db.execute('select 1'),
    () => nowhere.db.select().from(users),
    () => nowhere.db.transaction((tx) => tx.select().from(users)),
  ]
  for (const use of uses)
    expect(await failure(use)).toMatchObject({ name: 'StoreError', code: 'ECONNREFUSED', retryable: true })
  await nowhere.close(0)
})

test('statements that are not allowed fail when they are run, and fragments do not', async () => {
  const { url } = database
  let isAllowed = false
  const store = connect(url, { max: 2, allowed: () => isAllowed })
  const fragment = store.sql`1 as n`
  const refused = [
    () => store.sql`select ${fragment}`,
    () => store.sql.unsafe('select 1'),
    () => store.sql.begin((tx) => tx`select 1`),
    () => store.sql.reserve(),
    () => store.db.execute('select 1'),
    () => store.db.transaction((tx) => tx.execute('select 1')),
  ]
  for (const use of refused) expect(await failure(use)).toMatchObject({ kind: 'unavailable', retryable: true })
  isAllowed = true
  expect([...(await store.sql`select ${store.sql`1 as n`}`)]).toEqual([{ n: 1 }])
  await store.close()
})
