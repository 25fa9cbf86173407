import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

let web: TestWeb
let admin: Person
beforeAll(async () => {
  web = await testWeb()
  admin = await web.signedIn(['admin'])
})
afterAll(() => web.drop())

const add = (form: Readonly<Record<string, string>>) =>
  web.post('/devices/new', { csrf: admin.csrf, do: 'add', ...form }, { cookie: admin.cookie })

test('answers from another address lead to the box that accepts them, which the device keeps', async () => {
  web.api.network.agents.set('192.0.2.9', { knows: () => true, sysName: 'nat', from: '198.51.100.1:161' })
  const form = { hostname: '192.0.2.9', way: 'v2c', community: 'public' }
  const refused = await add(form)
  const text = await refused.text()
  expect(refused.status).toBe(422)
  expect(text).toContain('answers come from 198.51.100.1:161')
  const advice = /<ol class="advice">(.*?)<\/ol>/s.exec(text)?.[1] ?? ''
  expect(advice).toContain('“Accept answers from another address or port”')
  expect(advice).not.toContain('Is the community')
  const [box] = /<input[^>]*name="snmp_any_source"[^>]*>/.exec(text) ?? []
  expect(box).not.toContain('checked')

  const added = await add({ ...form, snmp_any_source: '1' })
  expect(added.status).toBe(303)
  const id = /\d+$/.exec(added.headers.get('location') ?? '')?.[0] ?? ''
  const rows = await web.api.store.sql`select snmp_any_source from devices where device_id = ${id}`
  expect(rows).toMatchObject([{ snmp_any_source: 1 }])
})

test('a device that is monitored under another address is refused with a link to it', async () => {
  const identity = {
    ...{ sysName: null, engineId: null, serials: ['FX70012345'], baseMac: null, addresses: [] },
    macs: ['001b21700101', '001b21700102'],
  }
  web.api.network.agents.set('192.0.2.71', { knows: () => true, sysName: 'another-name', identity })
  const { sql } = web.api.store
  const [row] = await sql<{ device_id: number }[]>`
    insert into devices (hostname, ip, serial) values ('core-7', '192.0.2.70', 'FX70012345') returning device_id`
  const id = row?.device_id ?? 0
  await sql`insert into ports (device_id, "ifIndex", "ifPhysAddress") values (${id}, 1, '001b21700101')`
  const form = { hostname: '192.0.2.71', way: 'v2c', community: 'public' }
  const refused = await add(form)
  expect(refused.status).toBe(422)
  const text = await refused.text()
  expect(text).toContain(`it is core-7 (device ${id}), which answers at 192.0.2.70`)
  expect(text).toContain(`<a href="/device/${id}">Open the device</a>`)
  const headers = { accept: 'application/x-ndjson' }
  const body = { csrf: admin.csrf, do: 'add', ...form }
  const streamed = await (await web.post('/devices/new', body, { cookie: admin.cookie, headers })).text()
  expect(JSON.parse(streamed.trim().split('\n').at(-1) ?? '')).toMatchObject({ known: `/device/${id}` })
  // in a list, with the same link
  const list = { csrf: admin.csrf, do: 'add', list: '192.0.2.71', way: 'v2c', community: 'public' }
  const lines = await (await web.post('/devices/new/list', list, { cookie: admin.cookie, headers })).text()
  expect(lines).toContain(`"link":"/device/${id}"`)
  expect(lines).toContain(`it is core-7 (device ${id})`)
  // whoever does not see the device learns neither its name nor its id
  const roles = { roles: new Set(['operator']), permissions: new Set(['device.create']) }
  const operator = { ...SYSTEM, ...roles, userId: 2_000_000, username: 'operator' }
  const request = { hostname: '192.0.2.71', snmpver: 'v2c', community: 'public', only: true }
  await expect(web.api.services.devices.add(operator, request)).rejects.toMatchObject({
    message: 'Cannot add 192.0.2.71, it is a monitored device to which you have no access',
    deviceId: null,
  })
})

test('each step is said when it begins, with its place and the seconds that it takes at most', async () => {
  const headers = { accept: 'application/x-ndjson' }
  const form = { csrf: admin.csrf, do: 'add', hostname: '192.0.2.99', way: 'v2c', community: 'nobody-knows' }
  const answer = await (await web.post('/devices/new', form, { cookie: admin.cookie, headers })).text()
  const lines = answer.trim().split('\n')
  const asked = lines.flatMap((line) => Object(JSON.parse(line)).asking ?? [])
  expect(asked).toContain('Ping 192.0.2.99')
  expect(asked).toContainEqual(expect.stringMatching(/^SNMP v2c with the given community.*, up to 6 s$/))
  expect(answer).not.toContain('nobody-knows')
})

describe('a list', () => {
  const PATH = '/devices/new/list'
  const send = (form: Readonly<Record<string, string>>, person = admin) =>
    web.post(PATH, { csrf: person.csrf, ...form }, { cookie: person.cookie })
  /** The lines of the answer that a script reads. */
  const streamed = async (form: Readonly<Record<string, string>>) => {
    const headers = { accept: 'application/x-ndjson' }
    const answer = await web.post(PATH, { csrf: admin.csrf, ...form }, { cookie: admin.cookie, headers })
    const lines = (await answer.text()).split('\n').filter((line) => line !== '')
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  }
  const steps = (lines: readonly Record<string, unknown>[]) =>
    lines.flatMap(({ step }) => {
      const { what, result, state } = Object(step)
      return step === undefined ? [] : [`${what} | ${result} | ${state}`]
    })

  test('is read without contacting anything: errors with their lines, what is monitored, what can be added', async () => {
    await web.api.store.sql`insert into devices (hostname, ip) values ('known.example.net', '192.0.2.40')`
    const list = [
      'hostname,community,port,groups',
      'bad name!,quite-hidden,,',
      'new.example.net,quite-hidden,1161,Edge;Core',
      '192.0.2.40,,,',
      'NEW.example.net,,,',
      'other.example.net,,70000,',
      'x,y,1,z,too-many',
    ].join('\n')
    const before = web.api.network.probed.length
    const lines = await streamed({ do: 'check', list })
    expect(steps(lines)).toEqual([
      'Line 2: bad name! | Invalid hostname or IP: bad name! | no',
      'Line 3: new.example.net | can be tried, its own community, UDP port 1161, groups Edge, Core | ok',
      expect.stringMatching(/^Line 4: 192.0.2.40 \| Monitored already as known.example.net \(device \d+\) \| skipped$/),
      'Line 5: NEW.example.net | Line 3 has the same name or address | no',
      'Line 6: other.example.net | Invalid port: enter a UDP port from 1 to 65535 | no',
      'Line 7: x | 5 cells, but the first line names 4 columns | no',
    ])
    expect(lines.filter(({ link }) => link !== undefined)).toEqual([
      expect.objectContaining({ link: expect.stringMatching(/^\/device\/\d+$/) }),
    ])
    expect(lines.at(-1)).toEqual({
      end: 'Nothing was contacted or stored. 1 to add, 1 monitored already, 4 with an error.',
    })
    expect(JSON.stringify(lines)).not.toContain('quite-hidden')
    expect(web.api.network.probed).toHaveLength(before)
    for (const [given, says] of [
      ['', 'The list has no device'],
      ['hostname,what\na,b', 'Unknown columns: what'],
      ['hostname\n"a', 'an opening quote'],
      ['a\n'.repeat(2001), 'the most at once is 2000'],
      ['#'.repeat(300_000), 'longer than 262144'],
    ] as const)
      expect(await streamed({ do: 'add', list: given })).toEqual([
        { problem: expect.stringContaining(says), advice: [] },
      ])
    expect(steps(await streamed({ do: 'check', list: '192.0.2.41,quite-hidden' }))).toEqual([
      expect.stringMatching(/^Line 1: 192.0.2.41 \| More than a name or address.* \| no$/),
    ])
  })

  test('is added with a result for each line, with the credentials of the line or else of the form', async () => {
    const { network, store, services } = web.api
    for (const [ip, community] of [
      ['192.0.2.51', 'own'],
      ['192.0.2.52', 'common'],
      ['192.0.2.54', 'common'],
    ] as const)
      network.agents.set(ip, { knows: (target) => target.community === community, sysName: `agent-${ip}` })
    // two addresses of one device: only one of them is added, although they are contacted at the same time
    network.agents.set('192.0.2.55', { knows: () => true, sysName: 'agent-192.0.2.54' })
    const list =
      'hostname,community,groups\n192.0.2.51,own,Edge\n192.0.2.52,,Edge\n192.0.2.53,,\n192.0.2.54\n192.0.2.55\n'
    const lines = await streamed({ do: 'add', list, way: 'v2c', community: 'common', port: '1161' })
    const said = steps(lines).toSorted()
    expect(said.slice(0, 3)).toEqual([
      'Line 2: 192.0.2.51 | added | ok',
      'Line 3: 192.0.2.52 | added | ok',
      expect.stringMatching(/^Line 4: 192.0.2.53 \| Could not connect to 192.0.2.53.* \| no$/),
    ])
    expect(said.slice(3).filter((one) => one.includes('| added |'))).toHaveLength(1)
    expect(said.slice(3).filter((one) => one.includes('duplicate sysName'))).toHaveLength(1)
    expect(lines.at(-1)).toEqual({ end: '3 added, 1 already monitored, 1 not added.' })
    expect(lines.filter(({ progress }) => progress !== undefined).at(-1)).toMatchObject({ progress: '5 of 5' })
    const rows = await store.sql`select hostname, community, port from devices
      where hostname in ('192.0.2.51', '192.0.2.52') order by 1`
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { hostname: '192.0.2.51', community: 'own', port: 1161 },
      { hostname: '192.0.2.52', community: 'common', port: 1161 },
    ])
    const group = await services.deviceGroups.find(SYSTEM, 'Edge')
    expect(group === null ? [] : await services.deviceGroups.members(SYSTEM, group)).toHaveLength(2)
    const audit = await (await web.send('/settings/audit', { cookie: admin.cookie })).text()
    expect(audit).toContain('List of devices: 3 added, 1 already monitored, 1 not added')
  })

  test('without scripts the page shows the same, and does not send communities back', async () => {
    const answer = await send({ do: 'check', list: 'hostname,community\nbad name!,quite-hidden\n' })
    const text = await answer.text()
    expect(answer.status).toBe(200)
    expect(text).toContain('Line 2: bad name!')
    expect(text).not.toContain('quite-hidden')
    const added = await (
      await send({ do: 'add', list: 'forced.example.net', way: 'v2c', community: 'x', force: '1' })
    ).text()
    expect(added).toMatch(/<a href="\/device\/\d+">Line 1: forced.example.net<\/a>/)
  })

  test('needs the right to add devices, and for groups the right to change them', async () => {
    const user = await web.signedIn(['user'])
    expect((await send({ do: 'check', list: 'a' }, user)).status).toBe(404)
    await web.api.services.users.defineRole('adder', ['device.create', 'device.viewAny'])
    const adder = await web.signedIn(['global-read'])
    await web.api.services.users.setRoles(adder.username, ['adder', 'global-read'])
    web.api.services.sessions.forget()
    const text = await (
      await send({ do: 'check', list: 'hostname,groups\nb.example.net,Edge\nc.example.net,None' }, adder)
    ).text()
    expect(text).toContain('You may not change device group Edge')
    expect(text).toContain('There is no device group None, and you may not create groups')
  })
})
