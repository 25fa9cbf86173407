import { bulkState } from '@portlight/snmp/bulk.ts'
import { isAnswer, type SnmpFailure } from '@portlight/snmp/failure.ts'
import { getNumbers } from '@portlight/snmp/get.ts'
import { RowSink } from '@portlight/snmp/row-sink.ts'
import { fetchRows } from '@portlight/snmp/rows.ts'
import type { Session } from '@portlight/snmp/session.ts'
import { octetText, readAs } from '@portlight/snmp/table.ts'
import { PORT_COUNTER_COUNT } from '../../lib/port-counters.ts'
import { loadedDefinitions } from '../../librenms/store.ts'
import { hrSystemUptime } from '../../mibs/host-resources-mib.ts'
import { snmpEngineTime } from '../../mibs/snmp-framework-mib.ts'
import { FOLDER_SETTING } from '../../modules/loaded/rules.ts'
import { loadedSystem } from '../../modules/loaded/system.ts'
import type { Observation } from '../../modules/observation.ts'
import { MODULES } from '../../modules/registry.ts'
import { runModules } from '../../modules/run.ts'
import type { Clocks } from '../../modules/system/uptime.ts'
import type { Cost, PollOutcome, PollParts, PortColumns, PortText } from '../protocol.ts'
import type { Agent, Agents } from './agent.ts'
import { type CompiledPlan, type RowReading, TEXT_FIELDS } from './compile.ts'
import { openReader } from './reader.ts'

const SYS_UP_TIME = '1.3.6.1.2.1.1.3.0'
const NOT_READ = 0xffffffff
const NO_CLOCKS: Clocks = { agentTicks: undefined, engineS: undefined, hostTicks: undefined }

/**
 * Polls a device: port columns and gauges in parallel, as far as the agent's window allows. `quick`: the device did not
 * answer last time, so a single request without retries is sent first.
 */
export async function poll(
  agents: Agents,
  agent: Agent,
  compiled: CompiledPlan,
  { deadlineMs, quick, lastTicks }: { deadlineMs: number; quick: boolean; lastTicks: number | null },
): Promise<PollOutcome> {
  const began = performance.now()
  const { plan } = agent
  if (plan === null) return { kind: 'planless' }
  const sessions: Session[] = []
  const open = (retries?: number): Session => {
    const session = agents.open(agent.target, agent.profile, {
      deadlineMs,
      owner: plan.facts.deviceId,
      ...(retries !== undefined && { retries }),
    })
    sessions.push(session)
    return session
  }
  const end = (): { at: number; cost: Cost } => ({ at: Date.now(), cost: costOf(sessions, began) })

  const failures: SnmpFailure[] = []
  let uptimeTicks: number | null = null
  const hasPorts = compiled.rowPlans.length > 0
  if (quick || (!hasPorts && compiled.gauges.ends.length === 0)) {
    const answer = await open(quick ? 0 : undefined).get([SYS_UP_TIME])
    if (answer.kind !== 'answer' && answer.kind !== 'error') return { kind: 'failed', failure: answer, ...end() }
    if (answer.kind === 'error') failures.push({ kind: 'error', status: answer.status })
    const value = answer.kind === 'answer' ? answer.varbinds[0]?.value : undefined
    uptimeTicks = value?.kind === 'TimeTicks' ? value.value : null
  }
  const session = open()
  const values = new Float64Array(compiled.gauges.ends.length)
  const [{ result: ports, tookMs: portsMs }, { result: gauges, tookMs: gaugesMs }] = await Promise.all([
    timed(readPorts(session, compiled)),
    timed(getNumbers(session, compiled.gauges, values, compiled.readings)),
  ])
  for (const failure of [ports?.failure, gauges.failure]) if (failure) failures.push(failure)
  // an error reported by the agent tells more than a timeout of another request
  const failure = failures.find(isAnswer) ?? failures[0] ?? null
  if (failure !== null && sessions.every(({ stats }) => stats.responses === 0)) {
    return { kind: 'failed', failure, ...end() }
  }
  if (ports !== null && ports.ticks !== null) uptimeTicks = ports.ticks
  else if (uptimeTicks === null && !hasPorts) uptimeTicks = await readUptime(session)
  const isNews = uptimeTicks !== null && (lastTicks === null || uptimeTicks < lastTicks)
  const clocks = isNews ? await readClocks(session, plan) : null
  const { observations, modules } = await readModules(
    agents,
    agent,
    plan,
    deadlineMs - (performance.now() - began),
    sessions,
  )
  const took = {
    portsMs: ports === null ? null : portsMs,
    gaugesMs: compiled.gauges.ends.length === 0 ? null : gaugesMs,
    modules,
  }
  return {
    kind: 'answered',
    ...end(),
    uptimeTicks,
    clocks,
    failure,
    // with null, the next poll computes its deltas from the counters before this poll
    ports: ports === null || (ports.rows === 0 && ports.failure !== null) ? null : ports.columns,
    gauges: compiled.gauges.ends.length === 0 || (gauges.read === 0 && gauges.failure !== null) ? null : values,
    took,
    observations,
    bulk: bulkState(agent.profile),
  }
}

async function timed<T>(work: Promise<T>): Promise<{ readonly result: T; readonly tookMs: number }> {
  const began = performance.now()
  const result = await work
  return { result, tookMs: performance.now() - began }
}

/** Runs the modules that read tables at every poll; returns their observations and times. */
async function readModules(
  agents: Agents,
  agent: Agent,
  plan: NonNullable<Agent['plan']>,
  deadlineMs: number,
  sessions: Session[],
): Promise<{ readonly observations: Observation[]; readonly modules: PollParts['modules'] }> {
  if (plan.modules.length === 0) return { observations: [], modules: [] }
  const { reader, opened } = openReader(agents, agent.target, agent.profile, () => deadlineMs, plan.facts.deviceId)
  const wanted = MODULES.filter((m) => plan.modules.includes(m.name))
  const observations: Observation[] = []
  const modules: { name: string; tookMs: number }[] = []
  let began = performance.now()
  for await (const run of runModules(wanted, 'poll', plan.facts, reader)) {
    observations.push(...run.observations)
    const now = performance.now()
    modules.push({ name: run.name, tookMs: now - began })
    began = now
  }
  sessions.push(...opened())
  return { observations, modules }
}

/** The clocks besides sysUpTime, except those that the OS's definition calls wrong; null: the agent stopped answering. */
async function readClocks(session: Session, { facts }: NonNullable<Agent['plan']>): Promise<Clocks | null> {
  const list = [snmpEngineTime, hrSystemUptime] as const
  // with v1, an object that is missing makes the whole request fail
  const apart = session.target.snmpver === 'v1' ? list.map((one) => [one]) : [list]
  const values = new Map<string, number | undefined>()
  for (const some of apart) {
    const answer = await session.get(some.map(({ oid }) => oid))
    if (answer.kind !== 'answer' && answer.kind !== 'error') return null
    for (const [i, { oid, syntax }] of some.entries()) {
      const value = answer.kind === 'answer' ? answer.varbinds[i]?.value : undefined
      values.set(oid, value === undefined ? undefined : readAs(value, syntax))
    }
  }
  const clocks = {
    agentTicks: undefined,
    engineS: values.get(snmpEngineTime.oid),
    hostTicks: values.get(hrSystemUptime.oid),
  }
  const loaded = loadedSystem(loadedDefinitions(facts.settings[FOLDER_SETTING]))
  return facts.os === null ? clocks : (loaded.usableClocks(facts.os, clocks) ?? NO_CLOCKS)
}

async function readUptime(session: Session): Promise<number | null> {
  const answer = await session.get([SYS_UP_TIME])
  const value = answer.kind === 'answer' ? answer.varbinds[0]?.value : undefined
  return value?.kind === 'TimeTicks' ? value.value : null
}

function costOf(sessions: readonly Session[], began: number): Cost {
  let requests = 0
  let timeouts = 0
  for (const { stats } of sessions) {
    requests += stats.requests
    timeouts += stats.timeouts
  }
  return { tookMs: performance.now() - began, requests, timeouts }
}

interface PortsRead {
  readonly columns: PortColumns
  readonly rows: number
  readonly ticks: number | null
  readonly failure: SnmpFailure | null
}

async function readPorts(session: Session, compiled: CompiledPlan): Promise<PortsRead | null> {
  const first = compiled.rowPlans[0]
  if (first === undefined) return null
  const rows = first.plan.indexes.length
  const columns = emptyColumns(rows)
  const texts: PortText[] = []
  let got = 0
  let ticks: number | null = null
  const failures: SnmpFailure[] = []
  const unknown = new Set<number>()
  /** Indexes without a cell in any reading so far. */
  let missing: readonly number[] | null = null
  for (const reading of compiled.rowPlans) {
    const sink = borrowSink(rows, reading.roles.length, (column, row, bytes, start, stop) => {
      const role = reading.roles[column]?.kind
      const at = TEXT_FIELDS.indexOf(role as (typeof TEXT_FIELDS)[number])
      const field = TEXT_FIELDS[at]
      if (field === undefined || !compiled.texts.changed(row, at, bytes, start, stop - start)) return
      texts.push({ row, field, text: octetText(bytes.subarray(start, stop)) })
    })
    const outcome = await fetchRows(session, reading.plan, sink.sink)
    copyColumns(reading, sink.sink, compiled.wide, columns)
    giveBack(sink)
    got = Math.max(got, outcome.rows)
    ticks = outcome.ticks ?? ticks
    if (outcome.failure !== null) failures.push(outcome.failure)
    const gone: ReadonlySet<number> = new Set(outcome.vanished)
    missing = missing === null ? outcome.vanished : missing.filter((index) => gone.has(index))
    for (const index of outcome.newIndexes) unknown.add(index)
  }
  return {
    columns: { ...columns, texts, missing: missing?.length ?? 0, unknown: unknown.size },
    rows: got,
    ticks,
    failure: failures.find(isAnswer) ?? failures[0] ?? null,
  }
}

type Columns = Omit<PortColumns, 'texts' | 'missing' | 'unknown'>

function emptyColumns(rows: number): Columns {
  return {
    rows,
    ticks: new Uint32Array(rows),
    counters: new BigUint64Array(rows * PORT_COUNTER_COUNT),
    present: new Uint32Array(rows),
    narrow: new Uint32Array(rows),
    admin: new Uint8Array(rows),
    oper: new Uint8Array(rows),
    highSpeed: new Uint32Array(rows).fill(NOT_READ),
  }
}

function copyColumns({ roles }: RowReading, sink: RowSink, wide: Uint32Array, out: Columns): void {
  const { rows } = out
  const words = new Uint32Array(out.counters.buffer)
  for (let row = 0; row < rows; row++) {
    const present = sink.present[row] as number
    if (present !== 0 && out.ticks[row] === 0) out.ticks[row] = sink.ticks[row] as number
  }
  for (const [c, role] of roles.entries()) {
    const bit = 1 << c
    const base = c * sink.capacity
    switch (role.kind) {
      case 'counter': {
        const counterBit = 1 << role.counter
        const to = role.counter * rows
        for (let row = 0; row < rows; row++) {
          if (((sink.present[row] as number) & bit) === 0) continue
          if ((((wide[row] as number) & counterBit) === 0) !== role.narrow) continue
          words[2 * (to + row)] = sink.words[2 * (base + row)] as number
          words[2 * (to + row) + 1] = sink.words[2 * (base + row) + 1] as number
          out.present[row] = (out.present[row] as number) | counterBit
          if (role.narrow) out.narrow[row] = (out.narrow[row] as number) | counterBit
        }
        break
      }
      case 'admin':
      case 'oper': {
        const to = out[role.kind]
        for (let row = 0; row < rows; row++)
          if (((sink.present[row] as number) & bit) !== 0) to[row] = sink.words[2 * (base + row)] as number
        break
      }
      case 'highSpeed':
        for (let row = 0; row < rows; row++)
          if (((sink.present[row] as number) & bit) !== 0) out.highSpeed[row] = sink.words[2 * (base + row)] as number
        break
      default:
    }
  }
}

/** A sink and its current listener: sinks are reused, because a poll should allocate almost nothing. */
interface Borrowed {
  readonly sink: RowSink
  readonly listener: { on: NonNullable<RowSink['onOctets']> }
}

const idle: Borrowed[] = []

function borrowSink(rows: number, columns: number, on: NonNullable<RowSink['onOctets']>): Borrowed {
  const at = idle.findIndex((b) => b.sink.capacity >= rows && b.sink.columns >= columns)
  const found = at < 0 ? undefined : idle.splice(at, 1)[0]
  if (found !== undefined) {
    found.listener.on = on
    return found
  }
  const listener = { on }
  const capacity = Math.max(64, 2 ** Math.ceil(Math.log2(rows)))
  return { listener, sink: new RowSink(capacity, Math.max(columns, 20), (...cell) => listener.on(...cell)) }
}

function giveBack(borrowed: Borrowed): void {
  if (idle.length < 64 && borrowed.sink.capacity <= 4096) idle.push(borrowed)
}
