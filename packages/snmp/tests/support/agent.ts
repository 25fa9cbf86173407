import { BerWriter } from '../../src/ber.ts'
import { type CommunityMessage, decodeMessage, encodeMessage } from '../../src/message.ts'
import { compareOid, encodeOid } from '../../src/oid.ts'
import { PDU } from '../../src/pdu.ts'
import type { SnmpTarget } from '../../src/target.ts'
import type { SnmpValue, Varbind } from '../../src/value.ts'

/** How a test agent differs from a well-behaved one. */
export interface Behaviour {
  /** Largest response, octets: GETBULK is truncated, GET answered tooBig. */
  readonly maxOctets?: number
  /** GETBULK too large for `maxOctets` is answered tooBig instead of truncated. */
  readonly bulkTooBig?: boolean
  readonly repetitionCap?: number
  /**
   * Requests that arrive while another is being answered, which takes this long, are lost, as if there were no queue.
   */
  readonly busyMs?: number
  /** Gets each request and its response, and may send anything. Default: sends the response. */
  readonly reply?: (answer: Uint8Array, request: CommunityMessage, send: Send) => void
}

/** `other`: from another port of the agent. */
export type Send = (bytes: Uint8Array, from?: 'own' | 'other') => void

export interface TestAgent {
  readonly port: number
  /** Requests received. */
  readonly requests: CommunityMessage[]
  /** Maximum of concurrent requests. */
  readonly mostAtOnce: () => number
  readonly target: SnmpTarget
  stop(): void
}

interface Entry {
  readonly oid: Uint8Array
  readonly varbind: Varbind
}

/** An agent on loopback with these objects. `mib` is called for every request, so that tests can change the objects. */
export async function startAgent(
  mib: () => Readonly<Record<string, SnmpValue>>,
  behaviour: Behaviour = {},
  hostname = '127.0.0.1',
): Promise<TestAgent> {
  const requests: CommunityMessage[] = []
  const writer = new BerWriter()
  let atOnce = 0
  let most = 0
  const other = await Bun.udpSocket({ hostname, port: 0 })
  const socket = await Bun.udpSocket({
    hostname,
    port: 0,
    binaryType: 'uint8array',
    socket: {
      error: () => {},
      data: (own, data, port, address) => {
        const request = decodeMessage(data)
        requests.push(request)
        const answer = encodeMessage(writer, respond(sorted(mib()), request, behaviour, writer))
        const send: Send = (bytes, from = 'own') => (from === 'own' ? own : other).send(bytes, port, address)
        const reply = behaviour.reply ?? ((bytes: Uint8Array, _request: CommunityMessage, to: Send) => to(bytes))
        if (behaviour.busyMs === undefined) return reply(answer, request, send)
        most = Math.max(most, ++atOnce)
        if (atOnce > 1) {
          atOnce--
          return
        }
        setTimeout(() => {
          atOnce--
          reply(answer, request, send)
        }, behaviour.busyMs)
      },
    },
  })
  const { port } = socket
  return {
    port,
    requests,
    mostAtOnce: () => most,
    target: targetAt(port, { address: hostname, transport: hostname.includes(':') ? 'udp6' : 'udp' }),
    stop: () => {
      socket.close()
      other.close()
    },
  }
}

/** A v2c target on loopback, with quick timeouts. */
export function targetAt(port: number, changes: Partial<SnmpTarget> = {}): SnmpTarget {
  return {
    address: '127.0.0.1',
    port,
    transport: 'udp',
    snmpver: 'v2c',
    community: 'public',
    authlevel: null,
    authname: null,
    authpass: null,
    authalgo: null,
    cryptopass: null,
    cryptoalgo: null,
    timeout: 0.25,
    retries: 4,
    ...changes,
  }
}

function sorted(mib: Readonly<Record<string, SnmpValue>>): Entry[] {
  return Object.entries(mib)
    .map(([oid, value]) => ({ oid: encodeOid(oid), varbind: { oid, value } }))
    .sort((a, b) => compareOid(a.oid, 0, a.oid.length, b.oid, 0, b.oid.length))
}

function respond(mib: readonly Entry[], request: CommunityMessage, b: Behaviour, writer: BerWriter): CommunityMessage {
  const answer = (varbinds: readonly Varbind[]): CommunityMessage => ({
    ...request,
    type: PDU.Response,
    errorStatus: 0,
    errorIndex: 0,
    varbinds,
  })
  const error = (errorStatus: number, errorIndex: number): CommunityMessage => ({
    ...answer(request.varbinds),
    errorStatus,
    errorIndex,
  })
  const size = (varbinds: readonly Varbind[]) => encodeMessage(writer, answer(varbinds)).length
  const limit = b.maxOctets ?? 65_000
  const v1 = request.version === 'v1'
  const visible = v1 ? mib.filter((e) => e.varbind.value.kind !== 'Counter64') : mib
  if (request.type === PDU.GetBulkRequest) {
    const list = bulk(visible, request, b.repetitionCap ?? 10_000)
    if (size(list) <= limit) return answer(list)
    if (b.bulkTooBig === true) return { ...error(1, 0), varbinds: [] }
    while (size(list) > limit) list.pop()
    return list.length === 0 ? { ...error(1, 0), varbinds: [] } : answer(list)
  }
  const list: Varbind[] = []
  for (const [i, { oid }] of request.varbinds.entries()) {
    const found =
      request.type === PDU.GetRequest ? visible.find((e) => e.varbind.oid === oid)?.varbind : next(visible, oid)
    if (found === undefined && v1) return error(2, i + 1)
    list.push(found ?? { oid, value: { kind: request.type === PDU.GetRequest ? 'noSuchInstance' : 'endOfMibView' } })
  }
  return size(list) > limit ? { ...error(1, 0), varbinds: [] } : answer(list)
}

function next(mib: readonly Entry[], oid: string): Varbind | undefined {
  const from = encodeOid(oid)
  return mib.find((e) => compareOid(e.oid, 0, e.oid.length, from, 0, from.length) > 0)?.varbind
}

function bulk(mib: readonly Entry[], request: CommunityMessage, cap: number): Varbind[] {
  const list: Varbind[] = []
  const step = (oid: string): Varbind => next(mib, oid) ?? { oid, value: { kind: 'endOfMibView' } }
  const fixed = request.varbinds.slice(0, request.errorStatus)
  let row = request.varbinds.slice(request.errorStatus)
  for (const { oid } of fixed) list.push(step(oid))
  for (let r = 0; r < Math.min(request.errorIndex, cap) && row.length > 0; r++) {
    row = row.map(({ oid }) => step(oid))
    list.push(...row)
    if (row.every((v) => v.value.kind === 'endOfMibView')) break
  }
  return list
}
