import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { raiseAlert, storeRule } from '../support/alerts.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

let web: TestWeb
let admin: Person
let reader: Person
let operator: Person
const ids = { mine: 0, other: 0 }
beforeAll(async () => {
  web = await testWeb()
  const { sql } = web.api.store
  const rows = await sql<{ device_id: number }[]>`
    insert into devices (hostname) values ('granted1'), ('foreign1') returning device_id`
  ids.mine = rows[0]?.device_id ?? 0
  ids.other = rows[1]?.device_id ?? 0
  admin = await web.signedIn(['admin'])
  reader = await web.signedIn(['global-read'])
  // may acknowledge alerts, but only of granted devices
  await web.api.services.users.defineRole('night', ['alert.viewany', 'alert.update', 'alertrule.viewany'])
  operator = await web.signedIn(['user'])
  await web.api.services.users.setRoles(operator.username, ['user', 'night'])
  await web.api.services.users.grant(operator.username, { deviceIds: [ids.mine] })
})
afterAll(() => web.drop())

const open = async (path: string, person: Person) => {
  const answer = await web.send(path, { cookie: person.cookie })
  return { status: answer.status, text: await answer.text() }
}
const act = (path: string, person: Person, form: Readonly<Record<string, string>>) =>
  web.post(path, { csrf: person.csrf, ...form }, { cookie: person.cookie })

const stateOf = async (id: number) => {
  const [row] = await web.api.store.sql<{ state: number; note: string | null }[]>`
    select state, note from alerts where id = ${id}`
  return row
}

describe('who may acknowledge', () => {
  test('a reader may not, and sees no form', async () => {
    const { ruleId } = await storeRule(web.api.store)
    const id = await raiseAlert(web.api.store, { deviceId: ids.mine, ruleId })
    expect((await open('/alerts', reader)).text).not.toContain('value="acknowledge"')
    expect((await act('/alerts', reader, { do: 'acknowledge', [`alert-${id}`]: 'on' })).status).toBe(404)
    expect((await act(`/alerts/${id}`, reader, { do: 'note', note: 'x' })).status).toBe(404)
    expect((await stateOf(id))?.state).toBe(1)
  })

  test('an operator only alerts of granted devices, also when several are selected', async () => {
    const { ruleId } = await storeRule(web.api.store)
    const mine = await raiseAlert(web.api.store, { deviceId: ids.mine, ruleId })
    const other = await raiseAlert(web.api.store, { deviceId: ids.other, ruleId })
    const form = { do: 'acknowledge', note: 'seen', [`alert-${mine}`]: 'on', [`alert-${other}`]: 'on' }
    const answer = await act('/alerts', operator, form)
    expect(await answer.text()).toContain('1 alert was acknowledged. 1 no longer exist.')
    expect([(await stateOf(mine))?.state, (await stateOf(other))?.state]).toEqual([2, 1])
    expect((await act(`/alerts/${other}`, operator, { do: 'note', note: 'x' })).status).toBe(404)
    expect((await act(`/alerts/${mine}`, operator, { do: 'note', note: 'parts ordered' })).status).toBe(303)
    expect((await stateOf(mine))?.note).toContain('parts ordered')
  })
})

test('each page of the history continues where the previous one ended, even among equal times', async () => {
  const { ruleId } = await storeRule(web.api.store)
  await web.api.store.sql`
    insert into alert_log (device_id, rule_id, state, details, time_logged)
    select ${ids.mine}, ${ruleId}, 1, '{"rule": []}', '2026-01-01 00:00:00.123457+00'::timestamptz - (n / 7) * interval '1 microsecond'
    from generate_series(1, 250) n`
  const { alertList } = web.api.services
  const actor = { ...(await web.api.services.sessions.find(admin.cookie.split('=')[1] ?? '', ''))?.actor }
  const seen: number[] = []
  let before: string | null = null
  for (let page = 0; page < 10; page++) {
    const { rows, next } = await alertList.past(actor as never, before, 40)
    seen.push(...rows.filter(({ rule_id }) => rule_id === ruleId).map(({ id }) => id))
    before = next
    if (next === null) break
  }
  expect(seen).toHaveLength(250)
  expect(new Set(seen).size).toBe(250)
  expect((await open('/alerts/history?before=nonsense', admin)).status).toBe(400)
})

test('an alert under maintenance is marked in the list with the end', async () => {
  const { sql } = web.api.store
  const { ruleId } = await storeRule(web.api.store)
  const id = await raiseAlert(web.api.store, { deviceId: ids.mine, ruleId })
  const listed = async () =>
    (await open('/alerts', admin)).text.split('<tr').find((row) => row.includes(`name="alert-${id}"`)) ?? ''
  expect(await listed()).not.toContain('under maintenance')
  const [row] = await sql<{ schedule_id: number }[]>`
    insert into alert_schedule (title, notes, behavior, start, "end", recurring)
    values ('window', '', 2, now() - interval '1 hour', '2090-01-02T12:00:00Z', 0) returning schedule_id`
  await sql`insert into alert_schedulables (schedule_id, alert_schedulable_type, alert_schedulable_id)
    values (${row?.schedule_id ?? 0}, 'device', ${ids.mine})`
  expect(await listed()).toMatch(/device under maintenance until <time[^>]*datetime="2090-01-02T12:00:00/)
  await sql`delete from alert_schedule where schedule_id = ${row?.schedule_id ?? 0}`
})

describe('transports', () => {
  test('are shown without secrets to a reader, who cannot change them', async () => {
    const { transports } = web.api.services
    const settings = { url: 'https://example.net/path-to-hide', secret: 'hidden word' }
    const id = await transports.add({ kind: 'webhook', name: 'hook', isDefault: false, settings, rules: [] })
    for (const person of [reader, admin]) {
      const { text } = await open('/alerts/transports', person)
      expect(text).toContain('hook')
      expect(text).not.toMatch(/path-to-hide|hidden word/)
    }
    const { text } = await open(`/alerts/transports?id=${id}`, admin)
    expect(text).not.toMatch(/path-to-hide|hidden word/)
    expect((await open(`/alerts/transports?id=${id}`, reader)).status).toBe(404)
    for (const form of [{ do: 'remove' }, { do: 'test' }, { do: 'resend', all: '1' }]) {
      expect((await act('/alerts/transports', reader, { id: String(id), ...form })).status).toBe(404)
    }
    expect((await act(`/alerts/transports?id=${id}`, reader, { do: 'change' })).status).toBe(404)
    expect((await transports.list()).map(({ name }) => name)).toEqual(['hook'])
  })

  test('that fail are shown with the reason; how they send is changed by administrators', async () => {
    const { store, services } = web.api
    const settings = { from: 'a@example.net', to: 'b@example.net', host: 'mail.example.net' }
    const id = await services.transports.add({ kind: 'mail', name: 'post', isDefault: false, settings, rules: [] })
    const address = `/alerts/transports?id=${id}`
    expect((await open('/alerts/transports', reader)).text).toContain('used by no rule · several alerts in one message')
    const form = {
      do: 'change',
      'set-from': 'a@example.net',
      'set-to': 'b@example.net',
      'set-host': 'mail.example.net',
    }
    const change = (values: Record<string, string>) => act(address, admin, { ...form, ...values })
    await change({ grouping: '0', window: '60', rate: '7' })
    const sending = async () => (await services.transports.list()).find((one) => one.id === id)?.sending
    expect(await sending()).toMatchObject({ grouping: false, window: 60, rate: 7 })
    expect((await open('/alerts/transports', reader)).text).toContain('at most 7 a minute')
    for (const wrong of [{ rate: '-1' }, { rate: '1e300' }, { rate: '10001' }, { window: '601' }, { window: 'NaN' }])
      expect((await change({ 'set-host': 'other.example.net', ...wrong })).status).toBe(422)
    expect(await sending()).toMatchObject({ grouping: false, window: 60, rate: 7 })
    // what is refused is not stored in part
    const added = { ...form, do: 'add', name: 'half', rate: '10001' }
    expect((await act('/alerts/transports?new=mail', admin, added)).status).toBe(422)
    const stored = await services.transports.list()
    expect(stored.map(({ name }) => name)).not.toContain('half')
    expect(stored.find((one) => one.id === id)?.settings).toMatchObject({ host: 'mail.example.net' })
    await change({ grouping: '', window: '', rate: '' })
    expect(await sending()).toMatchObject({ grouping: null, window: null, rate: null, now: { grouped: true } })
    await store.sql`insert into alert_paths (transport_id, failures, since, failed_at, last_error)
      values (${id}, 9, now(), now(), 'the receiver answered <404>')`
    const { text } = await open('/alerts/transports', reader)
    expect(text).toContain('post fails')
    expect(text).toContain('the receiver answered &lt;404&gt;')
    await services.transports.remove('post')
  })

  test('a mail transport without a server says so, with a link to the setting, until there is one', async () => {
    const { transports } = web.api.services
    const server = (host: string) => web.api.settings.applyStored(new Map([['email_smtp_host', host]]))
    const id = await transports.add({
      ...{ kind: 'mail', name: 'by mail', isDefault: false, settings: { to: ['noc@example.net'] }, rules: [] },
    })
    const shown = async (person: Person) => (await open('/alerts/transports', person)).text
    const said = 'Not sent: no mail server set.'
    const link = 'href="/settings?section=Alerts#email_smtp_host"'
    expect(await shown(admin)).toContain(said)
    expect(await shown(admin)).toContain(link)
    const read = await shown(reader)
    expect([read.includes(said), read.includes(link)]).toEqual([true, false])
    server('mail.example.net')
    expect(await shown(admin)).not.toContain(said)
    web.api.settings.applyStored(new Map())
    await transports.change(String(id), { host: 'mail.example.net' }, null)
    expect(await shown(admin)).not.toContain(said)
    await transports.remove(String(id))
  })

  test('an abandoned notification is sent again', async () => {
    const { sql } = web.api.store
    const [transport] = await sql<{ id: number }[]>`select transport_id as id from alert_transports`
    await sql`insert into alert_outbox (key, transport_id, kind, context, dead_at, attempts, last_error)
      values ('k1', ${transport?.id ?? 0}, 'alert', '{"title": "Alert: x"}', now(), 9, 'refused by the receiver')`
    const { text } = await open('/alerts/transports', admin)
    expect(text).toContain('refused by the receiver')
    const letter = /name="(letter-\d+)"/.exec(text)?.[1] ?? ''
    const answer = await act('/alerts/transports', admin, { do: 'resend', [letter]: 'on' })
    expect(await answer.text()).toContain('1 notification is being resent')
    const [row] = await sql<{ dead_at: Date | null }[]>`select dead_at from alert_outbox`
    expect(row?.dead_at).toBeNull()
  })
})

test('testing a rule covers granted devices only', async () => {
  const builder = JSON.stringify({
    condition: 'AND',
    rules: [{ field: 'devices.hostname', operator: 'contains', value: '1' }],
  })
  const tryIt = { do: 'try', builder }
  expect((await act('/alerts/rules/new', operator, tryIt)).status).toBe(404)
  const { ruleId } = await storeRule(web.api.store)
  const seen = await act(`/alerts/rules/${ruleId}`, reader, tryIt)
  expect([seen.status, await seen.text()]).toEqual([404, expect.not.stringContaining('granted1')])
  await web.api.services.users.defineRole('night', ['alertrule.viewany', 'alertrule.create'])
  const answer = await act('/alerts/rules/new', operator, tryIt)
  const text = await answer.text()
  expect(text).toContain('1 device, 1 row')
  expect(text).not.toContain('foreign1')
  const all = await act('/alerts/rules/new', admin, { do: 'try', builder })
  expect(await all.text()).toContain('2 devices, 2 rows')
  const saved = await act('/alerts/rules/new', operator, { do: 'save', builder, name: 'mine', severity: 'ok' })
  expect(saved.status).toBe(404)
  await web.api.services.users.defineRole('night', ['alert.viewany', 'alert.update', 'alertrule.viewany'])
})

test('a template is deleted, unless a rule uses it', async () => {
  const { ruleId } = await storeRule(web.api.store)
  const { alertTemplates } = web.api.services
  const { id } = await alertTemplates.add(SYSTEM, {
    ...{ name: 'for-one-rule', template: 'x', title: null, title_rec: null, ruleIds: [ruleId] },
  })
  const form = { do: 'delete', id: String(id) }
  const refused = await act('/alerts/templates', admin, form)
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain('1 rule uses the template for-one-rule')
  await alertTemplates.replace(SYSTEM, id, {
    ...{ name: 'for-one-rule', template: 'x', title: null, title_rec: null, ruleIds: [] },
  })
  expect((await act('/alerts/templates', reader, form)).status).toBe(404)
  expect((await act('/alerts/templates', admin, form)).status).toBe(303)
  expect(await alertTemplates.find(id)).toEqual([])
  expect((await act('/alerts/templates', admin, form)).status).toBe(404)
})

test('the history of an alert says who acknowledged it with which note, also after it has ended', async () => {
  const { sql } = web.api.store
  const { ruleId, name } = await storeRule(web.api.store)
  const id = await raiseAlert(web.api.store, { deviceId: ids.mine, ruleId, faults: [{ hostname: 'granted1' }] })
  await act(`/alerts/${id}`, admin, { do: 'acknowledge', note: 'on <my> way' })
  await act(`/alerts/${id}`, operator, { do: 'unmute', note: 'not mine' })
  const shown = `acknowledged by ${admin.username}`
  for (const path of [`/alerts/${id}`, '/alerts/history']) {
    const { text } = await open(path, admin)
    expect(text).toContain(shown)
    expect(text).toContain('on &lt;my&gt; way')
    expect(text).toContain(`made active again by ${operator.username}`)
  }
  // what matched is still there, and the log of alerts has both
  expect((await open(`/alerts/${id}`, admin)).text).toContain('<dt>Host name or address</dt>')
  expect((await open('/alerts', admin)).text).toContain(name)
  const log = (await open('/logs/alert', admin)).text
  expect(log).toContain(`· by ${admin.username}`)
  expect(log).toContain(`${name}: on &lt;my&gt; way`)
  await sql`update alerts set state = 0, note = '' where id = ${id}`
  expect((await open(`/alerts/${id}`, admin)).text).toContain(shown)
})
