import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from 'node:net'
import { type ApiServer, serveApi } from '../../src/api/serve.ts'
import { onStall, pacedPieces, pacedResponse } from '../../src/api/slow-readers.ts'
import { listAnswer } from '../../src/api/v0/list-answer.ts'
import { listLog } from '../../src/core/logs/read.ts'
import { createLog } from '../../src/observe/log.ts'
import { type TestApi, testApi } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { seed } from './fixtures.ts'

setDefaultTimeout(60_000)

/** More than fits into socket buffers: about 18 MB. */
const ENTRIES = 100_000

let api: TestApi
let server: ApiServer
let token: string
beforeAll(async () => {
  api = await testApi()
  server = serveApi(api.services, { hostname: '127.0.0.1', port: 0 })
  token = (await api.token(['admin'])).token
  const { deviceId, portIds } = await seed(api)
  await api.store.sql`insert into ports_fdb (device_id, port_id, mac_address)
    select ${deviceId}, ${portIds[0]}, lpad(to_hex(n), 12, '0') from generate_series(1, ${ENTRIES}::int) n`
})
afterAll(async () => {
  await server.stop()
  await api.drop()
})

const take = (path: string) =>
  fetch(`http://127.0.0.1:${server.port}/api/v0${path}`, { headers: { 'X-Auth-Token': token } })

test('a long list is complete and in order, with its count at the end', async () => {
  const text = await (await take('/resources/fdb')).text()
  expect(text).toEndWith(`"count":${ENTRIES}}`)
  const { ports_fdb: entries } = JSON.parse(text) as { ports_fdb: { ports_fdb_id: number }[] }
  expect(entries.length).toBe(ENTRIES)
  expect(entries.every(({ ports_fdb_id: id }, i) => i === 0 || id > (entries[i - 1]?.ports_fdb_id ?? id))).toBe(true)
})

test('if reading a list fails halfway, the connection is closed instead of the list ending early', async () => {
  const answer = await take('/resources/fdb')
  expect(answer.status).toBe(200)
  const reader = answer.body?.getReader()
  const first = await reader?.read()
  expect(Buffer.from(first?.value ?? []).toString()).toStartWith('{"status":"ok","ports_fdb":[{')
  await api.store.sql`alter table ports_fdb rename to ports_fdb_away`
  try {
    const rest = (async () => {
      for (;;) if ((await reader?.read())?.done !== false) return
    })()
    await expect(rest).rejects.toThrow()
  } finally {
    await api.store.sql`alter table ports_fdb_away rename to ports_fdb`
  }
})

test('an error before anything was sent gives an error response', async () => {
  await api.store.sql`alter table ports_fdb rename to ports_fdb_away`
  try {
    const answer = await take('/resources/fdb')
    expect({ status: answer.status, text: await answer.text() }).toEqual({
      status: 500,
      text: '{"message":"Server Error"}',
    })
  } finally {
    await api.store.sql`alter table ports_fdb_away rename to ports_fdb`
  }
})

test('clients that disconnect leave no statement running', async () => {
  for (let i = 0; i < 5; i++) {
    const reader = (await take('/resources/fdb')).body?.getReader()
    await reader?.read()
    await reader?.cancel()
  }
  const deadline = Date.now() + 50_000
  const running = async () => {
    const [row] = await api.store.sql<{ n: number }[]>`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and state = 'active' and query like '%ports_fdb_id%' and pid <> pg_backend_pid()`
    return row?.n ?? 0
  }
  // nothing runs between two statements of a list either, so wait until it has been quiet for a while
  let quiet = 0
  while (quiet < 20 && Date.now() < deadline) {
    quiet = (await running()) === 0 ? quiet + 1 : 0
    await Bun.sleep(10)
  }
  expect(quiet).toBe(20)
  expect((await take('/ping')).status).toBe(200)
})

describe('alerts', () => {
  const ALERTS = 31_001
  beforeAll(async () => {
    const { sql } = api.store
    const { deviceId } = await seed(api)
    await sql`insert into alert_rules (id, severity, extra, name, query, builder, notes)
      select n, 'ok', '{}', 'rule ' || n, 'q', '{}', repeat('"\u00fc', 20) from generate_series(10001, ${10_000 + ALERTS}::int) n`
    await sql`insert into alerts (rule_id, device_id, state, alerted, open, note, info, "timestamp")
      select id, ${deviceId}::int, 1, id % 3, id % 2, nullif(repeat('n', id % 5), ''), '', now() - id % 7 * interval '1 s'
      from alert_rules where id > 10000`
  })

  test.each(['id desc', 'timestamp asc', 'note desc'])(
    'of any number are sent in parts, ordered by %s',
    async (order) => {
      const answer = await take(`/alerts?order=${encodeURIComponent(order)}`)
      expect(answer.headers.get('transfer-encoding')).toBe('chunked')
      const { alerts, count } = (await answer.json()) as {
        alerts: { id: number; note: string; timestamp: string; alerted: number; open: number }[]
        count: number
      }
      expect(count).toBe(alerts.length)
      const rows = await api.store.sql<(typeof alerts)[number][]>`
      select id, coalesce(note, '') as note, (alerted <> 0)::int as alerted, open from alerts where state = 1
      order by ${api.store.sql.unsafe(order.includes('desc') ? `${order} nulls last, id desc` : `${order} nulls first, id`)}`
      expect(rows.length).toBeGreaterThanOrEqual(ALERTS)
      expect(alerts.map(({ id, note, alerted, open }) => ({ id, note, alerted, open }))).toEqual([...rows])
      expect(alerts.every(({ timestamp }) => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(timestamp))).toBe(true)
    },
  )

  test('one and none', async () => {
    const of = async (rule: string) => (await (await take(`/alerts?alert_rule=${rule}`)).json()) as object
    expect(await of('10001')).toMatchObject({ count: 1, alerts: [{ rule_id: 10_001 }] })
    expect(await of('1')).toEqual({ status: 'ok', message: '', alerts: [], count: 0 })
  })
})

const LOGS = [
  { name: 'eventlog', table: 'eventlog', id: 'event_id', path: '/logs/eventlog' },
  { name: 'syslog', table: 'syslog', id: 'seq', path: '/logs/syslog' },
  { name: 'alertlog', table: 'alert_log', id: 'id', path: '/logs/alertlog' },
  { name: 'authlog', table: 'authlog', id: 'id', path: '/logs/authlog' },
] as const
/** Rows of each log; 200 bytes of text in each of the first three. */
const LINES = 30_000

describe('logs', () => {
  let hostname: string
  beforeAll(async () => {
    const { sql } = api.store
    const known = await seed(api)
    hostname = known.hostname
    await sql`insert into alert_rules (id, severity, extra, name, query, builder) values (900, 'ok', '{}', 'long', 'q', '{}')`
    await sql`
      with n as (select n, now() - n * interval '1 s' as at from generate_series(1, ${LINES}::int) n),
        e as (insert into eventlog (device_id, datetime, message) select ${known.deviceId}::int, at, repeat('e', 200) from n),
        s as (insert into syslog (device_id, "timestamp", msg) select ${known.deviceId}::int, at, repeat('s', 200) from n),
        a as (insert into authlog (datetime, "user", address, result) select at, 'u', 'a', 'm' || n from n)
      insert into alert_log (rule_id, device_id, state, details, time_logged)
      select 900, ${known.deviceId}::int, 1, jsonb_build_object('n', n, 'text', repeat('a', 200)), at from n`
  })

  test.each(LOGS)('$name of any length is sent in chunks, for all devices and for one', async ({ id, path, name }) => {
    for (const of of name === 'authlog' ? [''] : ['', `/${hostname}`]) {
      const answer = await take(`${path}${of}?limit=100000&sortorder=DESC`)
      expect(answer.headers.get('transfer-encoding')).toBe('chunked')
      const { logs, count, total } = (await answer.json()) as Record<string, unknown> & {
        logs: Record<string, number>[]
      }
      expect(Number(count)).toBeGreaterThanOrEqual(LINES)
      expect({ count, total }).toEqual({ count: logs.length, total: logs.length })
      expect(new Set(logs.map((row) => row[id])).size).toBe(logs.length)
    }
  })

  test.each(LOGS)('$name closes the connection if reading fails halfway', async ({ table, path }) => {
    const answer = await take(`${path}?limit=100000`)
    const reader = answer.body?.getReader()
    await reader?.read()
    await api.store.sql.unsafe(`alter table ${table} rename to away`)
    try {
      const rest = (async () => {
        for (;;) if ((await reader?.read())?.done !== false) return
      })()
      await expect(rest).rejects.toThrow()
    } finally {
      await api.store.sql.unsafe(`alter table away rename to ${table}`)
    }
  })

  test('a page that follows a long one has the right length', async () => {
    const answer = await take('/logs/syslog?limit=10000&start=2')
    const { count, total } = (await answer.json()) as { count: number; total: number }
    expect({ count, total }).toEqual({ count: 10_000, total: LINES })
  })
})

describe('a client that reads slowly', () => {
  const page = { deviceId: null, from: null, to: null, search: null, descending: false, offset: 0, limit: 100_000 }
  const request = 'GET / HTTP/1.1\r\nHost: nms\r\n\r\n'

  /** Serves the test's syslog, counting what is read, with a lower limit for slow clients. */
  function serveList(maxChunkMs: number) {
    const state = { chunks: 0, ended: false, octets: 0 }
    async function* counted() {
      try {
        for await (const chunk of listLog(api.store, { kind: 'all' }, 'syslog', page).chunks) {
          state.chunks++
          state.octets += chunk.json.length
          yield chunk
        }
      } finally {
        state.ended = true
      }
    }
    const list = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      idleTimeout: 120, // not what is tested
      async fetch(asked) {
        const answer = await listAnswer(counted(), createLog('silent'), { name: 'logs', maxChunkMs })
        onStall(answer, () => list.timeout(asked, 1))
        return answer
      },
    })
    return { state, port: list.port ?? 0, pending: () => list.pendingRequests, stop: () => list.stop(true) }
  }

  test('that reads nothing holds at most a few chunks and no database connection, and is disconnected', async () => {
    await api.store.sql`insert into syslog (msg) select repeat('s', 1000) from generate_series(1, 60000)`
    const list = serveList(2000)
    try {
      const socket = connect(list.port, '127.0.0.1', () => socket.write(request))
      let got = ''
      socket.on('data', (data) => {
        got += data.toString('latin1')
      })
      const closed = new Promise((resolve) => socket.on('close', resolve))
      socket.on('error', () => undefined)
      await new Promise((resolve) => socket.once('data', resolve))
      socket.pause()
      await eventually(async () => (list.state.ended && list.pending() === 0) || null)
      // kernel buffers on both sides and two chunks, out of more than 60 MB
      expect(list.state.octets).toBeLessThan(20_000_000)
      socket.resume()
      await closed
      const end = got.slice(-100)
      expect(end).not.toContain('"count"')
      expect(end).not.toEndWith('0\r\n\r\n')
    } finally {
      await list.stop()
    }
  })

  test.skipIf(Bun.which('curl') === null)('that keeps reading but very little is disconnected as well', async () => {
    const list = serveList(1000)
    try {
      const url = `http://127.0.0.1:${list.port}/`
      const curl = Bun.spawn(['curl', '-sS', '-o', '/dev/null', '--limit-rate', '1000', url], { stderr: 'ignore' })
      await eventually(async () => (list.state.ended && list.pending() === 0) || null)
      curl.kill()
      await curl.exited
      expect(list.state.octets).toBeLessThan(20_000_000)
    } finally {
      await list.stop()
    }
  })

  test('that reads steadily receives everything, however long it takes', async () => {
    const list = serveList(5000)
    try {
      const answer = await fetch(`http://127.0.0.1:${list.port}/`)
      let length = 0
      for await (const chunk of answer.body ?? []) {
        length += chunk.byteLength
        await new Promise((resolve) => setImmediate(resolve))
      }
      expect(length).toBeGreaterThan(list.state.octets)
      expect(list.state.ended).toBe(true)
    } finally {
      await list.stop()
    }
  })

  test('of a response that is already complete is disconnected as well', async () => {
    const octets = new TextEncoder().encode(`"${'x'.repeat(60_000_000)}"`)
    const pieces = Array.from({ length: 229 }, (_, i) => octets.subarray(i * 262_144, (i + 1) * 262_144))
    const state = { cut: 0 }
    const answers = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      idleTimeout: 120, // not what is tested
      fetch(asked) {
        asked.signal.addEventListener('abort', () => state.cut++)
        const maxPartMs = new URL(asked.url).pathname === '/slow' ? 1000 : 20_000
        const answer = pacedResponse(pacedPieces(pieces, maxPartMs), {})
        onStall(answer, () => answers.timeout(asked, 1))
        return answer
      },
    })
    try {
      const whole = await (await fetch(`http://127.0.0.1:${answers.port}/`)).arrayBuffer()
      expect(Buffer.compare(new Uint8Array(whole), octets)).toBe(0)
      const socket = connect(answers.port ?? 0, '127.0.0.1', () => socket.write(request.replace('/', '/slow')))
      await new Promise((resolve) => socket.once('data', resolve))
      socket.pause()
      await eventually(async () => (state.cut === 1 ? true : null))
      socket.destroy()
    } finally {
      await answers.stop(true)
    }
  })
})
