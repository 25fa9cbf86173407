import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { credentialTrials, forcedCredentials } from '../../src/core/devices/credentials.ts'
import { displayName } from '../../src/core/devices/display.ts'
import { isHostname } from '../../src/core/devices/hostname.ts'
import { writeSamples } from '../../src/core/series/write.ts'
import { mint, type TestApi, testApi } from '../support/api.ts'
import { batch, portSamples } from '../support/samples.ts'
import { seed } from './fixtures.ts'
import { member } from './tables/row.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi()
})
afterAll(() => api.drop())

describe('list_devices', () => {
  let lists: TestApi
  beforeAll(async () => {
    lists = await testApi()
    await lists.store.sql`insert into locations (location, lat, lng) values ('Berlin, Room 1', 52.5, 13.4)`
    await lists.store.sql`
      insert into devices (hostname, "sysName", os, type, hardware, serial, status, ignore, disabled, location_id, last_polled) values
        ('alpha', 'A', 'ios', 'network', 'C2960', null, 1, 0, 0, 1, now()),
        ('Bravo', 'b', 'IOS', 'network', 'c3750', 'X1', 0, 0, 0, null, null),
        ('charlie', 'C', 'linux', 'server', null, 'x2', 0, 1, 0, null, null),
        ('delta', 'd', 'linux', 'server', null, null, 0, 1, 1, null, null)`
    await lists.store.sql`insert into device_relationships (parent_device_id, child_device_id) values (1, 4), (2, 4)`
    await lists.store
      .sql`insert into ports (device_id, "ifIndex", "ifName", ignore) values (1, 7, 'Gi0/7', 0), (2, 8, 'Gi0/8', 1)`
    await lists.store.sql`insert into ipv4_addresses (ipv4_address, ipv4_prefixlen, port_id) values
      ('192.0.2.1', 24, 1), ('192.0.2.1', 24, 2)`
    await lists.store.sql`insert into ipv4_mac (device_id, port_id, mac_address, ipv4_address) values
      (1, 1, '001122334455', '192.0.2.9'), (2, 2, '001122334455', '192.0.2.9')`
    await lists.store.sql`insert into ipv6_addresses
      (ipv6_address, ipv6_compressed, ipv6_prefixlen, ipv6_origin, port_id)
      values ('2001:0db8:0000:0000:0000:0000:0000:0007', '2001:db8::7', 64, 'manual', 2)`
  })
  afterAll(() => lists.drop())

  const names = async (query: string) => {
    const devices = member(await lists.call('GET', `/api/v0/devices${query}`), 'devices')
    return (devices as { hostname: string }[]).map((d) => d.hostname)
  }

  test.each([
    ['', ['alpha', 'Bravo', 'charlie', 'delta']],
    ['?type=all', ['alpha', 'Bravo', 'charlie', 'delta']],
    ['?type=nonsense&query=x', ['alpha', 'Bravo', 'charlie', 'delta']],
    ['?type=active', ['alpha', 'Bravo']],
    ['?type=ignored', ['charlie']],
    ['?type=up', ['alpha']],
    ['?type=down', ['Bravo']],
    ['?type=disabled', ['delta']],
    ['?type=os&query=ios', ['alpha', 'Bravo']],
    ['?type=os&query=io', []],
    ['?type=sysName&query=B', ['Bravo']],
    ['?type=type&query=server', ['charlie', 'delta']],
    ['?type=device_id&query=3', ['charlie']],
    ['?type=device_id&query=three', []],
    ['?type=device_id&query=99999999999999', []],
    ['?type=location_id&query=1', ['alpha']],
    ['?type=location&query=room%201', ['alpha']],
    ['?type=hostname&query=RAV', ['Bravo']],
    ['?type=hardware&query=c', ['alpha', 'Bravo']],
    ['?type=serial&query=x', ['Bravo', 'charlie']],
    ['?type=mac&query=001122334455', ['alpha', 'Bravo']],
    ['?type=mac&query=00:11:22:33:44:55', ['alpha', 'Bravo']],
    ['?type=mac&query=001122334456', []],
    ['?type=ipv4&query=192.0.2.1', ['alpha', 'Bravo']],
    ['?type=ipv4&query=192.0.2.2', []],
    ['?type=ipv6&query=2001:DB8::7', ['Bravo']],
    ['?type=ipv6&query=2001:0db8:0000:0000:0000:0000:0000:0007', ['Bravo']],
    ['?order=hostname%20DESC', ['delta', 'charlie', 'Bravo', 'alpha']],
    ['?order=hostname%20sideways', ['alpha', 'Bravo', 'charlie', 'delta']],
    ['?order=serial', ['alpha', 'delta', 'Bravo', 'charlie']],
    ['?order=serial%20desc', ['charlie', 'Bravo', 'delta', 'alpha']],
    ['?order=device_id%20DESC&type=active', ['Bravo', 'alpha']],
    ['?order=last_polled%20desc', ['alpha', 'delta', 'charlie', 'Bravo']],
  ])('%s', async (query, want) => {
    expect(await names(query)).toEqual(want)
  })

  test('a record has its location and the devices it depends on', async () => {
    const devices = member(await lists.call('GET', '/api/v0/devices?type=device_id&query=4'), 'devices')
    expect(devices).toMatchObject([{ dependency_parent_id: '1,2', dependency_parent_hostname: 'alpha,Bravo' }])
    const [alpha] = member(await lists.call('GET', '/api/v0/devices?type=up'), 'devices') as Record<string, unknown>[]
    expect(alpha).toMatchObject({ location: 'Berlin, Room 1', lat: '52.50000000', lng: '13.40000000', ip: '' })
    expect(alpha?.['last_polled']).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  })

  test('a page is part of the list, with the requested members', async () => {
    const whole = member(await lists.call('GET', '/api/v0/devices?order=serial'), 'devices') as Record<
      string,
      unknown
    >[]
    const columns = ['hostname', 'serial', 'dependency_parent_id', 'location', 'lat']
    for (const [limit, offset] of [
      [1, 0],
      [2, 1],
      [3, 3],
      [10, 4],
      [0, 0],
    ] as const) {
      const query = `order=serial&limit=${limit}&offset=${offset}`
      const rows = whole.slice(offset, offset + limit)
      const all = await lists.call('GET', `/api/v0/devices?${query}`)
      expect(all.json).toEqual({ status: 'ok', devices: rows, count: rows.length, total: whole.length })
      const part = await lists.call('GET', `/api/v0/devices?${query}&columns=${columns.join(', ')}`)
      const parts = rows.map((row) => Object.fromEntries(columns.map((name) => [name, row[name]])))
      expect(member(part, 'devices')).toEqual(parts)
    }
    const active = await lists.call('GET', '/api/v0/devices?type=active&columns=device_id&limit=1&offset=1')
    expect(active.json).toEqual({ status: 'ok', devices: [{ device_id: 2 }], count: 1, total: 2 })
    const byAddress = await lists.call('GET', '/api/v0/devices?type=ipv4&query=192.0.2.1&columns=hostname&offset=1')
    expect(byAddress.json).toEqual({ status: 'ok', devices: [{ hostname: 'Bravo' }], count: 1, total: 2 })
  })

  test('a page by an unknown column or an invalid number is rejected', async () => {
    for (const [query, text] of [
      ['columns=hostname,port_id,nothing', 'Invalid columns: port_id,nothing'],
      ['limit=-1', 'Invalid limit: -1'],
      ['limit=ten', 'Invalid limit: ten'],
      ['offset=9999999999999999999', 'Invalid offset: 9999999999999999999'],
    ]) {
      const answer = await lists.call('GET', `/api/v0/devices?${query}`)
      expect([answer.status, member(answer, 'message')]).toEqual([400, text])
    }
  })

  test('a search by address adds the members of the port, which take precedence', async () => {
    const answer = await lists.call('GET', '/api/v0/devices?type=ipv4&query=192.0.2.1')
    expect(member(answer, 'devices')).toMatchObject([
      { hostname: 'alpha', port_id: 1, ifName: 'Gi0/7', ignore: 0 },
      { hostname: 'Bravo', port_id: 2, ifName: 'Gi0/8', ignore: 1 },
    ])
  })

  test('numbers are numbers, as typed clients need them', async () => {
    const [row] = member(await lists.call('GET', '/api/v0/devices?type=up'), 'devices') as Record<string, unknown>[]
    for (const name of [
      'agent_uptime',
      'max_depth',
      'poller_group',
      'port',
      'port_association_mode',
      'last_polled_timetaken',
      'last_discovered_timetaken',
    ]) {
      expect({ name, kind: typeof row?.[name] }).toEqual({ name, kind: 'number' })
    }
    for (const name of ['display', 'hardware', 'ip', 'status_reason', 'sysName']) {
      expect({ name, kind: typeof row?.[name] }).toEqual({ name, kind: 'string' })
    }
  })
})

describe('update_device_field', () => {
  const change = async (id: number, field: unknown, data: unknown) =>
    await api.call('PATCH', `/api/v0/devices/${id}`, { body: { field, data } })
  const read = async (id: number) => {
    const [row] = member(await api.call('GET', `/api/v0/devices/${id}`), 'devices') as Record<string, unknown>[]
    return row ?? {}
  }

  test.each([
    ['community', 'näw', 'näw'],
    ['port', '1161', 1161],
    ['disabled', true, true],
    ['ignore', '1', true],
    ['disable_notify', 0, false],
    ['sysName', '  MiXed ', 'mixed'],
    ['ip', '2001:db8::5', '2001:db8::5'],
    ['ip', null, ''],
    ['port_association_mode', 'ifName', 2],
    ['port_association_mode', 3, 3],
    ['snmpver', 'v3', 'v3'],
    ['authlevel', 'AUTHPRIV', 'authPriv'],
    ['timeout', null, null],
    ['retries', '3', 3],
    ['transport', 'udp6', 'udp6'],
    ['override_sysLocation', 1, true],
    ['icon', 'box.svg', 'images/os/box.svg'],
    ['location', null, null],
  ])('%s = %p reads back as %p', async (field, data, want) => {
    const { deviceId } = await seed(api)
    expect((await change(deviceId, field, data)).status).toBe(200)
    expect((await read(deviceId))[field]).toEqual(want)
  })

  test.each([
    ['port', 0],
    ['port', 70_000],
    ['ip', '10.0.0.256'],
    ['snmpver', 'v9'],
    ['authlevel', 'high'],
    ['port_association_mode', 'ifPhysAddress'],
    ['disabled', 'perhaps'],
    ['location_id', 2_000_000_000],
  ])('%s = %p is refused and changes nothing', async (field, data) => {
    const { deviceId } = await seed(api)
    const before = await read(deviceId)
    expect((await change(deviceId, ['notes', field], ['changed', data])).status).toBe(400)
    expect(await read(deviceId)).toEqual(before)
  })

  test('the display name follows its template', async () => {
    const { deviceId, hostname } = await seed(api)
    await change(deviceId, 'display_template', '{{ $hostname }} ({{ $sysName }})')
    await change(deviceId, 'sysName', 'core')
    expect((await read(deviceId))['display']).toBe(`${hostname} (core)`)
  })

  test('the poller is notified', async () => {
    const { deviceId } = await seed(api)
    await change(deviceId, 'community', 'other')
    expect(api.network.refreshed).toContain(deviceId)
  })
})

describe('del_device', () => {
  test('deletes inventory, events and series; the deletion itself is an event', async () => {
    const { deviceId, hostname, portIds } = await seed(api)
    const { sql } = api.store
    await sql`insert into eventlog (device_id, message) values (${deviceId}, 'something')`
    await sql`insert into device_relationships (parent_device_id, child_device_id) values (${deviceId}, ${(await seed(api)).deviceId})`
    const time = Date.now()
    const sampled = portIds.map((portId) => ({ portId, time, periodMs: 1000, deltas: { in_octets: 1, out_octets: 1 } }))
    await writeSamples(api.store, batch({ ports: portSamples(sampled) }))
    expect((await api.call('DELETE', `/api/v0/devices/${hostname}`)).status).toBe(200)
    const tables = await sql<{ name: string }[]>`
      select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'device_id' and table_name not in ('devices')`
    for (const { name } of tables) {
      const [{ left } = { left: -1 }] = await sql<{ left: number }[]>`
        select count(*)::int as left from ${sql(name)} where device_id = ${deviceId}`
      expect({ name, left }).toEqual({ name, left: 0 })
    }
    const [event] =
      await sql`select message, device_id, username from eventlog where message like ${`Device ${hostname}%`}`
    expect(event).toMatchObject({ message: `Device ${hostname} has been removed`, device_id: null })
    for (let kinds = 0; kinds < 20; kinds++) await sql`select ts.forget_gone()`
    const ids = `{${portIds.join()}}`
    expect(await sql`select 1 from ts.port_samples where port_id = any(${ids}::int[])`).toHaveLength(0)
  })
})

describe('explain', () => {
  test('shows what is stored and how the device answers, without secrets', async () => {
    const { hostname, deviceId } = await seed(api)
    const ip = `10.88.0.${mint() & 255}`
    api.network.names.set(hostname, ip)
    api.network.agents.set(ip, { knows: (t) => t.community === 'secret', sysName: 'x' })
    const explained = await api.services.devices.explain(SYSTEM, String(deviceId))
    expect(explained).toMatchObject({
      device: { hostname },
      up: true,
      now: { address: ip, ping: { kind: 'answer' }, probe: { kind: 'answer' } },
      found: { ports: 2, portsDeleted: 1, addresses: 2, inventory: 2, sensors: 1 },
      schedule: { pollEveryS: 300 },
    })
    expect(JSON.stringify(explained)).not.toContain('secret')
  })
})

describe('hostnames', () => {
  test.each(['sw1', 'sw_1.example.net.', '1a', '10.0.0.1', '2001:db8::1', 'a'.repeat(63), 'x-'])(
    '%s is one',
    (name) => {
      expect(isHostname(name)).toBe(true)
    },
  )
  test.each(['', '.', '-a', 'a..b', 'a b', 'a'.repeat(64), `${'a.'.repeat(128)}`, 'ü', 'a/b', 'fe80::1%eth0', "a'b"])(
    '%p is none',
    (name) => {
      expect(isHostname(name)).toBe(false)
    },
  )
})

describe('display names', () => {
  const facts = { hostname: '10.0.0.1', sysName: 'core', ip: '10.0.0.1' }
  test.each([
    ['{{ $hostname }}', facts, '10.0.0.1'],
    ['{{hostname}} {{ $nonsense }}', facts, '10.0.0.1 {{ $nonsense }}'],
    ['{{ $sysName_fallback }}', facts, 'core'],
    ['{{ $sysName_fallback }}', { ...facts, hostname: 'sw1' }, 'sw1'],
    ['{{ $sysName }}/{{ $ip }}', { hostname: 'sw1', sysName: null, ip: '' }, 'sw1/'],
    ['x'.repeat(200), facts, 'x'.repeat(128)],
  ])('%s', (template, given, want) => {
    expect(displayName(template, given)).toBe(want)
  })
})

describe('credentials', () => {
  const defaults = {
    versions: ['v2c', 'v3', 'v1'],
    communities: ['public'],
    v3: [{ authname: 'x', authpass: 'y' }, 'junk', null],
  }

  test('credentials from the settings follow the given ones, without duplicates', () => {
    const tried = credentialTrials({ community: 'public' }, defaults)
    expect(tried.map(({ credentials: t }) => `${t.snmpver} ${t.community ?? t.authname}`)).toEqual([
      'v2c public',
      'v3 x',
      'v1 public',
    ])
  })

  test('the security level of v3 credentials follows from their passwords', () => {
    const level = (given: object) => forcedCredentials({ authname: 'n', ...given }, 'v3')?.authlevel
    expect(level({})).toBe('noAuthNoPriv')
    expect(level({ authpass: 'p' })).toBe('authNoPriv')
    expect(level({ authpass: 'p', cryptopass: 'c', cryptoalgo: 'AES' })).toBe('authPriv')
    expect(level({ authpass: 'p', cryptopass: 'c' })).toBeUndefined()
    expect(level({ authlevel: 'authNoPriv' })).toBeUndefined()
  })
})
