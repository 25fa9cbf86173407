import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createSettings } from '../src/config/settings.ts'
import { loadDevicePlan } from '../src/core/polling/read-plan.ts'
import { packOids } from '../src/lib/oid-list.ts'
import { MODULES } from '../src/modules/registry.ts'
import { runModules } from '../src/modules/run.ts'
import { factsOf, newEntry, type PolledDevice, planOf, replan } from '../src/poller/devices/polled-device.ts'
import { switchesOf } from '../src/poller/module-toggles.ts'
import type { PollPlan } from '../src/poller/protocol.ts'
import { createAgents } from '../src/poller/worker/agent.ts'
import { compile } from '../src/poller/worker/compile.ts'
import { poll } from '../src/poller/worker/poll.ts'
import { openReader } from '../src/poller/worker/reader.ts'
import { newProfile } from '../src/snmp/profile.ts'
import { createTransport, type Transport } from '../src/snmp/transport.ts'
import { textOption } from './option.ts'
import { startRecordings } from './recordings.ts'
import { type BenchResult, formatResult, result } from './result.ts'
import { type BenchServer, startServer } from './server.ts'

/**
 * Cost of a device: requests, octets and CPU of a discovery and a poll, in total and by module. `--recordings FOLDER`
 * (`../shared/devices`, else the project's own), `--names a,b`, `--runs N` (5), `--modules` for the table by module.
 * CPU is that of the worker only, for SNMP and decoding, without writing.
 */

const DEVICES: readonly (readonly [string, string])[] = [
  ['ios_2960x', 'access switch'],
  ['iosxe_c9400', 'chassis switch'],
  ['junos_vmx', 'router with BGP'],
  ['vrp_ac6605-26', 'wireless controller'],
  ['apc_smt750x-nmc2', 'UPS'],
]

const shared = join(import.meta.dir, '..', '..', 'shared', 'devices')
const own = join(import.meta.dir, '..', 'tests', 'fixtures', 'recordings')

interface Cost {
  requests: number
  octets: number
  cpuMs: number
}

export async function run(): Promise<BenchResult[]> {
  const folder = textOption('recordings') ?? (existsSync(shared) ? shared : own)
  const agent = await startRecordings(folder)
  if (agent === null) return []
  const named = textOption('names')
    ?.split(',')
    .map((name) => [name, name] as const)
  const devices = (named ?? (folder === shared ? DEVICES : agent.names.map((name) => [name, name] as const))).filter(
    ([name]) => agent.names.includes(name),
  )
  const server = await startServer(['--set', 'icmp_check=false', '--set', 'allow_duplicate_sysName=true'])
  const transport = await createTransport({})
  try {
    const results: BenchResult[] = []
    for (const [i, [name, kind]] of devices.entries()) {
      const entry = await discovered(server, { name, address: agent.address(i), port: agent.port })
      results.push(...(await measure(transport, entry, kind)))
    }
    return results
  } finally {
    transport.close()
    await server.stop()
    await agent.stop()
  }
}

/** Discovers the device and returns its poll plan. */
async function discovered(
  { url, token, store }: BenchServer,
  { name, address, port }: { name: string; address: string; port: number },
): Promise<PolledDevice> {
  const body = { hostname: address, port, version: 'v2c', community: name, force_add: true }
  const answer = await fetch(`${url}/api/v0/devices`, {
    method: 'POST',
    headers: { 'X-Auth-Token': token },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`)
  const deadline = Date.now() + 120_000
  for (;;) {
    const stored = (await loadDevicePlan(store)).find((device) => device.hostname === address)
    if (stored !== undefined && stored.last_discovered !== null) {
      const entry = newEntry(stored)
      const settings = createSettings({})
      const rules = ['bad_if', 'bad_if_regexp', 'bad_iftype'] as const
      replan(entry, stored, address, {
        isOn: switchesOf(stored, settings),
        nonunicast: settings.get('poller.nonunicast'),
        settings: Object.fromEntries(rules.map((rule) => [rule, settings.get(rule)])),
      })
      return entry
    }
    if (Date.now() > deadline) throw new Error(`${name} was not discovered`)
    await Bun.sleep(200)
  }
}

async function measure(transport: Transport, entry: PolledDevice, kind: string): Promise<BenchResult[]> {
  const plan = planOf(entry)
  if (plan === null) return []
  const discovery = await discoveryCost(transport, entry, plan)
  const polls = await pollCost(transport, plan)
  const rows: [string, Cost][] = [
    ['discovery', sum(discovery.values())],
    ['poll', polls.get('all') ?? nothing()],
  ]
  if (process.argv.includes('--modules')) {
    for (const [name, cost] of discovery) rows.push([`discovery, ${name}`, cost])
    for (const [name, cost] of polls) if (name !== 'all') rows.push([`poll, ${name}`, cost])
  }
  return rows.flatMap(([what, cost]) => [
    result(`${kind}: ${what}: requests`, cost.requests, ''),
    result(`${kind}: ${what}: octets`, cost.octets, ''),
    result(`${kind}: ${what}: CPU`, cost.cpuMs, 'ms'),
  ])
}

const runs = (): number => Number(textOption('runs') ?? 5)

/** Means over the runs by module, after a warm-up run. */
async function discoveryCost(
  transport: Transport,
  { stored }: PolledDevice,
  plan: PollPlan,
): Promise<Map<string, Cost>> {
  const costs = new Map<string, Cost>()
  const agents = createAgents(transport, {
    timeoutMs: 1000,
    retries: 3,
    maxRepetitions: 0,
    maxRows: 100_000,
    maxPorts: 100_000,
    maxOctets: 1 << 30,
  })
  const profile = newProfile(4)
  const { target } = plan
  const facts = factsOf({ ...stored, os: null }, plan.facts.settings)
  for (let turn = 0; turn <= runs(); turn++) {
    const { reader } = openReader(agents, target, profile, () => 120_000, 1)
    let mark = meter(transport)
    for await (const { name } of runModules(MODULES, 'discover', facts, reader)) {
      const now = meter(transport)
      if (turn > 0) add(costs, name, mark, now)
      mark = now
    }
  }
  return costs
}

/** Means over the runs of `all` and of each part polled separately. */
async function pollCost(transport: Transport, plan: PollPlan): Promise<Map<string, Cost>> {
  const costs = new Map<string, Cost>()
  const none = { ...plan, ifIndex: new Int32Array(), wide: new Uint32Array(), gauges: packOids([]), modules: [] }
  const parts = new Map<string, PollPlan>([
    ['all', plan],
    ['ports', { ...none, ifIndex: plan.ifIndex, wide: plan.wide }],
    ['gauges', { ...none, gauges: plan.gauges }],
    ...plan.modules.map((name) => [name, { ...none, modules: [name] }] as const),
  ])
  for (const [name, part] of parts) {
    const agents = createAgents(transport, {
      timeoutMs: 1000,
      retries: 3,
      maxRepetitions: 0,
      maxRows: 100_000,
      maxPorts: 100_000,
      maxOctets: 1 << 30,
    })
    const agent = agents.of(1, plan.target)
    if (agent === null) continue
    agent.plan = part
    const compiled = compile(part)
    for (let turn = 0; turn <= runs(); turn++) {
      const mark = meter(transport)
      await poll(agents, agent, compiled, { deadlineMs: 120_000, quick: false, lastTicks: 1 })
      if (turn > 0) add(costs, name, mark, meter(transport))
    }
  }
  return costs
}

/** Current counters of the transport and of this process. */
function meter({ stats }: Transport): Cost {
  const { user, system } = process.cpuUsage()
  return { requests: stats.requests, octets: stats.octetsIn + stats.octetsOut, cpuMs: (user + system) / 1000 }
}

function add(costs: Map<string, Cost>, name: string, from: Cost, to: Cost): void {
  const cost = costs.get(name) ?? nothing()
  cost.requests += (to.requests - from.requests) / runs()
  cost.octets += (to.octets - from.octets) / runs()
  cost.cpuMs += (to.cpuMs - from.cpuMs) / runs()
  costs.set(name, cost)
}

function sum(costs: Iterable<Cost>): Cost {
  const all = nothing()
  for (const cost of costs) {
    all.requests += cost.requests
    all.octets += cost.octets
    all.cpuMs += cost.cpuMs
  }
  return all
}

function nothing(): Cost {
  return { requests: 0, octets: 0, cpuMs: 0 }
}

if (import.meta.main) {
  for (const r of await run()) console.log(formatResult(r))
  process.exit(0)
}
