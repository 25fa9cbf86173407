import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { writeSamples } from '../../src/core/series/write.ts'
import { batch, makeDevice, portSamples, portState } from '../support/samples.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

let web: TestWeb
let admin: Person
/** Two devices alike, of which one does not answer. */
const ids = { up: 0, down: 0 }
const ports: Record<keyof typeof ids, readonly number[]> = { up: [], down: [] }

beforeAll(async () => {
  web = await testWeb()
  admin = await web.signedIn(['admin'])
  const { store } = web.api
  const { sql } = store
  const now = Date.now() - 60_000
  for (const name of ['up', 'down'] as const) {
    const { deviceId, portIds } = await makeDevice(store, 2)
    ids[name] = deviceId
    ports[name] = portIds
    await writeSamples(
      store,
      batch({
        ports: portSamples(
          portIds.map((portId) => ({
            portId,
            time: now,
            periodMs: 60_000,
            deltas: { in_octets: 1e9, out_octets: 1e9, in_err: 600 },
          })),
        ),
        portState: [portState(deviceId, now, portIds, () => 0n)],
      }),
    )
    await sql`update devices set hostname = ${`box-${name}`}, status = ${name === 'up' ? 1 : 0}, status_reason = 'snmp',
      last_polled = to_timestamp(${now / 1000}), last_ping_timetaken = 3.5 where device_id = ${deviceId}`
    await sql`update ports set "ifName" = 'Gi' || "ifIndex", "ifOperStatus" = 'up', "ifAdminStatus" = 'up', "ifType" = 'ethernetCsmacd'
      where device_id = ${deviceId}`
    await sql`update sensors set sensor_descr = 'inlet', sensor_current = 99, sensor_limit = 50 where device_id = ${deviceId}`
    await sql`update processors set processor_usage = 77 where device_id = ${deviceId}`
  }
})
afterAll(() => web.drop())

const open = async (path: string) => await (await web.send(path, { cookie: admin.cookie })).text()
const rowOf = (page: string, key: string) =>
  new RegExp(`<(tr|li) data-live="${key}">.*?</\\1>`, 's').exec(page)?.[0] ?? ''

describe('of a device that does not answer', () => {
  test('values on its page are grey and dated, and no limit colours them', async () => {
    const [up, down] = [await open(`/device/${ids.up}/health`), await open(`/device/${ids.down}/health`)]
    expect(up).toContain('Beyond a limit')
    expect(up).not.toContain('last seen')
    expect(down).not.toContain('Beyond a limit')
    expect(down).toMatch(/<b class="old">99 °C<\/b>/)
    expect(down).toMatch(/last seen <time/)
    const summary = await open(`/device/${ids.down}`)
    expect(summary).toContain('The device does not answer.')
    expect(summary).toContain('Last seen')
  })

  test('ports are unknown and have no rates', async () => {
    const up = rowOf(await open(`/device/${ids.up}/ports`), `port:${ports.up[0]}`)
    const down = rowOf(await open(`/device/${ids.down}/ports`), `port:${ports.down[0]}`)
    expect(up).toContain('133 Mbit/s')
    expect(up).toContain('"Up"')
    expect(down).not.toContain('Mbit/s')
    expect(down).toContain('Unknown, was up')
    expect(await open(`/port/${ports.down[0]}`)).toContain('Unknown, was up')
    const fleet = rowOf(await open('/ports'), `port:${ports.down[0]}`)
    expect(fleet).toContain('Unknown')
    expect(fleet).not.toContain('Mbit/s')
    expect((await open('/ports?state=up')).includes(`/port/${ports.down[0]}"`)).toBe(false)
  })

  test('nothing is in a ranking or counted as good', async () => {
    const overview = await open('/')
    expect(overview).toContain(`href="/port/${ports.up[0]}"`)
    expect(overview).not.toContain(`href="/port/${ports.down[0]}"`)
    const health = await open('/health?level=over')
    expect(health).toContain(`/device/${ids.up}/health`)
    expect(health).not.toContain(`/device/${ids.down}/health`)
    expect(await open('/health?level=unknown')).toContain(`/device/${ids.down}/health`)
    const figures = await web.api.services.fleet.counts(SYSTEM)
    expect(figures).toMatchObject({ ports: 4, ports_up: 2, ports_unknown: 2, sensors_out: 1, sensors_unknown: 1 })
    const near = await web.api.services.fleet.nearLimit(SYSTEM, 10)
    expect(near.map(({ device_id }) => device_id)).toEqual([ids.up])
    const busy = await web.api.services.fleet.busyPorts(SYSTEM, 3600, 10)
    for (const list of [busy.talkers, busy.faulty])
      expect(new Set(list.map((p) => p.device_id))).toEqual(new Set([ids.up]))
  })

  test('the list of devices has no figures for it, and sorts it last by each of them', async () => {
    for (const sort of ['in', 'out', 'cpu', 'ping', 'ports'] as const) {
      for (const descending of [true, false]) {
        const page = await open(`/devices?sort=${descending ? '-' : ''}${sort}&cols=in,out,cpu,ping,ports`)
        const row = rowOf(page, `device:${ids.down}`)
        expect(row).not.toMatch(/77 %|3\.5 ms|Mbit/)
        expect(page.indexOf(`data-live="device:${ids.up}"`)).toBeLessThan(
          page.indexOf(`data-live="device:${ids.down}"`),
        )
      }
    }
  })
})

describe('maintenance', () => {
  test('of a device is shown on its page and in the list, until when, by every kind of target', async () => {
    const { services, store } = web.api
    const until = /Maintenance<\/span>\s*<span class="sub">\s*until <time datetime="([^"]+)"/
    expect(await open(`/device/${ids.up}`)).not.toMatch(until)
    const [place] = await store.sql<{ id: number }[]>`insert into locations (location) values ('Rack 7') returning id`
    await store.sql`update devices set location_id = ${place?.id ?? 0} where device_id = ${ids.up}`
    const request = { title: 'Firmware', behavior: 1, notes: '', start: null, duration: '2:00' }
    await services.maintenance.schedule(SYSTEM, { kind: 'location', id: place?.id ?? 0, name: 'Rack 7' }, request)
    const end = (await services.maintenance.list())[0]?.end.toISOString()
    for (const path of [`/device/${ids.up}`, `/device/${ids.up}/ports`, '/devices'])
      expect(until.exec(await open(path))?.[1]).toBe(end ?? '')
    expect(await open(`/device/${ids.down}`)).not.toMatch(until)
    // the window that ends last says until when
    const device = { kind: 'device', id: ids.up, name: 'box-up' } as const
    await services.maintenance.schedule(SYSTEM, device, { ...request, title: 'Longer', duration: '5:00' })
    expect(Date.parse(until.exec(await open(`/device/${ids.up}`))?.[1] ?? '')).toBeGreaterThan(Date.parse(end ?? ''))
    const many = { id: ids.down, name: 'box-down', kind: 'device' } as const
    await services.maintenance.schedule(SYSTEM, many, { ...request, start: '2020-01-01 00:00', duration: '1:00' })
    expect(await open(`/device/${ids.down}`)).not.toMatch(until)
  })
})

test('an event of a port names the port and leads to it, and says who caused an event', async () => {
  const { sql } = web.api.store
  await sql`insert into eventlog (device_id, message, type, reference, severity, username)
    values (${ids.up}, 'ifOperStatus: up -> down', 'interface', ${String(ports.up[1])}, 5, ''),
      (${ids.up}, 'changed', 'device-edit', null, 2, 'pat')`
  for (const path of ['/logs', `/device/${ids.up}/logs`, `/device/${ids.up}`]) {
    const page = await open(path)
    expect(page).toMatch(new RegExp(`<a href="/port/${ports.up[1]}">Gi\\d+</a>\\s*Link down`))
    expect(page).toMatch(/changed<span class="sub"> · by pat/)
  }
})
