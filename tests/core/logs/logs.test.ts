import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { MIGRATIONS } from '../../../db/migrations.ts'
import { client, connect, type Sql, type Store } from '../../../src/core/database/client.ts'
import { ZONE } from '../../../src/core/database/zone.ts'
import { listLog, logChunk } from '../../../src/core/logs/read.ts'
import { positionOf } from '../../../src/core/logs/read-position.ts'
import type { LogName, LogPage } from '../../../src/core/logs/tables.ts'
import { dropOldLogs, keepLogs } from '../../../src/core/logs/write-retention.ts'
import { indexSyslog } from '../../../src/core/logs/write-search-index.ts'
import { migrate } from '../../../src/core/schema/migrate.ts'
import { createLog } from '../../../src/observe/log.ts'
import { emptyDatabase, type TestDatabase, testDatabase, testServers } from '../../support/database.ts'

setDefaultTimeout(60_000)

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const NEWEST_FIRST: LogPage = {
  deviceId: null,
  from: null,
  to: null,
  search: null,
  descending: true,
  offset: 0,
  limit: 50,
}
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
          select sum(seq_tup_read)::int as whole, sum(idx_tup_fetch)::int as rows
          from pg_stat_xact_user_tables where schemaname = 'log_parts' and relname like ${`${TABLES[name]}_%`}`
        return row ?? { whole: 0, rows: 0 }
      }
      const before = await count()
      const store = { ...database.store, sql: within(tx) }
      const found = page.deviceId === null ? (await positionOf(store, name, page)).position : null
      const { count: sent } = await logChunk(store, ALL, name, page, found ?? { offset: 0, since: null, before: null })
      const after = await count()
      return { whole: after.whole - before.whole, rows: after.rows - before.rows, sent }
    })
  }

  /** The page has 50 rows; each of the five partitions may give a few that are not sent, depending on the plan. */
  async function costsLittle(name: LogName, page: LogPage): Promise<void> {
    const { whole, rows, sent } = await touched(name, page)
    expect({ whole, sent }).toEqual({ whole: 0, sent: 50 })
    expect(rows).toBeWithin(50, 70)
  }

  test.each(NAMES)('of %s takes an index scan and reads hardly any row that is not sent', async (name) => {
    await costsLittle(name, NEWEST_FIRST)
    await costsLittle(name, { ...NEWEST_FIRST, descending: false })
  })

  test.each(NAMES.filter((name) => name !== 'authlog'))('the same for one device in %s', async (name) => {
    await costsLittle(name, { ...NEWEST_FIRST, deviceId: mine })
  })

  test.each(NAMES)('of %s has the newest rows and the total', async (name) => {
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

  test('of any length gets its rows and the total in one statement', async () => {
    const { sql } = database.store
    for (let limit = 0; limit <= 80; limit++) {
      for (const deviceId of [null, mine]) {
        const statements: string[] = []
        const store = { ...database.store, sql: recorded(sql, statements) }
        const { rows, total } = await read(store, 'eventlog', { ...NEWEST_FIRST, deviceId, limit })
        expect([rows.length, total, statements.length]).toEqual([limit, deviceId === null ? ROWS : ROWS / 2, 1])
      }
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
    // near and far pages get it from different tables
    const total = async (name: LogName) => {
      const { total: far } = await read(own.store, name, { ...NEWEST_FIRST, offset: 1_000_000 })
      expect((await read(own.store, name, NEWEST_FIRST)).total).toBe(far)
      return far
    }
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
    await Promise.all([
      keepLogs(own.store, keep),
      keepLogs(own.store, keep),
      sql`insert into syslog (msg) values ('four')`,
    ])
    await keepLogs(own.store, keep)
    expect([await total('syslog'), await total('eventlog')]).toEqual([2, 1])
    expect(await sql`select log from log_totals group by log having count(*) > 1`).toHaveLength(0)
  } finally {
    await own.drop()
  }
})

/** The client; texts of its statements go to `texts`. */
function recorded(sql: Sql, texts: string[]): Sql {
  return new Proxy(sql, {
    apply(target, self, args: unknown[]) {
      texts.push(String(args[0]))
      return Reflect.apply(target, self, args)
    },
    get(target, name) {
      if (name !== 'unsafe') return Reflect.get(target, name)
      return (...args: Parameters<Sql['unsafe']>) => {
        texts.push(args[0])
        return target.unsafe(...args)
      }
    },
  })
}

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

test.each(testServers())(
  'partitions take over rows of the default partition and are dropped with their rows on $name',
  async ({ url }) => {
    const own = await testDatabase(url)
    try {
      const { sql } = own.store
      await sql`insert into alert_rules (id, severity, extra, name, query, builder) values (1, 'ok', '{}', 'r', 'q', '{}')`
      await sql`insert into devices (device_id, hostname) values (1, 'a'), (2, 'b')`
      await sql`insert into alerts (device_id, rule_id, state) values (1, 1, 1), (2, 1, 0)`
      await sql`
      with n as (select now() - n * interval '1 hour' as at from generate_series(0, 24 * 20) n),
        s as (insert into syslog (device_id, "timestamp", msg) select 1, at, 'm' from n)
      insert into alert_log (rule_id, device_id, state, time_logged) select 1, 1 + n % 2, 1, now() - interval '30 days'
      from generate_series(1, 10) n`
      const others = async () =>
        (await sql<{ n: number }[]>`select count(*)::int as n from log_parts.syslog_other`)[0]?.n ?? -1
      const outside = await others()
      expect(outside).toBeGreaterThan(24 * 18)
      for (let days = 0; days <= 20; days++)
        await sql`select make_log_partition('syslog', now() - make_interval(days => ${days}))`
      await sql`select make_log_partition('alert_log', now() - interval '30 days')`
      expect(await others()).toBe(0)
      const total = async (name: LogName) => (await read(own.store, name, NEWEST_FIRST)).total
      expect([await total('syslog'), await total('alertlog')]).toEqual([481, 10])

      const keep = { eventlogDays: 5, syslogDays: 5, alertlogDays: 5, authlogDays: 5 }
      const dropped = await dropOldLogs(own.store, keep)
      const [left] = await sql<{ messages: number; oldest: number; alerts: number }[]>`
      select (select count(*)::int from syslog) as messages,
        (select extract(epoch from now() - min("timestamp")) / 86400 from syslog)::float8 as oldest,
        (select count(*)::int from alert_log) as alerts`
      expect([left?.alerts, dropped]).toEqual([5, 481 - (left?.messages ?? 0) + 5])
      expect(left?.oldest).toBeGreaterThan(5 - 1 / 24)
      expect(left?.oldest).toBeLessThan(6)
      expect([await total('syslog'), await total('alertlog')]).toEqual([left?.messages ?? 0, 5])

      await keepLogs(own.store, { ...keep, syslogDays: 0 })
      const [widest] = await sql<{ days: number }[]>`
      select max(extract(epoch from to_time - from_time) / 86400)::float8 as days from log_partitions('alert_log')`
      expect(widest?.days).toBeGreaterThan(0)
      expect(
        await sql`select bucket from log_counts where log = 'syslog' group by bucket having count(*) > 1`,
      ).toHaveLength(0)
    } finally {
      await own.drop()
    }
  },
)

test('the search finds texts regardless of case, with and without its index', async () => {
  const own = await testDatabase()
  try {
    const { sql } = own.store
    for (const days of [0, 1, 2]) await sql`select make_log_partition('syslog', now() - make_interval(days => ${days}))`
    // Yesterday's is not due in the first hour of the day.
    const [due] = await sql<{ count: number }[]>`
      select count(*)::int as count from log_partitions('syslog') where to_time < now() - interval '1 hour'`
    await sql`
      insert into syslog ("timestamp", msg) select now() - n * interval '12 hours', m from generate_series(0, 4) n,
        unnest(array['Interface Gi0/1 is down', '100% of disk_a used', '1000 of diskXa used', 'back\\slash']) m`
    const found = async (search: string) => {
      const { rows, total } = await read(own.store, 'syslog', { ...NEWEST_FIRST, search })
      expect(rows.length).toBe(total)
      return total
    }
    const expected = [5, 5, 5, 5, 0, 10]
    const all = async () => {
      const counts: number[] = []
      for (const search of ['gi0/1 IS', '100%', 'disk_a', 'k\\s', 'gi0/2', 'used']) counts.push(await found(search))
      return counts
    }
    expect(await all()).toEqual(expected)
    let made = 0
    for (let run = 0; run < 5; run++) {
      const index = await indexSyslog(own.store)
      if (index.kind === 'made') made += index.partitions
    }
    expect(made).toBe(due?.count ?? 0)
    expect(made).toBeGreaterThan(0)
    expect(await all()).toEqual(expected)
  } finally {
    await own.drop()
  }
})

test.each(testServers())(
  'the migration keeps the rows, their ids and their counts on $name',
  async ({ url: server }) => {
    const { url, drop } = await emptyDatabase(server)
    const log = createLog('silent')
    try {
      await migrate(
        url,
        log,
        MIGRATIONS.filter(({ number }) => number < 27),
      )
      const before = client(url, 1)
      await before`insert into devices (device_id, hostname) values (1, 'a')`
      await before`insert into alert_rules (id, severity, extra, name, query, builder) values (1, 'ok', '{}', 'r', 'q', '{}')`
      await before`
      with n as (select n, now() + interval '1 day' - n * interval '7 hours' as at from generate_series(1, 500) n),
        e as (insert into eventlog (device_id, datetime, message) select null, at, 'm' || n from n),
        s as (insert into syslog (device_id, "timestamp", msg) select 1, at, 'm' || n from n),
        a as (insert into authlog (datetime, "user", address, result) select at, 'u', 'a', 'm' || n from n)
      insert into alert_log (rule_id, device_id, state, details, time_logged) select 1, 1, 1, '{"a": 1}', at from n`
      const content = async (sql: Sql) =>
        await sql`
        select (select md5(string_agg(x::text, ',' order by event_id)) from eventlog x) as events,
          (select md5(string_agg((to_jsonb(x) - 'clock_drift')::text, ',' order by seq)) from syslog x) as messages,
          (select md5(string_agg(x::text, ',' order by id)) from authlog x) as logins,
          (select md5(string_agg(x::text, ',' order by id)) from alert_log x) as alerts`
      const [old] = await content(before)
      await before.end()
      await migrate(url, log)
      const store = connect(url, { max: 2 })
      try {
        const [moved] = await content(store.sql)
        expect({ ...moved }).toEqual({ ...old })
        for (const name of NAMES) expect((await read(store, name, NEWEST_FIRST)).total).toBe(500)
        await store.sql`insert into eventlog (message) values ('next')`
        expect((await store.sql<{ id: number }[]>`select max(event_id) as id from eventlog`)[0]?.id).toBe(501)
        await store.sql`delete from devices`
        for (const name of ['syslog', 'alertlog'] as const)
          expect((await read(store, name, NEWEST_FIRST)).total).toBe(0)
      } finally {
        await store.close()
      }
    } finally {
      await drop()
    }
  },
)

describe('pages found by row counts equal those found by skipping rows one by one', () => {
  test.each(['eventlog', 'syslog', 'alertlog', 'authlog'] as const)('%s, with random bounds', async (name) => {
    const own = await testDatabase()
    try {
      const { sql } = own.store
      const [ruleId, deviceId] = [1, 1]
      await sql`insert into alert_rules (id, severity, extra, name, query, builder) values (1, 'ok', '{}', 'r', 'q', '{}')`
      await sql`insert into devices (device_id, hostname) values (1, 'a')`
      await sql`
        with n as (select date_trunc('second', now() - (random() * 3600 * 30)::int * interval '1 s') as at from generate_series(1, 3000) n),
          e as (insert into eventlog (device_id, datetime) select ${deviceId}::int, at from n),
          s as (insert into syslog (device_id, "timestamp") select ${deviceId}::int, at from n),
          a as (insert into authlog (datetime, "user", address, result) select at, '', '', '' from n)
        insert into alert_log (rule_id, device_id, state, time_logged) select ${ruleId}::int, ${deviceId}::int, 1, at from n`
      const id = { eventlog: 'event_id', syslog: 'seq', alertlog: 'id', authlog: 'id' }[name]
      const time = { eventlog: 'datetime', syslog: 'timestamp', alertlog: 'time_logged', authlog: 'datetime' }[name]
      const all = await sql<{ id: number; local: string }[]>`
        select ${sql(id)}::int as id, to_char(${sql(time)} at time zone ${ZONE}, 'YYYY-MM-DD HH24:MI:SS') as local
        from ${sql(TABLES[name])} order by ${sql(time)}, ${sql(id)}`
      const local = (back: number) => all[Math.floor(back * (all.length - 1))]?.local ?? ''
      for (let i = 0; i < 60; i++) {
        const [a, b] = [Math.random(), Math.random()].toSorted((x, y) => x - y) as [number, number]
        const from = i % 3 === 0 ? null : ({ kind: 'time', local: local(a) } as const)
        const to = i % 4 === 0 ? null : ({ kind: 'time', local: local(b) } as const)
        const descending = i % 2 === 0
        const matching = all.filter(
          (row) => (from === null || row.local >= from.local) && (to === null || row.local <= to.local),
        )
        if (descending) matching.reverse()
        const offset = Math.floor(Math.random() * matching.length * 1.1)
        const limit = i % 5 === 0 ? 700 : 30
        const { rows, total } = await read(own.store, name, { ...NEWEST_FIRST, from, to, descending, offset, limit })
        expect(rows.map((row) => (row as Record<string, unknown>)[id])).toEqual(
          matching.slice(offset, offset + limit).map((row) => row.id),
        )
        expect(total).toBe(matching.length)
      }
    } finally {
      await own.drop()
    }
  })
})

test.each(['syslog', 'eventlog'] as const)('far pages of one device in %s, from either end', async (name) => {
  const { sql } = database.store
  const [mine, other] = [await device(), await device()]
  const [table, time, id, text] =
    name === 'syslog' ? ['syslog', 'timestamp', 'seq', 'msg'] : ['eventlog', 'datetime', 'event_id', 'message']
  // several rows of the same instant, over four days, one after the other and between those of another device
  await sql`
    insert into ${sql(table)} (device_id, ${sql(time)}, ${sql(text)})
    select case when n % 3 = 0 then ${other}::int else ${mine}::int end, now() - (n / 7) * interval '9 minutes', 'm' || n
    from generate_series(1, 7500) n`
  const ids = async (order: 'asc' | 'desc', where: string) =>
    (
      await sql.unsafe<{ id: number }[]>(
        `select ${id}::int as id from ${table} where device_id = ${mine} and ${where} order by "${time}" ${order}, ${id} ${order}`,
      )
    ).map((row) => row.id)
  const bounded = new Date(Date.now() - 3_600_000).toISOString().replace('T', ' ').slice(0, 19)
  for (const descending of [true, false]) {
    for (const to of [null, { kind: 'time', local: bounded }] as const) {
      const where = to === null ? 'true' : `"${time}" <= '${bounded}'::timestamp at time zone '${ZONE}'`
      const all = await ids(descending ? 'desc' : 'asc', where)
      for (const offset of [2000, 2001, 2499, 2500, 2501, all.length - 51, all.length - 1, all.length, 9000]) {
        for (const limit of [50, 700]) {
          const page: LogPage = { ...NEWEST_FIRST, deviceId: mine, to, descending, offset, limit }
          const { rows, total } = await read(database.store, name, page)
          const found = rows.map((row) => Number((row as Record<string, unknown>)[id]))
          expect({ offset, limit, found }).toEqual({ offset, limit, found: all.slice(offset, offset + limit) })
          expect(total).toBe(all.length)
        }
      }
    }
  }
})
