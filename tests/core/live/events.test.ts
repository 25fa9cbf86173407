import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createConnection } from 'node:net'
import { type ApiServer, serveApi } from '../../../src/api/serve.ts'
import { followLive } from '../../../src/app/live.ts'
import type { Role } from '../../../src/core/access/users/service.ts'
import { changeAlert } from '../../../src/core/alerts/write.ts'
import { writeStatus } from '../../../src/core/availability/write.ts'
import { SYSTEM } from '../../../src/core/base/actor.ts'
import { writePortChanges } from '../../../src/core/discovery/write.ts'
import { createLog } from '../../../src/observe/log.ts'
import { mint, type TestApi, testApi } from '../../support/api.ts'
import { eventually } from '../../support/eventually.ts'
import { givePassword, PASSWORD } from '../../support/password.ts'
import { type EventClient, listenTo } from './support.ts'

setDefaultTimeout(60_000)

let api: TestApi
let server: ApiServer
let following: { stop(): Promise<void> }
const ids = { device: 0, other: 0, port: 0, otherPort: 0, rule: 0 }
const open = new Set<EventClient>()
const url = () => `http://127.0.0.1:${server.port}`

beforeAll(async () => {
  api = await testApi()
  api.settings.applyStored(new Map([['api.v1.enabled', true]]))
  server = serveApi(api.services, { hostname: '127.0.0.1', port: 0 })
  following = followLive(api.store, api.services.live, createLog('silent'))
  const { sql } = api.store
  const devices = await sql<{ device_id: number }[]>`
    insert into devices (hostname, status) values ('core1', 1), ('core2', 1) returning device_id`
  ids.device = devices[0]?.device_id ?? 0
  ids.other = devices[1]?.device_id ?? 0
  const ports = await sql<{ port_id: number }[]>`
    insert into ports (device_id, "ifIndex", "ifName", "ifOperStatus", "ifAdminStatus")
    values (${ids.device}, 1, 'Gi0/1', 'up', 'up'), (${ids.other}, 1, 'Gi0/1', 'up', 'up') returning port_id`
  ids.port = ports[0]?.port_id ?? 0
  ids.otherPort = ports[1]?.port_id ?? 0
  const [rule] = await sql<{ id: number }[]>`
    insert into alert_rules (severity, extra, name, query, builder) values ('critical', '{}', 'down', '', '{}') returning id`
  ids.rule = rule?.id ?? 0
})
afterAll(async () => {
  await following.stop()
  await server.stop()
  await api.drop()
})
afterEach(() => {
  for (const client of open) client.close()
  open.clear()
})

async function connect(
  token: Parameters<typeof listenTo>[1],
  options: Parameters<typeof listenTo>[2] = {},
): Promise<EventClient> {
  const client = await listenTo(url(), token, options)
  open.add(client)
  if (client.status === 200) await eventually(async () => client.events[0] ?? null)
  return client
}

const has = (client: EventClient, event: string, data: Readonly<Record<string, unknown>>) =>
  eventually(
    async () =>
      client.events.find(
        (one) => one.event === event && Object.entries(data).every(([key, value]) => one.data[key] === value),
      ) ?? null,
  )

let moment = Date.now()
async function setStatus(deviceId: number, up: boolean): Promise<void> {
  moment += 1000
  await writeStatus(api.store, { deviceId, up, reason: up ? '' : 'snmp', at: moment })
}

/** Triggers an event that every client gets after all earlier events. */
async function mark(deviceId: number, name: string): Promise<void> {
  await api.store.sql`update devices set display = ${name} where device_id = ${deviceId}`
}

describe('what is sent', () => {
  test('a device, a port and an alert that changed, with their new state', async () => {
    const { token } = await api.token(['admin'])
    const client = await connect(token)
    expect(client.events[0]).toMatchObject({
      event: 'ready',
      data: { resumed: false, events: ['device', 'port', 'alert', 'fault', 'poll'] },
    })
    await setStatus(ids.device, false)
    await writePortChanges(api.store, [{ port_id: ids.port, ifOperStatus: 'down' }])
    const { sql } = api.store
    const [alert] = await sql<{ id: number }[]>`
      insert into alerts (device_id, rule_id, state) values (${ids.device}, ${ids.rule}, 1) returning id`
    const id = alert?.id ?? 0
    const change = { id, line: 'seen', until: null, event: 'ack', username: 'x' } as const
    await changeAlert(api.store, { kind: 'all' }, { ...change, state: 2 })
    await sql`update alerts set state = 3, digest = 'a' where id = ${id}`
    await sql`update alerts set next_at = now() where id = ${id}`
    await sql`update alerts set state = 0 where id = ${id}`
    await has(client, 'alert', { change: 'cleared' })
    const told = client.events.slice(1).filter(({ data }) => data['change'] !== 'added')
    expect(told.map(({ event, data }) => [event, data['change'] ?? data['ifOperStatus']])).toEqual([
      ['device', 'status'],
      ['port', 'down'],
      ['alert', 'opened'],
      ['alert', 'acknowledged'],
      ['alert', 'changed'],
      ['alert', 'cleared'],
    ])
    expect(await has(client, 'device', { change: 'status' })).toMatchObject({
      data: { device_id: ids.device, hostname: 'core1', status: 0, status_reason: 'snmp' },
    })
    expect(await has(client, 'port', {})).toMatchObject({
      data: { device_id: ids.device, port_id: ids.port, ifName: 'Gi0/1', ifOperStatus: 'down', ifAdminStatus: 'up' },
    })
    expect(await has(client, 'alert', { change: 'acknowledged' })).toMatchObject({
      data: { alert_id: id, rule_id: ids.rule, rule: 'down', severity: 'critical', state: 2, hostname: 'core1' },
    })
    await setStatus(ids.device, true)
  })

  test('a fault that began, was acknowledged and ended', async () => {
    const { token } = await api.token(['admin'])
    const client = await connect(token, { query: '?events=fault' })
    const { sql } = api.store
    const [fault] = await sql<{ id: number }[]>`
      insert into faults (rule_id, device_id, alert_id, key, kind, subject_id, state, severity, began_at, message)
      select rule_id, device_id, id, '1', 'port', ${ids.port}, 1, 'critical', now(), 'Gi0/1 is down' from alerts limit 1 returning id`
    const id = fault?.id ?? 0
    await sql`update faults set state = 2 where id = ${id}`
    await sql`update faults set speaks = 0, told_at = now() where id = ${id}`
    await sql`update faults set state = 1 where id = ${id}`
    await sql`update faults set muted_until = now() where id = ${id}`
    await sql`update faults set state = 0 where id = ${id}`
    await has(client, 'fault', { change: 'ended' })
    expect(client.events.slice(1).map(({ data }) => data['change'])).toEqual([
      'began',
      'acknowledged',
      'active',
      'changed',
      'ended',
    ])
    expect(client.events[1]).toMatchObject({
      event: 'fault',
      data: {
        fault_id: id,
        kind: 'port',
        subject_id: ids.port,
        message: 'Gi0/1 is down',
        rule: 'down',
        hostname: 'core1',
      },
    })
  })

  test('only the requested kinds and devices', async () => {
    const { token } = await api.token(['admin'])
    const client = await connect(token, { query: `?events=device&device=${ids.other}` })
    await setStatus(ids.device, false)
    await writePortChanges(api.store, [{ port_id: ids.otherPort, ifOperStatus: 'down' }])
    await setStatus(ids.device, true)
    await mark(ids.other, 'asked for')
    await has(client, 'device', { device_id: ids.other })
    expect(client.events.slice(1).map(({ data }) => data['device_id'])).toEqual([ids.other])
    await writePortChanges(api.store, [{ port_id: ids.otherPort, ifOperStatus: 'up' }])
  })

  test('ends of polls', async () => {
    const { token } = await api.token(['admin'])
    const client = await connect(token)
    const at = 1_700_000_000_123
    api.services.live.polled([{ device_id: ids.device, at, answered: true, duration: 0.25, uptime: 77 }])
    expect((await has(client, 'poll', {})).data).toEqual({
      device_id: ids.device,
      time: 1_700_000_000.123,
      answered: true,
      duration: 0.25,
      uptime: 77,
    })
  })

  test('no event for a change that is rolled back', async () => {
    const { token } = await api.token(['admin'])
    const client = await connect(token)
    await api.store.sql
      .begin(async (tx) => {
        await tx`update devices set display = 'never' where device_id = ${ids.device}`
        throw new Error('rolled back')
      })
      .catch(() => undefined)
    await mark(ids.other, 'after it')
    await has(client, 'device', { device_id: ids.other })
    expect(client.events).toHaveLength(2)
  })
})

describe('access', () => {
  test('no token, invalid filters, a role without permission', async () => {
    expect((await connect('wrong')).status).toBe(401)
    const { token } = await api.token(['admin'])
    expect((await connect(token, { query: '?events=weather' })).status).toBe(400)
    expect((await connect(token, { query: '?device=x' })).status).toBe(400)
    expect((await connect((await api.token([])).token)).status).toBe(403)
  })

  test('more clients than allowed are refused, and admitted when others leave', async () => {
    api.settings.applyStored(
      new Map<string, unknown>([
        ['api.v1.enabled', true],
        ['events.max_clients', 2],
      ]) as never,
    )
    const { token } = await api.token(['admin'])
    const first = await connect(token)
    expect(first.status).toBe(200)
    expect((await connect(token)).status).toBe(429)
    expect((await connect((await api.token(['admin'])).token)).status).toBe(200)
    expect((await connect((await api.token(['admin'])).token)).status).toBe(429)
    first.close()
    await eventually(async () => ((await connect(token)).status === 200 ? true : null))
    api.settings.applyStored(new Map([['api.v1.enabled', true]]))
  })
})

describe('grants', () => {
  test('a user sees granted devices and ports, also if grants change meanwhile', async () => {
    const { token, username } = await api.token(['user'])
    const { users } = api.services
    await users.grant(username, { deviceIds: [ids.device] })
    const client = await connect(token)
    await mark(ids.other, 'hidden 1')
    await mark(ids.device, 'shown 1')
    await has(client, 'device', { device_id: ids.device })
    expect(client.events.map(({ data }) => data['device_id'])).not.toContain(ids.other)

    await users.grant(username, { portIds: [ids.otherPort] })
    // the port of a device that is not visible itself
    for (let up = false; client.events.every(({ event }) => event !== 'port'); up = !up) {
      await writePortChanges(api.store, [{ port_id: ids.otherPort, ifOperStatus: up ? 'up' : 'down' }])
      await Bun.sleep(100)
    }
    expect(client.events.filter(({ event }) => event === 'device').map(({ data }) => data['device_id'])).not.toContain(
      ids.other,
    )

    await users.revoke(username, { deviceIds: [ids.device] })
    await users.grant(username, { deviceIds: [ids.other] })
    for (
      let i = 0;
      client.events.every(({ data, event }) => event !== 'device' || data['device_id'] !== ids.other);
      i++
    ) {
      await mark(ids.other, `shown ${i}`)
      await Bun.sleep(100)
    }
    const before = client.events.length
    await mark(ids.device, 'hidden 2')
    await mark(ids.other, 'shown at last')
    await eventually(async () => (client.events.length > before ? true : null))
    expect(client.events.slice(before).every(({ data }) => data['device_id'] === ids.other)).toBe(true)
  })

  test('disabling a token ends its streams and no others', async () => {
    const { token, username } = await api.token(['admin'])
    const other = await connect((await api.token(['admin'])).token)
    const client = await connect(token)
    await api.store.sql`update users set enabled = 0 where username = ${username}`
    api.services.auth.forget()
    api.services.live.accessChanged()
    await has(client, 'end', { reason: 'access' })
    await eventually(async () => (client.ended() === 'closed' ? true : null))
    await mark(ids.device, 'still here')
    await has(other, 'device', { device_id: ids.device })
  })
})

describe('a session', () => {
  async function person(roles: readonly Role[]) {
    const username = `viewer${mint()}`
    await givePassword(api.store, await api.services.users.create({ username, roles }))
    const begun = await api.services.sessions.signIn(username, PASSWORD, { address: '127.0.0.1', agent: '' })
    return { username, secret: begun?.secret ?? '', cookie: `portlight=${begun?.secret}` }
  }

  test('opens a stream with granted objects even if the API is off for programs', async () => {
    api.settings.applyStored(new Map([['api.v1.enabled', false]]))
    try {
      const { username, cookie } = await person(['user'])
      await api.services.users.grant(username, { deviceIds: [ids.device] })
      const client = await connect({ cookie })
      expect(client.status).toBe(200)
      await mark(ids.other, 'hidden from a session')
      await mark(ids.device, 'shown to a session')
      await has(client, 'device', { device_id: ids.device })
      expect(client.events.map(({ data }) => data['device_id'])).not.toContain(ids.other)
      expect((await connect((await api.token(['admin'])).token)).status).toBe(404)
      expect((await connect({ cookie: `portlight=${'x'.repeat(43)}` })).status).toBe(404)
    } finally {
      api.settings.applyStored(new Map([['api.v1.enabled', true]]))
    }
  })

  test('ends its streams and no others when it ends', async () => {
    const { sessions } = api.services
    const { cookie, secret } = await person(['admin'])
    const other = await person(['admin'])
    const [client, stays] = [await connect({ cookie }), await connect({ cookie: other.cookie })]
    await sessions.signOut(secret)
    await has(client, 'end', { reason: 'access' })
    await mark(ids.device, 'still signed in')
    await has(stays, 'device', { device_id: ids.device })
    const session = await sessions.find(other.secret, '127.0.0.1')
    await sessions.revoke(session?.actor ?? SYSTEM, session?.id ?? 0)
    await has(stays, 'end', { reason: 'access' })
    expect((await connect({ cookie })).status).toBe(401)
  })
})

describe('resuming', () => {
  test('sends missed events once and in order, then new ones', async () => {
    const { token } = await api.token(['admin'])
    const first = await connect(token)
    await setStatus(ids.device, false)
    await has(first, 'device', { status: 0 })
    const lastId = first.lastId()
    first.close()
    await setStatus(ids.device, true)
    await setStatus(ids.other, false)
    await setStatus(ids.other, true)
    await api.store.sql`update devices set last_poll_attempted = now(), last_polled = now(), last_polled_timetaken = 0.5
      where device_id = ${ids.device}`
    const again = await connect(token, { lastId })
    await mark(ids.device, 'the end of it')
    await has(again, 'device', { change: 'changed' })
    expect(again.events[0]).toMatchObject({ event: 'ready', data: { resumed: true } })
    const told = again.events
      .filter(({ event }) => event === 'device')
      .map(({ data }) => [data['device_id'], data['status']])
    expect(told).toEqual([
      [ids.device, 1],
      [ids.other, 0],
      [ids.other, 1],
      [ids.device, 1],
    ])
    expect(await has(again, 'poll', { device_id: ids.device })).toMatchObject({
      data: { duration: 0.5, answered: true },
    })
  })

  test('shows only what is granted', async () => {
    const { token, username } = await api.token(['user'])
    await api.services.users.grant(username, { deviceIds: [ids.device] })
    const first = await connect(token)
    const lastId = first.lastId()
    first.close()
    await mark(ids.other, 'missed and hidden')
    await mark(ids.device, 'missed and shown')
    const again = await connect(token, { lastId })
    await has(again, 'device', { device_id: ids.device })
    expect(again.events.filter(({ event }) => event === 'device').map(({ data }) => data['device_id'])).toEqual([
      ids.device,
    ])
  })

  test.each(['nonsense', '999999999-1', '-1-1'])('is refused with reset for the id %s', async (lastId) => {
    const { token } = await api.token(['admin'])
    const client = await connect(token, { lastId })
    expect(client.events[0]?.event).toBe('reset')
    await mark(ids.device, `after ${lastId}`)
    await has(client, 'device', { device_id: ids.device })
  })

  test('is refused with reset when too much was missed', async () => {
    const { token } = await api.token(['admin'])
    const witness = await connect(token)
    const lastId = witness.lastId()
    await flood(2100, 10)
    await has(witness, 'device', { n: 2100 })
    const client = await connect(token, { lastId })
    expect(client.events[0]?.event).toBe('reset')
  })
})

/** Changes a device `changes` times, with `octets` bytes each time. */
async function flood(changes: number, octets: number): Promise<void> {
  await api.store.sql`insert into live_events (kind, data)
    select 'device', jsonb_build_object('device_id', ${ids.device}::int, 'n', n, 'text', repeat('x', ${octets}))
    from generate_series(1, ${changes}::int) n`
  api.services.live.changed()
}

describe('a client that does not read', () => {
  test('gets a last event with the reason, and delays no other client', async () => {
    const { token } = await api.token(['admin'])
    const witness = await connect(token)
    const slow = await rawClient(token)
    // more than fits into its queue and the buffers of its connection
    for (let round = 1; round <= 12; round++) {
      await flood(99 + round, 20_000)
      await has(witness, 'device', { n: 99 + round })
    }
    slow.resume()
    const text = await slow.text()
    expect(text.lastIndexOf('event: end\ndata: {"reason":"slow"}')).toBeGreaterThan(text.lastIndexOf('event: device'))
    expect(text).toContain('event: ready')
    expect(witness.ended()).toBe('open')
  })
})

/** A connection from which nothing is read until it is resumed. */
async function rawClient(token: string) {
  const socket = createConnection({ host: '127.0.0.1', port: server.port })
  let text = ''
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const first = new Promise<void>((resolve) => socket.once('data', () => resolve()))
  socket.on('data', (part) => {
    text += part.toString()
  })
  socket.on('error', () => undefined)
  socket.write(`GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  await first
  socket.pause()
  return {
    resume: () => void socket.resume(),
    async text() {
      await Promise.race([closed, eventually(async () => (text.includes('event: end') ? true : null))])
      socket.destroy()
      return text
    },
  }
}
