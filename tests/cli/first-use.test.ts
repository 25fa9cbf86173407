import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '../../src/core/database/client.ts'
import { createLog } from '../../src/observe/log.ts'
import { attachEmbedded } from '../../src/postgres/embedded.ts'
import { folderWithDatabase, type Outcome, portlight } from './support.ts'

// What people used to other programs type at first, and what the answer is.

setDefaultTimeout(180_000)

let folder: Awaited<ReturnType<typeof folderWithDatabase>>
const run = (...args: string[]): Promise<Outcome> => portlight([...args, '--data-dir', folder.dataDir])
const add = (...args: string[]) => run('device', 'add', '--ping-only', '--force', ...args)

beforeAll(async () => {
  folder = await folderWithDatabase()
  expect(await add('192.0.2.1', '--sysname', 'sw-berlin-1')).toMatchObject({ code: 0 })
  const server = await attachEmbedded(folder.dataDir, { log: createLog('silent') })
  const store = connect(server.url, { max: 1 })
  await store.sql`insert into ports (device_id, "ifIndex", "ifName") values (1, 1, 'eth0')`
  await store.close()
  await server.stop()
})
afterAll(() => folder.remove())

test('a device that is named as it names itself', async () => {
  for (const words of [
    ['show', 'SW-Berlin-1'],
    ['delete', 'sw-berlin-1', '--yes'],
    ['set', 'sw-berlin-1', 'notes', 'x'],
  ])
    expect(await run('device', ...words)).toMatchObject({
      code: 1,
      err: `portlight: there is no device ${words[1]}: sysName ${words[1]} is device 192.0.2.1\n`,
    })
  expect((await run('device', 'show', 'nobody')).err).toContain('portlight device list shows')
})

test('fields of a device', async () => {
  const wrong = await run('device', 'set', '192.0.2.1', 'colour', 'red')
  expect(wrong).toMatchObject({ code: 2, err: expect.stringMatching(/no field colour .*notes, os, /) })
  expect((await run('device', 'set', '192.0.2.1', 'note', 'red')).err).toContain('did you mean notes?')
  expect((await run('device', 'set', '192.0.2.1', 'ignore', 'perhaps')).err).toContain('ignore is 1 or 0 (yes or no)')
  for (const [value, stored] of [
    ['yes', 1],
    ['no', 0],
    ['on', 1],
    ['', 0],
    ['1', 1],
  ] as const) {
    expect(await run('device', 'set', '192.0.2.1', 'ignore', value)).toMatchObject({ code: 0 })
    expect(JSON.parse((await run('device', 'show', '192.0.2.1', '--json')).out)).toMatchObject({ ignore: stored })
  }
})

test('SNMP versions as other programs name them, and a poller group by name', async () => {
  await run('poller-group', 'add', 'Oslo')
  for (const [host, version, stored, ...secret] of [
    ['192.0.2.2', '2c', 'v2c', '--community', 'x'],
    ['192.0.2.3', 'V3', 'v3', '--auth-name', 'x'],
    ['192.0.2.4', '1', 'v1', '--community', 'x'],
  ] as const) {
    const options = ['--force', '--snmp-version', version, '--poller-group', 'oslo', ...secret, '--json']
    const added = JSON.parse((await run('device', 'add', host, ...options)).out)
    expect(added).toMatchObject({ snmpver: stored, poller_group: 1 })
  }
  expect((await run('device', 'add', 'x', '--snmp-version', '4')).err).toContain('v1, v2c, v3')
  expect(await add('192.0.2.5', '--poller-group', 'Bergen')).toMatchObject({
    code: 1,
    err: expect.stringContaining('there is no poller group Bergen'),
  })
})

test('maintenance windows: lengths, times, and when a repeated one is next', async () => {
  const window = ['maintenance', 'add', '--device', '192.0.2.1']
  expect((await run(...window, '--duration', '2h')).err).toMatch(/begins now and lasts 2:00 h/)
  const year = new Date().getFullYear() + 1
  const later = await run(...window, '--duration', '1d', '--start', `${year}-03-01 22:00`)
  expect(later.err).toMatch(new RegExp(`begins at ${year}-03-01 22:00 and lasts 24:00 h`))
  const repeated = ['--start', '2020-01-01 03:00', '--until', `${year}-12-31`, '--zone', 'Europe/Berlin']
  const next = await run(...window, '--duration', '90m', ...repeated)
  expect(next.err).toMatch(/repeats, begins next (now|at 20\d\d-\d\d-\d\d 03:00) and lasts 1:30 h/)
  expect(next.err).not.toContain('2020-01-01')
  expect(JSON.parse((await run(...window, '--duration', '1:30', '--json')).out)).toEqual({
    schedule_id: 4,
    target: '192.0.2.1',
  })
  for (const wrong of [
    ['--duration', 'long'],
    ['--duration', '1h', '--start', 'tomorrow'],
    ['--duration', '1h', '--until', 'never'],
  ]) {
    const { code, err } = await run(...window, ...wrong)
    expect(code).toBe(2)
    expect(err).toContain('It must be a')
    expect(err).not.toMatch(/H:i|Y-m-d/)
  }
})

test('bills: amounts as on the page', async () => {
  expect(await run('bill', 'add', 'Customer', '--port', '1', '--cdr', '1.5G')).toMatchObject({ code: 0 })
  expect(await run('bill', 'add', 'Other', '--port', '1', '--quota', '2T', '--direction', 'agg')).toMatchObject({
    code: 0,
  })
  expect(JSON.parse((await run('bill', 'list', '--json')).out)).toMatchObject([
    { bill_cdr: 1_500_000_000, dir_95th: 'in' },
    { bill_quota: 2_000_000_000_000, dir_95th: 'agg' },
  ])
})

test('a transport that cannot send yet, and one whose address is refused', async () => {
  const mail = await run('transport', 'add', 'mail', '--name', 'on duty', '--setting', 'to=noc@example.net')
  expect(mail.code).toBe(0)
  expect(mail.err).toMatch(/it cannot send yet: .*email_smtp_host/)
  expect(mail.err).toContain("transport test 'on duty'")
  await run('transport', 'add', 'webhook', '--name', 'hook', '--url', 'http://127.0.0.1:1/')
  const tested = await run('transport', 'test', 'hook')
  expect(tested.code).toBe(1)
  expect(tested.err).toStartWith('would send:\n')
  expect(tested.err).toContain('is refused')
  const { delivery } = JSON.parse((await run('transport', 'test', 'hook', '--json')).out)
  expect(delivery).toMatchObject({ kind: 'refused', why: 'address' })
  await run('config', 'set', 'outgoing.allow', '127.0.0.0/8')
  expect((await run('transport', 'test', 'hook')).err).toStartWith('tried to send:\n')
})

test('on call: who is next after hours in which nobody is, and no hand-over at the end of the list', async () => {
  for (const name of ['ann', 'ben']) await run('user', 'add', name, '--no-password')
  const hours = ['--from', '09:00', '--to', '09:05', '--zone', 'UTC', '--begins', '2026-01-05 00:00']
  await run('on-call', 'add', 'NOC', '--person', 'ann', ...hours)
  const to = new Date(Date.now() + 3_600_000).toISOString().slice(0, 16).replace('T', ' ')
  expect(await run('on-call', 'override', 'NOC', 'ben', '--to', to)).toMatchObject({ code: 0 })
  expect((await run('on-call', 'now')).out).toMatch(/NOC +ben.* (ann from 20\d\d-\d\d-\d\d 09:0\d|ann)\n/)
  const rows = (await run('on-call', 'shifts', 'NOC', '--days', '3')).out.trim().split('\n')
  expect(rows.at(-1)).toContain(' or later ')
  expect(rows.filter((row) => row.includes('or later'))).toHaveLength(1)
})

test('services and remote pollers', async () => {
  const added = await run('service', 'add', '192.0.2.1', 'icmp', '--json')
  expect(JSON.parse(added.out)).toEqual({ service_id: 1, hostname: '192.0.2.1' })
  const site = await portlight(['remote-poller', 'key', '--data-dir', join(folder.dataDir, '..', 'site')])
  const remote = ['remote-poller', 'add', 'site', '--key', site.out.trim(), '--group', 'Oslo']
  expect(await run(...remote)).toMatchObject({ code: 0, err: expect.stringContaining('nats.url is not set') })
})

test('a list of which one cannot be added ends with code 1, whatever its form', async () => {
  const list = join(folder.dataDir, 'list.csv')
  writeFileSync(list, 'hostname,snmpver,community\n192.0.2.20,v2c,x\nnot a host,v2c,x\n')
  expect(await run('import', 'csv', list, '--force')).toMatchObject({
    code: 1,
    out: expect.stringContaining('1 failed'),
  })
  const names = join(folder.dataDir, 'list.txt')
  writeFileSync(names, '192.0.2.21\nnot/a/host\n')
  expect(await run('device', 'add', '--file', names, '--force', '--ping-only')).toMatchObject({ code: 1 })
})

test('what is no backup leaves no data folder behind', async () => {
  const file = join(folder.dataDir, 'list.txt')
  const dataDir = join(folder.dataDir, '..', 'restored')
  for (const path of [file, join(folder.dataDir, 'missing')])
    expect(await portlight(['restore', path, '--data-dir', dataDir])).toMatchObject({ code: 1 })
  expect(existsSync(dataDir)).toBe(false)
})

test('the password is alone on stdout for programs, and labelled on a terminal', async () => {
  expect((await run('user', 'add', 'cleo')).out).toMatch(/^\S{16}\n$/)
  const script = Bun.which('script')
  if (script === null) return console.warn('script is not installed: the terminal is not tested')
  const { command } = await import('./support.ts')
  const line = [...command, 'user', 'reset-password', 'cleo', '--data-dir', folder.dataDir].join(' ')
  const shown = Bun.spawnSync([script, '-qec', line, '/dev/null'], { stdin: 'ignore' })
  expect(shown.stdout.toString()).toMatch(/password \(shown once\): \S{16}\r?\n/)
})

test('an unknown time zone of an import is refused in one line', async () => {
  const refused = await run('import', 'librenms', '--dump', '/nonexistent', '--timezone', 'Europe/Berln')
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('there is no time zone Europe/Berln') })
})

test('systemd install from source is refused, also with --print', async () => {
  const script = join(import.meta.dir, '../../src/main.ts')
  const { code, out } = await portlight(['systemd', 'install', '--print'], { script })
  expect({ code, out }).toEqual({ code: 1, out: '' })
})
