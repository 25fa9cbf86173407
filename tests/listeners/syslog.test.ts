import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { connect as connectTcp } from 'node:net'
import { SyslogFrames } from '../../src/listeners/syslog/framing.ts'
import { client } from '../../src/store/client.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { LIVE, listening, messages, NOTHING, type Running, ran } from './support.ts'

setDefaultTimeout(60_000)

const LOCAL = '127.0.0.1'
let database: TestDatabase
let running: Running | null = null
beforeEach(async () => {
  database = await testDatabase()
  await database.store.sql`
    insert into devices (device_id, hostname, "sysName", ip, os) values
      (1, ${LOCAL}, 'local', null, 'linux'), (2, 'sw1.example.net', 'sw1', '192.0.2.1', 'ios')`
})
afterEach(async () => {
  await running?.stop(2000)
  running = null
  await database.drop()
})

async function start(relays: readonly string[] = [], options: Partial<typeof LIVE> = {}): Promise<Running> {
  running = await listening(database, {
    addresses: { ...NOTHING, syslogUdp: `${LOCAL}:0`, syslogTcp: `${LOCAL}:0` },
    live: { ...LIVE, relays, ...options },
  })
  return running
}

async function send(port: number, ...datagrams: (string | Uint8Array)[]): Promise<void> {
  const socket = await Bun.udpSocket({ hostname: LOCAL })
  for (const datagram of datagrams) socket.send(datagram, port, LOCAL)
  socket.close()
}

/** Sends these parts over one connection and waits until either side has closed it. */
async function stream(port: number, parts: readonly (string | Uint8Array)[]): Promise<void> {
  const socket = connectTcp(port, LOCAL)
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()).on('error', () => undefined))
  for (const part of parts) await new Promise<void>((resolve) => socket.write(part, () => resolve()))
  socket.end()
  socket.resume()
  await closed
}

test('messages from logger arrive in both formats, over UDP and over TCP with both framings', async () => {
  const { ports, stored } = await start()
  const [udp, tcp] = [String(ports['syslog.udp']), String(ports['syslog.tcp'])]
  const common = ['-n', LOCAL, '-t', 'backup', '-p', 'local3.warning']
  await ran('logger', ...common, '-d', '-P', udp, '--rfc3164', 'one by UDP')
  await ran('logger', ...common, '-d', '-P', udp, '--rfc5424', 'two by UDP')
  await ran('logger', ...common, '-T', '-P', tcp, '--rfc5424', 'three by TCP')
  await ran('logger', ...common, '-T', '-P', tcp, '--rfc3164', '--octet-count', 'four, counted')
  const withData = ['--sd-id', 'job@32473', '--sd-param', 'id="7\\]"', 'five with data']
  await ran('logger', ...common, '-d', '-P', udp, '--rfc5424', ...withData)
  const found = await messages(database, 5)
  const head = { device_id: 1, facility: 'local3', level: 'warning', tag: '9c', program: 'BACKUP' }
  const texts = ['five with data', 'four, counted', 'one by UDP', 'three by TCP', 'two by UDP'].map((text) => ({
    ...head,
    msg: text.startsWith('five') ? `[job@32473 id="7\\]"] ${text}` : text,
  }))
  const byText = (a: { msg: string | null }, b: { msg: string | null }) => (a.msg ?? '').localeCompare(b.msg ?? '')
  expect(found.toSorted(byText)).toEqual(texts.toSorted(byText))
  await eventually(async () => (stored.some(({ table }) => table === 'syslog') ? true : null))
})

test('a message belongs to the device with its source address, or, from a relay, to the device that it names', async () => {
  const { ports, configure, counts, dropped } = await start()
  const udp = ports['syslog.udp'] ?? 0
  const cisco = '<189>59: sw1: *Oct 11 22:14:15.003: %SYS-5-CONFIG_I: Configured from console'
  const named = '<189>Oct 11 22:14:15 SW1.example.net %LINK-3-UPDOWN: Interface Gi0/1, changed state to up'
  await send(udp, named)
  expect((await messages(database, 1))[0]).toMatchObject({ device_id: 1 })
  configure({ ...LIVE, relays: ['127.0.0.0/8'] })
  await send(udp, named, cisco)
  expect((await messages(database, 3)).slice(1)).toMatchObject([
    { device_id: 2, program: '%LINK-3-UPDOWN', msg: 'Interface Gi0/1, changed state to up' },
    { device_id: 1 },
  ])
  configure({ ...LIVE, xlate: { [LOCAL]: 'sw1.example.net' }, filter: ['noise'] })
  await send(udp, '<13>Oct 11 22:14:15 x some noise here', '<189>59: *Oct 11 22:14:15.003: %SYS-5-CONFIG_I: Configured')
  expect((await messages(database, 4))[3]).toMatchObject({
    device_id: 2,
    program: '%SYS-5-CONFIG_I',
    msg: 'Configured',
  })
  configure({ ...LIVE, xlate: { [LOCAL]: 'unknown.example.net' } })
  await send(udp, '<13>nobody')
  await eventually(async () => (dropped('syslog', 'unknown_device') === 1 ? true : null))
  expect(dropped('syslog', 'filtered')).toBe(1)
  expect(counts().syslog).toMatchObject({ received: 6, stored: 4 })
})

test('hostile messages and framing are stored harmlessly or counted', async () => {
  const { ports, dropped } = await start()
  const [udp, tcp] = [ports['syslog.udp'] ?? 0, ports['syslog.tcp'] ?? 0]
  await send(
    udp,
    Uint8Array.of(0, 0, 10),
    Uint8Array.of(...Buffer.from('<13>Oct 11 22:14:15 h app: a\0b\x1b[2Jc'), 0xff, 0xfe, 0xc3),
    '<999999999999>what',
    '<13>1 - - - - - [unclosed x="',
    `<13>1 - - big - - - ${'x'.repeat(60_000)}`,
    `<13>${'[('.repeat(4000)}`,
  )
  const found = await messages(database, 5)
  expect(found.find(({ program }) => program === 'APP')?.msg).toBe('a b [2Jc\ufffd\ufffd\ufffd')
  expect(found.find(({ program }) => program === 'BIG')?.msg?.length).toBeLessThan(8192)
  await eventually(async () => (dropped('syslog', 'malformed') === 1 ? true : null))

  const before = found.length
  await stream(tcp, ['999999999 <13>too long'])
  await stream(tcp, ['70000 <13>too long'])
  await stream(tcp, ['12x <13>no space'])
  await stream(tcp, ['y'.repeat(200_000)])
  await eventually(async () => (dropped('syslog', 'framing') === 4 ? true : null))
  await stream(tcp, ['10 <13>a', ' b:', ' c10 <13>d e: f', '<13>g h: i\n<13>last h: without newline'])
  const programs = (await messages(database, before + 4)).slice(before).map(({ program, msg }) => `${program} ${msg}`)
  expect(programs).toEqual(['USER a b: c', 'USER d e: f', 'USER g h: i', 'USER last h: without newline'])
})

test('no part of a line that is too long is taken for a message, however it is split', () => {
  const frames = new SyslogFrames()
  expect(frames.add(Buffer.alloc(40_000, 'y'))).toEqual([])
  expect(frames.add(Buffer.alloc(40_000, 'y'))).toBeNull()
  expect(frames.end()).toBeNull()
})

test('messages wait while the database is unavailable, and are stored once', async () => {
  const { ports, counts } = await start()
  const udp = ports['syslog.udp'] ?? 0
  await send(udp, '<13>before: first')
  await messages(database, 1)
  const base = new URL(database.url)
  const name = base.pathname.slice(1)
  base.pathname = '/postgres'
  const admin = client(base.href, 1)
  try {
    await admin.unsafe(`alter database ${name} allow_connections false`)
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
    for (let part = 0; part < 5; part++)
      await send(udp, ...Array.from({ length: 100 }, (_, i) => `<13>during: ${part * 100 + i}`))
    await eventually(async () => (counts().syslog.received === 501 ? true : null))
    expect(counts().syslog.stored).toBe(1)
    await admin.unsafe(`alter database ${name} allow_connections true`)
  } finally {
    await admin.end()
  }
  const found = await messages(database, 501)
  expect(new Set(found.map(({ msg }) => msg)).size).toBe(501)
  expect(found).toHaveLength(501)
})

test('received messages are stored before a stop', async () => {
  const { ports, counts, stop } = await start()
  await send(ports['syslog.udp'] ?? 0, ...Array.from({ length: 200 }, (_, i) => `<13>m: ${i}`))
  await eventually(async () => (counts().syslog.received === 200 ? true : null))
  await stop(10_000)
  running = null
  expect(await messages(database, 200)).toHaveLength(200)
})

test('the same messages over TLS', async () => {
  const folder = `/tmp/portlight-tls-${process.pid}`
  await Bun.$`mkdir -p ${folder} && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost -days 1 -keyout ${folder}/key -out ${folder}/cert`.quiet()
  const [cert, key] = [await Bun.file(`${folder}/cert`).text(), await Bun.file(`${folder}/key`).text()]
  await Bun.$`rm -rf ${folder}`
  running = await listening(database, { addresses: { ...NOTHING, syslogTls: `${LOCAL}:0` }, tls: { cert, key } })
  const tls = await import('node:tls')
  const socket = tls.connect({ port: running.ports['syslog.tls'] ?? 0, host: LOCAL, ca: cert, servername: 'localhost' })
  await new Promise<void>((resolve, reject) => socket.on('secureConnect', () => resolve()).on('error', reject))
  socket.end('26 <13>1 - - app - - - secret')
  expect((await messages(database, 1))[0]).toMatchObject({ program: 'APP', msg: 'secret' })
})

test('backslashes and other special characters of COPY are stored unchanged', async () => {
  const { ports } = await start()
  const said = ['C:\\temp\\new\\x41', '\\N', '\\.', '\\', 'a\\tb \\\\ c\\n', '{"a":"\\u0041\\n"}']
  await send(ports['syslog.udp'] ?? 0, ...said.map((text) => `<13>app: ${text}`))
  const found = await messages(database, said.length)
  expect(found.map(({ msg }) => msg).toSorted()).toEqual(said.toSorted())
})
