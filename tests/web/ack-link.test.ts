import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { createSettings } from '../../src/config/settings.ts'
import { createDispatcher } from '../../src/core/alerts/dispatcher.ts'
import { createEngine } from '../../src/core/alerts/engine.ts'
import { createFaultService } from '../../src/core/alerts/faults/service.ts'
import { createAlertLinks } from '../../src/core/alerts/links/service.ts'
import { claimsOf } from '../../src/core/alerts/links/token.ts'
import { createAlertService } from '../../src/core/alerts/service.ts'
import { createSignedGraphs } from '../../src/core/alerts/signed-graphs.ts'
import type { AlertNotification } from '../../src/core/alerts/transports/notification.ts'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { signingKey } from '../../src/core/base/signing-key.ts'
import { connect } from '../../src/core/database/client.ts'
import { createLog } from '../../src/observe/log.ts'
import { storeRule } from '../support/alerts.ts'
import { eventually } from '../support/eventually.ts'
import { type TestWeb, testWeb } from './support.ts'

setDefaultTimeout(120_000)

const log = createLog('silent')
let web: TestWeb
let transport = 0
let device = 0
let nowMs = Date.now()

beforeAll(async () => {
  web = await testWeb({ 'alert.graph_url': 'https://nms.example.net/', 'alert.flap_count': '0' })
})
beforeEach(async () => {
  const { sql } = web.api.store
  nowMs = Date.now()
  await sql`delete from alert_rules`
  await sql`delete from alert_transports`
  const [one] = await sql<{ transport_id: number }[]>`
    insert into alert_transports (transport_name, transport_type, is_default) values ('NOC mail', 'webhook', 1)
    returning transport_id`
  const [two] = await sql<{ device_id: number }[]>`
    insert into devices (hostname, status) values (${`sw-${nowMs}.example.net`}, 0) returning device_id`
  transport = one?.transport_id ?? 0
  device = two?.device_id ?? 0
})
afterAll(() => web.drop())

/** Evaluates rules now, and returns what was sent. */
async function evaluated(): Promise<AlertNotification[]> {
  const { store, settings, services } = web.api
  const engine = createEngine({ store, settings, log, now: () => nowMs, notified: () => undefined })
  await engine.round()
  await engine.stop()
  const sent: AlertNotification[] = []
  const pictures = { graphs: services.graphs, signed: createSignedGraphs({ store, settings, graphs: services.graphs }) }
  const links = createAlertLinks({
    store,
    settings,
    alerts: services.alerts,
    faults: services.faults,
    now: () => nowMs,
  })
  const deliver = async (_: unknown, notification: AlertNotification) => {
    sent.push(notification)
    return { kind: 'delivered' } as const
  }
  const dispatcher = createDispatcher({ store, log, deliver, pictures, links })
  dispatcher.start()
  await eventually(async () => {
    const [row] = await store.sql<{ n: number }[]>`select count(*)::int as n from alert_outbox where sent_at is null`
    return row?.n === 0 ? true : null
  })
  await dispatcher.stop()
  return sent.filter((one) => one.device.id === device)
}

const pathOf = (url: string | null | undefined) => new URL(url ?? 'https://none.example/none').pathname
const stateOf = async (id: number) => {
  const [row] = await web.api.store.sql<{ state: number; note: string | null }[]>`
    select state, note from alerts where id = ${id}`
  return row
}
/** Opens a link as a phone does that has never signed in. */
const open = async (path: string) => {
  const answer = await web.send(path)
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}
/** Presses the button of its page. */
const press = (path: string, peer?: string) =>
  web.send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    ...(peer !== undefined && { peer }),
  })

test('the link of a message means nothing that began after the notifications in it', async () => {
  const { store } = web.api
  await store.sql`update alert_transports set transport_type = 'mail' where transport_id = ${transport}`
  await storeRule(store)
  await storeRule(store)
  const seconds = Math.floor(Date.now() / 1000) - 60
  nowMs = seconds * 1000 + 500
  const [told] = await evaluated()
  const token = pathOf(told?.ackUrl).split('/').at(-1) ?? ''
  const claims = claimsOf(token, await signingKey(store, 'acknowledge'))
  expect({ alerts: claims?.alertIds.length, atS: claims?.atS }).toEqual({ alerts: 2, atS: seconds })
  expect(told?.url).toBe(`https://nms.example.net/device/${device}`)
})

test('an address that is no UTF-8 is no link', async () => {
  for (const method of ['GET', 'POST', 'HEAD'])
    expect((await web.send('/ack/%ff', { method })).status, method).toBe(404)
})

test('a link acknowledges without signing in, once, in the name of the transport it was sent to', async () => {
  await storeRule(web.api.store)
  const [told] = await evaluated()
  const path = pathOf(told?.ackUrl)
  expect(told?.ackUrl).toMatch(/^https:\/\/nms\.example\.net\/ack\/[\w-]{40,60}$/)
  expect(told?.html).toContain(`href="${told?.ackUrl}"`)
  expect(told?.chat).toContain(`Acknowledge: ${told?.ackUrl}`)
  expect(told?.text).toContain(`Acknowledge: ${told?.ackUrl}`)

  // a scanner of mail fetches it, several times: nothing happens
  for (let i = 0; i < 3; i++) {
    const page = await open(path)
    expect(page.status).toBe(200)
    expect(page.text).toContain('Sent to transport NOC mail')
    expect(page.text.match(/<button/g)?.length).toBe(1)
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(page.headers.get('cache-control')).toContain('no-store')
  }
  const id = told?.alertId ?? 0
  expect((await stateOf(id))?.state).toBe(1)

  const answer = await press(path, '192.0.2.7')
  expect([answer.status, answer.headers.get('location')]).toEqual([303, path])
  expect(await stateOf(id)).toMatchObject({ state: 2, note: expect.stringContaining('(transport NOC mail)') })
  const after = await open(path)
  expect(after.text).toContain('<h2>Acknowledged</h2>')
  expect(after.text).not.toContain('<button')
  const audit = await web.api.store.sql<{ message: string; username: string }[]>`
    select message, username from eventlog where type = 'alert-link' order by event_id desc limit 1`
  expect(audit[0]).toMatchObject({
    username: 'transport NOC mail',
    message: expect.stringMatching(/^Acknowledged by link from 192\.0\.2\.7: sw-\d+\.example\.net: rule/),
  })

  // made active again by somebody else: the link is used up
  await web.api.services.alerts.unmute(SYSTEM, id, '')
  await press(path)
  expect((await stateOf(id))?.state).toBe(1)
  expect((await open(path)).text).toContain('This link was used before')
})

test('a link names the person whose transport it was sent to, and ends with the user', async () => {
  const { userId, username } = await web.person(['user'])
  await web.api.services.onCall.setContactMethods(SYSTEM, userId, 'UTC', [
    { transportId: transport, attempt: 1, quiet: [] },
  ])
  await storeRule(web.api.store)
  const [told] = await evaluated()
  const path = pathOf(told?.ackUrl)
  expect((await open(path)).text).toContain(`Sent to ${username},`)
  await web.api.store.sql`update users set enabled = 0 where user_id = ${userId}`
  expect((await open(path)).status).toBe(404)
  await press(path)
  expect((await stateOf(told?.alertId ?? 0))?.state).toBe(1)
  await web.api.store.sql`update users set enabled = 1 where user_id = ${userId}`
  await press(path)
  expect(await stateOf(told?.alertId ?? 0)).toMatchObject({ state: 2, note: expect.stringContaining(`(${username})`) })
})

test('a link ends with its transport, and when it expires', async () => {
  await storeRule(web.api.store)
  nowMs -= 25 * 3_600_000
  const [told] = await evaluated()
  const expired = await open(pathOf(told?.ackUrl))
  expect([expired.status, expired.text.includes('This link has expired')]).toEqual([410, true])
  await press(pathOf(told?.ackUrl))
  expect((await stateOf(told?.alertId ?? 0))?.state).toBe(1)
  nowMs = Date.now()
  const links = createAlertLinks({
    store: web.api.store,
    settings: web.api.settings,
    alerts: web.api.services.alerts,
    faults: web.api.services.faults,
  })
  const context = { state: 1, time: nowMs, alert_id: told?.alertId ?? 0 } as const
  const path = pathOf(await links.urlOf({ id: 4711, transport_id: transport }, context))
  expect((await open(path)).status).toBe(200)
  await web.api.store.sql`delete from alert_transports where transport_id = ${transport}`
  expect((await open(path)).status).toBe(404)
  await press(path)
  expect((await stateOf(told?.alertId ?? 0))?.state).toBe(1)
})

test('a problem that began after the notification is not acknowledged by its link', async () => {
  await storeRule(web.api.store)
  const [told] = await evaluated()
  const { sql } = web.api.store
  await sql`update devices set status = 1 where device_id = ${device}`
  nowMs += 60_000
  expect((await evaluated()).map(({ kind, ackUrl }) => [kind, ackUrl])).toEqual([['recovery', null]])
  expect((await open(pathOf(told?.ackUrl))).text).toContain('The problem is over')
  await sql`update devices set status = 0 where device_id = ${device}`
  nowMs += 60_000
  const [again] = await evaluated()
  expect(again?.alertId).toBe(told?.alertId ?? 0)
  await press(pathOf(told?.ackUrl))
  expect((await stateOf(told?.alertId ?? 0))?.state).toBe(1)
  await press(pathOf(again?.ackUrl))
  expect((await stateOf(told?.alertId ?? 0))?.state).toBe(2)
})

test('a fault that began after the notification stays active, and the alert with it', async () => {
  const { sql } = web.api.store
  const builder = { condition: 'AND', rules: [{ field: 'ports.ifOperStatus', operator: 'equal', value: 'down' }] }
  await sql`insert into alert_rules (severity, extra, name, query, builder)
    values ('critical', '{}', 'port down', '', ${JSON.stringify(builder)})`
  const down = async (index: number) => {
    const [row] = await sql<{ port_id: number }[]>`
      insert into ports (device_id, "ifIndex", "ifName", "ifOperStatus", "ifAdminStatus")
      values (${device}, ${index}, ${`Gi0/${index}`}, 'down', 'up') returning port_id`
    return row?.port_id ?? 0
  }
  const states = async () =>
    (await sql<{ state: number }[]>`select state from faults where device_id = ${device} order by id`).map(
      ({ state }) => state,
    )
  // what was read of a device that does not answer is not taken for a change
  await sql`update devices set status = 1 where device_id = ${device}`
  await down(1)
  const [told] = await evaluated()
  await down(2)
  nowMs += 60_000
  const [worse] = await evaluated()
  expect(await states()).toEqual([1, 1])
  await press(pathOf(told?.ackUrl))
  expect(await states()).toEqual([2, 1])
  expect((await stateOf(told?.alertId ?? 0))?.state).not.toBe(2)
  expect((await open(pathOf(told?.ackUrl))).text).toContain('<h2>Acknowledged</h2>')
  await press(pathOf(worse?.ackUrl))
  expect(await states()).toEqual([2, 2])
  expect((await stateOf(told?.alertId ?? 0))?.state).toBe(2)
})

test('one link for several alerts acknowledges those that are open', async () => {
  await storeRule(web.api.store)
  await storeRule(web.api.store)
  const told = await evaluated()
  const ids = told.map(({ alertId }) => alertId)
  expect(ids.length).toBe(2)
  await web.api.services.alerts.acknowledge(SYSTEM, ids[0] ?? 0, { note: '', until: 'worse' })
  const links = createAlertLinks({
    store: web.api.store,
    settings: web.api.settings,
    alerts: web.api.services.alerts,
    faults: web.api.services.faults,
  })
  const context = { state: 1, time: nowMs, alert_id: 0 } as const
  const path = pathOf(await links.urlOf({ id: 4712, transport_id: transport }, context, ids))
  expect((await open(path)).text).toContain('Acknowledge this alert?')
  await press(path)
  expect(await Promise.all(ids.map(async (id) => (await stateOf(id))?.state))).toEqual([2, 2])
})

test('a template has the link as $alert->acknowledge_url', async () => {
  const { ruleId } = await storeRule(web.api.store)
  const { sql } = web.api.store
  const [row] = await sql<{ id: number }[]>`
    insert into alert_templates (name, template) values ('own', 'Ack here: {{ $alert->acknowledge_url }}') returning id`
  await sql`insert into alert_template_map (alert_templates_id, alert_rule_id) values (${row?.id ?? 0}, ${ruleId})`
  const [told] = await evaluated()
  expect(told?.text).toBe(`Ack here: ${told?.ackUrl}`)
})

test('there are no links if the setting is 0 or nobody knows the address of this server', async () => {
  await storeRule(web.api.store)
  const [told] = await evaluated()
  const context = { state: 1, time: nowMs, alert_id: told?.alertId ?? 0 } as const
  const flags = { 'alert.graph_url': 'https://nms.example.net', 'alert.ack_link_hours': '24' }
  const { store, services } = web.api
  const urlWith = async (changed: Readonly<Record<string, string>>) => {
    const settings = createSettings({ flags: { ...flags, ...changed } })
    const links = createAlertLinks({ store, settings, alerts: services.alerts, faults: services.faults })
    return await links.urlOf({ id: 1, transport_id: transport }, context)
  }
  expect(await urlWith({})).toStartWith('https://nms.example.net/ack/')
  expect(await urlWith({ 'alert.ack_link_hours': '0' })).toBeNull()
  expect(await urlWith({ 'alert.graph_url': '' })).toBeNull()
  expect(await urlWith({ 'alert.graph_url': 'javascript:alert(1)' })).toBeNull()
})

test('of several presses at the same moment one acknowledges', async () => {
  await storeRule(web.api.store)
  const [told] = await evaluated()
  const path = pathOf(told?.ackUrl)
  const answers = await Promise.all(Array.from({ length: 5 }, () => press(path)))
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303])
  const [row] = await web.api.store.sql<{ n: number }[]>`
    select count(*)::int as n from alert_log where device_id = ${device} and state = 2`
  expect(row?.n).toBe(1)
})

test('a link whose acknowledgement failed can be used again', async () => {
  await storeRule(web.api.store)
  const [told] = await evaluated()
  const token = pathOf(told?.ackUrl).split('/').at(-1) ?? ''
  const { store, settings } = web.api
  const away = connect('postgres://nobody@127.0.0.1:1/none')
  try {
    const failing = createAlertLinks({
      store,
      settings,
      alerts: createAlertService({ store: away }),
      faults: createFaultService({ store: away }),
    })
    await expect(failing.use(token, '')).rejects.toThrow()
  } finally {
    await away.close(1)
  }
  await press(pathOf(told?.ackUrl))
  expect((await stateOf(told?.alertId ?? 0))?.state).toBe(2)
})

test.each([
  ['short', '/ack/x'],
  ['empty', '/ack/'],
  ['of the right length', `/ack/${'A'.repeat(50)}`],
  ['long', `/ack/${'A'.repeat(5000)}`],
  ['a path', '/ack/..%2f..%2fdevices'],
])('a text that is no link is refused: %s', async (_, path) => {
  expect((await open(path)).status).toBe(404)
  expect([303, 404]).toContain((await press(path)).status)
})
