import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { raiseAlert, storeRule } from '../support/alerts.ts'
import { mint, type TestApi, testApi } from '../support/api.ts'
import { type Seeded, seed } from './fixtures.ts'
import { member } from './tables/row.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi()
})
afterAll(() => api.drop())

const call = async (method: string, path: string, body?: unknown, token?: string) =>
  await api.call(method, `/api/v0${path}`, { body, ...(token !== undefined && { token }) })

const BUILDER = {
  condition: 'OR',
  rules: [
    { id: 'devices.status', field: 'devices.status', type: 'string', input: 'text', operator: 'equal', value: '0' },
    {
      condition: 'AND',
      rules: [
        { field: 'ports.ifOperStatus', operator: 'in', value: 'down lowerLayerDown', extra: { kept: [3, 1, 2] } },
      ],
    },
  ],
  valid: true,
}

async function addRule(members: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
  const name = `rule ${mint()}`
  const body = { name, severity: 'warning', builder: BUILDER, devices: [-1], ...members }
  expect((await call('POST', '/rules', body)).json).toEqual({ status: 'ok' })
  return await ruleNamed(String(body.name))
}

async function ruleNamed(name: string): Promise<Record<string, unknown>> {
  const rules = member(await call('GET', '/rules'), 'rules') as Record<string, unknown>[]
  return rules.find((rule) => rule['name'] === name) ?? {}
}

async function group(deviceId: number): Promise<number> {
  const [row] = await api.store.sql<{ id: number }[]>`
    with g as (insert into device_groups (name, type) values (${`g${mint()}`}, 'static') returning id)
    insert into device_group_device (device_group_id, device_id) select id, ${deviceId} from g
    returning device_group_id as id`
  return row?.id ?? 0
}

async function location(deviceId: number): Promise<number> {
  const [row] = await api.store.sql<{ id: number }[]>`
    insert into locations (location) values (${`l${mint()}`}) returning id`
  await api.store.sql`update devices set location_id = ${row?.id ?? 0} where device_id = ${deviceId}`
  return row?.id ?? 0
}

describe('rules', () => {
  test('a rule names at most 10,000 devices, which are all found with few statements', async () => {
    const { deviceId, hostname } = await seed(api)
    for (const method of ['POST', 'PUT']) {
      for (const list of ['devices', 'groups', 'locations']) {
        const members = { devices: [-1], [list]: Array.from({ length: 10_001 }, (_, n) => n + 1) }
        const body = { name: `rule ${mint()}`, severity: 'ok', builder: BUILDER, ...members }
        const { status, text } = await call(method, '/rules', body)
        expect({ status, text }).toEqual({
          status: 400,
          text: JSON.stringify({ status: 'error', message: `${list} must not have more than 10000 items` }),
        })
      }
    }
    const [row] = await api.store.sql<{ ip: string }[]>`
      update devices set ip = '192.0.2.77' where device_id = ${deviceId} returning host(ip) as ip`
    const named = [String(deviceId), hostname.toUpperCase(), row?.ip ?? '', hostname]
    expect(await addRule({ devices: Array.from({ length: 10_000 }, (_, n) => named[n % named.length]) })).toMatchObject(
      {
        devices: [deviceId],
      },
    )
    const absent = Array.from({ length: 10_000 }, (_, n) => `10.77.${n >> 8}.${n & 255}`)
    const body = { name: `rule ${mint()}`, severity: 'ok', builder: BUILDER, devices: absent }
    expect((await call('POST', '/rules', body)).text).toContain('Invalid devices: 10.77.0.0,10.77.0.1,')
  })

  test('a rule reads back as written: read and sent again it is the same rule', async () => {
    const { deviceId } = await seed(api)
    const maps = { devices: [-1, deviceId], groups: [await group(deviceId)], locations: [await location(deviceId)] }
    const extra = { delay: '11m', interval: '1h', count: 3, mute: 1, invert: true, recovery: false }
    const before = await addRule({ ...maps, ...extra, invert_map: true, disabled: 1, notes: 'a < b', proc: '' })
    expect(before).toMatchObject({ ...maps, devices: [deviceId], device_id: deviceId, invert_map: 1, notes: 'a < b' })
    expect(before['proc']).toBe('')
    const read = JSON.parse(String(before['extra']))
    expect(read).toMatchObject({ delay: 660, interval: 3600, count: 3, mute: true, invert: true, recovery: false })
    expect((await call('PUT', '/rules', { ...before, ...read, rule_id: before['id'] })).json).toEqual({ status: 'ok' })
    expect(await ruleNamed(String(before['name']))).toEqual(before)
  })

  test('a builder reads back JSON-equal, sent as object or as text', async () => {
    const text = JSON.stringify(BUILDER, null, 2)
    const [first, second] = [await addRule({}), await addRule({ builder: text })]
    expect(JSON.parse(String(first['builder']))).toEqual(BUILDER)
    expect(second['builder']).toBe(text)
    const rule = 'devices.status = 0 OR (ports.ifOperStatus IN ("down", "lowerLayerDown"))'
    expect([first['rule'], second['rule']]).toEqual([rule, rule])
  })

  test("the operator's own SQL is kept as the query", async () => {
    const rule = await addRule({ override_query: 'on', adv_query: 'SELECT * FROM devices WHERE status = 0' })
    expect(rule['query']).toBe('SELECT * FROM devices WHERE status = 0')
    expect(JSON.parse(String(rule['extra']))).toMatchObject({ options: { override_query: true } })
  })

  test('deleting it removes its alerts, their log, its maps and links to templates', async () => {
    const { deviceId } = await seed(api)
    const { id } = await addRule({ devices: [deviceId] })
    const ruleId = Number(id)
    await raiseAlert(api.store, { deviceId, ruleId })
    const body = { name: 't', template: 'x', alert_rules: [ruleId] }
    const template = member(await call('POST', '/alert_templates', body), 'id')
    expect((await call('DELETE', `/rules/${ruleId}`)).status).toBe(200)
    expect((await call('GET', `/rules/${ruleId}`)).status).toBe(404)
    expect(member(await call('GET', `/alerts?alert_rule=${ruleId}`), 'count')).toBe(0)
    const log = member(await call('GET', `/logs/alertlog/${deviceId}`), 'total')
    expect(log).toBe(0)
    expect(member(await call('GET', `/alert_templates/${template}`), 'alert_templates')).toMatchObject([
      { alert_rules: [] },
    ])
  })

  test('hostile names and notes lose their tags', async () => {
    const n = mint()
    await addRule({ name: `<script>alert(1)</script>x${n}`, notes: '<b>bold</b> 1 < 2' }).catch(() => {})
    expect(await ruleNamed(`alert(1)x${n}`)).toMatchObject({ notes: 'bold 1 < 2' })
  })
})

describe('a user', () => {
  async function view(mine: Seeded) {
    const { token, username } = await api.token(['user'])
    await api.services.users.grant(username, { deviceIds: [mine.deviceId] })
    return async (path: string) => await call('GET', path, undefined, token)
  }

  test('sees alerts of granted devices', async () => {
    const [mine, other] = [await seed(api), await seed(api)]
    const { ruleId } = await storeRule(api.store)
    const own = await raiseAlert(api.store, { deviceId: mine.deviceId, ruleId })
    const foreign = await raiseAlert(api.store, { deviceId: other.deviceId, ruleId })
    const get = await view(mine)
    expect(member(await get('/alerts'), 'alerts')).toMatchObject([{ id: own }])
    expect(member(await get(`/alerts/${foreign}`), 'alerts')).toEqual([])
  })

  test('sees rules for granted devices, and only the granted part of their maps', async () => {
    const [mine, other] = [await seed(api), await seed(api)]
    const both = await group(mine.deviceId)
    const foreignGroup = await group(other.deviceId)
    const everywhere = await addRule({})
    const ours = await addRule({ devices: [mine.deviceId, other.deviceId] })
    const theirs = await addRule({ devices: [other.deviceId] })
    const notTheirs = await addRule({ devices: [other.deviceId], invert_map: 1 })
    const notOurs = await addRule({ devices: [mine.deviceId], invert_map: 1 })
    const grouped = await addRule({ groups: [both, foreignGroup] })
    const placed = await addRule({ locations: [await location(mine.deviceId)] })
    const placedElsewhere = await addRule({ locations: [await location(other.deviceId)] })
    const get = await view(mine)
    const rules = member(await get('/rules'), 'rules') as { id: number }[]
    const seen = new Map(rules.map((rule) => [rule.id, rule]))
    const visible = [everywhere, ours, notTheirs, grouped, placed].map((rule) => Number(rule['id']))
    const hidden = [theirs, notOurs, placedElsewhere].map((rule) => Number(rule['id']))
    expect(visible.filter((id) => !seen.has(id))).toEqual([])
    expect(hidden.filter((id) => seen.has(id))).toEqual([])
    expect(seen.get(Number(ours['id']))).toMatchObject({ devices: [mine.deviceId] })
    expect(seen.get(Number(grouped['id']))).toMatchObject({ groups: [both] })
    expect((await get(`/rules/${theirs['id']}`)).status).toBe(404)
  })
})

test('deleting a device deletes its alerts, logs and messages', async () => {
  const { deviceId, hostname } = await seed(api)
  const { ruleId } = await storeRule(api.store)
  await raiseAlert(api.store, { deviceId, ruleId })
  const { id } = await addRule({ devices: [deviceId] })
  await call('POST', '/syslogsink', { host: hostname, msg: 'x', program: 'y' })
  expect((await call('DELETE', `/devices/${hostname}`)).status).toBe(200)
  for (const table of ['alerts', 'alert_log', 'syslog', 'eventlog', 'alert_device_map']) {
    const rows = await api.store.sql`select from ${api.store.sql(table)} where device_id = ${deviceId}`
    expect({ table, rows: rows.length }).toEqual({ table, rows: 0 })
  }
  expect(member(await call('GET', `/rules/${id}`), 'rules')).toMatchObject([{ devices: [], device_id: -1 }])
})

test('bad input is rejected as the contract says, never with a server error', async () => {
  const paths = [
    ['GET', '/alerts?state=1,2,,x,99999999999&severity=zzz&alert_rule=99999999999999999999'],
    ['GET', '/alerts?order=timestamp%3Bdrop%20table%20alerts'],
    ['GET', "/alerts?order=id'--"],
    ['GET', '/alerts/99999999999999999999'],
    ['PUT', '/alerts/99999999999999999999'],
    ['DELETE', '/rules/99999999999999999999'],
    ['GET', '/rules/-1'],
    ['GET', '/alert_templates/%2F'],
    ['GET', '/logs/eventlog?from=0000-00-00&limit=-1&start=-5'],
    ['GET', '/logs/syslog?limit=99999999999999999999&start=99999999999999999999'],
    ['GET', '/logs/authlog?from=-1'],
  ] as const
  for (const [method, path] of paths) {
    const { status } = await call(method, path)
    expect({ path, ok: status === 200 || status === 400 || status === 404 }).toEqual({ path, ok: true })
  }
  const bodies: unknown[] = [[], 1, 'x', { name: {}, devices: {}, builder: [] }, { devices: [{}], builder: { a: 1 } }]
  for (const body of bodies) {
    const rule = await call('POST', '/rules', JSON.stringify(body))
    expect(rule.text).not.toContain('Server Error')
    const template = await call('POST', '/alert_templates', JSON.stringify(body))
    expect({ body, status: template.status }).toEqual({ body, status: 400 })
  }
})
