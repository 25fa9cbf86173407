import { afterEach, beforeEach, expect, setDefaultTimeout, setSystemTime, test } from 'bun:test'
import { BerWriter } from '@portlight/snmp/ber.ts'
import { encodeMessage } from '@portlight/snmp/message.ts'
import { NotificationReceiver } from '@portlight/snmp/notification.ts'
import { TrapEncoder, userKeys } from '@portlight/snmp/own-message.ts'
import { PDU } from '@portlight/snmp/pdu.ts'
import { KeyCache } from '@portlight/snmp/usm/key.ts'
import type { Varbind } from '@portlight/snmp/value.ts'
import { Counter } from '../../../../src/core/logs/receive/counter.ts'
import { FairQueue } from '../../../../src/core/logs/receive/fair-queue.ts'
import { Senders } from '../../../../src/core/logs/receive/senders.ts'
import { listenUdp } from '../../../../src/core/logs/receive/sockets.ts'
import { createTrapSources } from '../../../../src/core/logs/receive/sources.ts'
import { createTraps } from '../../../../src/core/logs/receive/traps/receiver.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { eventually } from '../../../support/eventually.ts'
import { ENGINE, LIVE, listening, NOTHING } from './support.ts'

// Senders of traps that lie, flood or cannot be answered, and a clock that is set.

setDefaultTimeout(60_000)

const LOCAL = '127.0.0.1'
const STRANGER = '127.0.0.2'
const LINK_UP = '1.3.6.1.6.3.1.1.5.4'
const USER = {
  authlevel: 'authPriv',
  authname: 'trapper',
  authpass: 'authauth1',
  authalgo: 'SHA',
  cryptopass: 'privpriv1',
  cryptoalgo: 'AES-256-C',
} as const
/** An SNMPv3 message that asks a receiver of informs for its engine (RFC 3414 §4). */
const DISCOVERY = Uint8Array.fromHex('3032020103300d020101020201000401040201030410300e04000201000201000400040004003000')
DISCOVERY[1] = DISCOVERY.length - 2

let database: TestDatabase
beforeEach(async () => {
  database = await testDatabase()
  await database.store.sql`
    insert into devices (device_id, hostname, ip, community, snmpver) values (1, 'sw1.example.net', ${LOCAL}, 'secret1', 'v2c')`
})
afterEach(async () => {
  setSystemTime()
  await database.drop()
})

const stored = async () => {
  const [row] = await database.store.sql<{ n: number }[]>`select count(*)::int as n from eventlog where type = 'trap'`
  return row?.n ?? 0
}

function v2c(type: number, requestId: number, more: readonly Varbind[] = []): Uint8Array {
  const trap = { oid: '1.3.6.1.6.3.1.1.4.1.0', value: { kind: 'ObjectIdentifier', value: LINK_UP } } as const
  return encodeMessage(new BerWriter(), {
    version: 'v2c',
    community: new TextEncoder().encode('secret1'),
    type,
    requestId,
    errorStatus: 0,
    errorIndex: 0,
    varbinds: [trap, ...more],
  })
}

/** Opens a socket, and collects what is sent to it. */
async function sender(hostname: string) {
  const answers: Uint8Array[] = []
  const socket = await Bun.udpSocket({
    hostname,
    binaryType: 'uint8array',
    socket: { data: (_socket, data) => void answers.push(data.slice()) },
  })
  return { answers, socket }
}

test('only devices and relays get our engine ID, so that a forged source cannot make us send reports to others', async () => {
  const running = await listening(database, { addresses: { ...NOTHING, trapsUdp: `${LOCAL}:0` } })
  const port = running.ports['traps.udp'] ?? 0
  const [device, stranger] = [await sender(LOCAL), await sender(STRANGER)]
  for (let i = 0; i < 5; i++) stranger.socket.send(DISCOVERY, port, LOCAL)
  await eventually(async () => (running.dropped('traps', 'unknown_device') === 5 ? true : null))
  device.socket.send(DISCOVERY, port, LOCAL)
  await eventually(async () => (device.answers.length === 1 ? true : null))
  expect(stranger.answers).toEqual([])
  running.configure({ ...LIVE, trapRelays: ['127.0.0.0/30'] })
  stranger.socket.send(DISCOVERY, port, LOCAL)
  await eventually(async () => (stranger.answers.length === 1 ? true : null))
  device.socket.close()
  stranger.socket.close()
  await running.stop(2000)
})

test('an answer that the system refuses to send ends nothing', async () => {
  const socket = await listenUdp(`${LOCAL}:0`, new Counter(), () => undefined)
  // a broadcast address and an impossible port, as of a sender that is behind a firewall rule or lies
  expect(socket.send(new Uint8Array(4), 162, '255.255.255.255')).toContain('EACCES')
  expect(socket.send(new Uint8Array(4), 0, LOCAL)).toContain('port')
  expect(socket.send(new Uint8Array(4), socket.port, LOCAL)).toBeNull()
  socket.close()
})

test('an inform of many kilooctets is stored and answered', async () => {
  const running = await listening(database, { addresses: { ...NOTHING, trapsUdp: `${LOCAL}:0` } })
  const device = await sender(LOCAL)
  const text = { oid: '1.3.6.1.4.1.8072.9', value: { kind: 'OctetString', value: new Uint8Array(30_000) } } as const
  device.socket.send(v2c(PDU.InformRequest, 7, [text]), running.ports['traps.udp'] ?? 0, LOCAL)
  await eventually(async () => (device.answers.length === 1 ? true : null))
  expect(await stored()).toBe(1)
  device.socket.close()
  await running.stop(2000)
})

test('the keys of a cipher are derived only for messages whose digest is right', () => {
  class Counting extends KeyCache {
    derived = 0
    override privKey(...given: Parameters<KeyCache['privKey']>): Uint8Array {
      this.derived++
      return super.privKey(...given)
    }
  }
  const cache = new Counting()
  const keys = userKeys(USER, Uint8Array.fromHex('8000000001020304'), cache)
  expect([keys?.auth?.protocol, keys?.priv?.protocol, cache.derived]).toEqual(['SHA', 'AES-256-C', 0])
  expect([keys?.priv?.key.length, keys?.priv?.key.length, cache.derived]).toEqual([32, 32, 1])
})

test('a v1 trap whose agent address is no address is malformed', () => {
  const receiver = new NotificationReceiver({ id: Uint8Array.fromHex(ENGINE.id), boots: 1 }, 0)
  const trap = (address: string) => {
    const fields = `06062b0601040108${address}020106020111430100${'3000'}`
    const pdu = `a4${(fields.length / 2).toString(16).padStart(2, '0')}${fields}`
    const body = `0201000406${Buffer.from('public').toString('hex')}${pdu}`
    return Uint8Array.fromHex(`30${(body.length / 2).toString(16).padStart(2, '0')}${body}`)
  }
  expect(receiver.hear(trap('40047f000001'), 0, () => [])).toMatchObject({ notification: { agentAddr: '127.0.0.1' } })
  for (const address of ['4000', '40037f0000', '40057f00000101'])
    expect(() => receiver.hear(trap(address), 0, () => [])).toThrow('agent-addr')
})

test('a flood from invented addresses displaces neither what devices sent nor who they are', async () => {
  const queue = new FairQueue({ messages: 100, octets: 1 << 20 }, (source) => source.startsWith('device'))
  const message = (source: string, n: number) => ({ source, octets: Uint8Array.of(n), at: n, port: 1 })
  for (let n = 0; n < 1000; n++) queue.push(message(`invented ${n}`, n))
  for (let n = 0; n < 30; n++) expect(queue.push(message(`device ${n % 3}`, n))).toBe(1)
  for (let n = 0; n < 1000; n++) expect(queue.push(message(`invented again ${n}`, n))).toBeGreaterThan(0)
  expect(queue.size).toBe(100)
  const sources = queue.take(40).map(({ source }) => source)
  expect(sources.filter((source) => source.startsWith('device'))).toHaveLength(30)
  expect(sources.filter((source) => source.startsWith('invented'))).toHaveLength(10)

  const senders = new Senders(database.store)
  await senders.learn([LOCAL])
  for (let i = 0; i < 6; i++)
    await senders.learn(Array.from({ length: 10_000 }, (_, n) => `invented-${i}-${n}.example`))
  expect(senders.knows(LOCAL)).toBe(true)
})

/** The receiver in this thread, whose clock can be set. */
function receiving() {
  const senders = new Senders(database.store)
  const live = { ...LIVE, users: [USER] }
  const counter = new Counter()
  let isStopped = false
  const traps = createTraps({
    store: database.store,
    senders,
    sources: createTrapSources(senders, () => live),
    queue: new FairQueue({ messages: 10_000, octets: 1 << 23 }),
    counter,
    engine: { id: Uint8Array.fromHex(ENGINE.id), boots: ENGINE.boots },
    live: () => live,
    stopped: () => isStopped,
    unavailable: () => undefined,
    stored: () => undefined,
    poll: () => undefined,
  })
  const work = traps.write()
  return {
    counter,
    receive: (octets: Uint8Array) => traps.receive({ source: LOCAL, octets, at: Date.now(), port: 40_000 }),
    async stop(): Promise<void> {
      isStopped = true
      await work
    },
  }
}

for (const hours of [-3, 3]) {
  test(`v3 traps are accepted after the clock was set by ${hours} h`, async () => {
    const running = receiving()
    const encoder = new TrapEncoder()
    const trap = (engine: { id: string; boots: number }, time: number) =>
      encoder.encode({ ...engine, id: Uint8Array.fromHex(engine.id), time }, USER, time, {
        oid: LINK_UP,
        upTime: 1,
        varbinds: [],
      })
    const theirs = { id: '8000000001020304', boots: 1 }
    running.receive(trap(theirs, 5000))
    running.receive(trap(ENGINE, 0))
    await eventually(async () => ((await stored()) === 2 ? true : null))
    setSystemTime(new Date(Date.now() + hours * 3_600_000))
    running.receive(trap(theirs, 5001))
    running.receive(trap(ENGINE, 1))
    await eventually(async () =>
      (await stored()) + (running.counter.counts(0).dropped.clock ?? 0) === 4 ? true : null,
    )
    expect(running.counter.counts(0).dropped).toEqual({})
    const [row] = await database.store.sql<{ ahead: number }[]>`
      select round(extract(epoch from max(datetime) - min(datetime)) / 3600)::int as ahead from eventlog`
    expect(row?.ahead).toBe(Math.abs(hours))
    await running.stop()
  })
}
