import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { SYSTEM } from '../../../src/core/base/actor.ts'
import type { ObservedHost } from '../../../src/core/candidates/observed-host.ts'
import { recordHeard, recordHost } from '../../../src/core/candidates/record-host.ts'
import { dropOldCandidates } from '../../../src/core/candidates/write-candidates.ts'
import { type TestApi, testApi } from '../../support/api.ts'
import { answering, MACS, mute, SCAN } from './hosts.ts'

setDefaultTimeout(60_000)

let api: TestApi
beforeAll(async () => {
  api = await testApi()
})
afterAll(() => api.drop())
beforeEach(async () => {
  await api.store.sql`truncate candidates, candidate_rules, devices, eventlog restart identity cascade`
  api.network.agents.clear()
  stored({})
})

const stored = (values: Readonly<Record<string, unknown>>) => api.settings.applyStored(new Map(Object.entries(values)))
const names = new Map<string, string>()
/** Addresses whose names were looked up. */
const looked: string[] = []
const record = (host: ObservedHost, limits?: { candidates: number; perDevice: number }) =>
  recordHost(
    {
      store: api.store,
      settings: api.settings,
      gateway: gateway(),
      reverse: async (address) => {
        looked.push(address)
        return names.get(address) ?? null
      },
      ...(limits !== undefined && { limits }),
    },
    host,
  )
/** What adding devices asks: the simulated network of the API. */
const gateway = () => ({
  ...({} as never as Parameters<typeof recordHost>[0]['gateway']),
  resolve: async (name: string) => api.network.names.get(name) ?? null,
  ping: async () => ({ kind: 'answer', rttMs: 1 }) as const,
  probe: async ({ address }: { address: string }) => {
    const agent = api.network.agents.get(address)
    return agent === undefined
      ? ({ kind: 'failed', failure: { kind: 'timeout' } } as const)
      : ({
          kind: 'answer',
          sysDescr: 'x',
          sysObjectID: '1.3.6.1.4.1.9',
          sysName: agent.sysName,
          os: 'ios',
          snmpEngineID: null,
        } as const)
  },
  refresh: () => undefined,
})
const list = async () =>
  (await api.services.candidates.list(SYSTEM, { state: 'all', order: 'address', limit: 500 })).rows
const events = async () =>
  (await api.store.sql<{ message: string }[]>`select message from eventlog order by event_id`).map(
    ({ message }) => message,
  )

async function device(values: {
  hostname: string
  ip?: string
  engine?: string
  macs?: string[]
  sysName?: string
  serial?: string
  status?: number
  addresses?: string[]
  group?: number
}) {
  const { sql } = api.store
  const [row] = await sql<{ device_id: number }[]>`
    insert into devices (hostname, ip, "snmpEngineID", "sysName", serial, status, poller_group)
    values (${values.hostname}, ${values.ip ?? null}::inet, ${values.engine ?? null}, ${values.sysName ?? null}, ${values.serial ?? null},
      ${values.status ?? 1}, ${values.group ?? 0}) returning device_id`
  const id = row?.device_id ?? 0
  for (const [i, mac] of (values.macs ?? ['']).entries()) {
    const [port] = await sql<{ port_id: number }[]>`
      insert into ports (device_id, "ifIndex", "ifName", "ifPhysAddress") values (${id}, ${i + 1}, ${`eth${i}`}, ${mac}) returning port_id`
    if (i === 0)
      for (const address of values.addresses ?? [])
        await sql`insert into ipv4_addresses (ipv4_address, ipv4_prefixlen, port_id) values (${address}, 24, ${port?.port_id ?? 0})`
  }
  return id
}

const ENGINE = '80001f88803d9a1b5c0e4f2a60'
const forty = Array.from({ length: 40 }, (_, i) => `10.1.${i}.1`)

test('a router that answers at forty addresses is one candidate with forty', async () => {
  const results = []
  for (const address of forty)
    results.push(
      await record(answering(address, { sysName: 'core-1', engineId: ENGINE, macs: MACS(1, 4), addresses: forty })),
    )
  expect(new Set(results.map(({ candidateId }) => candidateId)).size).toBe(1)
  expect(results.every(({ state }) => state === 'found')).toBe(true)
  const [candidate, ...others] = await list()
  expect(others).toEqual([])
  expect(candidate).toMatchObject({
    name: 'core-1',
    address: '10.1.0.1',
    credentials: 'community 1 of the settings, v2c',
  })
  expect(candidate?.addresses.length).toBe(40)
})

test('recorded at once by several, it is still one; recorded again, nothing changes', async () => {
  const hosts = forty.map((address) => answering(address, { engineId: ENGINE, macs: MACS(1, 4) }))
  await Promise.all(hosts.map((host) => record(host)))
  const [before] = await list()
  await Promise.all(hosts.map((host) => record(host)))
  const after = await list()
  expect(after).toEqual([{ ...before, lastSeen: expect.any(Date), sources: expect.any(Array) }] as never)
})

test('a cluster of two that shares an address is two, and so are clones', async () => {
  const pair = [1, 2].map((n) => ({
    engineId: `80001f88809999000${n}112233`,
    serials: [`HA000${n}`],
    macs: [...MACS(n, 2), '00005e000101'],
    addresses: ['10.2.0.1', `10.2.0.${n + 1}`],
  }))
  await record(answering('10.2.0.2', pair[0] ?? {}))
  await record(answering('10.2.0.3', pair[1] ?? {}))
  await record(answering('10.2.0.1', pair[0] ?? {}))
  const two = await list()
  expect(two.map(({ addresses }) => addresses)).toEqual([['10.2.0.1', '10.2.0.2'], ['10.2.0.3']])
  // the address of the cluster moves to the other unit
  await record(answering('10.2.0.1', pair[1] ?? {}))
  expect((await list()).map(({ addresses }) => addresses)).toEqual([['10.2.0.2'], ['10.2.0.1', '10.2.0.3']])
  for (const n of [7, 8])
    await record(answering(`10.3.0.${n}`, { engineId: ENGINE, macs: MACS(n, 2), sysName: 'template' }))
  expect((await list()).length).toBe(4)
})

test('a stack of which a member was replaced is the known one', async () => {
  const stack = { engineId: ENGINE, serials: ['AAA001', 'AAA002'], macs: MACS(1, 4), baseMac: MACS(1, 1)[0] ?? null }
  await record(answering('10.4.0.1', stack))
  const again = await record(answering('10.4.0.2', { ...stack, serials: ['AAA009'] }))
  expect(again.state).toBe('found')
  expect((await list()).length).toBe(1)
  const id = await device({
    hostname: 'stack',
    ip: '10.4.1.1',
    engine: ENGINE.replace('60', '61'),
    macs: MACS(50, 2),
    serial: 'BBB001',
  })
  const known = await record(
    answering('10.4.1.2', { engineId: ENGINE.replace('60', '61'), serials: ['BBB009'], macs: MACS(50, 2) }),
  )
  expect(known).toMatchObject({ state: 'known', deviceId: id })
})

test('evidence that connects two candidates makes them one', async () => {
  await record(answering('10.5.0.1', { engineId: ENGINE }))
  await record(answering('10.5.0.2', { serials: ['CCC001'] }))
  expect((await list()).length).toBe(2)
  await record(answering('10.5.0.3', { engineId: ENGINE, serials: ['CCC001'], macs: MACS(1, 1) }))
  const [one, ...others] = await list()
  expect(others).toEqual([])
  expect(one?.addresses).toEqual(['10.5.0.1', '10.5.0.2', '10.5.0.3'])
})

test('a monitored device at another address becomes a note and one event, and no candidate', async () => {
  const id = await device({ hostname: 'switch1', ip: '10.0.0.1', engine: ENGINE, macs: MACS(1, 2) })
  const host = answering('10.0.9.9', { engineId: ENGINE, macs: MACS(1, 2) })
  const first = await record(host)
  await record(host)
  expect(first).toMatchObject({ state: 'known', deviceId: id })
  expect(first.why).toStartWith(`It is switch1 (device ${id}), which answers at 10.0.0.1: they have the MAC address`)
  expect(await list()).toEqual([])
  expect((await api.services.candidates.otherAddresses(SYSTEM, id)).map(({ address }) => address)).toEqual(['10.0.9.9'])
  expect(await events()).toEqual(['Also answers at 10.0.9.9'])
  expect(await record(answering('10.0.0.1', { engineId: ENGINE, macs: MACS(1, 2) }))).toMatchObject({ state: 'known' })
  expect(await events()).toHaveLength(1)
})

test('a device that is down and answers elsewhere is offered as moved, and takes the new address', async () => {
  const id = await device({ hostname: 'switch1', ip: '10.0.0.1', engine: ENGINE, macs: MACS(1, 2), status: 0 })
  const host = answering('10.0.9.9', { engineId: ENGINE, macs: MACS(1, 2) })
  const found = await record(host)
  await record(host)
  const [candidate] = await list()
  expect(candidate).toMatchObject({ movedFrom: id, state: 'new' })
  expect(found.why).toContain(`It is probably switch1 (device ${id}), which no longer answers at 10.0.0.1`)
  expect(await events()).toEqual(['Does not answer at 10.0.0.1, but was found at 10.0.9.9'])
  await api.services.candidates.acceptMove(SYSTEM, candidate?.id ?? 0)
  const [row] = await api.store.sql`select overwrite_ip from devices where device_id = ${id}`
  expect(row).toMatchObject({ overwrite_ip: '10.0.9.9' })
  expect((await list())[0]).toMatchObject({ state: 'added', deviceId: id })
})

test('a device that is polled by a name and was not resolved yet breaks no comparison', async () => {
  const id = await device({ hostname: 'switch1', engine: ENGINE, macs: MACS(1, 2) })
  await api.store.sql`update devices set overwrite_ip = 'switch1.example.net' where device_id = ${id}`
  expect(await record(answering('10.0.9.9', { engineId: ENGINE, macs: MACS(1, 2) }))).toMatchObject({
    state: 'known',
    deviceId: id,
  })
})

test('another device at the address of a monitored one is a candidate that says so', async () => {
  await device({ hostname: 'switch1', ip: '10.0.0.1', engine: ENGINE, macs: MACS(1, 2) })
  const taken = await record(answering('10.0.0.1', { engineId: '80001f8880123456781234', macs: MACS(9, 2) }))
  expect(taken.state).toBe('found')
  expect(taken.why).toContain('Another device, switch1, is monitored at this address')
})

test('equal private addresses of two sites are two devices', async () => {
  const id = await device({
    hostname: 'cpe',
    ip: '10.9.0.1',
    sysName: 'cpe-1',
    addresses: ['10.9.0.1', '10.9.1.1'],
    group: 1,
  })
  expect(
    await record(answering('10.9.0.1', { sysName: 'cpe-2', macs: MACS(3, 1), addresses: ['10.9.0.1'] }, 2)),
  ).toMatchObject({ state: 'found' })
  stored({ 'autodiscovery.ping_fallback': true })
  expect(await record(mute('10.9.1.1', 1))).toMatchObject({ state: 'found' })
  expect(
    await record({ ...mute('10.9.1.1', 1), target: { address: '10.9.1.1', pollerGroup: 1, source: SCAN } }),
  ).toMatchObject({ state: 'known', deviceId: id })
  expect((await list()).length).toBe(2)
})

test('a host that answers ping alone is a candidate only if a setting or a scan by ping wants it', async () => {
  const pinged = await record(mute('10.6.1.1', 2))
  expect(pinged).toMatchObject({ state: 'ping', candidateId: null })
  expect(pinged.why).toStartWith('It answers ping, but not SNMP')
  expect(await list()).toEqual([])
  // refusing the credentials is an answer of an agent
  const refusing = { ...mute('10.6.1.2', 2), failure: { kind: 'refused', reason: 'unknownUserName' } } as const
  expect(await record(refusing)).toMatchObject({ state: 'found' })
  stored({ 'autodiscovery.ping_fallback': true })
  expect(await record(mute('10.6.1.1', 2))).toMatchObject({ state: 'found' })
  expect((await list()).length).toBe(2)
})

test('a host that answers nothing is nothing, unless a neighbour names it', async () => {
  expect(await record(mute('10.6.0.1', null))).toMatchObject({ state: 'silent', candidateId: null })
  const id = await device({ hostname: 'switch1', macs: ['aa'] })
  const source = {
    ...SCAN,
    kind: 'lldp',
    scanId: null,
    deviceId: id,
    remoteName: 'edge-7',
    remotePort: 'Gi0/1',
  } as const
  expect((await record(mute('10.6.0.2', null, source))).why).toStartWith(
    'LLDP names it. It answers neither ping nor SNMP',
  )
  const heard = await recordHeard(
    { store: api.store, settings: api.settings, gateway: gateway() },
    { address: '', pollerGroup: 0, source: { ...source, remoteName: 'edge-8' } },
    'LLDP names it, with no address in your networks',
  )
  expect(heard).toMatchObject({ state: 'found', name: 'edge-8' })
  // its address becomes known
  const at = answering('10.6.0.8', { sysName: 'edge-8', engineId: ENGINE })
  expect((await record(at)).candidateId).toBe(heard.candidateId)
  expect((await list()).map(({ name }) => name).sort()).toEqual(['edge-7', 'edge-8'])
})

test('what is known by SNMP is kept while the host is silent', async () => {
  await record(answering('10.6.1.1', { sysName: 'core-9', engineId: ENGINE }))
  await record(mute('10.6.1.1', 1))
  expect((await list())[0]).toMatchObject({ name: 'core-9', credentials: 'community 1 of the settings, v2c' })
})

test('the first rule that fits decides', async () => {
  const { candidates } = api.services
  await candidates.addRule(SYSTEM, { action: 'ignore', network: '10.7.0.0/24', sysName: '/^phone-/i' })
  const host = answering('10.7.0.1', { sysName: 'PHONE-7', macs: MACS(1, 1) })
  expect(await record(host)).toMatchObject({
    state: 'ignored',
    why: 'Rule 1 ignores it (ignore: network 10.7.0.0/24, name /^phone-/i)',
  })
  expect(await record(host)).toMatchObject({ state: 'ignored' })
  expect(await record(answering('10.7.1.1', { sysName: 'PHONE-7', macs: MACS(2, 1) }))).toMatchObject({
    state: 'found',
  })
  await candidates.addRule(SYSTEM, { action: 'accept', os: 'ios' })
  api.network.agents.set('10.7.2.1', { knows: () => true, sysName: 'core-3' })
  const added = await record(answering('10.7.2.1', { sysName: 'core-3', os: 'ios', engineId: ENGINE }))
  expect(added).toMatchObject({ state: 'added', why: 'Rule 2 accepts it (accept: OS ios)' })
  const [row] = await api.store
    .sql`select hostname, overwrite_ip, community from devices where device_id = ${added.deviceId}`
  expect(row).toMatchObject({ hostname: 'core-3', overwrite_ip: '10.7.2.1', community: 'public' })
  // its other addresses are its own
  expect(await record(answering('10.7.2.2', { sysName: 'core-3', os: 'ios', engineId: ENGINE }))).toMatchObject({
    state: 'known',
    deviceId: added.deviceId,
  })
})

test('devices are added at once where autodiscovery.* was set', async () => {
  api.network.agents.set('10.8.0.1', { knows: () => true, sysName: 'core-4' })
  const host = answering('10.8.0.1', { sysName: 'core-4', engineId: ENGINE })
  expect(await record(host)).toMatchObject({ state: 'found' })
  stored({ 'autodiscovery.xdp': true })
  expect(await record(host)).toMatchObject({ state: 'added', why: 'Added at once (setting autodiscovery.add)' })
  // a neighbour needs a name, as in LibreNMS, or discovery_by_ip
  api.network.agents.set('10.8.0.2', { knows: () => true, sysName: 'core-5' })
  const neighbour = answering('10.8.0.2', { sysName: 'core-5', macs: MACS(5, 1) }, 0, { ...SCAN, kind: 'lldp' })
  expect((await record(neighbour)).why).toContain('no name in the DNS')
  stored({ 'autodiscovery.xdp': true, discovery_by_ip: true })
  looked.length = 0
  expect(await record(neighbour)).toMatchObject({ state: 'added' })
  expect(looked).toEqual(['10.8.0.2'])
  stored({ 'autodiscovery.xdp': true, 'autodiscovery.add': 'ask' })
  expect(await record(answering('10.8.0.3', { macs: MACS(6, 1) }))).toMatchObject({ state: 'found' })
})

test('clones are two devices also before discovery has read the one that was added', async () => {
  stored({ 'autodiscovery.add': 'at_once' })
  const added = []
  for (const [address, sysName, n] of [
    ['10.8.2.1', 'vm-a', 7],
    ['10.8.2.2', 'vm-b', 8],
  ] as const) {
    api.network.agents.set(address, { knows: () => true, sysName })
    const said = { sysName, engineId: ENGINE, macs: MACS(n, 2), serials: [`SERIAL-${n}`] }
    const first = await record(answering(address, said))
    expect(first).toMatchObject({ state: 'added' })
    added.push(first.deviceId)
    // what discovery stores of it at once
    await api.store.sql`update devices set "snmpEngineID" = ${ENGINE} where device_id = ${first.deviceId}`
    expect(await record(answering(address, said))).toMatchObject({ state: 'known', deviceId: first.deviceId })
  }
  expect(new Set(added).size).toBe(2)
})

test('a device that was deleted waits for a decision when it is found again', async () => {
  stored({ 'autodiscovery.add': 'at_once' })
  api.network.agents.set('10.8.1.1', { knows: () => true, sysName: 'core-6' })
  const host = answering('10.8.1.1', { sysName: 'core-6', engineId: ENGINE })
  const { deviceId } = await record(host)
  await api.services.devices.delete(SYSTEM, String(deviceId))
  expect(await record(host)).toMatchObject({
    state: 'found',
    why: 'It was a device that was deleted; it waits for a decision',
  })
})

test('what was not seen for some days is dropped, except what is ignored', async () => {
  const { sql } = api.store
  const id = await device({ hostname: 'switch1' })
  await sql`insert into candidates (address, state, device_id, last_seen) values
    ('10.12.1.1', 'new', null, now() - interval '9 days'), ('10.12.1.2', 'ignored', null, now() - interval '9 days'),
    ('10.12.1.3', 'added', ${id}, now() - interval '9 days'), ('10.12.1.4', 'added', null, now() - interval '9 days'),
    ('10.12.1.5', 'new', null, now())`
  for (const days of [0, -1]) expect(await dropOldCandidates(api.store, days)).toBe(0)
  expect(await dropOldCandidates(api.store, 8)).toBe(3)
  expect((await list()).map(({ address }) => address)).toEqual(['10.12.1.2', '10.12.1.5'])
})

test('an excluded network is not recorded', async () => {
  stored({ 'autodiscovery.nets-exclude': ['10.10.0.0/16'] })
  expect(await record(answering('10.10.3.1', {}))).toMatchObject({ state: 'excluded' })
  expect(await list()).toEqual([])
})

test('a device that reports any number of neighbours fills nothing', async () => {
  const id = await device({ hostname: 'hostile', macs: ['aa'] })
  const source = { ...SCAN, kind: 'lldp', scanId: null, deviceId: id } as const
  await record(answering('10.11.0.1', { macs: MACS(1, 1) }), { candidates: 100, perDevice: 5 })
  for (let i = 0; i < 12; i++)
    await record(mute(`10.11.1.${i}`, null, { ...source, remoteName: `fake-${i}` }), { candidates: 100, perDevice: 5 })
  const left = await list()
  expect(left.map(({ address }) => address).toSorted()).toEqual(
    ['10.11.0.1', ...[7, 8, 9, 10, 11].map((i) => `10.11.1.${i}`)].toSorted(),
  )
  expect(await events()).toEqual([
    'Reports more than 1000 neighbours that are not monitored; the oldest found ones are dropped',
  ])
  await record(answering('10.11.0.2', { macs: MACS(2, 1) }), { candidates: 3, perDevice: 5 })
  // those that answer SNMP stay
  expect((await list()).map(({ address }) => address)).toEqual(['10.11.0.1', '10.11.0.2', '10.11.1.11'])
})

test('a device that answers again is not given the address of what says that it is the same', async () => {
  const id = await device({ hostname: 'switch1', ip: '10.0.0.1', engine: ENGINE, macs: MACS(1, 2), status: 0 })
  await record(answering('10.0.9.66', { engineId: ENGINE, macs: MACS(1, 2), sysName: 'switch1' }))
  const [candidate] = await list()
  expect(candidate?.movedFrom).toBe(id)
  await api.store.sql`update devices set status = 1 where device_id = ${id}`
  await expect(api.services.candidates.acceptMove(SYSTEM, candidate?.id ?? 0)).rejects.toThrow(
    `Device ${id} answers at its own address again, so it has not moved`,
  )
  const [row] = await api.store.sql`select overwrite_ip from devices where device_id = ${id}`
  expect(row?.['overwrite_ip'] ?? '').toBe('')
})

test('what rules ignore does not grow without end, and displaces nothing that waits', async () => {
  await api.store.sql`insert into candidate_rules (position, action, network) values (1, 'ignore', '10.66.0.0/16')`
  const limits = { candidates: 4, perDevice: 5 }
  await record(answering('10.12.0.1', { macs: MACS(1, 1) }), limits)
  await record(answering('10.12.0.2', { macs: MACS(2, 1) }), limits)
  const [, byHand] = await list()
  await api.services.candidates.ignore(SYSTEM, [byHand?.id ?? 0])
  // one host that says at every address that it is another
  for (let i = 0; i < 10; i++)
    await record(answering(`10.66.0.${i}`, { macs: MACS(50 + i, 1), engineId: `80001f8880123456${i}0abcdef` }), limits)
  const left = await list()
  expect(left).toHaveLength(4)
  expect(left.slice(0, 2).map(({ address, state }) => [address, state])).toEqual([
    ['10.12.0.1', 'new'],
    ['10.12.0.2', 'ignored'],
  ])
})
