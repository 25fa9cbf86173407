import { usesBulk } from './bulk.ts'
import type { Call, Caller, Failure, SessionOptions, SessionStats, Source } from './call.ts'
import { SnmpError } from './errors.ts'
import type { Exchange, ExchangeFailure } from './exchange.ts'
import { type Answer, getMany, getOnce } from './get.ts'
import { PDU } from './pdu.ts'
import { type AgentProfile, earlyRepeatMs, newProfile, rttMeasured, windowAnswered, windowLost } from './profile.ts'
import { createSecurity, type RequestBody, type Security } from './security.ts'
import type { MibTable } from './table.ts'
import type { SnmpTarget } from './target.ts'
import type { Transport } from './transport.ts'
import { type WalkOptions, type WalkOutcome, walkColumn, walkColumns } from './walk.ts'

export type { Failure, SessionOptions } from './call.ts'

/** Requests to one agent in one context. Cheap to open: every poll opens a new one. */
export interface Session extends Caller {
  /** GET of any number of OIDs with instance, in as many requests as needed. */
  get(oids: readonly string[]): Promise<Answer>
  /** One GETNEXT. */
  getNext(oids: readonly string[]): Promise<Answer>
  /** One GETBULK; the first `nonRepeaters` OIDs are read once. v1: GETNEXT instead. */
  getBulk(oids: readonly string[], nonRepeaters: number, maxRepetitions: number): Promise<Answer>
  /** Postpones the session's deadline by time during which the caller was not waiting for the agent. */
  extend(ms: number): void
  /** All cells below an OID. */
  walkColumn(oid: string, options?: WalkOptions): Promise<WalkOutcome>
  /**
   * Columns of a table, by name: the first one, then, if it has rows, the others in parallel as far as the window
   * allows. If the first column has no rows, the others get its outcome without a request.
   */
  walkColumns<T extends MibTable>(
    table: T,
    columns: readonly (keyof T['columns'] & string)[],
    options?: WalkOptions,
  ): Promise<Map<keyof T['columns'] & string, WalkOutcome>>
}

/**
 * Opens a session. Throws SnmpError: `unsupported` for an unknown algorithm; `invalid` for an invalid address, one of
 * the wrong address family for the transport, or incomplete credentials.
 */
export function openSession(transport: Transport, target: SnmpTarget, options: SessionOptions = {}): Session {
  return new AgentSession(transport, target, options)
}

/** Maximum number of times a request is sent again because the engine's clock or engineID has changed. */
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
    if (!usesBulk(this)) return getOnce(this, PDU.GetNextRequest, oids, 0, 0)
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
      const waiting = this.sources.length
      // a source that ended itself makes way for another, which may not have had its turn yet
      if (source.next() || this.sources.length < waiting) idle = 0
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
    let encodedRepetitions = -1
    let sentMs = 0
    let lost = false
    this.exchange(
      security.freshIds,
      (id, attempt) => {
        sentMs = performance.now()
        const maxRepetitions = call.maxRepetitions(attempt)
        // unless each try needs a fresh id, a retransmission is the same datagram
        if (
          datagram === null ||
          security.freshIds ||
          maxRepetitions !== encodedRepetitions ||
          call.type === PDU.GetRequest
        ) {
          const body: RequestBody = {
            type: call.type,
            nonRepeaters: call.nonRepeaters,
            maxRepetitions,
            varbinds: (writer) => call.varbinds(writer, attempt),
          }
          datagram = security.encode(transport.writer, id, body, sentMs)
          encodedRepetitions = maxRepetitions
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
            if (profile.padded) view.pdu.unpad()
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
      (reason, from) => {
        // the agent may come back with a new engineID, or with a lower snmpEngineBoots than cached
        if (reason === 'timeout') profile.engine = null
        this.settle(call, failureOf(reason, from))
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
    // the request is queued until the engine has been discovered again
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

  /** Discovers the engine of a v3 agent; sources wait until it answers. */
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
        // another session with the same profile may have discovered the engine in the meantime
        if (verdict.kind !== 'discovered' && !security.ready()) return false
        this.inFlight--
        this.discovering = false
        this.pump()
        return true
      },
      () => this.lost(this.profile.epoch),
      (reason, from) => {
        this.inFlight--
        this.discovering = false
        const failure = failureOf(reason, from)
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
      anySource: target.anySource === true,
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

function failureOf(reason: ExchangeFailure, from: string | null): Failure {
  if (reason === 'timeout' && from !== null) return { kind: 'otherSource', from }
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
