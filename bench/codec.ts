import { BerWriter } from '@portlight/snmp/ber.ts'
import { decodeMessage, encodeMessage, MessageView, writeCommunityHeader } from '@portlight/snmp/message.ts'
import { encodeOid } from '@portlight/snmp/oid.ts'
import { PDU, writePdu } from '@portlight/snmp/pdu.ts'
import type { SnmpValue, Varbind } from '@portlight/snmp/value.ts'
import { netSnmp, snmpNative } from '../packages/snmp/tests/support/oracles.ts'
import { type BenchResult, result } from './support/result.ts'

const VARBINDS = 25
const MESSAGES = 64
const OIDS = ['1.3.6.1.2.1.2.2.1', '1.3.6.1.2.1.31.1.1.1']

/** 64 responses of 25 varbinds each, as in a poll: names, counters of both widths, states. */
function messages(): Buffer[] {
  const writer = new BerWriter()
  const community = new TextEncoder().encode('public')
  return Array.from({ length: MESSAGES }, (_, m) => {
    const varbinds = Array.from({ length: VARBINDS }, (_unused, i): Varbind => {
      const port = m * VARBINDS + i + 1
      return { oid: `${OIDS[i % 2]}.${(i % 18) + 1}.${port}`, value: sampleValue(i, port) }
    })
    const message = {
      version: 'v2c',
      community,
      type: PDU.Response,
      requestId: 100_000 + m,
      errorStatus: 0,
      errorIndex: 0,
      varbinds,
    } as const
    return Buffer.from(encodeMessage(writer, message))
  })
}

function sampleValue(i: number, port: number): SnmpValue {
  switch (i % 5) {
    case 0:
      return { kind: 'Counter64', value: BigInt(port) * 123_456_789_123n }
    case 1:
      return { kind: 'Counter32', value: port * 1_234_567 }
    case 2:
      return { kind: 'OctetString', value: new TextEncoder().encode(`GigabitEthernet1/0/${port}`) }
    case 3:
      return { kind: 'Integer32', value: 1 }
    default:
      return { kind: 'Gauge32', value: 1_000_000_000 }
  }
}

/**
 * Calls per CPU second of each function: the median of several rounds in which they alternate, so that load on the
 * machine affects all of them.
 */
function rates<const K extends string>(works: Readonly<Record<K, (i: number) => number>>): Record<K, number> {
  const names = Object.keys(works) as K[]
  const rounds = names.map((): number[] => [])
  for (let round = 0; round < 15; round++) {
    for (const [n, name] of names.entries()) rounds[n]?.push(once(works[name]))
  }
  const median = (list: readonly number[]) => list.toSorted((x, y) => x - y)[Math.floor(list.length / 2)] ?? 0
  return Object.fromEntries(names.map((name, n) => [name, median(rounds[n] ?? [])])) as Record<K, number>
}

function once(work: (i: number) => number): number {
  const end = performance.now() + 100
  const started = process.cpuUsage()
  let calls = 0
  while (performance.now() < end) for (let k = 0; k < 64; k++) sink += work(calls++)
  const used = process.cpuUsage(started)
  return calls / ((used.user + used.system) / 1e6)
}

/** Keeps the results from being optimised away. */
let sink = 0

function decodeResults(): BenchResult[] {
  const buffers = messages()
  const at = (i: number): Buffer => buffers[i % MESSAGES] ?? Buffer.alloc(0)
  const view = new MessageView()
  const per = rates({
    netSnmp: (i) => netSnmp.Message.createFromBuffer(at(i)).pdu.varbinds.length,
    native: (i) => snmpNative.parse(at(i)).pdu.varbinds.length,
    values: (i) => decodeMessage(at(i), view).varbinds.length,
    raw: (i) => {
      let sum = 0
      view.decode(at(i))
      const { pdu } = view
      for (let v = 0; v < pdu.count; v++) if (pdu.load(v)) sum += pdu.low + pdu.high
      return sum
    },
  })
  const values = per.values * VARBINDS
  const theirs = { name: 'net-snmp', value: per.netSnmp * VARBINDS }
  const goal = { text: '>= 4 x net-snmp', met: values >= 4 * theirs.value }
  return [
    result('codec: decode, OIDs and values made', values, 'varbinds/s', theirs, goal),
    result('codec: decode, OIDs and values made', values, 'varbinds/s', {
      name: 'snmp-native',
      value: per.native * VARBINDS,
    }),
    result('codec: decode, as the poller does', per.raw * VARBINDS, 'varbinds/s', theirs),
  ]
}

function encodeResults(): BenchResult[] {
  const oids = Array.from({ length: 10 }, (_, i) => `1.3.6.1.2.1.31.1.1.1.${i + 1}.10101`)
  const encoded = oids.map(encodeOid)
  const arcs = oids.map((oid) => oid.split('.').map(Number))
  const writer = new BerWriter()
  const community = new TextEncoder().encode('public')
  const request = (id: number, list: readonly Uint8Array[]): number => {
    writer.begin()
    const mark = writer.at
    writePdu(writer, PDU.GetRequest, id, 0, 0, (w) => {
      for (let i = list.length - 1; i >= 0; i--) w.requestVarbind(list[i] ?? EMPTY, -1)
    })
    writeCommunityHeader(writer, mark, 'v2c', community)
    return writer.finish().length
  }
  const per = rates({
    netSnmp: (i) => {
      const varbinds = oids.map((oid) => ({ oid }))
      const pdu = netSnmp.GetRequestPdu.createFromVariables(i + 1, varbinds, {})
      return netSnmp.Message.createCommunity(1, 'public', pdu).toBuffer().length
    },
    native: (i) => {
      const packet = new snmpNative.Packet()
      packet.pdu.reqid = i + 1
      packet.pdu.varbinds = arcs.map((oid) => ({ oid, type: 5, value: null }))
      return snmpNative.encode(packet).length
    },
    text: (i) => request(i, oids.map(encodeOid)),
    ready: (i) => request(i, encoded),
  })
  const theirs = { name: 'net-snmp', value: per.netSnmp * 10 }
  const text = per.text * 10
  const goal = { text: '>= 4 x net-snmp', met: text >= 4 * theirs.value }
  return [
    result('codec: encode a GET of 10, OIDs as text', text, 'varbinds/s', theirs, goal),
    result('codec: encode a GET of 10, OIDs as text', text, 'varbinds/s', {
      name: 'snmp-native, from arrays',
      value: per.native * 10,
    }),
    result('codec: encode a GET of 10, as the poller does', per.ready * 10, 'varbinds/s', theirs),
  ]
}

const EMPTY = new Uint8Array(0)

/** Decoding and encoding compared with npm net-snmp and snmp-native, in the same process. */
export async function run(): Promise<BenchResult[]> {
  const results = [...decodeResults(), ...encodeResults()]
  if (sink === 0) throw new Error('nothing was decoded')
  return results
}
