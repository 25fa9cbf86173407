import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { type Actor, SYSTEM } from '../../../src/core/base/actor.ts'
import { recordHost } from '../../../src/core/candidates/record-host.ts'
import { createCandidateService } from '../../../src/core/candidates/service.ts'
import { type TestApi, testApi } from '../../support/api.ts'
import { answering, SCAN } from './hosts.ts'

setDefaultTimeout(60_000)

let api: TestApi
beforeAll(async () => {
  api = await testApi()
})
afterAll(() => api.drop())
beforeEach(async () => {
  await api.store.sql`truncate candidates, candidate_rules, devices, eventlog, users, config restart identity cascade`
  api.settings.applyStored(new Map())
  api.network.probed.length = 0
})

const service = () => api.services.candidates
/** The service with names of addresses that are known here. */
const named = (names: Readonly<Record<string, string>>) =>
  createCandidateService({
    store: api.store,
    settings: api.settings,
    // what adding asks goes to the simulated network
    gateway: gatewayOf(),
    devices: api.services.devices,
    groups: api.services.deviceGroups,
    stored: api.services.settings,
    reverse: async (address) => names[address] ?? null,
  })
const gatewayOf = () =>
  ({
    resolve: async (name: string) => api.network.names.get(name) ?? null,
    ping: async () => ({ kind: 'answer', rttMs: 1 }),
    probe: async (target: Parameters<Parameters<typeof createCandidateService>[0]['gateway']['probe']>[0]) => {
      api.network.probed.push(target)
      const agent = api.network.agents.get(target.address)
      return agent?.knows(target) === true
        ? {
            kind: 'answer',
            sysDescr: 'x',
            sysObjectID: '1.3.6.1.4.1.9',
            sysName: agent.sysName,
            os: 'ios',
            snmpEngineID: null,
          }
        : { kind: 'failed', failure: { kind: 'timeout' } }
    },
    refresh: () => undefined,
  }) as never

async function candidate(
  address: string | null,
  over: { sysName?: string; heard?: string; index?: number; os?: string; device?: number; state?: string } = {},
) {
  const { sql } = api.store
  const [row] = await sql<{ id: number }[]>`
    insert into candidates (address, sys_name, heard_name, os, snmp_version, snmp_index, snmp_port, state)
    values (${address}::inet, ${over.sysName ?? null}, ${over.heard ?? null}, ${over.os ?? 'generic'}, ${over.index === undefined ? null : 'v2c'},
      ${over.index ?? null}, ${over.index === undefined ? null : 161}, ${over.state ?? 'new'}) returning id`
  const id = row?.id ?? 0
  if (address !== null)
    await sql`insert into candidate_addresses (poller_group, address, candidate_id) values (0, ${address}::inet, ${id})`
  await sql`insert into candidate_sources (candidate_id, kind, device_id, remote_name) values (${id}, ${over.device === undefined ? 'scan' : 'lldp'}, ${over.device ?? null}, ${over.heard ?? null})`
  return id
}
const agent = (address: string, community: string, sysName = 'x') =>
  api.network.agents.set(address, { knows: (t) => t.snmpver === 'v2c' && t.community === community, sysName })
const device = async (hostname: string) => {
  const [row] = await api.store.sql<
    { device_id: number }[]
  >`insert into devices (hostname) values (${hostname}) returning device_id`
  return row?.device_id ?? 0
}
const names = async (query: Parameters<ReturnType<typeof service>['list']>[1]) =>
  (await service().list(SYSTEM, query)).rows.map(({ name }) => name)
const audit = async () =>
  (
    await api.store.sql<
      { message: string }[]
    >`select message from eventlog where type in ('device-edit', 'settings') order by event_id`
  ).map(({ message }) => message)

test('a list has what fits, in the order asked for, and a page of it', async () => {
  await candidate('10.0.0.1', { sysName: 'core-1', os: 'ios' })
  await candidate('10.0.1.2', { sysName: 'Edge-2', os: 'junos' })
  await candidate(null, { heard: 'phone_7' })
  await candidate('10.0.1.9', { sysName: 'old', state: 'ignored' })
  expect(await names({ order: 'name' })).toEqual(['core-1', 'Edge-2', 'phone_7'])
  expect(await names({ order: 'name', descending: true, limit: 1, offset: 1 })).toEqual(['Edge-2'])
  expect(await names({ text: 'EDGE' })).toEqual(['Edge-2'])
  expect(await names({ text: 'e_7' })).toEqual(['phone_7'])
  expect(await names({ text: '%' })).toEqual([])
  expect(await names({ text: '10.0.1' })).toEqual(['Edge-2'])
  expect(await names({ network: '10.0.0.0/24' })).toEqual(['core-1'])
  expect(await names({ os: 'ios' })).toEqual(['core-1'])
  expect(await names({ state: 'ignored' })).toEqual(['old'])
  expect(await names({ source: 'lldp' })).toEqual([])
  expect((await service().list(SYSTEM, { limit: 1 })).total).toBe(3)
  await expect((await service().list(SYSTEM, { limit: 1, offset: 50 })).total).toBe(3)
  await expect(service().list(SYSTEM, { network: 'x' })).rejects.toThrow('x is not a network')
})

test('a candidate is added with the credentials that worked and no others, under the name that the rule gives', async () => {
  api.settings.applyStored(
    new Map<string, unknown>([
      ['snmp.community', ['public', 'secret', 'other']],
      ['mydomain', 'example.net'],
    ]),
  )
  agent('10.1.0.1', 'secret', 'core-1')
  const id = await candidate('10.1.0.1', { sysName: 'core-1', index: 1 })
  const [preview] = await named({ '10.1.0.1': 'a.example.com' }).namePreview(SYSTEM, [id])
  expect(preview?.names).toEqual({ dns: 'a.example.com', sysname: 'core-1.example.net', address: '10.1.0.1' })
  const [added] = await named({}).accept(SYSTEM, [id], { nameBy: 'sysname', location: 'Oslo' })
  expect(added).toMatchObject({ state: 'added', problem: null })
  expect(api.network.probed.map(({ community }) => community)).toEqual(['secret'])
  const [row] = await api.store.sql`
    select hostname, overwrite_ip, community, l.location from devices left join locations l on l.id = location_id where device_id = ${added?.deviceId ?? 0}`
  expect(row).toMatchObject({
    hostname: 'core-1.example.net',
    overwrite_ip: '10.1.0.1',
    community: 'secret',
    location: 'Oslo',
  })
  expect(await service().get(SYSTEM, id)).toMatchObject({ state: 'added', deviceId: added?.deviceId })
  expect(await named({}).accept(SYSTEM, [id])).toMatchObject([{ state: 'known' }])
  expect(await audit()).toContain('Found devices accepted: 1 added, 0 not')
})

test('several are added, and what prevents one is said and does not affect the others', async () => {
  agent('10.2.0.1', 'public', 'a')
  const ids = [
    await candidate('10.2.0.1', { index: 0 }),
    await candidate('10.2.0.2', { index: 0 }),
    await candidate('10.2.0.3'),
    await candidate(null, { heard: 'edge' }),
  ]
  const done = await named({}).accept(SYSTEM, ids, { nameBy: 'address' })
  expect(done.map(({ state }) => state)).toEqual(['added', 'found', 'found', 'found'])
  expect(done.map(({ problem }) => problem?.split(/[,;.]/)[0] ?? null)).toEqual([
    null,
    'Could not connect to 10',
    'It does not answer SNMP with the credentials of the settings',
    'Nothing is known of an address of edge',
  ])
  const [byPing] = await named({}).accept(SYSTEM, [ids[2] ?? 0], { pingOnly: true })
  expect(byPing?.state).toBe('added')
  await expect(
    named({}).accept(
      SYSTEM,
      Array.from({ length: 1001 }, (_, i) => i + 1),
    ),
  ).rejects.toThrow('the most at once is 1000')
  await expect(named({}).accept(SYSTEM, [])).rejects.toThrow('No candidate was chosen')
  await expect(named({}).accept(SYSTEM, [ids[1] ?? 0, 99_999])).rejects.toThrow('Candidate 99999 not found')
  await expect(named({}).accept(SYSTEM, [ids[1] ?? 0, ids[3] ?? 0], { hostname: 'x' })).rejects.toThrow(
    'single candidate',
  )
})

test('added devices become members of groups', async () => {
  agent('10.3.0.1', 'public', 'a')
  const group = await api.services.deviceGroups.create(SYSTEM, {
    name: 'found',
    type: 'static',
    devices: [await device('other')],
  })
  const [added] = await named({}).accept(SYSTEM, [await candidate('10.3.0.1', { index: 0 })], {
    nameBy: 'address',
    deviceGroups: [group.id],
  })
  expect(added).toMatchObject({ state: 'added', problem: null })
  const rows = await api.store.sql`select device_id from device_group_device where device_group_id = ${group.id}`
  expect(rows.map(({ device_id }) => device_id)).toContain(added?.deviceId)
})

test('ignored devices stay so until they are no longer ignored', async () => {
  const id = await candidate('10.4.0.1', { sysName: 'phone' })
  expect(await service().ignore(SYSTEM, [id])).toBe(1)
  expect(await service().ignore(SYSTEM, [id])).toBe(0)
  expect(await service().get(SYSTEM, id)).toMatchObject({ state: 'ignored', why: 'Ignored by the command line' })
  expect(await service().unignore(SYSTEM, [id])).toBe(1)
  expect(await names({})).toEqual(['phone'])
  expect(await audit()).toEqual(['Found devices ignored: phone', 'Found devices no longer ignored: phone'])
})

test('rules are checked, ordered, changed and deleted', async () => {
  const { addRule, orderRules, changeRule, deleteRule, rules } = service()
  await expect(addRule(SYSTEM, { action: 'ignore', sysName: '/(a+)\\1/' })).rejects.toThrow(
    'sysName: "/(a+)\\\\1/" is not a linear regular expression',
  )
  await expect(addRule(SYSTEM, { action: 'ignore', network: '10.0.0.0/33' })).rejects.toThrow('is not a network')
  await expect(addRule(SYSTEM, { action: 'ignore', protocol: 'smoke' })).rejects.toThrow('smoke is not one of')
  await addRule(SYSTEM, { action: 'ignore', network: '10.9.9.9/24' })
  await addRule(SYSTEM, { action: 'accept', os: 'ios' })
  await addRule(SYSTEM, { action: 'ignore', protocol: 'CDP', platform: '/phone/i' })
  expect((await orderRules(SYSTEM, [3, 1])).map(({ id }) => id)).toEqual([3, 1, 2])
  expect(await changeRule(SYSTEM, 2, { action: 'accept', os: 'junos' })).toMatchObject({ id: 2, os: 'junos' })
  await deleteRule(SYSTEM, 3)
  expect(await rules(SYSTEM)).toMatchObject([
    { id: 1, network: '10.9.9.0/24' },
    { id: 2, os: 'junos' },
  ])
  await expect(deleteRule(SYSTEM, 3)).rejects.toThrow('Rule 3 not found')
  expect((await audit()).at(-1)).toBe('Rule 3 for found devices deleted')
})

test('an excluded network goes to the setting, once', async () => {
  expect(await service().excludeNetwork(SYSTEM, '10.8.7.6/16')).toBe('10.8.0.0/16')
  await service().excludeNetwork(SYSTEM, '10.8.0.0/16')
  expect((await api.services.settings.stored()).get('autodiscovery.nets-exclude')).toEqual(['10.8.0.0/16'])
  expect(await audit()).toEqual(['autodiscovery.nets-exclude: 10.8.0.0/16 added'])
})

test('found devices are for those who may add devices; a restricted user sees what his devices report', async () => {
  const { sql } = api.store
  const [mine, other] = [await device('mine'), await device('other')]
  await sql`insert into users (user_id, username, auth_type, auth_id) values (7, 'anna', 'mysql', '7')`.catch(
    () => undefined,
  )
  const [user] = await sql<{ user_id: number }[]>`select user_id from users limit 1`
  const userId = user?.user_id ?? 0
  await sql`insert into devices_perms (user_id, device_id) values (${userId}, ${mine})`
  const base = { ...SYSTEM, userId, username: 'anna', dynamicGroups: true }
  const anna: Actor = { ...base, roles: new Set(['user']), permissions: new Set(['device.create']) }
  const reader: Actor = { ...base, roles: new Set(['global-read']), permissions: new Set() }
  const id = await candidate('10.5.0.1', { heard: 'near', device: mine })
  const far = await candidate('10.5.0.2', { heard: 'far', device: other })
  await sql`insert into candidate_sources (candidate_id, kind, device_id) values (${id}, 'cdp', ${other})`
  await sql`update candidates set moved_from = ${other} where id = ${id}`
  const { rows, total } = await service().list(anna)
  expect([rows.map(({ name }) => name), total]).toEqual([['near'], 1])
  expect(rows[0]?.sources.map((source) => source.device)).toEqual(['mine'])
  await expect(rows[0]?.movedFrom).toBeNull()
  await expect(service().get(anna, far)).rejects.toThrow('not found')
  await expect(service().ignore(anna, [far])).rejects.toThrow('not found')
  await expect(await service().waiting(anna)).toBe(1)
  await expect(service().rules(anna)).rejects.toThrow('permissions')
  await expect(service().excludeNetwork(anna, '10.0.0.0/8')).rejects.toThrow('permissions')
  await expect(service().acceptMove(anna, id)).rejects.toThrow('permissions')
  for (const work of [
    () => service().list(reader),
    () => service().accept(reader, [id]),
    () => service().namePreview(reader, [id]),
  ])
    await expect(work()).rejects.toThrow('Insufficient permissions')
  expect(await service().waiting(reader)).toBe(0)
  // unmonitored neighbours are part of the topology, which the reader sees
  await sql`insert into links (local_device_id, protocol, remote_hostname, remote_port, remote_version) values
    (${mine}, 'lldp', 'near', 'eth0', ''), (${other}, 'lldp', 'far', 'eth0', '')`
  expect((await service().unmonitored(reader)).map(({ name }) => name)).toEqual(['far', 'near'])
  expect((await service().unmonitored(anna)).map(({ name }) => name)).toEqual(['near'])
  // nor what the settings leave alone
  await sql`insert into links (local_device_id, protocol, remote_hostname, remote_port, remote_platform, remote_version)
    values (${mine}, 'cdp', 'SEP001B21000003', 'Port 1', 'Cisco IP Phone 8845', '')`
  expect((await service().unmonitored(reader)).map(({ name }) => name)).toEqual(['far', 'near'])
  expect((await service().overview(SYSTEM, {})).states).toMatchObject({ ignored: 0 })
  await service().ignore(SYSTEM, [far])
  expect((await service().unmonitored(reader)).map(({ name }) => name)).toEqual(['near'])
  // counts are those of the scope and the other filters
  const overview = await service().overview(anna, { state: 'ignored', text: 'near' })
  expect(overview).toEqual({ states: { new: 1, ignored: 0, added: 0 }, all: 1, systems: ['generic'] })
  expect((await service().overview(anna, { text: 'nothing has this' })).states.new).toBe(0)
  expect((await service().overview(SYSTEM, { network: '10.5.0.2/32' })).states).toEqual({
    new: 0,
    ignored: 1,
    added: 0,
  })
  await expect(service().overview(reader)).rejects.toThrow('Insufficient permissions')
})

test('the reason why something waits does not name devices that a user may not see', async () => {
  const { sql } = api.store
  const mine = await device('mine')
  await sql`
    insert into devices (hostname, ip, serial, status, "snmpEngineID") values
      ('secret-core', '10.9.0.1', 'SN12345X', 0, '80001f88803d9a1b5c0e4f2a60'),
      ('secret-edge', '10.9.0.2', 'SN99999X', 1, '80001f88803d9a1b5c0e4f2a61')`
  await sql`insert into users (username, auth_type, auth_id) values ('anna', 'mysql', '7')`
  const [user] = await sql<{ user_id: number }[]>`select user_id from users limit 1`
  const userId = user?.user_id ?? 0
  await sql`insert into devices_perms (user_id, device_id) values (${userId}, ${mine})`
  const anna: Actor = {
    ...{ ...SYSTEM, userId, username: 'anna', dynamicGroups: true },
    ...{ roles: new Set(['user']), permissions: new Set(['device.create']) },
  }
  const deps = { store: api.store, settings: api.settings, gateway: gatewayOf(), reverse: async () => null }
  const source = { ...SCAN, kind: 'lldp', scanId: null, deviceId: mine } as const
  // one that is down and seems to have moved, one at the address of another, one like another
  await recordHost(deps, answering('10.8.0.1', { serials: ['SN12345X'] }, 0, source))
  await recordHost(
    deps,
    answering('10.9.0.2', { serials: ['OTHER123'], engineId: '80001f88803d9a1b5c0e4f2a77' }, 0, source),
  )
  await recordHost(
    deps,
    answering('10.8.0.3', { serials: ['SN99999X'], engineId: '80001f88803d9a1b5c0e4f2a78' }, 0, source),
  )
  const all = (await service().list(SYSTEM)).rows
  expect(all.map(({ why }) => /secret-(core|edge)/.test(why))).toEqual([true, true, true])
  const { rows } = await service().list(anna)
  expect(rows).toHaveLength(3)
  for (const { why } of rows) expect(why).toContain('It has to do with a device that you may not see')
  expect(JSON.stringify(rows)).not.toContain('secret')
  expect(JSON.stringify(rows)).not.toContain('10.9.0.1')
  // whoever sees the device reads its name
  await sql`insert into devices_perms (user_id, device_id) select ${userId}, device_id from devices where hostname = 'secret-core'`
  const named = (await service().list(anna)).rows.filter(({ why }) => why.includes('secret-core'))
  expect(named).toHaveLength(1)
})

test('somebody who does not see credentials cannot have them sent elsewhere by a name', async () => {
  api.settings.applyStored(new Map<string, unknown>([['nets', ['10.6.0.0/16']]]))
  const { sql } = api.store
  const global: Actor = {
    ...SYSTEM,
    userId: 1,
    username: 'bob',
    roles: new Set(['global-read']),
    permissions: new Set(['device.create']),
  }
  agent('10.6.0.1', 'public', 'a')
  api.network.names.set('evil.example.net', '192.0.2.66')
  const [added] = await named({}).accept(global, [await candidate('10.6.0.1', { index: 0 })], {
    hostname: 'evil.example.net',
  })
  expect(added?.state).toBe('added')
  expect(api.network.probed.map(({ address }) => address)).toEqual(['10.6.0.1'])
  expect(await sql`select overwrite_ip from devices`.then(([row]) => row)).toMatchObject({ overwrite_ip: '10.6.0.1' })
  agent('10.7.0.1', 'public', 'b')
  const [refused] = await named({}).accept(global, [await candidate('10.7.0.1', { index: 0 })], { nameBy: 'address' })
  expect(refused?.problem).toContain('not in a network of setting nets')
})

test('wrong input is refused or finds nothing, and is no error of the program', async () => {
  const texts = [
    '1..2',
    '10..',
    '1.2..',
    '0/0',
    '10.0.0.1/33',
    'fe80::1%eth0',
    '\0',
    '%_\\',
    'a'.repeat(5000),
    '\u202e\ud800',
  ]
  const numbers = [0, -1, 1.5, 2 ** 31, 1e12, Number.NaN]
  const { sightings, scans } = api.services
  const part = { offset: 0, limit: 10 }
  const works = [
    ...texts.flatMap((text) => [
      () => sightings.list(SYSTEM, { text }, part),
      () => sightings.find(SYSTEM, text, 10),
      () => service().list(SYSTEM, { text }),
      () => service().list(SYSTEM, { os: text }),
      () => service().list(SYSTEM, { network: text }),
      () => service().addRule(SYSTEM, { action: 'ignore', network: text }),
      () => service().addRule(SYSTEM, { action: 'ignore', os: text, sysName: text, platform: '/(a+)+$/' }),
    ]),
    ...numbers.flatMap((number) => [
      () => service().list(SYSTEM, { ids: [number] }),
      () => service().list(SYSTEM, { scanId: number }),
      () => service().get(SYSTEM, number),
      () => service().accept(SYSTEM, [number]),
      () => scans.get(SYSTEM, number),
      () => scans.stop(SYSTEM, number),
      () => scans.resume(SYSTEM, number),
    ]),
  ]
  const problems: string[] = []
  for (const work of works) {
    const error = await Promise.resolve(work()).then(
      () => null,
      (error: unknown) => error,
    )
    if (error instanceof Error && error.name !== 'DomainError') problems.push(`${work} ${error.message}`)
  }
  expect(problems).toEqual([])
})
