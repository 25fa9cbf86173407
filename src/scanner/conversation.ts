import { BerWriter } from '@portlight/snmp/ber.ts'
import { SnmpError } from '@portlight/snmp/errors.ts'
import type { SnmpFailure } from '@portlight/snmp/failure.ts'
import { MessageView } from '@portlight/snmp/message.ts'
import { encodeOid } from '@portlight/snmp/oid.ts'
import { PDU } from '@portlight/snmp/pdu.ts'
import { type AgentProfile, newProfile } from '@portlight/snmp/profile.ts'
import { createSecurity, type Security } from '@portlight/snmp/security.ts'
import type { KeyCache } from '@portlight/snmp/usm/key.ts'
import type { AskedAgent, Response } from './bounded-reader.ts'
import type { Trial } from './protocol.ts'
import type { Requests } from './requests.ts'

/** What a conversation needs of its surroundings. */
export interface Line {
  readonly requests: Requests
  readonly keys: KeyCache
  readonly address: string
  readonly port: number
  readonly timeoutMs: number
  /** Waits until a datagram may leave. False: it may not, because the job ended or the address is not the user's own. */
  turn(): Promise<boolean>
}

const TIMEOUT: Response = { kind: 'failed', failure: { kind: 'timeout' } }
/** Times that a v3 request is sent again because the engine's clock was not known yet. */
const MAX_RESYNCS = 2
const view = new MessageView()
const writer = new BerWriter()

/** Requests to one agent with one set of credentials. Late responses to earlier tries are accepted until `close`. */
export class Conversation implements AskedAgent {
  private readonly security: Security
  private readonly open: (() => void)[] = []
  private from: string | null = null
  private wake: ((response: Response | 'resync') => void) | null = null
  /** Called for a response after its timeout. */
  late: () => void = () => undefined

  /** Throws SnmpError for credentials that cannot be used. */
  constructor(
    private readonly line: Line,
    readonly trial: Trial,
    readonly profile: AgentProfile = newProfile(line.address.includes(':') ? 6 : 4),
  ) {
    const { address, port } = line
    const transport = address.includes(':') ? 'udp6' : 'udp'
    const target = { address, port, transport, timeout: null, retries: null, ...trial.credentials } as const
    this.security = createSecurity(target, '', profile, line.keys)
  }

  get isV1(): boolean {
    return this.trial.version === 'v1'
  }

  /** GET of OIDs; each try is a datagram. */
  get(oids: readonly string[], tries: number): Promise<Response> {
    return this.ask({ type: PDU.GetRequest, oids, maxRepetitions: 0 }, tries)
  }

  /** One step of a walk: GETBULK, or GETNEXT in v1. */
  next(oid: string, maxRepetitions: number, tries: number): Promise<Response> {
    return this.isV1
      ? this.ask({ type: PDU.GetNextRequest, oids: [oid], maxRepetitions: 0 }, tries)
      : this.ask({ type: PDU.GetBulkRequest, oids: [oid], maxRepetitions }, tries)
  }

  /** Discovers the engine with one datagram. */
  async discover(): Promise<Response> {
    return (await this.exchange((id) => this.security.discovery(writer, id), 'discovered')) as Response
  }

  close(): void {
    for (const end of this.open.splice(0)) end()
  }

  private async ask(
    request: { readonly type: number; readonly oids: readonly string[]; readonly maxRepetitions: number },
    tries: number,
  ): Promise<Response> {
    const encoded = request.oids.map(encodeOid)
    const encode = (id: number): Uint8Array =>
      this.security.encode(
        writer,
        id,
        {
          type: request.type,
          nonRepeaters: 0,
          maxRepetitions: request.maxRepetitions,
          varbinds: (to) => {
            for (const oid of encoded.toReversed()) to.requestVarbind(oid, -1)
          },
        },
        performance.now(),
      )
    let last: Response = TIMEOUT
    let resyncs = 0
    for (let attempt = 0; attempt < tries; attempt++) {
      const response = await this.exchange(encode, 'response')
      if (response === 'resync') {
        if (resyncs++ >= MAX_RESYNCS) return { kind: 'failed', failure: { kind: 'refused', reason: 'notInTimeWindow' } }
        attempt--
        continue
      }
      last = response
      if (last.kind !== 'failed' || last.failure.kind !== 'timeout') return last
    }
    return last
  }

  private async exchange(
    encode: (id: number) => Uint8Array,
    wanted: 'response' | 'discovered',
  ): Promise<Response | 'resync'> {
    const { line } = this
    if (!(await line.turn())) return { kind: 'ended' }
    return await new Promise((resolve) => {
      const timer = setTimeout(() => {
        const { from } = this
        settle(from === null ? TIMEOUT : { kind: 'failed', failure: { kind: 'otherSource', from } })
      }, line.timeoutMs)
      const settle = (response: Response | 'resync'): void => {
        clearTimeout(timer)
        this.wake = null
        resolve(response)
      }
      this.wake = settle
      const end = line.requests.send({
        address: line.address,
        port: line.port,
        encode,
        reply: (bytes) => this.take(bytes, wanted),
        elsewhere: (from) => {
          this.from = from
        },
      })
      if (end === null) settle({ kind: 'failed', failure: { kind: 'unreachable' } })
      else this.open.push(end)
    })
  }

  private take(bytes: Uint8Array, wanted: 'response' | 'discovered'): boolean {
    view.decode(bytes)
    const verdict = this.security.accept(view, bytes, performance.now())
    if (verdict.kind === 'reject') return false
    if (this.wake === null) this.late()
    else if (verdict.kind === 'refused') this.wake({ kind: 'failed', failure: verdict })
    else if (verdict.kind === 'resync') this.wake('resync')
    else if (verdict.kind === 'rediscover')
      this.wake({ kind: 'failed', failure: { kind: 'refused', reason: 'unknownEngineID' } })
    else if (verdict.kind === 'discovered') this.wake({ kind: 'values', varbinds: [], octets: bytes.length })
    else if (wanted === 'response') this.wake(this.response(bytes.length))
    return true
  }

  private response(octets: number): Response {
    const { pdu } = view
    if (pdu.errorStatus !== 0) return { kind: 'failed', failure: { kind: 'error', status: pdu.status } }
    pdu.unpad()
    return { kind: 'values', varbinds: pdu.varbindList(), octets }
  }
}

/** A set of credentials with which no message can be made, as a failure. */
export function unusable(error: unknown): SnmpFailure {
  if (error instanceof SnmpError) return { kind: 'invalid', message: error.message }
  throw error
}
