import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Dialect } from '../../src/core/base/actor.ts'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { storeRule } from '../support/alerts.ts'
import { type Answer, mint, type TestApi, testApi } from '../support/api.ts'
import { seed } from './fixtures.ts'
import { rulesFor } from './tables/groups.ts'
import { member, message } from './tables/row.ts'

// What a client reads can be written back and reads the same: for every writable resource, in both
// dialects. Deleted objects cannot be read.

setDefaultTimeout(60_000)

type Json = Readonly<Record<string, unknown>>

let api: TestApi
beforeAll(async () => {
  api = await testApi()
})
afterAll(() => api.drop())

describe.each(['documented', 'librenms'] as const)('dialect %s', (dialect: Dialect) => {
  let token: string
  beforeAll(async () => {
    token = (await api.token(['admin'], dialect)).token
  })

  async function ask(method: string, path: string, body?: unknown): Promise<Answer> {
    return api.call(method, `/api/v0${path}`, { token, ...(body !== undefined && { body }) })
  }
  /** Sends a request and expects success. */
  async function done(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await ask(method, path, body)
    expect({ method, path, status: Math.floor(answer.status / 100), text: answer.text }).toEqual({
      method,
      path,
      status: 2,
      text: answer.text,
    })
    return answer
  }
  const gone = async (path: string, status: number) => expect((await ask('GET', path)).status).toBe(status)
  /** The object in a response, which one dialect wraps in a list. */
  const unwrapped = ({ json }: Answer) => (Array.isArray(json) ? json[0] : json) as Json
  const records = (answer: Answer, name: string) => unwrapped(answer)[name] as readonly Json[]

  test('devices: every field that can be changed', async () => {
    const { hostname, deviceId } = await seed(api)
    const { deviceId: other } = await seed(api)
    const read = async (id: number) => records(await done('GET', `/devices/${id}`), 'devices')[0] ?? {}
    await done('PATCH', `/devices/${hostname}`, {
      field: ['notes', 'location', 'overwrite_ip', 'retries', 'snmpver', 'authlevel', 'display_template', 'disabled'],
      data: ['a\nb', `Room ${mint()}`, '192.0.2.1', 3, 'v3', 'authPriv', '{{ $hostname }}!', true],
    })
    const before = await read(deviceId)
    const fields = EDITABLE.filter((field) => before[field] !== null)
    await done('PATCH', `/devices/${hostname}`, { field: fields, data: fields.map((field) => before[field]) })
    expect(await read(deviceId)).toEqual(before)

    // also to another device with other values
    await done('PATCH', `/devices/${other}`, { field: EDITABLE, data: EDITABLE.map((field) => before[field]) })
    const copy = await read(other)
    expect(EDITABLE.map((field) => [field, copy[field]])).toEqual(EDITABLE.map((field) => [field, before[field]]))

    await done('DELETE', `/devices/${hostname}`)
    await gone(`/devices/${deviceId}`, 404)
    await gone(`/devices/${hostname}`, 404)
  })

  test('devices: the name', async () => {
    const { hostname, deviceId } = await seed(api)
    await done('PATCH', `/devices/${hostname}/rename/new${hostname}`)
    await gone(`/devices/${hostname}`, 404)
    const [device] = records(await done('GET', `/devices/new${hostname}`), 'devices')
    expect(device).toMatchObject({ device_id: deviceId, hostname: `new${hostname}` })
    expect((await ask('PATCH', `/devices/${deviceId}/rename/${hostname}`)).status).toBe(200)
    expect(records(await done('GET', `/devices/${hostname}`), 'devices')).toMatchObject([{ device_id: deviceId }])
  })

  test('ports: description and notes', async () => {
    const { hostname, portIds } = await seed(api)
    const path = `/ports/${portIds[0]}/description`
    const description = member(await done('GET', path), 'port_description')
    await done('PATCH', path, { description })
    expect(member(await done('GET', path), 'port_description')).toBe(description)
    await done('PATCH', path, { description: 'Grüße <b> %41 "x"' })
    expect(member(await done('GET', path), 'port_description')).toBe('Grüße <b> %41 "x"')
    await done('PATCH', path, { description: '' })
    expect(member(await done('GET', path), 'port_description')).toBe('repoll')
    // no operation returns the notes; they are stored as sent
    await done('PATCH', `/devices/${hostname}/port/${portIds[1]}`, { notes: 'rack 7\n' })
    const stored = await api.store
      .sql`select attrib_value from devices_attribs where attrib_type = ${`port_id_notes:${portIds[1]}`}`
    expect([...stored]).toEqual([{ attrib_value: 'rack 7\n' }])
  })

  test.each(['static', 'dynamic'])('device groups: %s', async (type) => {
    const { hostname, deviceId } = await seed(api)
    const name = `${type} ${mint()} / ü`
    const what = type === 'static' ? { devices: [deviceId] } : { rules: JSON.stringify(rulesFor(hostname)) }
    await done('POST', '/devicegroups', { name, type, desc: 'd', ...what })
    const path = `/devicegroups/${encodeURIComponent(name)}`
    const read = async () => {
      const groups = records(await done('GET', '/devicegroups'), 'groups').filter((group) => group['name'] === name)
      const members = records(await done('GET', path), 'devices').map((device) => device['device_id'])
      return { groups, members }
    }
    const before = await read()
    expect(before).toMatchObject({ groups: [{ name, type, desc: 'd' }], members: [deviceId] })
    const { rules, id, pattern: _, ...group } = before.groups[0] ?? {}
    await done('PATCH', path, {
      ...group,
      ...(type === 'static' ? { devices: before.members } : { rules: JSON.stringify(rules) }),
    })
    expect(await read()).toEqual(before)
    await done('DELETE', path)
    await gone(path, 404)
    await gone(`/devicegroups/${id}`, 404)
  })

  test('port groups', async () => {
    const { portIds } = await seed(api)
    const name = `ports ${mint()}`
    await done('POST', '/port_groups', { name, desc: 'uplinks' })
    const group = records(await done('GET', '/port_groups'), 'groups').find((one) => one['name'] === name)
    expect(group).toMatchObject({ name, desc: 'uplinks' })
    const path = `/port_groups/${group?.['id']}`
    await done('POST', `${path}/assign`, { port_ids: [portIds[0], portIds[1]] })
    const ports = async () =>
      records(await done('GET', `/port_groups/${encodeURIComponent(name)}`), 'ports').map((port) => port['port_id'])
    const before = await ports()
    expect(before.toSorted()).toEqual([portIds[0], portIds[1]])
    await done('POST', `${path}/assign`, { port_ids: before })
    expect(await ports()).toEqual(before)
    await done('POST', `${path}/remove`, { port_ids: before })
    await gone(`/port_groups/${encodeURIComponent(name)}`, 404)
  })

  test('locations', async () => {
    const name = `Halle ${mint()}, 2. Stock / ü`
    await done('POST', '/locations', { location: name, lat: '51.50741234', lng: -0.1278, fixed_coordinates: true })
    const path = encodeURIComponent(name)
    const one = async () => {
      const found = member(await done('GET', `/location/${path}`), 'get_location')
      return (Array.isArray(found) ? found[0] : found) as Json
    }
    const listed = async () => {
      const list = records(await done('GET', '/resources/locations'), 'locations')
      return list.find((location) => location['location'] === name)
    }
    for (const read of [one, listed]) {
      const before = (await read()) as Json
      const { location, lat, lng, fixed_coordinates } = before
      await done('PATCH', `/locations/${path}`, { location, lat, lng, fixed_coordinates })
      expect({ ...(await read()), timestamp: '' }).toEqual({ ...before, timestamp: '' })
    }
    await done('DELETE', `/locations/${path}`)
    await gone(`/location/${path}`, 404)
  })

  test('components', async () => {
    const { hostname } = await seed(api)
    const path = `/devices/${hostname}/components`
    const read = async () => member(await done('GET', path), 'components') as Record<string, Json>
    await done('POST', `${path}/ntp`)
    const [id = ''] = Object.keys(await read())
    await done('PUT', path, { [id]: { label: 'Peer', status: 2, ignore: 1, error: 'late', stratum: '2', peer: 'ü' } })
    const before = await read()
    expect(before).toMatchObject({
      [id]: { type: 'ntp', label: 'Peer', status: 2, ignore: 1, stratum: '2', peer: 'ü' },
    })
    await done('PUT', path, before)
    expect(await read()).toEqual(before)
    await done('DELETE', `${path}/${id}`)
    expect(await read()).toEqual({})
  })

  test('services', async () => {
    const { hostname } = await seed(api)
    await done('POST', `/services/${hostname}`, { type: 'http', ip: '192.0.2.9', desc: 'shop', param: '-S -p 8443' })
    const read = async () => {
      const answer = await done('GET', `/services/${hostname}`)
      return (member(answer, 'services') as readonly (readonly Json[])[]).flat()
    }
    const [before = {}] = await read()
    const { service_id: id, ...columns } = before
    // by the contract, an update without changes is an error, so the row is changed first
    await done('PATCH', `/services/${id}`, { service_desc: 'other', service_ignore: 1, service_param: '' })
    expect(await read()).toMatchObject([{ service_desc: 'other', service_ignore: 1, service_param: '' }])
    await done('PATCH', `/services/${id}`, columns)
    expect(await read()).toEqual([before])
    await done('DELETE', `/services/${id}`)
    expect(await read()).toEqual([])
  })

  test('alert rules', async () => {
    const { deviceId, hostname } = await seed(api)
    const group = await api.services.deviceGroups.create(SYSTEM, {
      name: `g ${mint()}`,
      type: 'static',
      devices: [deviceId],
    })
    const name = `rule ${mint()}`
    await done('POST', '/rules', {
      name,
      devices: [hostname],
      groups: [group.id],
      builder: rulesFor(hostname),
      severity: 'warning',
      notes: 'n',
      proc: 'https://example.net/p',
      ...{ count: 3, delay: '5 m', interval: 60, mute: true, invert: true, invert_map: 1, disabled: 1 },
    })
    const list = records(await done('GET', '/rules'), 'rules')
    const id = list.find((rule) => rule['name'] === name)?.['id']
    const read = async () => records(await done('GET', `/rules/${id}`), 'rules')[0] ?? {}
    const before = await read()
    expect(before).toMatchObject({ devices: [deviceId], groups: [group.id], severity: 'warning', disabled: 1 })
    const { extra, ...rule } = before
    await done('PUT', '/rules', { ...rule, ...(JSON.parse(String(extra)) as Json), rule_id: id })
    expect(await read()).toEqual(before)
    await done('DELETE', `/rules/${id}`)
    await gone(`/rules/${id}`, 404)
  })

  test('alert templates', async () => {
    const { ruleId } = await storeRule(api.store)
    const text = '{{ $alert->title }}\n@foreach ($alert->faults as $key => $value)\n#{{ $key }}\n@endforeach'
    const made = await done('POST', '/alert_templates', {
      name: `t ${mint()}`,
      template: text,
      title: 'down: {{ $alert->hostname }}',
      title_rec: 'up',
      alert_rules: [ruleId],
    })
    const id = member(made, 'id')
    const read = async () => records(await done('GET', `/alert_templates/${id}`), 'alert_templates')
    const before = await read()
    expect(before).toMatchObject([{ template: text, title_rec: 'up', alert_rules: [ruleId] }])
    await done('PUT', '/alert_templates', { ...before[0], template_id: id })
    expect(await read()).toEqual(before)
  })

  test.each(['quota', 'cdr'])('bills by %s', async (type) => {
    const { portIds } = await seed(api)
    const created = await done('POST', '/bills', {
      bill_name: `bill ${mint()}`,
      bill_type: type,
      bill_day: 28,
      ...{ bill_quota: 5_000_000_000, bill_cdr: 20_000_000, dir_95th: 'agg' },
      ...{ bill_custid: 'c', bill_ref: 'r', bill_notes: 'ü', ports: [portIds[0], portIds[1]] },
    })
    const id = member(created, 'bill_id')
    const read = async () => records(await done('GET', `/bills/${id}`), 'bills')[0] ?? {}
    const before = await read()
    const ports = (before['ports'] as readonly Json[]).map((port) => port['port_id'])
    await done('POST', '/bills', { ...before, ports })
    const after = await read()
    expect({ ...after, bill_last_calc: '' }).toEqual({ ...before, bill_last_calc: '' })
    await done('DELETE', `/bills/${id}`)
    const rest = await ask('GET', `/bills/${id}`)
    expect({ status: rest.status, bills: member(rest, 'bills') }).toEqual({ status: 200, bills: [] })
  })

  test('parents', async () => {
    const [child, one, other] = [await seed(api), await seed(api), await seed(api)]
    const read = async () => {
      const answer = await done('GET', `/devices?type=device_id&query=${child.deviceId}`)
      const [device] = records(answer, 'devices')
      return [device?.['dependency_parent_id'], device?.['dependency_parent_hostname']]
    }
    const path = `/devices/${child.hostname}/parents`
    await done('POST', path, { parent_ids: [one.deviceId, other.hostname] })
    const before = await read()
    for (const parent_ids of before) {
      await done('POST', path, { parent_ids })
      expect(await read()).toEqual(before)
    }
    await done('DELETE', path, { parent_ids: one.deviceId })
    expect(await read()).toEqual([String(other.deviceId), other.hostname])
    await done('DELETE', path)
    expect(await read()).toEqual([null, null])
  })

  test('maintenance', async () => {
    const { hostname } = await seed(api)
    const under = async () => member(await done('GET', `/devices/${hostname}/maintenance`), 'is_under_maintenance')
    expect(await under()).toBe(false)
    const answer = await done('POST', `/devices/${hostname}/maintenance`, { notes: 'fans', duration: '1:00' })
    expect(message(answer)).toEndWith('moved into maintenance mode for 1:00h')
    expect(await under()).toBe(true)
  })

  test('descriptions of BGP sessions', async () => {
    const { deviceId } = await seed(api)
    const [peer] = await api.store.sql<{ id: number }[]>`
      insert into "bgpPeers" (device_id, "bgpPeerIdentifier", "bgpPeerRemoteAs", "bgpPeerState", "bgpPeerAdminStatus",
        "bgpLocalAddr", "bgpPeerRemoteAddr")
      values (${deviceId}, '192.0.2.2', 64501, 'established', 'start', '192.0.2.1', '192.0.2.2')
      returning "bgpPeer_id" as id`
    const read = async () => records(await done('GET', `/bgp/${peer?.id}`), 'bgp_session')
    await done('POST', `/bgp/${peer?.id}`, { bgp_descr: 'Transit ü' })
    const before = await read()
    expect(before).toMatchObject([{ bgpPeerDescr: 'Transit ü' }])
    await done('POST', `/bgp/${peer?.id}`, { bgp_descr: before[0]?.['bgpPeerDescr'] })
    expect(await read()).toEqual(before)
  })
})

/** Members of get_device that update_device_field can change. */
const EDITABLE = [
  ...['authalgo', 'authlevel', 'authname', 'authpass', 'community', 'cryptoalgo', 'cryptopass', 'disable_notify'],
  ...['disabled', 'display_template', 'features', 'hardware', 'icon', 'ignore', 'ignore_status', 'ip', 'location'],
  ...['location_id', 'notes', 'os', 'override_sysLocation', 'overwrite_ip', 'poller_group', 'port'],
  ...['port_association_mode', 'purpose', 'retries', 'serial', 'snmp_disable', 'snmpEngineID', 'snmpver', 'status'],
  ...['status_reason', 'sysDescr', 'sysName', 'sysObjectID', 'timeout', 'transport', 'type', 'uptime', 'version'],
]
