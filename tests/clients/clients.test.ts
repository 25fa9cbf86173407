import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { findSnmpd } from '../../packages/snmp/tests/support/snmpd.ts'
import { raiseAlert, storeRule } from '../support/alerts.ts'
import { type LiveServer, startLiveServer } from './live.ts'
import { goProgram, pythonProgram } from './programs.ts'

// Unmodified third-party clients against a real server that monitors a real agent, in dialect `librenms`.

setDefaultTimeout(240_000)

const snmpd = findSnmpd()
const python = snmpd === null ? null : await pythonProgram('aiolibrenms==0.0.4', 'aiolibrenms_calls.py')
const golang = snmpd === null ? null : await goProgram()

let server: LiveServer
beforeAll(async () => {
  if (snmpd !== null) server = await startLiveServer(snmpd)
}, 240_000)
afterAll(async () => {
  python?.remove()
  golang?.remove()
  await server?.stop()
}, 60_000)

type Fields = Record<string, unknown>

interface Understood {
  readonly listed: readonly Fields[]
  readonly by_id: Fields
  readonly by_name: Fields
  readonly availability: Fields
  readonly system: Fields
  readonly [refused: string]: unknown
}

/** Names that differ between the client and the API. */
const RENAMED: Readonly<Record<string, string>> = {
  override_sys_location: 'override_sysLocation',
  sys_name: 'sysName',
  bgp_local_as: 'bgpLocalAs',
  snmp_engine_id: 'snmpEngineID',
  sys_contact: 'sysContact',
  sys_descr: 'sysDescr',
  sys_object_id: 'sysObjectID',
}

/** Members that the API does not have, for which this client uses defaults, and those that the next poll may change. */
const LEFT_OUT = [
  ...['dependency_parent_hostname', 'dependency_parent_id', 'uptime', 'last_ping', 'last_ping_timetaken'],
  ...['last_polled', 'last_polled_timetaken', 'last_poll_attempted', 'last_discovered', 'last_discovered_timetaken'],
]

const FLAGS = [
  ...['disable_notify', 'disabled', 'ignore', 'ignore_status'],
  ...['mtu_status', 'override_sysLocation', 'snmp_disable', 'status'],
]

describe.skipIf(python === null)('aiolibrenms 0.0.4', () => {
  let understood: Understood

  beforeAll(async () => {
    const { hostname, port } = new URL(server.url)
    const id = String(server.devices[0]?.device_id)
    const printed = await python?.run([hostname, port, server.token, server.weakToken, id])
    understood = JSON.parse(printed ?? 'null') as Understood
  }, 120_000)

  test('the list has every device with the values of the API', () => {
    expect(understood.listed.map(asTold)).toEqual(server.devices.map((device) => comparable(device)))
  })

  test('one device, by id and by name', async () => {
    const { json } = await server.call('GET', `/devices/${server.devices[0]?.device_id}`)
    const [device] = json['devices'] as Fields[]
    expect(asTold(understood.by_id)).toEqual(comparable(device ?? {}))
    expect(comparable(understood.by_name)).toEqual(comparable(understood.by_id))
    expect(understood.by_id['status']).toBe(true)
    expect(Date.parse(String(understood.by_id['last_polled']))).toBeGreaterThan(Date.now() - 600_000)
    expect(understood.by_id['uptime']).toBeGreaterThan(0)
  })

  test('availability in its four windows', async () => {
    const { json } = await server.call('GET', `/devices/${server.devices[0]?.device_id}/availability`)
    const told = json['availability'] as { availability_perc: string }[]
    const { last_day, last_week, last_month, last_year } = understood.availability
    expect([last_day, last_week, last_month, last_year]).toEqual(
      [0, 1, 2, 3].map((window) => Number(told[window]?.availability_perc ?? 0)),
    )
  })

  test('system', async () => {
    const { json } = await server.call('GET', '/system')
    const [system] = json['system'] as Fields[]
    const told = Object.entries(system ?? {}).map(([name, value]) => [name, String(value)])
    expect(Object.fromEntries(told)).toMatchObject(understood.system)
    expect(understood.system['database_ver']).toStartWith('PostgreSQL')
  })

  test.each([
    ['no_token', 'LibrenmsUnauthenticatedError'],
    ['wrong_token', 'LibrenmsUnauthenticatedError'],
    ['weak_device', 'LibrenmsForbiddenError'],
    ['no_device', 'LibrenmsNotFoundError'],
    ['no_availability', 'LibrenmsNotFoundError'],
  ])('%s is %s, with a text', (call, kind) => {
    expect(understood[call]).toEqual({ kind, message: expect.stringMatching(/\S/) })
  })
})

/** The values that the client parsed, under the API's names. */
function asTold(device: Fields): Fields {
  return comparable(Object.fromEntries(Object.entries(device).map(([name, value]) => [RENAMED[name] ?? name, value])))
}

/** Flags as booleans and times as milliseconds, since each side writes them differently. */
function comparable(device: Fields): Fields {
  const entries = Object.entries(device).filter(([name]) => !LEFT_OUT.includes(name))
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (name === 'inserted') return [name, Date.parse(String(value))]
      return [name, FLAGS.includes(name) ? value === true || value === 1 : value]
    }),
  )
}

// What Oxidized's HTTP source does: fetch a list and read the members named in its map from each entry.

/** `source.http.map` in Oxidized's configuration for this API. */
const MAP = { name: 'hostname', model: 'os', ip: 'ip', group: 'group' } as const

type BackupNode = Partial<Record<keyof typeof MAP, string>>

/** The nodes at a URL. Like the tool, it looks only at the body. */
async function nodes(path: string): Promise<BackupNode[]> {
  const answer = await fetch(`${server.url}/api/v0/${path}`, { headers: { 'X-Auth-Token': server.token } })
  const body: unknown = await answer.json()
  if (!Array.isArray(body)) throw new Error(`no bare list: ${JSON.stringify(body)}`)
  return body.map((entry: Record<string, unknown>) => {
    const members = Object.entries(MAP).filter(([, member]) => member in entry)
    for (const [, member] of members) expect(entry[member]).toBeString()
    return Object.fromEntries(members.map(([name, member]) => [name, entry[member]]))
  })
}

const byName = (a: BackupNode, b: BackupNode) => String(a.name).localeCompare(String(b.name))

describe.skipIf(snmpd === null)('an HTTP source like that of Oxidized', () => {
  test('every device is a node with name, model and address', async () => {
    const expected = server.devices.map((d) => ({
      name: d.hostname,
      model: String(d['os']),
      ip: String(d['ip']),
    }))
    expect((await nodes('oxidized')).sort(byName)).toEqual(expected.sort(byName))
  })

  test('one host gives a list of one; an unknown host gives an empty list', async () => {
    expect(await nodes('oxidized/127.0.0.1')).toEqual([{ name: '127.0.0.1', model: 'linux', ip: '127.0.0.1' }])
    expect(await nodes('oxidized/no-such-device')).toEqual([])
  })

  test('a disabled device is left out, and comes back', async () => {
    await server.call('PATCH', '/devices/127.0.0.1', { field: 'disabled', data: 1 })
    expect((await nodes('oxidized')).map((node) => node.name)).not.toContain('127.0.0.1')
    await server.call('PATCH', '/devices/127.0.0.1', { field: 'disabled', data: 0 })
    expect((await nodes('oxidized')).map((node) => node.name)).toContain('127.0.0.1')
  })

  test('a wrong token is refused', async () => {
    const answer = await fetch(`${server.url}/api/v0/oxidized`, { headers: { 'X-Auth-Token': 'wrong' } })
    expect(answer.status).toBe(401)
  })
})

describe.skipIf(golang === null)('go-librenms 0.3', () => {
  test('every method does what it says, and written values read back', async () => {
    const store = await server.store()
    const { ruleId } = await storeRule(store)
    const alertId = await raiseAlert(store, { deviceId: server.devices[0]?.device_id ?? 0, ruleId })
    const args = [server.agentPort, alertId, ruleId].map(String)
    expect(await golang?.run([server.url, server.token, ...args])).toBe('as it must be\n')
  }, 120_000)
})
