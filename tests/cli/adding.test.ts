import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { connect } from '../../src/core/database/client.ts'
import { createLog } from '../../src/observe/log.ts'
import { attachEmbedded } from '../../src/postgres/embedded.ts'
import { folderWithDatabase, type Outcome, portlight, temporaryFolder } from './support.ts'

// Everything that pages can add, commands can, too.

setDefaultTimeout(300_000)
const folder = await folderWithDatabase()
const files = temporaryFolder()
afterAll(async () => {
  files.remove()
  await folder.remove()
})
const run = (...args: string[]): Promise<Outcome> => portlight([...args, '--data-dir', folder.dataDir])

test('devices of a list: each failure is said with its line, the others are added', async () => {
  const list = join(files.path, 'list')
  await Bun.write(list, '# edge\n127.0.0.9\r\n\nbad name!\n127.0.0.10 # core\n127.0.0.9\n')
  const added = await run('device', 'add', '--file', list, '--force', '--community', 'x')
  expect(added).toMatchObject({ code: 1, out: '' })
  expect(added.err).toContain('line 4: bad name!: invalid hostname or IP: bad name!')
  expect(added.err).toContain('line 6: 127.0.0.9: ')
  expect(added.err).toEndWith('2 added, 1 already present, 1 failed\n')
  expect((await run('device', 'add')).code).toBe(2)
  expect((await run('device', 'add', '127.0.0.9', '--file', list)).code).toBe(2)
})

test('groups, locations, services, maintenance and rules; their ids are said', async () => {
  expect(await run('group', 'add', 'Edge', '--device', '127.0.0.9', '--device', '127.0.0.10')).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^group \d+ added: Edge\n$/),
  })
  expect(await run('group', 'add', 'None')).toMatchObject({ code: 2 })
  expect(await run('group', 'add', 'Lost', '--device', 'nosuch')).toMatchObject({
    code: 1,
    err: 'portlight: there is no device nosuch: portlight device list shows hostnames and ids\n',
  })
  expect(await run('location', 'add', 'Köln', '--lat', '50.94', '--lng', '6.96')).toMatchObject({ code: 0 })
  expect(await run('location', 'add', 'Nowhere', '--lat', '91', '--lng', '0')).toMatchObject({ code: 2 })
  const service = await run('service', 'add', '127.0.0.9', 'icmp', '--name', 'Ping')
  expect(service).toMatchObject({ code: 0, err: expect.stringMatching(/^service \d+ added to 127.0.0.9\n$/) })

  const planned = await run('maintenance', 'add', '--group', 'Edge', '--duration', '1:00')
  const id = /^maintenance (\d+) of Edge begins/.exec(planned.err)?.[1] ?? ''
  expect(await run('maintenance', 'end', id)).toMatchObject({ code: 0, err: `maintenance ${id} ended\n` })
  expect(await run('maintenance', 'end', '9999')).toMatchObject({ code: 1, out: '' })

  const preset = await run('rule', 'add', '--preset', 'device-down')
  const rule = /^rule (\d+) added/.exec(preset.err)?.[1] ?? ''
  const shown = JSON.parse((await run('rule', 'show', rule, '--json')).out) as Record<string, unknown>
  const file = join(files.path, 'rules.json')
  await Bun.write(
    file,
    JSON.stringify([
      { ...shown, name: 'Copy' },
      { ...shown, name: 'Second copy', severity: 'warning' },
    ]),
  )
  expect(await run('rule', 'add', file)).toMatchObject({ code: 0, err: expect.stringContaining('added: Second copy') })
  const rules = JSON.parse((await run('rule', 'list', '--json')).out) as Record<string, unknown>[]
  const copy = rules.find(({ name }) => name === 'Copy')
  expect(copy).toMatchObject({ builder: shown['builder'], extra: shown['extra'], rule: shown['rule'] })
  for (const [text, says] of [
    ['{', 'is not JSON'],
    ['[]', 'has no rules'],
    ['{"name":"x","severity":"critical"}', 'builder is missing'],
    [JSON.stringify({ ...shown, severty: 1 }), 'unknown members severty'],
    [JSON.stringify({ ...shown, name: 'Bad', builder: '{"condition":"AND"}' }), 'rule Bad: '],
  ] as const) {
    await Bun.write(file, text)
    expect(await run('rule', 'add', file)).toMatchObject({ code: 1, out: '', err: expect.stringContaining(says) })
  }
})

test('rules are deleted by id', async () => {
  const [first] = JSON.parse((await run('rule', 'list', '--json')).out) as { id: number }[]
  const id = String(first?.id)
  expect(await run('rule', 'delete', id, '--yes')).toMatchObject({ code: 0, err: `rule ${id} deleted\n` })
  const again = await run('rule', 'delete', id, '--yes')
  expect(again).toMatchObject({
    code: 1,
    err: `portlight: there is no alert rule ${id}: portlight rule list shows those that there are\n`,
  })
})

test('bills of ports by id and by name; what does not exist is said', async () => {
  expect(await run('bill', 'add', 'Transit', '--port', '127.0.0.9:ge-0/0/1', '--cdr', '1000000')).toMatchObject({
    code: 1,
    err: 'portlight: there is no port ge-0/0/1\n',
  })
  expect(await run('bill', 'add', 'Transit', '--port', '4711', '--cdr', '1')).toMatchObject({
    code: 1,
    err: 'portlight: there is no port 4711\n',
  })
  for (const args of [
    ['--port', '1'],
    ['--port', 'x', '--cdr', '1'],
    ['--port', '1', '--cdr', '1', '--day', '32'],
  ])
    expect(await run('bill', 'add', 'Transit', ...args)).toMatchObject({ code: 2, out: '' })
})

test('a bill of a port that exists, by id and by name, is listed', async () => {
  const server = await attachEmbedded(folder.dataDir, { log: createLog('silent') })
  const store = connect(server.url)
  const [port] = await store.sql<{ id: number }[]>`
    insert into ports (device_id, "ifIndex", "ifName", "ifDescr")
    select device_id, 1, 'ge-0/0/0', 'ge-0/0/0' from devices where hostname = '127.0.0.9' returning port_id as id`
  await store.close()
  await server.stop()
  const byName = await run('bill', 'add', 'Transit', '--port', '127.0.0.9:ge-0/0/0', '--cdr', '1000000')
  expect(byName).toMatchObject({ code: 0, err: 'bill 1 added: Transit\n' })
  const byId = await run('bill', 'add', 'Backup line', '--port', String(port?.id), '--quota', '5000000000')
  expect(byId).toMatchObject({ code: 0, err: 'bill 2 added: Backup line\n' })
  const { out } = await run('bill', 'list')
  expect(out).toMatch(/^ *2 +Backup line +quota +1 +5 GB/m)
  expect(out).toMatch(/^ *1 +Transit +cdr +1 +1 Mbps/m)
  expect(await run('bill', 'delete', '1', '--yes')).toMatchObject({ code: 0, err: 'bill 1 deleted\n' })
  expect((await run('bill', 'delete', '1', '--yes')).code).toBe(1)
  expect((await run('bill', 'list')).out).not.toContain('Transit')
})

test('import csv names the line of a failure', async () => {
  const csv = join(files.path, 'devices.csv')
  await Bun.write(csv, 'hostname,location\n"127.0.0.20","two\nlines"\nbad name!,x\n127.0.0.21,a,b\n')
  const { err } = await run('import', 'csv', csv, '--force')
  expect(err).toContain('line 4: bad name!: ')
  expect(err).toContain('line 5: 127.0.0.21: 3 cells, but the first line names 2 columns')
  await Bun.write(csv, 'hostname\na\n"b\n')
  expect((await run('import', 'csv', csv)).err).toContain('line 3: an opening quote')
  await Bun.write(csv, 'hostname,community\na,"b"secret\n')
  const { err: closed } = await run('import', 'csv', csv)
  expect(closed).toContain('line 2: text between a closing quote and the next comma')
  expect(closed).not.toContain('secret')
})

test('device explain of an address that is not monitored: what was tried, the settings, what to check', async () => {
  for (const [name, value] of [
    ['snmp.timeout', '0.2'],
    ['snmp.retries', '0'],
    ['snmp.community', 'sesame,public'],
  ] as const)
    expect((await run('config', 'set', name, value)).code).toBe(0)
  const port = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { code, out, err } = await run('device', 'explain', '127.0.0.30', '--set', `snmp.port=${port.port}`)
  port.stop(true)
  expect(code).toBe(1)
  expect(out).toContain('127.0.0.30 is not monitored')
  expect(out).toContain(`UDP port ${port.port}`)
  expect(out).toContain('SNMP v2c with community no. 2 of setting snmp.community')
  expect(out).toContain('snmp.timeout 0.2 (stored)')
  expect(out).toMatch(/^check +\S/m)
  expect(out + err).not.toContain('sesame')
  const refused = await run('device', 'add', '127.0.0.30', '--set', `snmp.port=${port.port}`)
  expect(refused.code).toBe(1)
  expect(refused.err).toContain(`trying 127.0.0.30, SNMP at UDP port ${port.port}`)
  expect(refused.err).toContain('SNMP v2c with community no. 1 of setting snmp.community: ')
  expect(refused.err).toContain('  check: ')
  expect(refused.err).not.toContain('sesame')
})
