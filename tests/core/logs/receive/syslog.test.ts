import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { connect as connectTcp, type Socket } from 'node:net'
import { hostname } from 'node:os'
import fc from 'fast-check'
import { client } from '../../../../src/core/database/client.ts'
import { SyslogFrames } from '../../../../src/core/logs/receive/syslog/framing.ts'
import { temporaryFolder } from '../../../cli/support.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { eventually } from '../../../support/eventually.ts'
import { makeCertificate } from '../../alerts/transports/certificate.ts'
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
  const named = (text: string) => `<189>Oct 11 22:14:15 SW1.example.net %LINK-3-UPDOWN: ${text}`
  /** Sends until a message is stored as this: settings and messages reach the receiver by different ways. */
  const becomes = async (message: string, expected: Partial<Awaited<ReturnType<typeof messages>>[number]>) =>
    await eventually(async () => {
      await send(udp, message)
      const rows = await messages(database, 1)
      return rows.some((row) => Bun.deepMatch(expected, row)) ? true : null
    })
  await becomes(named('changed state to up'), { device_id: 1 })
  configure({ ...LIVE, relays: ['127.0.0.0/8'] })
  await becomes(named('changed state to down'), {
    device_id: 2,
    program: '%LINK-3-UPDOWN',
    msg: 'changed state to down',
  })
  const cisco = '<189>59: sw1: *Oct 11 22:14:15.003: %SYS-5-CONFIG_I: Configured from console'
  await becomes(cisco, { device_id: 2, program: '%SYS-5-CONFIG_I', msg: 'Configured from console' })
  configure({ ...LIVE, xlate: { [LOCAL]: 'sw1.example.net' }, filter: ['noise'] })
  const plain = '<189>59: *Oct 11 22:14:15.003: %SYS-5-CONFIG_I: Configured'
  await becomes(plain, { device_id: 2, program: '%SYS-5-CONFIG_I', msg: 'Configured' })
  await send(udp, '<13>Oct 11 22:14:15 x some noise here')
  await eventually(async () => (dropped('syslog', 'filtered') === 1 ? true : null))
  configure({ ...LIVE, xlate: { [LOCAL]: 'unknown.example.net' } })
  await eventually(async () => {
    await send(udp, '<13>nobody')
    return dropped('syslog', 'unknown_device') > 0 ? true : null
  })
  await eventually(async () => {
    const { received, stored, dropped: lost } = counts().syslog
    return received === stored + Object.values(lost).reduce((sum, count) => sum + count, 0) ? true : null
  })
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

test('connections that never begin TLS are limited as others are', async () => {
  const folder = temporaryFolder()
  const tls = makeCertificate(folder.path, 'localhost')
  folder.remove()
  running = await listening(database, { addresses: { ...NOTHING, syslogTls: `${LOCAL}:0` }, tls })
  const port = running.ports['syslog.tls'] ?? 0
  // ten of an unknown address are accepted
  const open = Array.from({ length: 14 }, () =>
    connectTcp({ port, host: LOCAL, localAddress: '127.8.0.1' }).on('error', () => undefined),
  )
  await eventually(async () => (running?.dropped('syslog', 'connections') === 4 ? true : null))
  // nor is one that begins with something else
  const other = connectTcp({ port, host: LOCAL, localAddress: '127.8.0.2' }).on('error', () => undefined)
  const closed = new Promise<void>((resolve) => other.once('close', () => resolve()))
  other.resume()
  other.write('<13>a: in the clear, to the port of TLS\n'.repeat(20))
  await closed
  for (const socket of open) socket.destroy()
})

test('backslashes and other special characters of COPY are stored unchanged', async () => {
  const { ports } = await start()
  const said = ['C:\\temp\\new\\x41', '\\N', '\\.', '\\', 'a\\tb \\\\ c\\n', '{"a":"\\u0041\\n"}']
  await send(ports['syslog.udp'] ?? 0, ...said.map((text) => `<13>app: ${text}`))
  const found = await messages(database, said.length)
  expect(found.map(({ msg }) => msg).toSorted()).toEqual(said.toSorted())
})

test('a host that a relay names and nobody knows is not taken for the relay', async () => {
  const { ports, dropped, counts } = await start(['127.0.0.0/8'])
  const udp = ports['syslog.udp'] ?? 0
  await send(
    udp,
    '<187>Jun  3 08:15:02 edge7.example.net app: fan failed',
    '<187>1 2026-06-03T08:15:02Z edge7 app - - - fan failed',
    '<187>9: edge7: Jun  3 08:15:02: %PLATFORM-3-FAN: fan failed',
    '<187>Jun  3 08:15:02 198.51.100.250 app: fan failed',
    '<187>Jun  3 08:15:02 2001:db8::250 app: fan failed',
  )
  await eventually(async () => (dropped('syslog', 'unknown_device') === 5 ? true : null))
  await send(
    udp,
    `<187>Jun  3 08:15:02 localhost app: its own`,
    `<187>Jun  3 08:15:02 ${hostname()} app: its own`,
    '<187>Jun  3 08:15:02 app[7]: its own',
    '<187>Jun  3 08:15:02 SW1 %SYS-5-RESTART: of the switch, without its domain',
    '<187>Jun  3 08:15:02 ::ffff:192.0.2.1 %SYS-5-RESTART: of the switch',
    '<187> Jun  3 08:15:02 192.0.2.1-1 TRAPMGR[7]: of the switch, with its unit',
  )
  const found = await messages(database, 6)
  expect(found.map(({ device_id }) => device_id)).toEqual([1, 1, 1, 2, 2, 2])
  await eventually(async () => (counts().syslog.received === 11 ? true : null))
  expect(dropped('syslog', 'unknown_device')).toBe(5)
})

test('senders on IPv6 are found by their addresses and those of their ports, however these are written', async () => {
  await database.store.sql`
    insert into devices (device_id, hostname, ip, os) values (3, 'six.example.net', '::1', 'linux'), (4, '2001:db8::4', null, 'ios')`
  await database.store.sql`insert into ports (port_id, device_id, "ifIndex") values (9, 2, 1)`
  await database.store.sql`
    insert into ipv6_addresses (ipv6_address, ipv6_compressed, ipv6_prefixlen, ipv6_origin, port_id)
    values ('2001:0db8:0000:0000:0000:0000:0000:0022', '2001:db8::22', 64, 'manual', 9)`
  running = await listening(database, {
    addresses: { ...NOTHING, syslogUdp: '[::]:0' },
    live: { ...LIVE, relays: ['127.0.0.1'] },
  })
  const port = running.ports['syslog.udp'] ?? 0
  const six = await Bun.udpSocket({ hostname: '::1' })
  six.send('<13>Jun  3 08:15:02 other app: from ::1', port, '::1')
  await messages(database, 1)
  six.close()
  await send(
    port,
    '<13>Jun  3 08:15:02 2001:0DB8:0:0::22 app: of a port',
    '<13>Jun  3 08:15:02 2001:DB8::4 app: named so',
  )
  expect((await messages(database, 3)).map(({ device_id }) => device_id)).toEqual([3, 2, 4])
})

test('messages keep the time of reception; the clock of the device is stored beside it', async () => {
  const { ports } = await start()
  const before = Date.now()
  const ahead = new Date(before + 3_600_000).toISOString()
  await send(ports['syslog.udp'] ?? 0, `<13>1 ${ahead} sw1 app - - - ahead`, '<13>app: no time')
  await messages(database, 2)
  const rows = await database.store.sql<{ at: Date; msg: string; clock_drift: number | null }[]>`
    select "timestamp" as at, msg, clock_drift from syslog order by seq`
  for (const { at } of rows) expect(Math.abs(at.getTime() - before)).toBeLessThan(60_000)
  expect(rows[0]?.clock_drift).toBeGreaterThan(3500)
  expect(rows[0]?.clock_drift).toBeLessThanOrEqual(3600)
  expect(rows[1]?.clock_drift).toBeNull()
})

test('frames may end in a NUL, and are read while the connection is open', async () => {
  const { ports } = await start()
  const socket = connectTcp(ports['syslog.tcp'] ?? 0, LOCAL)
  socket.write('<13>a: one\0<13>a: two\0\0<13>a: thr')
  socket.write('ee\0')
  expect((await messages(database, 3)).map(({ msg }) => msg)).toEqual(['one', 'two', 'three'])
  socket.destroy()
})

test('octets in any division give the same frames', () => {
  const piece = fc.oneof(
    fc.constantFrom('<13>a: b', '5 <1>ab', '\0', '\n', '\r\n', '7 ', '12', 'x\0y', '<'),
    fc.string({ maxLength: 5 }),
  )
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 20 }),
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      (all, sizes) => {
        const bytes = new TextEncoder().encode(all.join(''))
        const read = (cuts: readonly number[]): string[] | null => {
          const frames = new SyslogFrames()
          const found: string[] = []
          for (let at = 0, i = 0; at < bytes.length; i++) {
            const size = cuts[i % cuts.length] ?? 1
            const part = frames.add(bytes.subarray(at, at + size))
            if (part === null) return null
            found.push(...part.map((frame) => Buffer.from(frame).toString()))
            at += size
          }
          const last = frames.end()
          return last === null ? found : [...found, Buffer.from(last).toString()]
        }
        expect(read(sizes)).toEqual(read([bytes.length + 1]))
      },
    ),
  )
})

test('connections of unknown addresses that send nothing make room for a device', async () => {
  running = await listening(database, {
    addresses: { ...NOTHING, syslogTcp: `${LOCAL}:0` },
    live: { ...LIVE, xlate: { '127.9.9.9': 'sw1.example.net' } },
  })
  const port = running.ports['syslog.tcp'] ?? 0
  const open: Socket[] = []
  const connectFrom = async (localAddress: string): Promise<Socket> => {
    const socket = connectTcp({ port, host: LOCAL, localAddress }).on('error', () => undefined)
    open.push(socket)
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()).once('close', () => resolve()))
    return socket
  }
  const known = await connectFrom(LOCAL)
  known.write('<13>a: first\n')
  await messages(database, 1)
  // 1,100 silent connections from 110 unknown addresses
  for (let n = 0; n < 110; n++) await Promise.all(Array.from({ length: 10 }, () => connectFrom(`127.8.0.${n + 1}`)))
  await eventually(async () => ((running?.dropped('syslog', 'connections') ?? 0) >= 100 ? true : null))
  const late = await connectFrom('127.9.9.9')
  late.write('<13>a: second\n')
  known.write('<13>a: third\n')
  const found = await messages(database, 3)
  expect(new Set(found.map(({ msg }) => msg))).toEqual(new Set(['first', 'second', 'third']))
  for (const socket of open) socket.destroy()
})
