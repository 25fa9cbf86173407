import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { type TestWeb, testWeb } from './support.ts'

// RFC 2863: ifOperStatus unknown(4) says that the agent does not know; null that it did not report any.

let web: TestWeb
let cookie = ''
beforeAll(async () => {
  web = await testWeb()
  cookie = (await web.signedIn(['admin'])).cookie
  const { sql } = web.api.store
  await sql`insert into devices (device_id, hostname, status, last_polled) values (7, 'router', 1, now())`
  await sql`insert into ports (port_id, device_id, "ifIndex", "ifName", "ifAdminStatus", "ifOperStatus", "ifOperStatus_prev") values
    (1, 7, 1, 'line1', 'up', null, 'up'), (2, 7, 2, 'line2', 'up', 'unknown', 'up'), (3, 7, 3, 'line3', 'up', 'lowerLayerDown', 'up'),
    (4, 7, 4, 'line4', 'up', 'up', null)`
}, 180_000)
afterAll(() => web.drop())

const open = async (path: string) => await (await web.send(path, { cookie })).text()
const rowOf = (page: string, id: number) =>
  new RegExp(`<(tr|li) data-live="port:${id}">.*?</\\1>`, 's').exec(page)?.[0] ?? ''

test('a port of which no state is known is unknown in every list, and not down', async () => {
  for (const path of ['/ports', '/device/7/ports']) {
    const page = await open(path)
    for (const id of [1, 2]) {
      expect(rowOf(page, id)).toContain('Unknown')
      expect(rowOf(page, id)).not.toMatch(/Down|bad/)
    }
    expect(rowOf(page, 3)).toContain('bad')
    expect(rowOf(page, 4)).toContain('Up')
  }
  const [unknown, down] = [await open('/ports?state=unknown'), await open('/ports?state=down')]
  expect([1, 2, 3, 4].filter((id) => rowOf(unknown, id) !== '')).toEqual([1, 2])
  expect([1, 2, 3, 4].filter((id) => rowOf(down, id) !== '')).toEqual([3])
  const tab = await open('/device/7/ports?only=down')
  expect([1, 2, 3, 4].filter((id) => rowOf(tab, id) !== '')).toEqual([3])
})

test('a link over such a port is not drawn as down', async () => {
  const { store, services } = web.api
  await store.sql`insert into devices (device_id, hostname, status, last_polled) values (8, 'switch', 1, now())`
  await store.sql`
    insert into links (local_device_id, local_port_id, remote_device_id, remote_hostname, remote_port, remote_version, protocol)
    select 7, port_id, 8, 'switch', "ifName", '', 'lldp' from ports where device_id = 7`
  const { links } = await services.network.map(SYSTEM)
  expect(links.map(({ port_id, down }) => [port_id, down])).toEqual([
    [1, false],
    [2, false],
    [3, true],
    [4, false],
  ])
})

test('search and the counts of the overview agree', async () => {
  const { services } = web.api
  expect(await services.fleet.counts(SYSTEM)).toMatchObject({
    ports: 4,
    ports_up: 1,
    ports_unknown: 2,
    ports_lost: 1,
    ports_idle: 0,
  })
  const page = await open('/search?q=line')
  const places = ['1', '2', '3', '4'].map((id) => page.indexOf(`href="/port/${id}"`))
  expect(places).not.toContain(-1)
  expect(page.match(/m-bad/g)).toHaveLength(1)
})
