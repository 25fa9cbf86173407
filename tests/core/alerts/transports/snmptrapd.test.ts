import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createSocket } from 'node:dgram'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bootSender } from '../../../../src/core/alerts/read-trap-senders.ts'
import { createDeliver } from '../../../../src/core/alerts/transports/deliver.ts'
import { createTrapEngine } from '../../../../src/core/alerts/trap-engine.ts'
import { createLog } from '../../../../src/observe/log.ts'
import { temporaryFolder } from '../../../cli/support.ts'
import { type TestApi, testApi } from '../../../support/api.ts'
import { eventually } from '../../../support/eventually.ts'
import { huge, LOOPBACK, never, notification, SECRET } from './support.ts'

setDefaultTimeout(120_000)

const program = Bun.which('snmptrapd') ?? (existsSync('/usr/sbin/snmptrapd') ? '/usr/sbin/snmptrapd' : null)
if (program === null) console.warn('snmptrapd is missing: v3 traps are not tested with it')

let api: TestApi
const stops: (() => unknown)[] = []
beforeAll(async () => {
  api = await testApi()
  api.settings.applyStored(new Map([['outgoing.allow', LOOPBACK]]))
})
afterAll(async () => await api.drop())
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

/** Debian's snmptrapd with these lines of configuration; `lines` are the notifications that it accepted. */
async function snmptrapd(...config: readonly string[]) {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const { port } = socket.address()
  await new Promise<void>((resolve) => socket.close(() => resolve()))
  const folder = temporaryFolder()
  const [file, log] = [join(folder.path, 'snmptrapd.conf'), join(folder.path, 'log')]
  writeFileSync(file, config.join('\n'))
  const child = Bun.spawn(
    [
      program ?? '',
      '-f',
      '-n',
      '-On',
      '-m',
      '',
      '-C',
      '-c',
      file,
      '-Lf',
      log,
      '-F',
      'came %W %v\n',
      `udp:127.0.0.1:${port}`,
    ],
    { env: { ...process.env, SNMP_PERSISTENT_DIR: folder.path }, stdout: 'ignore', stderr: 'ignore' },
  )
  stops.push(async () => {
    child.kill('SIGKILL')
    await child.exited
    folder.remove()
  })
  const text = () => (existsSync(log) ? readFileSync(log, 'utf8') : '')
  await eventually(() => Promise.resolve(text().includes('NET-SNMP version') || null))
  return {
    port,
    lines: () =>
      text()
        .split('\n')
        .filter((line) => line.startsWith('came ')),
  }
}

const user = { version: 'v3', user: 'portlight', auth_password: SECRET, privacy_password: `p${SECRET}` }

describe.skipIf(program === null)('v3 traps to snmptrapd', () => {
  test.each([
    ['SHA-256', 'AES', `SHA-256 ${SECRET} AES p${SECRET}`, 'priv'],
    ['SHA', '', `SHA ${SECRET}`, 'auth'],
    ['MD5', 'DES', `MD5 ${SECRET} DES p${SECRET}`, 'priv'],
    ['SHA-512', 'AES', `SHA-512 ${SECRET} AES p${SECRET}`, 'priv'],
    ['', '', '', 'noauth'],
  ])('authentication %s, encryption %s', async (auth, privacy, secrets, level) => {
    const engine = `800000000562726f${Buffer.from(`${auth}${privacy}`).toString('hex')}00`
    const { port, lines } = await snmptrapd(
      `createUser -e 0x${engine} portlight ${secrets}`,
      `authUser log portlight ${level}`,
    )
    const settings = {
      ...user,
      host: '127.0.0.1',
      port: String(port),
      auth,
      privacy,
      engine_id: `0x${engine.toUpperCase()}`,
    }
    const id = await api.services.transports.add({
      kind: 'snmptrap',
      name: engine,
      isDefault: false,
      settings,
      rules: [],
    })
    expect((await api.services.transports.test(String(id))).delivery).toEqual({ kind: 'delivered' })
    const [line = ''] = await eventually(() => Promise.resolve(lines().length > 0 ? lines() : null))
    expect(line).toContain('.1.3.6.1.6.3.1.1.4.1.0 = OID: .1.3.6.1.2.1.192.0.1')
    expect(line).toContain('severity=')
  })

  test("the installation's engine, known after it was stored; used by other processes; a huge text", async () => {
    const given = { ...user, host: '127.0.0.1', port: '162', auth: 'SHA-256', privacy: 'AES' }
    const add = (name: string) =>
      api.services.transports.add({ kind: 'snmptrap', name, isDefault: false, settings: given, rules: [] })
    const [first, second] = [await add('first'), await add('second')]
    const shown = await api.services.transports.list()
    const engineOf = (id: number) => String(shown.find((one) => one.id === id)?.settings['engine_id'])
    expect(engineOf(first)).toMatch(/^8000000005[0-9a-f]{24}$/)
    expect(engineOf(second)).toBe(engineOf(first))
    const { port, lines } = await snmptrapd(
      `createUser -e 0x${engineOf(first)} portlight SHA-256 ${SECRET} AES p${SECRET}`,
      'authUser log portlight priv',
    )
    // a transport without an engine id uses the same engine
    const transport = { kind: 'snmptrap', settings: { ...given, port } }
    const processes = [1, 2].map(() =>
      createDeliver({ settings: api.settings, log: createLog('silent'), trapEngine: createTrapEngine(api.store) }),
    )
    let sent = 0
    for (const n of [0, 1, 0, 0, 1]) {
      const given = sent === 3 ? huge() : notification({ alertId: 100 + sent })
      expect(await processes[n]?.(transport, given, never)).toEqual({ kind: 'delivered' })
      sent++
      await eventually(() => Promise.resolve(lines().length === sent || null))
    }
    expect(lines()[4]).toContain('1.3.6.1.2.1.192.1.2.1.11.104')
  })

  test('a v3 inform, for which the receiver is the authoritative engine', async () => {
    const { port, lines } = await snmptrapd(
      `createUser portlight SHA-256 ${SECRET} AES p${SECRET}`,
      'authUser log portlight priv',
    )
    const settings = { ...user, host: '127.0.0.1', port: String(port), auth: 'SHA-256', privacy: 'AES', inform: 'true' }
    const id = await api.services.transports.add({
      kind: 'snmptrap',
      name: 'inform',
      isDefault: false,
      settings,
      rules: [],
    })
    expect((await api.services.transports.test(String(id))).delivery).toEqual({ kind: 'delivered' })
    await eventually(() => Promise.resolve(lines().length === 1 || null))
  })
})

test('snmpEngineBoots increases whenever another process takes over the engine', async () => {
  const boots = (held: number | null) => bootSender(api.store, '80000000050102', held)
  expect([
    await boots(null),
    await boots(1),
    await boots(null),
    await boots(2),
    await boots(1),
    await boots(3),
  ]).toEqual([1, 1, 2, 2, 3, 3])
})

test('an invalid engine id is refused', async () => {
  for (const engine_id of ['80', 'xyz', '00'.repeat(33)]) {
    const settings = { ...user, host: '127.0.0.1', engine_id }
    const wanted = { kind: 'snmptrap', name: 'wrong', isDefault: false, settings, rules: [] }
    await expect(api.services.transports.add(wanted)).rejects.toThrow('engine_id')
  }
})
