import type { Call, Caller, Failure, SessionOptions, SessionStats, Source } from './call.ts'
import { SnmpError } from './errors.ts'
import { type Answer, getMany, getOnce } from './get.ts'
import { PDU } from './pdu.ts'
import { type AgentProfile, earlyRepeatMs, newProfile, rttMeasured, windowAnswered, windowLost } from './profile.ts'
import { createSecurity, type RequestBody, type Security } from './security.ts'
import type { MibTable } from './table.ts'
import type { SnmpTarget } from './target.ts'
import type { Exchange, ExchangeFailure, Transport } from './transport.ts'
import { type WalkOptions, type WalkOutcome, walkColumn, walkColumns } from './walk.ts'

export type { Failure, SessionOptions } from './call.ts'

/** Conversation with one agent in one context. Cheap to open: a poll opens one and lets it go. */
export interface Session extends Caller {
  /** Values of OIDs with instance, in as many requests as it takes. */
  get(oids: readonly string[]): Promise<Answer>
  /** One GETNEXT. */
  getNext(oids: readonly string[]): Promise<Answer>
  /** One GETBULK; the first `nonRepeaters` OIDs are read once. v1: as GETNEXT. */
  getBulk(oids: readonly string[], nonRepeaters: number, maxRepetitions: number): Promise<Answer>
  /** Moves the session's deadline: what its caller waited for was not the agent. */
  extend(ms: number): void
  /** All cells below an OID. */
  walkColumn(oid: string, options?: WalkOptions): Promise<WalkOutcome>
  /**
   * Columns of a table, by name: the first one alone, then, if it has rows, the others side by side as far as the window
   * allows. Without rows in the first column the others have its outcome, unasked.
   */
  walkColumns<T extends MibTable>(
    table: T,
    columns: readonly (keyof T['columns'] & string)[],
    options?: WalkOptions,
  ): Promise<Map<keyof T['columns'] & string, WalkOutcome>>
}

/**
 * Opens a session. Throws SnmpError: `unsupported` for an unknown algorithm, `invalid` for an address that is none,
 * the wrong family for the transport, or credentials that are incomplete.
 */
export function openSession(transport: Transport, target: SnmpTarget, options: SessionOptions = {}): Session {
  return new AgentSession(transport, target, options)
}

/** Times that a request is sent again because the engine's clock or identity was not as remembered. */
const MAX_RESYNCS = 3

class AgentSession implements Session {
  readonly profile: AgentProfile
  readonly family: 4 | 6
  readonly stats: SessionStats = { requests: 0, responses: 0, timeouts: 0, varbinds: 0 }
  private readonly security: Security
  private readonly timeoutMs: number
  private readonly retries: number
  private readonly maxWindow: number
  private deadline: number
  private readonly sources: Source[] = []
  private inFlight = 0
  private discovering = false
  private pumping = false

  constructor(
    private readonly transport: Transport,
    readonly target: SnmpTarget,
    readonly options: SessionOptions,
  ) {
    this.family = target.transport === 'udp6' ? 6 : 4
    checkAddress(target)
    this.profile = options.profile ?? newProfile(this.family)
    this.security = createSecurity(target, options.context ?? '', this.profile, transport.keys)
    this.timeoutMs = target.timeout === null ? (options.timeoutMs ?? 1000) : target.timeout * 1000
    this.retries = target.retries ?? options.retries ?? 5
    this.maxWindow = options.maxWindow ?? 8
    this.deadline = options.deadlineMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + options.deadlineMs
  }

  get(oids: readonly string[]): Promise<Answer> {
    return getMany(this, oids)
  }

  getNext(oids: readonly string[]): Promise<Answer> {
    return getOnce(this, PDU.GetNextRequest, oids, 0, 0)
  }

  getBulk(oids: readonly string[], nonRepeaters: number, maxRepetitions: number): Promise<Answer> {
    if (this.target.snmpver === 'v1' || !this.profile.quirks.bulk) return getOnce(this, PDU.GetNextRequest, oids, 0, 0)
    return getOnce(this, PDU.GetBulkRequest, oids, nonRepeaters, maxRepetitions)
  }

  extend(ms: number): void {
    this.deadline += ms
  }

  walkColumn(oid: string, options: WalkOptions = {}): Promise<WalkOutcome> {
    return walkColumn(this, oid, options)
  }

  walkColumns<T extends MibTable>(
    table: T,
    columns: readonly (keyof T['columns'] & string)[],
    options: WalkOptions = {},
  ): Promise<Map<keyof T['columns'] & string, WalkOutcome>> {
    return walkColumns(this, table, columns, options)
  }

  run(source: Source): void {
    this.sources.push(source)
    this.pump()
  }

  finish(source: Source): void {
    const at = this.sources.indexOf(source)
    if (at >= 0) this.sources.splice(at, 1)
  }

  private pump(): void {
    if (this.pumping || this.sources.length === 0) return
    if (!this.security.ready()) {
      this.discover()
      return
    }
    this.pumping = true
    let idle = 0
    for (let turn = 0; this.inFlight < Math.floor(this.profile.window); turn++) {
      const source = this.sources[turn % Math.max(1, this.sources.length)]
      if (source === undefined || idle >= this.sources.length) break
      if (source.next()) idle = 0
      else idle++
    }
    this.pumping = false
  }

  send(call: Call): void {
    this.stats.requests++
    this.submit(call, 0)
  }

  private submit(call: Call, resyncs: number): void {
    const { transport, profile, security } = this
    const { epoch } = profile
    let datagram: Uint8Array | null = null
    let second = -1
    let sentMs = 0
    let lost = false
    this.exchange(
      security.freshIds,
      (id, attempt) => {
        sentMs = performance.now()
        const asked = call.maxRepetitions(attempt)
        // without fresh ids a repetition of the same request is the same datagram
        if (datagram === null || security.freshIds || asked !== second || call.type === PDU.GetRequest) {
          const body: RequestBody = {
            type: call.type,
            nonRepeaters: call.nonRepeaters,
            maxRepetitions: asked,
            varbinds: (writer) => call.varbinds(writer, attempt),
          }
          datagram = security.encode(transport.writer, id, body, sentMs)
          second = asked
        }
        return datagram
      },
      (bytes, attempt) => {
        const { view } = transport
        view.decode(bytes)
        const verdict = security.accept(view, bytes, performance.now())
        switch (verdict.kind) {
          case 'response':
            this.inFlight--
            if (!lost) {
              rttMeasured(profile, performance.now() - sentMs)
              windowAnswered(profile, this.maxWindow)
            }
            this.stats.responses++
            this.stats.varbinds += view.pdu.count
            call.answered(view.pdu, bytes.length, attempt)
            this.pump()
            return true
          case 'refused':
            this.settle(call, verdict)
            return true
          case 'resync':
          case 'rediscover':
            this.again(call, verdict.kind, resyncs)
            return true
          default:
            return false
        }
      },
      () => {
        lost = true
        this.lost(epoch)
      },
      (reason) => {
        // an agent may come back with an engine of which we know too much (boots that went backwards)
        if (reason === 'timeout') profile.engine = null
        this.settle(call, failureOf(reason))
      },
    )
  }

  private again(call: Call, kind: 'resync' | 'rediscover', resyncs: number): void {
    if (resyncs >= MAX_RESYNCS) {
      this.settle(call, { kind: 'refused', reason: kind === 'resync' ? 'notInTimeWindow' : 'unknownEngineID' })
      return
    }
    this.inFlight--
    if (kind === 'resync') {
      this.submit(call, resyncs + 1)
      return
    }
    // the request waits for the new engine as a source of its own
    this.profile.engine = null
    const source: Source = {
      next: () => {
        this.finish(source)
        this.submit(call, resyncs + 1)
        return true
      },
      abort: (failure) => call.failed(failure),
    }
    this.run(source)
  }

  /** Asks a v3 agent for its engine; sources wait until it answers. */
  private discover(): void {
    if (this.discovering) return
    this.discovering = true
    this.stats.requests++
    const { transport, security } = this
    this.exchange(
      true,
      (id) => security.discovery(transport.writer, id),
      (bytes) => {
        const { view } = transport
        view.decode(bytes)
        const verdict = security.accept(view, bytes, performance.now())
        // another session with the same profile may have found the engine meanwhile
        if (verdict.kind !== 'discovered' && !security.ready()) return false
        this.inFlight--
        this.discovering = false
        this.pump()
        return true
      },
      () => this.lost(this.profile.epoch),
      (reason) => {
        this.inFlight--
        this.discovering = false
        const failure = failureOf(reason)
        for (const source of this.sources.splice(0)) source.abort(failure)
      },
    )
  }

  private exchange(
    freshIds: boolean,
    encode: Exchange['encode'],
    reply: Exchange['reply'],
    lost: Exchange['lost'],
    failed: Exchange['failed'],
  ): void {
    const { target, family, timeoutMs, retries, deadline } = this
    this.inFlight++
    this.transport.submit({
      address: target.address,
      port: target.port,
      family,
      timeoutMs,
      retries,
      earlyMs: earlyRepeatMs(this.profile, timeoutMs),
      deadline,
      freshIds,
      owner: this.options.owner ?? 0,
      encode,
      reply,
      lost,
      failed,
    })
  }

  private lost(epoch: number): void {
    this.stats.timeouts++
    windowLost(this.profile, epoch)
  }

  private settle(call: Call, failure: Failure): void {
    this.inFlight--
    call.failed(failure)
    this.pump()
  }
}

function failureOf(reason: ExchangeFailure): Failure {
  return reason === 'tooBig' ? { kind: 'requestTooBig' } : { kind: reason }
}

function checkAddress(target: SnmpTarget): void {
  const v6 = target.address.includes(':')
  const v4 = /^\d{1,3}(\.\d{1,3}){3}$/.test(target.address)
  if (target.transport === 'udp6' ? !v6 : !v4) {
    throw new SnmpError('invalid', `${target.transport} needs an IPv${target.transport === 'udp6' ? 6 : 4} address`)
  }
  if (!Number.isInteger(target.port) || target.port < 1 || target.port > 65_535) {
    throw new SnmpError('invalid', `port ${target.port}`)
  }
}
