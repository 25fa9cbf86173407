import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { addOthers, makeAlertScenario, RUNBOOK } from './alert-scenario.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

let web: TestWeb
let admin: Person
let reader: Person
let other: Person
let watcher: Person
let scene: Awaited<ReturnType<typeof makeAlertScenario>>

beforeAll(async () => {
  web = await testWeb()
  scene = await makeAlertScenario(web.api)
  admin = await web.signedIn(['admin'])
  reader = await web.signedIn(['global-read'])
  // may acknowledge, but sees no device
  await web.api.services.users.defineRole('night', ['alert.viewany', 'alert.update'])
  await web.api.services.users.defineRole('watch', ['alert.viewany'])
  watcher = await web.signedIn(['user'])
  await web.api.services.users.setRoles(watcher.username, ['watch'])
  await web.api.store.sql`insert into devices_perms (user_id, device_id) values (${watcher.userId}, ${scene.deviceId})`
  other = await web.signedIn(['user'])
  await web.api.services.users.setRoles(other.username, ['user', 'night'])
}, 120_000)
afterAll(() => web?.drop(), 60_000)

const open = async (path: string, person: Person) => {
  const answer = await web.send(path, { cookie: person.cookie })
  return { status: answer.status, text: await answer.text() }
}
const act = (path: string, person: Person, form: Readonly<Record<string, string>>) =>
  web.post(path, { csrf: person.csrf, ...form }, { cookie: person.cookie })
const faults = async () =>
  await web.api.store.sql<{ id: number; state: number; message: string }[]>`
    select id::int, state, message from faults where alert_id = ${scene.alertId} order by began_at, id`

describe('the page of an alert', () => {
  test('says what is wrong, in words and without internal columns', async () => {
    const { text } = await open(`/alerts/${scene.alertId}`, admin)
    for (const { name } of scene.ports) expect(text).toContain(`sw-3 ${name} is down`)
    expect(text).not.toMatch(/hc_mask|ifOperStatus =|ignore =|state_value|sensor_deleted/)
  })

  test('has the graph, what happened in the half hour before, neighbours, the runbook, and former faults', async () => {
    const { text } = await open(`/alerts/${scene.alertId}`, admin)
    expect(text).toContain(`/graph/port/${scene.ports[0]?.id}/port_bits`)
    expect(text).toContain('Configuration changed')
    expect(text).not.toContain('Long before')
    expect(text).toContain('does not answer')
    expect(text).toContain(`href="${RUNBOOK}"`)
    expect(text).toContain(`sw-3 ${scene.ports[0]?.name} was down`)
    expect(text).toContain('recovered after 10 min')
  })

  test('changes and former alerts are said in words', async () => {
    const { past, former } = await web.api.services.alertList.find(SYSTEM, scene.alertId)
    expect(former.map(({ what }) => what)).toEqual([expect.stringContaining(`sw-3 ${scene.ports[0]?.name} was down`)])
    expect(past.map(({ state, what }) => [state, what !== ''])).toEqual(past.map(({ state }) => [state, state !== 0]))
    for (const path of [`/alerts/${scene.alertId}`, '/alerts/history'])
      expect((await open(path, admin)).text).toMatch(/<span class="l2" dir="auto">sw-3 Gi1\/0\/\d+ is down/)
  })

  test('has the graph of a BGP session, a service check and a bill, for who may see them', async () => {
    const alerts = await addOthers(web.api, scene.deviceId, scene.ports[0]?.id ?? 0)
    const paths = [`device/${scene.deviceId}/device_bgp_prefixes?only=`, 'service/', 'bill/']
    for (const [i, { alert, id }] of alerts.entries()) {
      const src = `/graph/${paths[i]}${id}${['', '/first', '/bits'][i]}`
      expect((await open(`/alerts/${alert}`, admin)).text).toContain(src)
      expect((await web.send(src, { cookie: admin.cookie })).status).toBe(200)
      // roles that see alerts and no bills, sessions or services
      expect((await open(`/alerts/${alert}`, watcher)).text).not.toContain(src)
    }
    // who may see bills, and was granted the device alone
    await web.api.services.users.defineRole('accounts', ['Alert.viewAny', 'Device.viewAny', 'Bill.viewAny'])
    const clerk = await web.signedIn([])
    await web.api.services.users.setRoles(clerk.username, ['accounts'])
    await web.api.services.users.grant(clerk.username, { deviceIds: [scene.deviceId] })
    const { alert = 0, id = 0 } = alerts[2] ?? {}
    const without = await open(`/alerts/${alert}`, clerk)
    expect([without.status, /graph\/bill|Traffic of Transit/.test(without.text)]).toEqual([200, false])
    await web.api.services.users.grant(clerk.username, { billIds: [id] })
    expect((await open(`/alerts/${alert}`, clerk)).text).toContain('Traffic of Transit')
  })

  test('lists say the same', async () => {
    for (const path of ['/alerts', `/device/${scene.deviceId}/alerts`, '/'])
      expect((await open(path, admin)).text).toContain(`sw-3 ${scene.ports[0]?.name} is down`)
  })
})

describe('the faults of an alert', () => {
  test('are acknowledged one by one, assigned, muted and noted', async () => {
    const [, first, second] = await faults()
    const path = `/faults/${first?.id}`
    const answer = await act(`/alerts/${scene.alertId}`, admin, {
      ...{ do: 'faults', note: 'patching', until: '8h', [`fault-${first?.id}`]: '1' },
    })
    expect(answer.status).toBe(303)
    expect((await faults()).map(({ state }) => state)).toEqual([0, 2, 1])
    expect((await act(path, admin, { do: 'assign', user: String(admin.userId) })).status).toBe(303)
    expect((await act(path, admin, { do: 'mute', until: '1d' })).status).toBe(303)
    expect((await act(path, admin, { do: 'note', note: 'cable ordered' })).status).toBe(303)
    const { text } = await open(path, admin)
    for (const part of ['patching', 'cable ordered', `assigned to ${admin.username}`, 'muted', RUNBOOK])
      expect(text).toContain(part)
    expect((await open(`/alerts/${scene.alertId}`, admin)).text).toContain(`acknowledged by ${admin.username}, muted`)
    expect((await act(path, admin, { do: 'unacknowledge' })).status).toBe(303)
    expect((await act(path, admin, { do: 'unmute' })).status).toBe(303)
    expect((await faults()).map(({ state }) => state)).toEqual([0, 1, 1])
    expect((await act(`/faults/${second?.id}`, admin, { do: 'acknowledge', until: 'nonsense' })).status).toBe(422)
    expect((await act(`/alerts/${scene.alertId}`, admin, { do: 'faults' })).status).toBe(422)
  })

  test('one form acknowledges those ticked, or all, also those not listed, until a time', async () => {
    const path = `/alerts/${scene.alertId}`
    const { text } = await open(path, admin)
    const section = /<section class="card" id="act">.*?<\/section>/s.exec(text)?.[0] ?? ''
    expect([...text.matchAll(/<button[^>]*name="do" value="(\w+)"/g)].map(([, name]) => name)).toEqual([
      ...['acknowledge', 'faults', 'note'],
    ])
    expect([...section.matchAll(/value="(acknowledge|faults)"/g)]).toHaveLength(2)
    for (const { id, state } of await faults())
      expect(new RegExp(`form="acknowledge" name="fault-${id}"`).test(text)).toBe(state !== 0)
    const { sql } = web.api.store
    const ends = async () => [
      ...(await sql<{ state: number; until: string | null; hours: number | null }[]>`
        select state, acknowledged_until as until,
          round(extract(epoch from acknowledged_until_at - now()) / 3600)::int as hours
        from faults where alert_id = ${scene.alertId} and state <> 0 order by began_at, id`),
    ]
    expect((await act(path, admin, { do: 'acknowledge', until: 'nonsense' })).status).toBe(422)
    expect((await act(path, admin, { do: 'acknowledge', until: '8h' })).status).toBe(303)
    expect(await ends()).toEqual(Array(2).fill({ state: 2, until: 'time', hours: 8 }))
    const after = (await open(path, admin)).text
    expect([after.includes('value="unmute"'), after.includes('value="acknowledge"')]).toEqual([true, false])
    expect((await act(path, admin, { do: 'unmute' })).status).toBe(303)
    expect(await ends()).toEqual(Array(2).fill({ state: 1, until: null, hours: null }))
  })

  test('readers see no form and change nothing; who does not see the device sees no fault', async () => {
    const [, first] = await faults()
    const path = `/faults/${first?.id}`
    expect((await open(path, reader)).text).not.toContain('name="do"')
    for (const form of ['acknowledge', 'unacknowledge', 'assign', 'mute', 'unmute', 'note'])
      expect((await act(path, reader, { do: form, note: 'x' })).status).toBe(404)
    expect((await act(`/alerts/${scene.alertId}`, reader, { do: 'faults', [`fault-${first?.id}`]: '1' })).status).toBe(
      404,
    )
    expect((await open(path, other)).status).toBe(404)
    expect((await open(`/alerts/${scene.alertId}`, other)).status).toBe(404)
    expect((await act(path, other, { do: 'acknowledge' })).status).toBe(404)
    expect((await act(`/alerts/${scene.alertId}`, other, { do: 'faults', [`fault-${first?.id}`]: '1' })).status).toBe(
      404,
    )
    expect((await faults()).map(({ state }) => state)).toEqual([0, 1, 1])
  })
})

test('a rule takes a runbook that is a page, and keeps it when the API changes the rule without one', async () => {
  const path = `/alerts/rules/${scene.ruleId}`
  const { text } = await open(path, admin)
  expect(text).toContain(`value="${RUNBOOK}"`)
  const rule = await web.api.store.sql<{ builder: string; name: string }[]>`
    select builder, name from alert_rules where id = ${scene.ruleId}`
  const form = { builder: rule[0]?.builder ?? '', name: rule[0]?.name ?? '', severity: 'critical', delay: '0' }
  for (const runbook of [
    'javascript:alert(1)',
    'ftp://x',
    'wiki',
    'https://user:pass@wiki',
    `https://x/${'a'.repeat(500)}`,
  ]) {
    const answer = await act(path, admin, { do: 'save', ...form, runbook })
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('Runbook: enter the address')])
  }
  const stored = async () => {
    const [row] = await web.api.store.sql<
      { runbook: string | null }[]
    >`select runbook from alert_rules where id = ${scene.ruleId}`
    return row?.runbook
  }
  expect(await stored()).toBe(RUNBOOK)
  const body = { rule_id: scene.ruleId, devices: [-1], builder: form.builder, name: form.name, severity: 'critical' }
  const changed = await web.api.call('PUT', '/api/v0/rules', { body })
  expect([changed.status, await stored()]).toEqual([200, RUNBOOK])
  expect((await act(path, admin, { do: 'save', ...form, runbook: '' })).status).toBe(303)
  expect(await stored()).toBeNull()
})

test('the rule page says what would alert now', async () => {
  const { text } = await open(`/alerts/rules/${scene.ruleId}`, admin)
  expect(text).toContain('Would alert now')
  expect(text).toContain(`sw-3 ${scene.ports[0]?.name} is down`)
})

test('a port notes for how long it had its last state', async () => {
  const { sql } = web.api.store
  const [, port] = scene.ports
  const read = async () => {
    const [row] = await sql<{ lasted: number | null }[]>`
      select "ifOperStatus_lasted"::float8 as lasted from ports where port_id = ${port?.id ?? 0}`
    return row?.lasted ?? null
  }
  // the first change: the agent knows (9,000,000 s of uptime, last change at 5,457,600 s)
  expect(await read()).toBe(3_542_400)
  await sql`update ports set "ifOperStatus_since" = now() - interval '2 hours' where port_id = ${port?.id ?? 0}`
  await sql`update ports set "ifOperStatus" = 'up' where port_id = ${port?.id ?? 0}`
  expect(await read()).toBe(7200)
  await sql`update ports set "ifOperStatus" = null where port_id = ${port?.id ?? 0}`
  await sql`update ports set "ifOperStatus" = 'up' where port_id = ${port?.id ?? 0}`
  expect(await read()).toBeNull()
  await sql`update ports set "ifOperStatus_lasted" = 7200 where port_id = ${port?.id ?? 0}`
  // an unchanged state changes nothing, and an agent that does not know leaves it unknown
  await sql`update ports set "ifOperStatus" = 'up', "ifAlias" = 'x' where port_id = ${port?.id ?? 0}`
  expect(await read()).toBe(7200)
  await sql`update ports set "ifOperStatus_since" = null, "ifLastChange" = 0 where port_id = ${port?.id ?? 0}`
  await sql`update ports set "ifOperStatus" = 'down' where port_id = ${port?.id ?? 0}`
  expect(await read()).toBeNull()
})
