import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Agent, mint, type TestApi, testApi } from '../support/api.ts'
import { member, message } from './tables/row.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi()
})
afterAll(() => api.drop())

const anybody: Agent['knows'] = () => true
const community =
  (name: string): Agent['knows'] =>
  (t) =>
    t.community === name

/** Adds a host with its own name and address to the network. */
function host(agent?: Partial<Agent>): { name: string; ip: string } {
  const n = mint()
  const [name, ip] = [`host${n}.example.net`, `10.99.${n >> 8}.${n & 255}`]
  api.network.names.set(name, ip)
  if (agent) api.network.agents.set(ip, { knows: anybody, sysName: `Host${n}`, ...agent })
  return { name, ip }
}

const add = (body: unknown) => api.call('POST', '/api/v0/devices', { body })
const device = (answer: Awaited<ReturnType<typeof add>>) => (member(answer, 'devices') as Record<string, unknown>[])[0]

test('the accepted credentials are stored, those of other SNMP versions are not', async () => {
  const { name, ip } = host({ knows: (t) => t.snmpver === 'v3' && t.authname === 'bob' })
  const answer = await add({
    hostname: name,
    snmpver: 'v3',
    authlevel: 'AuthPriv',
    authname: 'bob',
    authpass: 'long enough',
    authalgo: 'SHA',
    cryptopass: 'long enough too',
    cryptoalgo: 'AES',
    community: 'left over',
  })
  expect(answer.status).toBe(200)
  expect(device(answer)).toMatchObject({
    hostname: name,
    ip,
    snmpver: 'v3',
    community: null,
    authlevel: 'authPriv',
    authname: 'bob',
    authpass: 'long enough',
    cryptoalgo: 'AES',
    status: true,
    os: 'linux',
    sysName: expect.stringMatching(/^host\d+$/),
    display: name,
  })
})

test('without a version, v2c, v3 and v1 are tried, with the given community before the default one', async () => {
  const { name, ip } = host({ knows: (t) => t.snmpver === 'v1' && t.community === 'public' })
  const before = api.network.probed.length
  const answer = await add({ hostname: name, community: 'given' })
  const tried = api.network.probed.slice(before).map((t) => `${t.address === ip} ${t.snmpver} ${t.community}`)
  expect(tried).toEqual(['true v2c given', 'true v2c public', 'true v1 given', 'true v1 public'])
  expect(device(answer)).toMatchObject({ snmpver: 'v1', community: 'public' })
})

test('port, transport, poller group and display are accepted as numbers or text', async () => {
  const { name } = host({})
  const answer = await add({
    hostname: name,
    version: 'v2c',
    port: '1161',
    poller_group: '2',
    display: 'Core {{ $sysName }}',
  })
  expect(device(answer)).toMatchObject({
    port: 1161,
    poller_group: 2,
    display_template: 'Core {{ $sysName }}',
    display: expect.stringMatching(/^Core host\d+$/),
  })
  expect(api.network.probed.at(-1)).toMatchObject({ port: 1161, transport: 'udp' })
})

test('the poller is notified, and an event is logged', async () => {
  const { name } = host({})
  const id = device(await add({ hostname: name }))?.['device_id']
  expect(api.network.refreshed).toContain(Number(id))
  const [event] = await api.store.sql`select message, type, severity from eventlog where device_id = ${Number(id)}`
  expect(event).toEqual({ message: `Device ${name} has been created`, type: 'system', severity: 3 })
})

test('a device without SNMP is monitored by ICMP only', async () => {
  const { name } = host()
  const answer = await add({ hostname: name, snmp_disable: true, hardware: 'camera' })
  expect(device(answer)).toMatchObject({
    snmp_disable: true,
    os: 'ping',
    hardware: 'camera',
    sysName: '',
    community: null,
  })
})

test('ping_fallback adds a host that does not answer SNMP', async () => {
  const { name } = host()
  expect(device(await add({ hostname: name, ping_fallback: 1 }))).toMatchObject({ snmp_disable: true, os: 'ping' })
})

test('two concurrent additions of the same name create one device', async () => {
  const { name } = host({})
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => add({ hostname: name, force_add: true, community: 'c' })),
  )
  expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409, 409, 409, 409])
})

interface Refusal {
  readonly name: string
  readonly status: number
  readonly body: () => unknown
  readonly text: RegExp
}

const refusals: readonly Refusal[] = [
  {
    name: 'nothing',
    status: 400,
    body: () => undefined,
    text: /^No information has been provided to add this new device$/,
  },
  { name: 'no JSON', status: 400, body: () => 'hostname=sw1', text: /^No information has been provided/ },
  { name: 'a list', status: 400, body: () => [], text: /^No information has been provided/ },
  {
    name: 'an empty hostname',
    status: 400,
    body: () => ({ hostname: '', community: 'c' }),
    text: /^Missing the device hostname$/,
  },
  {
    name: 'no hostname by syntax',
    status: 400,
    body: () => ({ hostname: '-x' }),
    text: /^Invalid hostname or IP: -x$/,
  },
  {
    name: 'an invalid port',
    status: 400,
    body: () => ({ hostname: 'x', port: 'snmp' }),
    text: /^Invalid port: snmp$/,
  },
  {
    name: 'forced without community',
    status: 400,
    body: () => ({ hostname: host().name, force_add: true }),
    text: /^SNMP information is required when force adding a device$/,
  },
  {
    name: 'forced v3 authPriv without cipher',
    status: 400,
    body: () => ({
      hostname: host().name,
      force_add: true,
      version: 'v3',
      authlevel: 'authPriv',
      authname: 'n',
      authpass: 'p',
    }),
    text: /^SNMP information is required/,
  },
  {
    name: 'an unknown version',
    status: 400,
    body: () => ({ hostname: host({}).name, version: 'v4' }),
    text: /^Unsupported SNMP Version "v4", must be v1, v2c, or v3$/,
  },
  {
    name: 'a name that does not resolve',
    status: 503,
    body: () => ({ hostname: 'nowhere.example.net' }),
    text: /^Could not ping nowhere\.example\.net \(Hostname did not resolve to IP\)$/,
  },
  {
    name: 'no ICMP answer',
    status: 503,
    body: () => {
      const { name, ip } = host({})
      api.network.silent.add(ip)
      return { hostname: name }
    },
    text: /^Could not ping host\d+\.example\.net \(10\.99\.\d+\.\d+\)$/,
  },
  {
    name: 'no SNMP answer',
    status: 503,
    body: () => ({ hostname: host({ knows: community('other') }).name, community: 'wrong' }),
    text: /^Could not connect to host\d+\.example\.net, please check the snmp details and snmp reachability$/,
  },
  {
    name: 'SNMP over TCP',
    status: 400,
    body: () => ({ hostname: host({}).name, transport: 'tcp' }),
    text: /^SNMP over tcp is not supported, use udp or udp6$/,
  },
]

test.each(refusals)('refused: $name', async ({ status, body, text }) => {
  const sent = body()
  const answer = await api.call('POST', '/api/v0/devices', sent === undefined ? {} : { body: sent })
  expect(message(answer)).toMatch(text)
  expect(answer.status).toBe(status)
})

test('an address in use by another device is refused, unless forced', async () => {
  const { name, ip } = host({})
  expect((await add({ hostname: name })).status).toBe(200)
  expect(message(await add({ hostname: ip }))).toBe(`Cannot add ${ip}, already have device ${name} with this IP ${ip}`)
  expect((await add({ hostname: ip, force_add: true, community: 'c' })).status).toBe(200)
})

test('resolved addresses are compared only with addhost_alwayscheckip', async () => {
  const { name, ip } = host({})
  await add({ hostname: name })
  const alias = host().name
  api.network.names.set(alias, ip)
  api.network.agents.set(ip, { knows: anybody, sysName: `alias${mint()}` })
  api.settings.applyStored(new Map([['addhost_alwayscheckip', true]]))
  expect(message(await add({ hostname: alias }))).toBe(
    `Cannot add ${alias}, already have device ${name} with this IP ${ip}`,
  )
  api.settings.applyStored(new Map())
  expect((await add({ hostname: alias })).status).toBe(200)
})

test('a sysName in use by another device is refused, unless the setting allows it', async () => {
  const first = host({ sysName: 'Twin' })
  const second = host({ sysName: 'twin' })
  await add({ hostname: first.name })
  expect(message(await add({ hostname: second.name }))).toBe(
    `Already have device ${first.name} due to duplicate sysName: twin`,
  )
  api.settings.applyStored(new Map([['allow_duplicate_sysName', true]]))
  expect((await add({ hostname: second.name })).status).toBe(200)
  api.settings.applyStored(new Map())
})

test('with icmp_check off a host that does not answer pings is added', async () => {
  const { name, ip } = host({})
  api.network.silent.add(ip)
  api.settings.applyStored(new Map([['icmp_check', false]]))
  expect((await add({ hostname: name })).status).toBe(200)
  api.settings.applyStored(new Map())
})

test('a monitored device under another name or address is refused, with its name and address', async () => {
  api.settings.applyStored(new Map<string, unknown>([['allow_duplicate_sysName', true]]))
  const n = mint()
  const [own, other, foreign] = [`10.97.${n & 255}.1`, `10.97.${n & 255}.2`, `10.97.${n & 255}.3`]
  const [row] = await api.store.sql<{ device_id: number }[]>`
    insert into devices (hostname, ip, "sysName", "snmpEngineID") values (${`switch${n}.example.net`}, ${own}::inet, ${`switch${n}`}, null)
    returning device_id`
  const [port] = await api.store.sql<{ port_id: number }[]>`
    insert into ports (device_id, "ifIndex", "ifName") values (${row?.device_id ?? 0}, 1, 'lo0') returning port_id`
  await api.store
    .sql`insert into ipv4_addresses (ipv4_address, ipv4_prefixlen, port_id) values (${other}, 32, ${port?.port_id ?? 0})`
  for (const ip of [other, foreign]) api.network.agents.set(ip, { knows: anybody, sysName: `switch${n}` })
  const refused = await add({ hostname: other })
  expect(refused.status).toBe(409)
  expect(message(refused)).toBe(
    `Cannot add ${other}, it is switch${n}.example.net (device ${row?.device_id}), which answers at ${own}: they have the name switch${n} and the address ${other}`,
  )
  // a name alone is not refused where several devices may have it, and force adds as ever
  expect((await add({ hostname: foreign })).status).toBe(200)
  expect((await add({ hostname: other, force_add: true, community: 'public' })).status).toBe(200)
  api.settings.applyStored(new Map())
})
