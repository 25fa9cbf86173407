import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ruleExtra } from '../../src/core/alerts/rules/extra.ts'
import type { Actor } from '../../src/core/base/actor.ts'
import { mint } from '../support/api.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

// The audit says who changed what, from which value to which.

let web: TestWeb
let boss: Person
let actor: Actor
beforeAll(async () => {
  web = await testWeb()
  boss = await web.signedIn(['admin'])
  const session = await web.api.services.sessions.find(boss.cookie.split('=')[1] ?? '', '')
  if (session === null) throw new Error('not signed in')
  actor = session.actor
})
afterAll(() => web.drop())

/** Audit messages about the subject, latest first; all must be by the signed-in user. */
async function said(subject: string): Promise<readonly string[]> {
  const rows = (await web.api.services.admin.changes(actor, null)).filter((row) => row.subject === subject)
  expect(new Set(rows.map(({ username }) => username))).toEqual(new Set([boss.username]))
  return rows.map(({ message }) => message)
}

test('roles of users and permissions of roles', async () => {
  const { admin, users } = web.api.services
  const { username } = await web.person(['user'])
  await admin.setRoles(actor, username, ['global-read'])
  expect(await said(username)).toEqual([`User ${username}: roles changed from user to global-read`])
  await admin.defineRole(actor, 'night', ['device.update'])
  await admin.defineRole(actor, 'night', ['device.viewany'])
  expect(await said('night')).toEqual([
    'Role night may now device.viewany, before device.update',
    'Role night may now device.update',
  ])
  expect((await users.roles()).some(({ name }) => name === 'night')).toBe(true)
})

test('alert rules', async () => {
  const { alertRules } = web.api.services
  const name = `rule ${mint()}`
  const builder = (os: string) =>
    JSON.stringify({
      condition: 'AND',
      rules: [{ id: 'devices.os', field: 'devices.os', type: 'string', input: 'text', operator: 'equal', value: os }],
      valid: true,
    })
  const wanted = {
    name,
    severity: 'warning',
    builder: builder('linux'),
    ownQuery: null,
    extra: ruleExtra('{"delay":300}'),
    disabled: false,
    proc: null,
    notes: null,
    invertMap: false,
    notify: { kind: 'keep' },
    stepDurationS: null,
    devices: [],
    groups: [],
    locations: [],
  } as const
  const id = await alertRules.add(actor, wanted)
  const changed = {
    ...wanted,
    severity: 'critical',
    builder: builder('junos'),
    extra: ruleExtra('{"delay":60}'),
  } as const
  await alertRules.replace(actor, id, changed)
  await alertRules.replace(actor, id, changed)
  await alertRules.delete(actor, id)
  const [deleted, replaced, added, ...more] = await said(name)
  expect(more).toEqual([])
  expect(added).toBe(`Alert rule ${name} added: device: operating system is “linux”`)
  for (const part of [
    'severity: warning → critical',
    'rule: device: operating system is “linux” → device: operating system is “junos”',
    'delay: 300 → 60',
  ])
    expect(replaced).toContain(part)
  expect(replaced).not.toContain('name:')
  expect(deleted).toBe(`Alert rule ${name} deleted: device: operating system is “junos”`)
})

test('transports, without their secrets', async () => {
  const { transportAdmin } = web.api.services
  const name = `chat ${mint()}`
  const settings = { url: 'https://hooks.example.net/first-secret' }
  const id = await transportAdmin.add(actor, { kind: 'slack', name, isDefault: false, settings, rules: [] })
  const given = {
    settings: { url: 'https://hooks.example.net/second-secret' },
    cleared: new Set<string>(),
    isDefault: true,
  }
  await transportAdmin.change(actor, id, given)
  await transportAdmin.remove(actor, id)
  expect(await said(name)).toEqual([
    `Transport ${name} deleted`,
    `Transport ${name}: url: a new value (not recorded); default: false → true`,
    `Transport ${name} added, kind slack`,
  ])
})

test('templates', async () => {
  const { alertTemplates } = web.api.services
  const name = `words ${mint()}`
  const wanted = { name, template: 'one', title: null, title_rec: null, ruleIds: [] }
  const { id } = await alertTemplates.add(actor, wanted)
  await alertTemplates.replace(actor, id, { ...wanted, template: 'two' })
  await alertTemplates.delete(actor, id)
  expect(await said(name)).toEqual([
    `Alert template ${name} deleted`,
    `Alert template ${name}: template: one → two`,
    `Alert template ${name} added`,
  ])
})

test('fields, name, interval and modules of devices, also in the event log of the device', async () => {
  const { devices, overrides } = web.api.services
  const hostname = `audited${mint()}.example.net`
  const [row] = await web.api.store.sql<{ device_id: number }[]>`
    insert into devices (hostname, display, notes, community) values (${hostname}, ${hostname}, 'old', 'first-secret')
    returning device_id`
  const id = row?.device_id ?? 0
  await devices.update(actor, hostname, [
    ['notes', 'new'],
    ['community', 'second-secret'],
    ['port', 1161],
  ])
  await overrides.setInterval(actor, hostname, 60)
  await overrides.setModules(actor, hostname, [{ module: 'arp', phase: 'poll', on: false }])
  await devices.rename(actor, hostname, `x${hostname}`)
  expect(await said(String(id))).toEqual([
    `Device ${hostname}: hostname: ${hostname} → x${hostname}`,
    `Device ${hostname}: poll_arp: as the settings say → off`,
    `Device ${hostname}: poll_interval: empty → 60`,
    `Device ${hostname}: community: a new value (not recorded); port: 161 → 1161; notes: old → new`,
  ])
  const log = await web.api.store.sql`select message from eventlog where device_id = ${id} and type = 'device-edit'`
  expect(log).toHaveLength(4)
})

test('scope and expiry of tokens', async () => {
  const { id } = await web.api.services.tokens.create({ username: boss.username, description: 'a', dialect: null })
  await web.post(
    '/api-access',
    { csrf: boss.csrf, do: 'change', id: String(id), scope: 'read' },
    { cookie: boss.cookie },
  )
  expect(await said('API tokens')).toContain(`API token ${id} of ${boss.username}: scope: write → read`)
})

test('what a service check found is no change that somebody made', async () => {
  const name = `audited ${mint()}`
  const added = await web.api.call('POST', '/api/v0/devices', {
    body: { hostname: `h${mint()}.example.net`, force_add: true, snmp_disable: true },
  })
  const { devices } = added.json as { devices: { device_id: number }[] }
  const id = devices[0]?.device_id ?? 0
  await web.api.call('POST', `/api/v0/services/${id}`, { body: { type: 'http', name, ip: '192.0.2.1' } })
  await web.api.store.sql`insert into eventlog (device_id, datetime, message, type, severity, username)
    values (${id}, now(), ${`Service ${name} changed from ok to critical`}, 'service', 5, '')`
  const rows = (await web.api.services.admin.changes(actor, null)).filter((row) => row.kind === 'service')
  expect(rows.map(({ message }) => message)).toEqual([expect.stringContaining('added')])
})

test('the page shows all changes, and no secrets', async () => {
  const page = await (await web.send('/settings/audit', { cookie: boss.cookie })).text()
  for (const text of [
    'critical (was warning)',
    'Notes: new (was old)',
    'a new value (not recorded)',
    'Scope: read (was write)',
  ])
    expect(page).toContain(text)
  for (const secret of ['first-secret', 'second-secret']) expect(page).not.toContain(secret)
  const events = await web.api.store.sql`select count(*)::int as n from eventlog where message like '%-secret%'`
  expect(events).toMatchObject([{ n: 0 }])
})
