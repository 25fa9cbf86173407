import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { type DemoAgent, openDemoAgent } from '../../src/demo/serve.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

let web: TestWeb
/** What all of the devices are. */
let agent: DemoAgent
let admin: Person
let reader: Person
let operator: Person
/** The operator was granted the first one. */
const ids: number[] = []
beforeAll(async () => {
  web = await testWeb({ icmp_check: 'false', 'poller.workers': '1', 'poller.interval': '5' })
  agent = await openDemoAgent('web-1')
  const rows = await web.api.store.sql<{ device_id: number }[]>`
    insert into devices (hostname, status, last_polled, last_discovered, overwrite_ip, port, community, snmpver, timeout, retries)
    select 'bulk' || n, 1, now(), now(), ${agent.address}, ${agent.port}, ${agent.community}, 'v2c', 5, 1
    from generate_series(1, 3) n returning device_id`
  ids.push(...rows.map(({ device_id }) => device_id))
  admin = await web.signedIn(['admin'])
  reader = await web.signedIn(['global-read'])
  await web.api.services.users.defineRole('hands', ['device.update', 'device.delete', 'devicegroup.update'])
  operator = await web.signedIn(['user'])
  await web.api.services.users.setRoles(operator.username, ['user', 'hands'])
  await web.api.services.users.grant(operator.username, { deviceIds: [ids[0] ?? 0] })
})
afterAll(async () => {
  await web?.drop()
  agent?.stop()
})

const open = async (path: string, person: Person) => await (await web.send(path, { cookie: person.cookie })).text()
const act = async (person: Person, form: Readonly<Record<string, string>>, chosen: readonly number[] = ids) => {
  const ticks = Object.fromEntries(chosen.map((id) => [`device-${id}`, 'on']))
  const answer = await web.post('/devices', { csrf: person.csrf, ...form, ...ticks }, { cookie: person.cookie })
  const text = await answer.text()
  return { status: answer.status, says: /<div class="note \w+" role="status">.*?<b>(.*?)<\/b>/s.exec(text)?.[1], text }
}
const due = async () => {
  const rows = await web.api.store.sql<{ device_id: number }[]>`
    select device_id from devices where last_discovered is null order by device_id`
  return rows.map(({ device_id }) => device_id)
}

test('a device can be polled from any of its tabs, with the permission', async () => {
  const poll = (person: Person, path: string) =>
    web.post(path, { csrf: person.csrf, do: 'poll' }, { cookie: person.cookie })
  const path = `/device/${ids[0]}/ports`
  for (const [person, status] of [
    [admin, 200],
    [operator, 200],
    [reader, 404],
  ] as const) {
    expect((await open(path, person)).includes('Poll now')).toBe(status === 200)
    expect((await poll(person, path)).status).toBe(status)
  }
  expect((await poll(operator, `/device/${ids[1]}`)).status).toBe(404)
})

test('a poll of a device whose owner does not answer is 503', async () => {
  const [id = 0] = ids
  web.api.network.elsewhere.add(id)
  const answer = await web.post(`/device/${id}`, { csrf: admin.csrf, do: 'poll' }, { cookie: admin.cookie })
  web.api.network.elsewhere.delete(id)
  expect(answer.status).toBe(503)
  const text = await answer.text()
  expect(text).toContain('the server did not finish within')
  expect(text).not.toContain('The database is unavailable')
})

describe('bulk actions', () => {
  test('need the permission, their own form, a selection and an action', async () => {
    expect(await open('/devices', reader)).not.toContain('name="device-')
    for (const name of ['discover', 'poll', 'maintenance', 'group', 'delete'])
      expect((await act(reader, { do: name, confirm: '3' })).status).toBe(404)
    expect((await act({ ...admin, csrf: 'stolen' }, { do: 'delete', confirm: '3' })).status).toBe(403)
    expect((await act(admin, { do: 'discover' }, [])).says).toContain('Select one or more devices')
    expect((await act(admin, { do: 'none' })).status).toBe(422)
    expect(await due()).toEqual([])
  })

  test('affect only granted devices, and say how many were skipped', async () => {
    const { says } = await act(operator, { do: 'discover' })
    expect(says).toBe('1 device is scheduled for discovery. 2 devices do not exist, or you have no access.')
    expect(await due()).toEqual(ids.slice(0, 1))
    expect((await act(admin, { do: 'discover' })).says).toStartWith('3 devices are scheduled for discovery')
    expect(await due()).toEqual(ids)
  })

  test('put devices under maintenance, each with its own window', async () => {
    const { maintenance } = web.api.services
    expect((await act(admin, { do: 'maintenance', duration: 'long' })).text).toContain('Invalid duration: long')
    expect(await maintenance.list()).toEqual([])
    expect((await act(operator, { do: 'maintenance', duration: '1:30', notes: 'cabling' })).says).toContain(
      '1 device is',
    )
    const [window] = await maintenance.list()
    expect(window).toMatchObject({ title: 'bulk1', notes: 'cabling', target: 'device bulk1' })
    expect(await maintenance.isUnder(ids[0] ?? 0)).toBe(true)
    expect(await maintenance.isUnder(ids[1] ?? 0)).toBe(false)
  })

  test('add devices to a static group, not to a dynamic one', async () => {
    const { deviceGroups } = web.api.services
    const group = await deviceGroups.create(SYSTEM, { name: 'Core', type: 'static', devices: [] })
    const rules = '{"condition":"AND","rules":[{"field":"devices.os","operator":"equal","value":"ios"}]}'
    await deviceGroups.create(SYSTEM, { name: 'By rule', type: 'dynamic', rules })
    expect((await act(admin, { do: 'group', group: 'By rule' })).says).toContain(
      'The members of By rule are determined by its rule',
    )
    expect((await act(admin, { do: 'group', group: 'Nowhere' })).says).toContain('There is no device group Nowhere')
    expect((await act(admin, { do: 'group', group: 'core' }, ids.slice(0, 2))).says).toBe(
      '2 devices are in group Core.',
    )
    const stored = await deviceGroups.find(SYSTEM, String(group.id))
    expect(stored === null ? [] : await deviceGroups.members(SYSTEM, stored)).toEqual(ids.slice(0, 2))
  })

  test('name the device that does not answer, and continue with the others', async () => {
    // nothing listens at the discard port
    await web.api.store.sql`update devices set port = 9, timeout = 0.2 where device_id = ${ids[1] ?? 0}`
    const { says, text } = await act(admin, { do: 'poll' })
    expect(says).toBe('2 devices were polled. Failed for 1 device:')
    expect(text).toContain('bulk2: it does not answer')
  })

  test('delete devices, only granted ones, once their number is confirmed', async () => {
    const left = async () => (await web.api.store.sql`select from devices`).length
    for (const confirm of ['', '2', 'three'])
      expect((await act(admin, { do: 'delete', confirm })).says).toContain('3 devices are selected')
    expect(await left()).toBe(3)
    expect((await act(operator, { do: 'delete', confirm: '3' })).says).toStartWith(
      '1 device was deleted. 2 devices do not',
    )
    expect(await left()).toBe(2)
    expect((await act(admin, { do: 'delete', confirm: '2' }, ids.slice(1))).says).toBe('2 devices were deleted.')
    expect(await left()).toBe(0)
  })
})

test('tiles show the devices by location, with the same filters', async () => {
  await web.api.store.sql`
    with l as (insert into locations (location) values ('Bern <b>'), ('Ulm') returning id, location)
    insert into devices (hostname, status, location_id) select 'at-' || left(location, 1) || n, n % 2, l.id
    from l, generate_series(1, 2) n`
  const page = await open('/devices?view=tiles', reader)
  expect(page).toContain('aria-label="Bern &lt;b&gt;"')
  expect([...page.matchAll(/class="tile (\w+)"/g)].map(([, state]) => state).toSorted()).toEqual([
    'down',
    'down',
    'up',
    'up',
  ])
  expect(page).not.toContain('<table')
  expect(await open('/devices?view=tiles&state=down&location=Ulm', reader)).not.toContain('at-U1')
})

test('a device by ping only shows its ping, and waits for no discovery', async () => {
  const [row] = await web.api.store.sql<{ device_id: number }[]>`
    insert into devices (hostname, status, snmp_disable, overwrite_ip) values ('ups.example.net', 1, 1, '127.0.0.1')
    returning device_id`
  const page = await open(`/device/${row?.device_id}`, admin)
  expect(page).toContain(`/graph/device/${row?.device_id}/device_icmp_perf`)
  expect(page).not.toContain('Discovery is in progress')
  expect(await open(`/device/${ids[0]}`, admin)).not.toContain('device_icmp_perf')
})
