import { afterAll, beforeAll, expect, test } from 'bun:test'
import { verdict } from '../../src/web/pages/overview/page.tsx'
import { type Person, type TestWeb, testWeb } from './support.ts'

// core 1, with leaf 2 by a link, and leaf 3 by hand; 2 is unreachable because 1 is down

let web: TestWeb
let admin: Person
let guest: Person

beforeAll(async () => {
  web = await testWeb({ icmp_check: 'false', 'poller.workers': '1' })
  const { sql } = web.api.store
  await sql`
    insert into devices (device_id, hostname, status, status_reason, last_polled, last_discovered, snmp_disable) values
      (1, 'core-1', 0, 'snmp', now(), now(), 1), (2, 'leaf-2', 0, 'snmp', now(), now(), 1), (3, 'leaf-3', 1, '', now(), now(), 1)`
  await sql`
    insert into computed_parents (child_device_id, parent_device_id, via) values (2, 1, 'LLDP link Gi0/1'), (3, 1, 'LLDP link Gi0/2')`
  await sql`
    insert into device_relationships (child_device_id, parent_device_id, computed, via) values (2, 1, 1, 'LLDP link Gi0/1'),
      (3, 1, 0, '')`
  await sql`insert into device_unreachable (device_id, going_down, cause_device_id) values (2, extract(epoch from now())::bigint - 60, 1)`
  admin = await web.signedIn(['admin'])
  guest = await web.signedIn(['user'])
  await web.api.services.users.grant(guest.username, { deviceIds: [2] })
})
afterAll(async () => {
  await web?.drop()
})

const open = async (path: string, person = admin) => {
  const text = await (await web.send(path, { cookie: person.cookie })).text()
  return text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
}
const save = async (id: number, fields: Readonly<Record<string, string>>, person = admin) =>
  (await web.post(`/device/${id}/edit`, { csrf: person.csrf, do: 'parents', ...fields }, { cookie: person.cookie }))
    .status
const parents = async (id: number) => {
  const rows = await web.api.store.sql<{ parent: number; computed: number }[]>`
    select parent_device_id as parent, computed from device_relationships where child_device_id = ${id} order by 1`
  return rows.map(({ parent, computed }) => [parent, computed])
}

test('a device behind one that is down is shown as unreachable, with the cause', async () => {
  expect(await open('/devices')).toContain('Unreachable')
  const page = await open('/device/2')
  expect(page).toContain('because core-1 is down')
  expect(page).toContain('core-1 down computed from LLDP link Gi0/1')
  expect(await open('/device/1')).toContain('1 device is unreachable because this one is down')
  expect(await open('/device/3')).toContain('by hand')
})

test('a device that was not granted is not named', async () => {
  const page = await open('/device/2', guest)
  expect(page).toContain('because a device on the way to it is down')
  expect(page).not.toContain('core-1')
})

test('parents by hand, none, and the computed ones again', async () => {
  expect(await save(3, { source: 'none' })).toBeLessThan(400)
  expect(await parents(3)).toEqual([])
  expect(await open('/device/3')).toContain('none, by hand')
  expect(await save(3, { source: 'computed' })).toBeLessThan(400)
  expect(await parents(3)).toEqual([[1, 1]])
  expect(await open('/device/3/edit')).toContain('core-1: computed from LLDP link Gi0/2')
  expect(await save(3, { parents: 'leaf-2' })).toBeLessThan(400)
  expect(await parents(3)).toEqual([[2, 0]])
  expect(await save(2, { source: 'none' }, guest)).toBe(404)
})

test('the sentence of the overview', () => {
  expect(verdict({ down: 1, unreachable: 14 }, 1)).toBe('1 device is down, 14 unreachable, 1 alert needs attention')
  expect(verdict({ down: 0, unreachable: 2 }, 0)).toBe('2 devices are unreachable')
})
