import { createPinger, type Pinger, type PingResult } from '@portlight/icmp/echo.ts'
import { SnmpError } from '@portlight/snmp/errors.ts'
import type { SnmpFailure } from '@portlight/snmp/failure.ts'
import { applyQuirks, newProfile } from '@portlight/snmp/profile.ts'
import { octetText } from '@portlight/snmp/table.ts'
import type { SnmpTarget } from '@portlight/snmp/target.ts'
import { createTransport, type Transport } from '@portlight/snmp/transport.ts'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import type { ProbeOutcome } from '../../core/base/gateway.ts'
import { DEFINITIONS } from '../../definitions/catalogue.ts'
import { detectOs } from '../../definitions/detect.ts'
import { collectEveryMinute } from '../../lib/periodic-gc.ts'
import { lowerThreadPriority } from '../../lib/thread-priority.ts'
import { unreachable } from '../../lib/unreachable.ts'
import { createLog } from '../../observe/log.ts'
import { reportThread } from '../../observe/threads.ts'
import type { FromWorker, PollOutcome, ToWorker } from '../protocol.ts'
import { type Agents, createAgents, keptPlan, quirksOf } from './agent.ts'
import { compile } from './compile.ts'
import { discover } from './discover.ts'
import { identify } from './identify.ts'
import { poll } from './poll.ts'

declare const self: Worker & { name?: string }

const STATS_MS = 1000

let transport: Transport | null = null
let agents: Agents | null = null
let pinger: Pinger | null = null
let jobs = 0
let draining = false
/** Large discoveries waiting to continue, by job. */
const waiting = new Map<number, () => void>()
/** See WorkerOptions.current. */
let current: Int32Array = new Int32Array(1)

function send(message: FromWorker, transfer: ArrayBuffer[] = []): void {
  self.postMessage(message, transfer)
}

self.onmessage = (event: MessageEvent<ToWorker>) => {
  const message = event.data
  switch (message.kind) {
    case 'start':
      void start(message)
      return
    case 'forget':
      agents?.forget(message.deviceId)
      return
    case 'go':
      waiting.get(message.jobId)?.()
      waiting.delete(message.jobId)
      return
    case 'limits':
      if (agents !== null) agents.limits = message.limits
      return
    case 'drain':
      draining = true
      drained()
      return
    case 'poll':
    case 'discover':
    case 'probe':
    case 'identify':
    case 'ping':
      void run(message)
      return
    default:
      unreachable(message)
  }
}

async function start({ options }: Extract<ToWorker, { kind: 'start' }>): Promise<void> {
  lowerThreadPriority()
  collectEveryMinute()
  reportThread(options.name)
  const notes: string[] = []
  current = options.current
  try {
    transport = await createTransport({
      inflight: options.inflight,
      current: options.current,
      flooded: (address) => send({ kind: 'flood', address }),
      log: createLog('warn', options.logFormat).child({ worker: options.name }),
    })
    agents = createAgents(transport, options.limits)
    if (options.icmp) pinger = await createPinger({})
    const shared = transport
    setInterval(
      () => send({ kind: 'stats', transport: { ...shared.stats, inFlight: shared.inFlight, queued: shared.queued } }),
      STATS_MS,
    )
  } catch (error) {
    notes.push(error instanceof Error ? error.message : String(error))
  }
  send({ kind: 'ready', notes })
}

type Job = Exclude<Extract<ToWorker, { jobId: number }>, { kind: 'go' }>

async function run(job: Job): Promise<void> {
  jobs++
  Atomics.store(current, 0, deviceOf(job))
  try {
    await answer(job)
  } catch (error) {
    send({
      kind: 'failed',
      jobId: job.jobId,
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    })
  }
  jobs--
  drained()
}

function deviceOf(job: Job): number {
  if (job.kind === 'poll') return job.deviceId
  return job.kind === 'discover' ? job.facts.deviceId : 0
}

async function answer(job: Job): Promise<void> {
  const { jobId } = job
  if (agents === null) throw new Error('the worker has no sockets')
  switch (job.kind) {
    case 'poll': {
      const outcome = await runPoll(agents, job)
      send({ kind: 'polled', jobId, deviceId: job.deviceId, version: job.version, outcome }, buffersOf(outcome))
      return
    }
    case 'discover': {
      const profile = agents.of(job.facts.deviceId, job.target)?.profile ?? newProfile()
      let asked = false
      const turn = (): Promise<void> =>
        new Promise((resolve) => {
          asked = true
          waiting.set(jobId, resolve)
          send({ kind: 'large', jobId })
        })
      send({ kind: 'discovered', jobId, outcome: await refusing(() => discover(agents as Agents, profile, job, turn)) })
      if (asked) Bun.gc(true)
      return
    }
    case 'probe':
      send({ kind: 'probed', jobId, outcome: await probe(agents, job.target) })
      return
    case 'identify':
      send({ kind: 'identified', jobId, identity: await identify(agents, job.target) })
      return
    case 'ping': {
      const { addresses, count, timeoutMs } = job
      const results = await Promise.all(addresses.map((address) => echo(address, count, timeoutMs)))
      send({ kind: 'pinged', jobId, results })
      return
    }
    default:
      unreachable(job)
  }
}

async function runPoll(all: Agents, job: Extract<ToWorker, { kind: 'poll' }>): Promise<PollOutcome> {
  const agent = all.of(job.deviceId, job.plan?.target ?? null)
  if (agent === null || (job.plan === null && agent.version !== job.version)) return { kind: 'planless' }
  if (job.plan !== null) {
    agent.plan = keptPlan(job.plan)
    agent.version = job.version
    agent.compiled = compile(job.plan)
    applyQuirks(agent.profile, quirksOf(job.plan.facts.os, job.plan.facts.settings))
  }
  const { compiled } = agent
  if (compiled === null) return { kind: 'planless' }
  return refusing(() => poll(all, agent, compiled, job))
}

/** Turns an error about an address or credentials with which no session can be opened into a failure of the device. */
async function refusing<T>(
  work: () => Promise<T>,
): Promise<T | { kind: 'failed'; at: number; cost: { tookMs: 0; requests: 0; timeouts: 0 }; failure: SnmpFailure }> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SnmpError)) throw error
    const failure: SnmpFailure = { kind: 'invalid', message: error.message }
    return { kind: 'failed', at: Date.now(), cost: { tookMs: 0, requests: 0, timeouts: 0 }, failure }
  }
}

function buffersOf(outcome: PollOutcome): ArrayBuffer[] {
  if (outcome.kind !== 'answered') return []
  const arrays: ArrayBufferView[] = []
  if (outcome.ports !== null) {
    const { ticks, counters, present, narrow, admin, oper, highSpeed } = outcome.ports
    arrays.push(ticks, counters, present, narrow, admin, oper, highSpeed)
  }
  if (outcome.gauges !== null) arrays.push(outcome.gauges)
  return arrays.map((a) => a.buffer as ArrayBuffer)
}

const SYSTEM = {
  sysDescr: '1.3.6.1.2.1.1.1.0',
  sysObjectID: '1.3.6.1.2.1.1.2.0',
  sysName: '1.3.6.1.2.1.1.5.0',
  snmpEngineID: '1.3.6.1.6.3.10.2.1.1.0',
}

async function probe(all: Agents, target: SnmpTarget): Promise<ProbeOutcome> {
  const retries = Math.min(target.retries ?? all.limits.retries, 2)
  const outcome = await refusing(() =>
    all
      .open(target, newProfile(target.transport === 'udp6' ? 6 : 4), { deadlineMs: 15_000, owner: 0, retries })
      .get(Object.values(SYSTEM)),
  )
  if (outcome.kind === 'failed') return { kind: 'failed', failure: outcome.failure }
  if (outcome.kind === 'error') return { kind: 'failed', failure: { kind: 'error', status: outcome.status } }
  if (outcome.kind !== 'answer') return { kind: 'failed', failure: outcome }
  const [sysDescr, sysObjectID, sysName, engine] = outcome.varbinds.map((v) => textOf(v.value))
  const snmpEngineID = outcome.varbinds[3]?.value
  const { os } = detectOs(DEFINITIONS.detectable(), { sysObjectID: sysObjectID ?? null, sysDescr: sysDescr ?? null })
  return {
    kind: 'answer',
    sysDescr: sysDescr ?? null,
    sysObjectID: sysObjectID ?? null,
    sysName: sysName ?? null,
    os,
    snmpEngineID: snmpEngineID?.kind === 'OctetString' ? snmpEngineID.value.toHex() : (engine ?? null),
  }
}

function textOf(value: SnmpValue): string | null {
  if (value.kind === 'OctetString') return octetText(value.value)
  return value.kind === 'ObjectIdentifier' ? value.value : null
}

async function echo(address: string, count: number, timeoutMs: number): Promise<PingResult> {
  const outcome = await pinger?.ping(address, { count, timeoutMs })
  return outcome === undefined || outcome.kind === 'unavailable' ? { kind: 'unavailable' } : outcome
}

function drained(): void {
  if (!draining || jobs > 0) return
  transport?.close()
  send({ kind: 'drained' })
}
