import { BerWriter } from '@portlight/snmp/ber.ts'
import { type CommunityMessage, decodeMessage, encodeMessage } from '@portlight/snmp/message.ts'
import { PDU } from '@portlight/snmp/pdu.ts'
import type { Varbind } from '@portlight/snmp/value.ts'

/** Time limit in milliseconds for an agent on loopback, even on a busy machine. */
const DEADLINE_MS = 30_000

/** Address of an agent. */
export interface Place {
  readonly address: string
  readonly port: number
}

export interface Question {
  readonly type: keyof typeof PDU
  readonly oids: readonly string[]
  readonly version?: 'v1' | 'v2c'
  readonly community?: string
  readonly nonRepeaters?: number
  readonly maxRepetitions?: number
}

/** The agent's response and the size of its message in bytes. */
export interface Reply extends CommunityMessage {
  readonly octets: number
}

/** A socket that exchanges messages with agents without the SNMP engine. */
export interface Client {
  ask(agent: Place, question: Question): Promise<Reply>
  /** Sends raw bytes. */
  send(agent: Place, octets: Uint8Array): void
  /** Number of datagrams received that are not responses to a request. */
  readonly strays: number
  close(): void
}

const writer = new BerWriter()
let lastRequestId = 1000

export function encodeQuestion(question: Question, requestId: number): Uint8Array {
  return encodeMessage(writer, {
    version: question.version ?? 'v2c',
    community: new TextEncoder().encode(question.community ?? 'public'),
    type: PDU[question.type],
    requestId,
    errorStatus: question.nonRepeaters ?? 0,
    errorIndex: question.maxRepetitions ?? 0,
    varbinds: question.oids.map((oid) => ({ oid, value: { kind: 'Null' } })),
  })
}

export async function openClient(): Promise<Client> {
  const waiting = new Map<number, (reply: Reply) => void>()
  let strays = 0
  const socket = await Bun.udpSocket({
    hostname: '127.0.0.1',
    port: 0,
    binaryType: 'uint8array',
    socket: {
      data(_socket, bytes) {
        const message = decodeMessage(bytes)
        const resolve = waiting.get(message.requestId)
        waiting.delete(message.requestId)
        if (resolve === undefined) strays++
        else resolve({ ...message, octets: bytes.length })
      },
      error() {},
    },
  })
  return {
    ask(agent, question) {
      const requestId = ++lastRequestId
      const { promise, resolve, reject } = Promise.withResolvers<Reply>()
      const timer = setTimeout(() => reject(new Error(`no response to ${JSON.stringify(question)}`)), DEADLINE_MS)
      waiting.set(requestId, (reply) => {
        clearTimeout(timer)
        resolve(reply)
      })
      socket.send(encodeQuestion(question, requestId), agent.port, agent.address)
      return promise
    },
    send(agent, octets) {
      socket.send(octets, agent.port, agent.address)
    },
    get strays() {
      return strays
    },
    close: () => socket.close(),
  }
}

/**
 * All instances below an OID, read with GETNEXT, or with GETBULK if `repetitions` is given, and the size of the largest
 * message.
 */
export async function walk(
  client: Client,
  agent: Place,
  root: string,
  repetitions = 0,
): Promise<{ varbinds: Varbind[]; maxOctets: number }> {
  const varbinds: Varbind[] = []
  let maxOctets = 0
  for (let oid = root; ; ) {
    const question =
      repetitions === 0
        ? ({ type: 'GetNextRequest', oids: [oid] } as const)
        : ({ type: 'GetBulkRequest', oids: [oid], maxRepetitions: repetitions } as const)
    const reply = await client.ask(agent, question)
    maxOctets = Math.max(maxOctets, reply.octets)
    if (reply.varbinds.length === 0) throw new Error(`empty response after ${oid}`)
    for (const varbind of reply.varbinds) {
      if (varbind.value.kind === 'endOfMibView' || !`${varbind.oid}.`.startsWith(`${root}.`))
        return { varbinds, maxOctets }
      varbinds.push(varbind)
      oid = varbind.oid
    }
  }
}
