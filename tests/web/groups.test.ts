import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { makeDevice } from '../support/samples.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

let web: TestWeb
let admin: Person
let reader: Person
let deviceId: number
beforeAll(async () => {
  web = await testWeb()
  admin = await web.signedIn(['admin'])
  reader = await web.signedIn(['global-read'])
  deviceId = (await makeDevice(web.api.store, 1)).deviceId
})
afterAll(() => web.drop())

const open = async (path: string, person: Person) => await (await web.send(path, { cookie: person.cookie })).text()
const act = (path: string, person: Person, form: Readonly<Record<string, string>>) =>
  web.post(path, { csrf: person.csrf, ...form }, { cookie: person.cookie })

test('a dynamic group is created with a rule, which is shown in words, and deleted', async () => {
  await web.api.store.sql`update devices set os = 'ios' where device_id = ${deviceId}`
  const builder = '{"condition":"AND","rules":[{"field":"devices.os","operator":"equal","value":"ios"}]}'
  const made = await act('/groups/new', admin, { do: 'add', name: 'Switches', type: 'dynamic', builder })
  const path = made.headers.get('location') ?? ''
  expect(path).toMatch(/^\/groups\/\d+$/)
  const page = await open(path, reader)
  expect(page).toContain('device: operating system is “ios”')
  expect(page).toContain(`href="/device/${deviceId}"`)
  expect((await act(path, reader, { do: 'delete' })).status).toBe(404)
  const emptied = await act(path, admin, { do: 'save', name: 'Switches', type: 'static', devices: '' })
  expect(await emptied.text()).toContain('No devices that you have access to')
  expect((await act(path, admin, { do: 'delete' })).headers.get('location')).toBe('/groups')
})

test('devices are found by part of a name and ticked; what was ticked and typed before stays', async () => {
  const { sql } = web.api.store
  await sql`insert into devices (hostname, display) values ('pick-a', ''), ('pick-b', 'Pick <b>'), ('other-c', '')`
  const idOf = async (hostname: string) =>
    (await sql<{ id: number }[]>`select device_id as id from devices where hostname = ${hostname}`)[0]?.id ?? 0
  const [a, b, c] = [await idOf('pick-a'), await idOf('pick-b'), await idOf('other-c')]
  const form = { name: 'Picked', type: 'static', devices: 'other-c', [`device-${a}`]: '1', find: 'PICK-' }
  const shown = await (await act('/groups/new', admin, { do: 'find', ...form })).text()
  expect(shown).toContain('Not saved yet')
  const boxes = [...shown.matchAll(/<input type="checkbox" name="device-(\d+)" value="1"( checked)?/g)]
  expect(boxes.map(([, id, on]) => [Number(id), on !== undefined])).toEqual([
    [a, true],
    [b, false],
  ])
  expect(shown).toContain('>other-c</textarea>')
  expect((await act('/groups/new', reader, { do: 'find', ...form })).status).toBe(404)
  const made = await act('/groups/new', admin, { do: 'add', ...form, [`device-${b}`]: '1', [`device-${c}`]: '1' })
  const path = made.headers.get('location') ?? ''
  const members = async () =>
    (
      await sql<{ id: number }[]>`
      select device_id as id from device_group_device where device_group_id = ${path.split('/').at(-1) ?? ''}::int order by 1`
    ).map(({ id }) => id)
  expect(await members()).toEqual([a, b, c])
  await act(path, admin, { do: 'save', name: 'Picked', type: 'static', devices: 'pick-a', [`device-${c}`]: '1' })
  expect(await members()).toEqual([a, c])
  await act(path, admin, { do: 'delete' })
})

test('an unknown device and a name in use are reported on the form', async () => {
  const made = await act('/groups/new', admin, { do: 'add', name: 'Taken', type: 'static', devices: String(deviceId) })
  expect(made.status).toBe(303)
  for (const more of [{ name: 'Taken' }, { name: 'Other', devices: 'nowhere' }]) {
    expect((await act('/groups/new', admin, { do: 'add', type: 'static', devices: '', ...more })).status).toBe(422)
  }
})

test('a rule is tested without being stored, and its error is shown', async () => {
  const rule = (operator: string) =>
    `{"condition":"AND","rules":[{"field":"devices.os","operator":"${operator}","value":"ios"}]}`
  const tried = async (operator: string) =>
    await (await act('/groups/new', admin, { do: 'try', name: 'T', type: 'dynamic', builder: rule(operator) })).text()
  expect(await tried('equal')).toContain('1 device, 1 row')
  expect(await tried('nonsense')).toContain('Unknown operator nonsense')
  expect(await open('/groups', admin)).not.toContain('>T<')
})

test('a port group is created, renamed and deleted, only with the permission and within grants', async () => {
  const { portIds } = await makeDevice(web.api.store, 2)
  const [first = 0, second = 0] = portIds
  const made = await act('/groups/ports/new', admin, {
    do: 'add',
    name: 'Transit',
    desc: 'paid',
    [`port-${first}`]: 'on',
  })
  const path = made.headers.get('location') ?? ''
  expect(path).toMatch(/^\/groups\/ports\/\d+$/)
  expect(await open(path, reader)).toContain(`href="/port/${first}"`)
  const saved = await act(path, admin, { do: 'save', name: 'Peering', desc: '', [`port-${second}`]: 'on' })
  const text = await saved.text()
  expect(text).toContain('<h1 dir="auto">Peering</h1>')
  expect(text).toContain(`href="/port/${second}"`)
  expect(text).not.toContain(`href="/port/${first}"`)
  const taken = await act('/groups/ports/new', admin, { do: 'add', name: 'peering' })
  expect(taken.status).toBe(422)
  for (const act1 of ['save', 'delete']) expect((await act(path, reader, { do: act1, name: 'Mine' })).status).toBe(404)

  // may change groups, but only with granted devices
  await web.api.services.users.defineRole('grouper', ['portgroup.update', 'portgroup.delete', 'portgroup.viewany'])
  const grouper = await web.signedIn(['user'])
  await web.api.services.users.setRoles(grouper.username, ['user', 'grouper'])
  await web.api.services.users.grant(grouper.username, { portIds: [second] })
  await web.api.services.portGroups.assign(SYSTEM, path.split('/').at(-1) ?? '', [first])
  expect((await act(path, grouper, { do: 'delete' })).status).toBe(422)
  expect((await act(path, admin, { do: 'delete' })).headers.get('location')).toBe('/groups')
  expect((await web.send(path, { cookie: admin.cookie })).status).toBe(404)
})

test('all groups are listed, however many there are, with the number of their members', async () => {
  const { sql } = web.api.store
  await sql`with made as (insert into device_groups (name, "desc", type) select 'listed' || n, '', 'static' from generate_series(1, 600) n returning id)
    insert into device_group_device (device_group_id, device_id) select id, ${deviceId} from made`
  await sql`with made as (insert into port_groups (name, "desc") select 'ports' || n, '' from generate_series(1, 600) n returning id)
    insert into port_group_port (port_group_id, port_id) select made.id, p.port_id from made, ports p where p.device_id = ${deviceId}`
  const [ports] = await sql<
    { n: number }[]
  >`select count(*)::int as n from ports where device_id = ${deviceId} and deleted = 0`
  const text = await open('/groups', admin)
  for (const [name, members] of [
    ['listed600', 1],
    ['ports600', ports?.n ?? 0],
  ] as const) {
    const row = text.slice(text.indexOf(`>${name}<`)).split('</tr>')[0] ?? ''
    expect([name, new RegExp(`>${members}<`).test(row)]).toEqual([name, true])
  }
  await sql`delete from device_groups where name like 'listed%'`
  await sql`delete from port_groups where name like 'ports%'`
})

test('a form with more than its page accepts says so, and changes nothing', async () => {
  const { sql } = web.api.store
  const groups = async () => await sql`select id, name from device_groups order by id`
  const before = await groups()
  const boxes = Object.fromEntries(Array.from({ length: 70_000 }, (_, i) => [`device-${i}`, '1']))
  for (const more of [{ devices: 'x'.repeat(1_100_000) }, boxes]) {
    const answer = await act('/groups/new', admin, { do: 'add', name: 'Large', type: 'static', ...more })
    expect(answer.status).toBe(413)
    expect(await answer.text()).toContain('This form is too large')
  }
  expect(await groups()).toEqual(before)
})

test('poller groups are added, changed and deleted; their devices then move to the general one', async () => {
  const path = '/pollers/groups'
  expect((await act(path, admin, { do: 'add', name: 'Berlin', descr: 'north' })).status).toBe(303)
  expect((await act(path, admin, { do: 'add', name: 'berlin' })).status).toBe(422)
  const group = await web.api.services.pollers.group(SYSTEM, 'Berlin')
  await web.api.store.sql`update devices set poller_group = ${group.id} where device_id = ${deviceId}`
  expect(await open(path, reader)).toContain('Berlin')
  expect(await open(path, reader)).not.toContain('do" value="delete"')
  const id = String(group.id)
  expect((await act(path, reader, { do: 'delete', id })).status).toBe(404)
  expect((await act(path, admin, { do: 'save', id, name: 'Hamburg', descr: '' })).status).toBe(303)
  expect(await open(`${path}?id=${id}`, admin)).toContain('Change Hamburg')
  expect((await act(path, admin, { do: 'delete', id })).status).toBe(303)
  const [row] = await web.api.store.sql`select poller_group from devices where device_id = ${deviceId}`
  expect(row).toEqual({ poller_group: 0 })
  expect((await act(path, admin, { do: 'delete', id })).status).toBe(404)
})

test('the overview says when nothing has been polled for a long time', async () => {
  const { sql } = web.api.store
  await sql`update devices set status = 1, last_polled = now() where device_id = ${deviceId}`
  expect(await open('/', admin)).not.toContain('No device has been polled')
  // with its own database, so that nothing is cached from other requests
  const other = await testWeb()
  try {
    const person = await other.signedIn(['admin'])
    const { deviceId: own } = await makeDevice(other.api.store, 1)
    await other.api.store
      .sql`update devices set status = 1, last_polled = now() - interval '1 day', last_polled_timetaken = 1 where device_id = ${own}`
    const page = await (await other.send('/', { cookie: person.cookie })).text()
    expect(page).toContain('No device has been polled')
    expect(page).toContain('1 of 1')
  } finally {
    await other.drop()
  }
})
