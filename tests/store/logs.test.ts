import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Sql, Store } from '../../src/store/client.ts'
import { type LogName, type LogPage, listLog, logChunk } from '../../src/store/logs/read.ts'
import { dropOldLogs } from '../../src/store/logs/write.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

setDefaultTimeout(60_000)

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const NEWEST_FIRST: LogPage = { deviceId: null, from: null, to: null, descending: true, offset: 0, limit: 50 }
const ALL = { kind: 'all' } as const

async function device(): Promise<number> {
  const [row] = await database.store.sql<{ device_id: number }[]>`
    insert into devices (hostname) values (gen_random_uuid()::text) returning device_id`
  return row?.device_id ?? 0
}

async function rule(): Promise<number> {
  const [row] = await database.store.sql<{ id: number }[]>`
    insert into alert_rules (severity, extra, name, query, builder)
    values ('ok', '{}', gen_random_uuid()::text, 'q', '{}') returning id`
  return row?.id ?? 0
}

const TABLES: Readonly<Record<LogName, string>> = {
  eventlog: 'eventlog',
  syslog: 'syslog',
  alertlog: 'alert_log',
  authlog: 'authlog',
}
/** The whole page, and the number of matching rows. */
async function read(store: Store, name: LogName, page: LogPage): Promise<{ rows: unknown[]; total: number }> {
  const { chunks, total } = listLog(store, ALL, name, page)
  const parts = await Array.fromAsync(chunks)
  const rows: unknown[] = parts.flatMap(({ json }) => JSON.parse(`[${json}]`))
  expect(rows.length).toBe(parts.reduce((sum, { count }) => sum + count, 0))
  return { rows, total: await total(rows.length) }
}
const NAMES = Object.keys(TABLES) as LogName[]

describe('the newest page of a long log', () => {
  const ROWS = 20_000
  let mine = 0
  beforeAll(async () => {
    const { sql } = database.store
    mine = await device()
    const ids = `{${mine},${await device()}}`
    const ruleId = await rule()
    await sql`
      with n as (select n, now() - n * interval '1 s' as at, (${ids}::int4[])[1 + n % 2] as device_id
          from generate_series(1, ${ROWS}) n),
        e as (insert into eventlog (device_id, datetime, message) select device_id, at, 'm' || n from n),
        s as (insert into syslog (device_id, "timestamp", msg) select device_id, at, 'm' || n from n),
        a as (insert into authlog (datetime, "user", address, result) select at, 'u', 'a', 'm' || n from n)
      insert into alert_log (rule_id, device_id, state, time_logged) select ${ruleId}::int, device_id, 1, at from n`
    await sql`analyze eventlog, syslog, authlog, alert_log`
  })

  /** Rows of the log's table read for the page, and how often the whole table was scanned. */
  async function touched(name: LogName, page: LogPage): Promise<{ whole: number; rows: number; sent: number }> {
    return await database.store.sql.begin(async (tx) => {
      const count = async () => {
        const [row] = await tx<{ whole: number; rows: number }[]>`
          select seq_scan::int as whole, (seq_tup_read + idx_tup_fetch)::int as rows
          from pg_stat_xact_user_tables where relname = ${TABLES[name]}`
        return row ?? { whole: 0, rows: 0 }
      }
      const before = await count()
      const { count: sent } = await logChunk({ ...database.store, sql: within(tx) }, ALL, name, page, null)
      const after = await count()
      return { whole: after.whole - before.whole, rows: after.rows - before.rows, sent }
    })
  }

  test.each(NAMES)('of %s costs a scan of the index and reads no row that is not sent', async (name) => {
    expect(await touched(name, NEWEST_FIRST)).toEqual({ whole: 0, rows: 50, sent: 50 })
    expect(await touched(name, { ...NEWEST_FIRST, descending: false })).toEqual({ whole: 0, rows: 50, sent: 50 })
  })

  test.each(NAMES.filter((name) => name !== 'authlog'))('the same for one device in %s', async (name) => {
    expect(await touched(name, { ...NEWEST_FIRST, deviceId: mine })).toEqual({ whole: 0, rows: 50, sent: 50 })
  })

  test.each(NAMES)('of %s has the newest rows, and knows how many there are', async (name) => {
    const { rows, total } = await read(database.store, name, NEWEST_FIRST)
    const next = await read(database.store, name, { ...NEWEST_FIRST, offset: 50 })
    expect([rows.length, total, next.total]).toEqual([50, ROWS, ROWS])
    const last = await read(database.store, name, { ...NEWEST_FIRST, offset: ROWS - 10 })
    expect([last.rows.length, last.total]).toEqual([10, ROWS])
    const beyond = await read(database.store, name, { ...NEWEST_FIRST, offset: ROWS + 10 })
    expect([beyond.rows.length, beyond.total]).toEqual([0, ROWS])
  })

  test.each(NAMES)('of %s in chunks has the same rows as in short pages, in either order', async (name) => {
    for (const descending of [true, false]) {
      const page = { ...NEWEST_FIRST, descending, offset: 7, limit: 3000 }
      const long = await read(database.store, name, page)
      const short: unknown[] = []
      for (let offset = 0; offset < 3000; offset += 500) {
        const { rows } = await read(database.store, name, { ...page, offset: 7 + offset, limit: 500 })
        short.push(...rows)
      }
      expect(long).toEqual({ rows: short, total: ROWS })
    }
  })

  test('rows of the same instant are neither lost nor sent twice when a chunk ends between them', async () => {
    const one = await device()
    await database.store.sql`insert into syslog (device_id, "timestamp", msg)
      select ${one}::int, '2026-01-01 00:00:00.123456Z', 'm' || n from generate_series(1, 5000) n`
    for (const descending of [true, false]) {
      const { rows } = await read(database.store, 'syslog', {
        ...NEWEST_FIRST,
        descending,
        deviceId: one,
        limit: 10_000,
      })
      expect(new Set((rows as { seq: number }[]).map(({ seq }) => seq)).size).toBe(5000)
      expect(rows).toHaveLength(5000)
    }
    await database.store.sql`delete from syslog where device_id = ${one}`
  })

  test('chunks of large messages have few rows', async () => {
    const one = await device()
    await database.store.sql`insert into syslog (device_id, msg)
      select ${one}::int, repeat('m', 60000) from generate_series(1, 600) n`
    const { chunks } = listLog(database.store, ALL, 'syslog', { ...NEWEST_FIRST, deviceId: one, limit: 10_000 })
    const counts = (await Array.fromAsync(chunks)).map(({ count }) => count)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(600)
    expect(Math.max(...counts.slice(1))).toBeLessThanOrEqual(5)
    await database.store.sql`delete from syslog where device_id = ${one}`
  })
})

test('the number of rows follows inserts, deletions, rollbacks and deleted devices', async () => {
  const own = await testDatabase()
  try {
    const { sql } = own.store
    const total = async (name: LogName) => (await read(own.store, name, { ...NEWEST_FIRST, offset: 1_000_000 })).total
    const [made] = await sql<{ device_id: number }[]>`insert into devices (hostname) values ('a') returning device_id`
    const id = made?.device_id ?? 0
    await sql`insert into syslog (device_id, msg) select ${id}::int, 'm' from generate_series(1, 100)`
    await sql`insert into syslog (msg) values ('one'), ('two')`
    await sql`insert into eventlog (message) values ('one')`
    expect([await total('syslog'), await total('eventlog'), await total('authlog')]).toEqual([102, 1, 0])
    const undone = sql.begin(async (tx) => {
      await tx`insert into syslog (msg) values ('three')`
      throw new Error('undone')
    })
    expect(await undone.catch((error: unknown) => String(error))).toContain('undone')
    await sql`delete from syslog where msg = 'one'`
    expect(await total('syslog')).toBe(101)
    const keep = { eventlogDays: 1, syslogDays: 1, alertlogDays: 1, authlogDays: 1 }
    await Promise.all([dropOldLogs(own.store, keep), dropOldLogs(own.store, keep), sql`delete from devices`])
    await dropOldLogs(own.store, keep)
    expect([await total('syslog'), await total('eventlog')]).toEqual([1, 1])
    expect(await sql`select log from log_counts group by log having count(*) > 1`).toHaveLength(0)
  } finally {
    await own.drop()
  }
})

/** A transaction has the query methods of a client; it lacks only those that open and close connections. */
function within(tx: unknown): Sql {
  return tx as Sql
}

test('expired rows of every log are deleted, except those of active alerts', async () => {
  const own = await testDatabase()
  try {
    const { sql } = own.store
    const [made] = await sql<{ device_id: number }[]>`insert into devices (hostname) values ('a') returning device_id`
    const id = made?.device_id ?? 0
    await sql`insert into alert_rules (id, severity, extra, name, query, builder)
      values (1, 'ok', '{}', 'over', 'q', '{}'), (2, 'ok', '{}', 'lasts', 'q', '{}')`
    await sql`insert into alerts (device_id, rule_id, state) values (${id}, 1, 0), (${id}, 2, 2)`
    await sql`
      with n as (select now() - n * interval '1 day' as at from generate_series(0, 99) n),
        e as (insert into eventlog (device_id, datetime) select null, at from n),
        s as (insert into syslog (device_id, "timestamp") select ${id}::int, at from n),
        a as (insert into authlog (datetime, "user", address, result) select at, '', '', '' from n)
      insert into alert_log (rule_id, device_id, state, time_logged)
      select r, ${id}::int, 1, at from n, generate_series(1, 2) r`
    const keep = { eventlogDays: 10, syslogDays: 20, alertlogDays: 30, authlogDays: 0 }
    expect(await dropOldLogs(own.store, keep)).toBe(90 + 80 + 70)
    const left = await sql`select (select count(*)::int from eventlog) as events,
      (select count(*)::int from syslog) as messages, (select count(*)::int from authlog) as logins,
      (select count(*)::int from alert_log where rule_id = 1) as over,
      (select count(*)::int from alert_log where rule_id = 2) as lasting`
    expect(left[0]).toEqual({ events: 10, messages: 20, logins: 100, over: 30, lasting: 100 })
    expect(await dropOldLogs(own.store, keep)).toBe(0)
  } finally {
    await own.drop()
  }
})
