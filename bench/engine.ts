import { encodeOid } from '@portlight/snmp/oid.ts'
import { type AgentProfile, newProfile } from '@portlight/snmp/profile.ts'
import { type RowPlan, RowSink } from '@portlight/snmp/row-sink.ts'
import { fetchRows } from '@portlight/snmp/rows.ts'
import { openSession } from '@portlight/snmp/session.ts'
import type { SnmpTarget } from '@portlight/snmp/target.ts'
import { createTransport, type Transport } from '@portlight/snmp/transport.ts'
import { type Fleet, startFleet } from './support/fleet.ts'
import { textOption } from './support/option.ts'
import { type BenchResult, result } from './support/result.ts'

/**
 * ifAdminStatus, ifOperStatus, ifIn/OutDiscards, ifIn/OutErrors, ifName, ifHCIn/OutOctets, ifHCIn/OutUcastPkts,
 * ifHighSpeed, ifAlias.
 */
const COLUMNS = [
  ...[7, 8, 13, 14, 19, 20].map((c) => encodeOid(`1.3.6.1.2.1.2.2.1.${c}`)),
  ...[1, 6, 7, 10, 11, 15, 18].map((c) => encodeOid(`1.3.6.1.2.1.31.1.1.1.${c}`)),
]
const HC_IN_OCTETS = 7
const HC_OUT_OCTETS = 9
const PORTS = 48
const PLAN: RowPlan = { columns: COLUMNS, indexes: Int32Array.from({ length: PORTS }, (_, i) => i + 1) }

interface Case {
  readonly name: string
  readonly devices: number
  readonly agent: readonly string[]
  readonly maxWindow: number
  readonly inflight: number
  /** Devices polled at the same time. */
  readonly concurrency: number
  readonly rounds: number
}

interface Measured {
  readonly devicesPerS: number
  readonly cpuSPer1000: number
  readonly requestsPerDevice: number
  readonly varbindsPerS: number
  readonly timeouts: number
  readonly failed: number
  readonly wrong: number
  readonly checked: number
  readonly p95Ms: number
}

const LATENCY = ['--latency', '20']
const BASE: Case = {
  name: 'row slices, adaptive window to 8, 20 ms',
  devices: 1000,
  agent: LATENCY,
  maxWindow: 8,
  inflight: 512,
  concurrency: 200,
  rounds: 5,
}

const CASES: readonly Case[] = [
  BASE,
  { ...BASE, name: 'row slices, window 1, 20 ms', maxWindow: 1 },
  { ...BASE, name: 'row slices, window to 8, one at a time agents', agent: [...LATENCY, '--serial'] },
  { ...BASE, name: 'row slices, window to 8, 5 % loss', agent: [...LATENCY, '--loss', '5'], rounds: 3 },
]

function target(address: string, port: number): SnmpTarget {
  return {
    address,
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
    timeout: 1,
    retries: 3,
  }
}

async function measure(fleet: Fleet, c: Case): Promise<Measured> {
  const transport = await createTransport({ inflight: c.inflight })
  const profiles = Array.from({ length: c.devices }, () => newProfile())
  const sinks = Array.from({ length: c.devices }, () => new RowSink(PORTS, COLUMNS.length))
  const last = new Check(c.devices)
  // one round to warm up and to get counters for the first deltas
  await round(transport, fleet, c, profiles, sinks)
  last.take(sinks)
  const tally = { requests: 0, varbinds: 0, failed: 0, took: [] as number[] }
  const cpu = process.cpuUsage()
  const started = performance.now()
  for (let i = 0; i < c.rounds; i++) await round(transport, fleet, c, profiles, sinks, tally)
  const wallS = (performance.now() - started) / 1000
  const used = process.cpuUsage(cpu)
  const polls = c.devices * c.rounds
  const timeouts = transport.stats.retransmissions
  transport.close()
  const { wrong, checked } = last.compare(sinks)
  tally.took.sort((a, b) => a - b)
  return {
    devicesPerS: polls / wallS,
    cpuSPer1000: (used.user + used.system) / 1e6 / (polls / 1000),
    requestsPerDevice: tally.requests / polls,
    varbindsPerS: tally.varbinds / wallS,
    timeouts,
    failed: tally.failed,
    wrong,
    checked,
    p95Ms: tally.took[Math.floor(tally.took.length * 0.95)] ?? 0,
  }
}

async function round(
  transport: Transport,
  fleet: Fleet,
  c: Case,
  profiles: readonly AgentProfile[],
  sinks: readonly RowSink[],
  tally?: { requests: number; varbinds: number; failed: number; took: number[] },
): Promise<void> {
  let next = 0
  const poll = async (): Promise<void> => {
    for (let d = next++; d < c.devices; d = next++) {
      const [profile, sink] = [profiles[d], sinks[d]]
      if (profile === undefined || sink === undefined) return
      const from = performance.now()
      const session = openSession(transport, target(fleet.address(d), fleet.port), { profile, maxWindow: c.maxWindow })
      const outcome = await fetchRows(session, PLAN, sink)
      if (tally === undefined) continue
      tally.requests += outcome.requests
      tally.varbinds += outcome.varbinds
      tally.took.push(performance.now() - from)
      if (outcome.kind !== 'complete') tally.failed++
    }
  }
  await Promise.all(Array.from({ length: c.concurrency }, poll))
}

/**
 * Checks the rates documented for the agent: octets per second in = 100000 i + 100 d, out = 200000 i + 100 d, exactly.
 */
class Check {
  private readonly octets: Float64Array
  private readonly ticks: Float64Array
  constructor(private readonly devices: number) {
    this.octets = new Float64Array(devices * PORTS * 2)
    this.ticks = new Float64Array(devices * PORTS)
  }

  take(sinks: readonly RowSink[]): void {
    this.each(sinks, (at, ticks, octetsIn, octetsOut) => {
      this.ticks[at] = ticks
      this.octets[2 * at] = octetsIn
      this.octets[2 * at + 1] = octetsOut
    })
  }

  compare(sinks: readonly RowSink[]): { wrong: number; checked: number } {
    let wrong = 0
    let checked = 0
    this.each(sinks, (at, ticks, octetsIn, octetsOut) => {
      const device = Math.floor(at / PORTS)
      const port = (at % PORTS) + 1
      const seconds = (ticks - (this.ticks[at] ?? 0)) / 100
      const rateIn = (octetsIn - (this.octets[2 * at] ?? 0)) / seconds
      const rateOut = (octetsOut - (this.octets[2 * at + 1] ?? 0)) / seconds
      checked++
      const off = (rate: number, want: number) => !(Math.abs(rate - want) < 1e-6 * want)
      if (off(rateIn, 100_000 * port + 100 * device) || off(rateOut, 200_000 * port + 100 * device)) wrong++
    })
    return { wrong, checked }
  }

  private each(
    sinks: readonly RowSink[],
    visit: (at: number, ticks: number, octetsIn: number, octetsOut: number) => void,
  ): void {
    for (let d = 0; d < this.devices; d++) {
      const sink = sinks[d]
      if (sink === undefined) continue
      for (let r = 0; r < PORTS; r++) {
        visit(d * PORTS + r, sink.ticks[r] ?? 0, sink.number(HC_IN_OCTETS, r), sink.number(HC_OUT_OCTETS, r))
      }
    }
  }
}

async function runCase(c: Case): Promise<Measured | null> {
  const fleet = await startFleet(['--devices', String(c.devices), '--ports', String(PORTS), ...c.agent])
  if (fleet === null) return null
  try {
    return await measure(fleet, c)
  } finally {
    await fleet.stop()
  }
}

function line(c: Case, m: Measured): string {
  return [
    `| ${c.name} | ${Math.round(m.devicesPerS)} | ${m.cpuSPer1000.toFixed(3)} | ${m.requestsPerDevice.toFixed(1)}`,
    ` ${Math.round(m.varbindsPerS / 1000)} k | ${Math.round(m.p95Ms)} | ${m.timeouts} | ${m.failed} | ${m.wrong} of ${m.checked} |`,
  ].join(' |')
}

/**
 * Polls by the engine alone, with a check of all rates; `--only TEXT` for cases whose name contains it. Prints a table.
 * Empty if there is no agent.
 */
export async function run(): Promise<BenchResult[]> {
  const only = textOption('only') ?? ''
  const results: BenchResult[] = []
  console.log(
    '| case | devices/s | CPU s per 1,000 | requests | varbinds/s | p95 ms | retransmissions | failed | wrong rates |',
  )
  console.log('|---|---:|---:|---:|---:|---:|---:|---:|---:|')
  for (const c of CASES.filter((k) => k.name.includes(only))) {
    const m = await runCase(c)
    if (m === null) return []
    console.log(line(c, m))
    const goal = (text: string, met: boolean) => (c === BASE ? { text, met } : undefined)
    const { devicesPerS, cpuSPer1000, wrong } = m
    results.push(
      result(`engine: ${c.name}`, devicesPerS, 'devices/s', null, goal('>= 1,000', devicesPerS >= 1000)),
      result(`engine: ${c.name}`, cpuSPer1000, 'CPU s per 1,000 polls', null, goal('<= 0.35', cpuSPer1000 <= 0.35)),
      result(`engine: ${c.name}`, wrong, 'wrong rates', null, { text: '0', met: wrong === 0 }),
    )
  }
  return results
}
