import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newProfile } from '@portlight/snmp/profile.ts'
import type { Session } from '@portlight/snmp/session.ts'
import type { SnmpTarget } from '@portlight/snmp/target.ts'
import { createTransport, type Transport } from '@portlight/snmp/transport.ts'
import { createSettings } from '../src/config/settings.ts'
import { definitionsFolder, loadedDefinitions, readIndex } from '../src/librenms/store.ts'
import { FOLDER_SETTING } from '../src/modules/loaded/discover.ts'
import type { Observation } from '../src/modules/observation.ts'
import { MODULE_SETTINGS } from '../src/poller/module-settings.ts'
import { type Agents, createAgents } from '../src/poller/worker/agent.ts'
import { discover } from '../src/poller/worker/discover.ts'
import { spawnPortlight, temporaryFolder } from '../tests/cli/support.ts'
import { option, textOption } from './option.ts'
import { startRecordings } from './recordings.ts'
import { type BenchResult, formatResult, result } from './result.ts'
import { peakMib } from './watch.ts'

/**
 * Cost and benefit of added definitions. Adds those of an installation with `definitions add` (time, memory, what was
 * accepted), then discovers recordings of devices with and without them: requests, varbinds, octets and CPU of a
 * discovery, and rows found. CPU is that of a worker, for SNMP, decoding and modules, without writing.
 *
 * `bun bench/run.ts definitions --agent PATH [--tree DIR] [--recordings DIR] [--runs 3] [--dearest 10]`. DIR of
 * `--tree` is an installation, possibly with its folder mibs packed as mibs.tar.zst (`../shared/librenms-tree`).
 */

const shared = join(import.meta.dir, '..', '..', 'shared')
const DEADLINE_MS = 120_000
const MAX_S = 20
const MIN_RESOLVED = 99.5

interface Cost {
  requests: number
  varbinds: number
  octets: number
  cpuMs: number
}
type Measure = keyof Cost
const MEASURES: readonly (readonly [Measure, string])[] = [
  ['requests', ''],
  ['varbinds', ''],
  ['octets', ''],
  ['cpuMs', 'ms'],
]
/** Tables to which definitions add rows. */
const KINDS = ['sensors', 'processors', 'mempools', 'storage'] as const

interface Discovered {
  readonly cost: Cost
  readonly rows: Readonly<Record<(typeof KINDS)[number], number>>
  readonly os: string | null
}

interface Device {
  readonly name: string
  readonly without: Discovered
  readonly added: Discovered
}

export async function run(): Promise<BenchResult[]> {
  const tree = textOption('tree') ?? join(shared, 'librenms-tree')
  if (!existsSync(tree)) {
    console.warn(`SKIPPED: no installation at ${tree}`)
    return []
  }
  const work = mkdtempSync(join(tmpdir(), 'portlight-bench-definitions-'))
  const data = temporaryFolder()
  try {
    const compiled = await add(unpacked(tree, work), data.path)
    return [...compiled, ...(await measureDevices(definitionsFolder(data.path)))]
  } finally {
    data.remove()
    rmSync(work, { recursive: true, force: true })
  }
}

/** The folder itself, or a copy with its MIB files unpacked. */
function unpacked(tree: string, work: string): string {
  const packed = join(tree, 'mibs.tar.zst')
  if (existsSync(join(tree, 'mibs')) || !existsSync(packed)) return tree
  cpSync(join(tree, 'resources'), join(work, 'resources'), { recursive: true })
  const tar = Bun.spawnSync(['tar', '--zstd', '-xf', packed, '-C', work])
  if (!tar.success) throw new Error(tar.stderr.toString())
  return work
}

/** Number of unknown names that are defined as objects in some MIB file of the installation. */
function definedSomewhere(unknown: readonly string[], folder: string): number {
  const left = new Set(unknown.map((name) => name.slice(name.lastIndexOf(':') + 1)))
  const all = left.size
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const text = readFileSync(join(entry.parentPath, entry.name), 'latin1')
    for (const label of left) if (new RegExp(`^[ \\t]*${label}\\s+OBJECT-TYPE`, 'm').test(text)) left.delete(label)
  }
  return all - left.size
}

async function add(tree: string, dataDir: string): Promise<BenchResult[]> {
  const began = performance.now()
  const child = spawnPortlight(['definitions', 'add', tree, '--data-dir', dataDir])
  const peak = peakMib(child.pid)
  const [code, err] = await Promise.all([child.exited, child.stderr.text()])
  const seconds = (performance.now() - began) / 1000
  if (code !== 0) throw new Error(err)
  const oses = readIndex(definitionsFolder(dataDir))?.oses ?? []
  const sum = (of: (os: (typeof oses)[number]) => number): number => oses.reduce((total, os) => total + of(os), 0)
  const names = sum((os) => os.names)
  const unknown = sum((os) => os.unknown)
  const said = oses.flatMap(({ faults }) =>
    faults.flatMap((why) => /^(?:[\w-]+::)?([\w-]+) is unknown$/.exec(why)?.[1] ?? []),
  )
  const ours = definedSomewhere(said, join(tree, 'mibs'))
  const percent = (missed: number, of: number): number => (100 * (of - missed)) / of
  const resolved = percent(ours, names - unknown + ours)
  const opening = performance.now()
  const systems = loadedDefinitions(definitionsFolder(dataDir)).detectable.length
  const openMs = performance.now() - opening
  return [
    result('definitions add', seconds, 's', null, { text: `<= ${MAX_S}`, met: seconds <= MAX_S }),
    result('  memory at most', peak.stop(), 'MiB'),
    result('  systems taken', systems, ''),
    result(
      '  rules for sensors',
      sum((os) => os.sensors),
      '',
    ),
    result(
      '  rules for processors, memory and storage',
      sum((os) => os.processors + os.mempools + os.storage),
      '',
    ),
    result('  names of objects', names, ''),
    result('  of them known', percent(unknown, names), '%'),
    result('  of those that its MIB files define', resolved, '%', null, {
      text: `>= ${MIN_RESOLVED}`,
      met: resolved >= MIN_RESOLVED,
    }),
    result(
      '  what was not taken, lines',
      sum((os) => os.faults.length),
      '',
    ),
    result('  a worker opens the list of systems, once', openMs, 'ms'),
  ]
}

async function measureDevices(folder: string): Promise<BenchResult[]> {
  const recordings = await startRecordings(textOption('recordings') ?? join(shared, 'devices'))
  if (recordings === null) return []
  const transport = await createTransport({})
  try {
    const devices: Device[] = []
    for (const [i, name] of recordings.names.entries()) {
      const target = targetOf(recordings.address(i % 254), recordings.port, name)
      const without = await discovered(transport, target, '')
      const added = await discovered(transport, target, folder)
      if (without !== null && added !== null) devices.push({ name, without, added })
      else console.warn(`${name} does not answer`)
    }
    return figures(devices, folder)
  } finally {
    transport.close()
    await recordings.stop()
  }
}

function figures(devices: readonly Device[], folder: string): BenchResult[] {
  const { form } = loadedDefinitions(folder)
  const defined = devices.filter(({ added }) => (form(added.os)?.walks.length ?? 0) > 0)
  const ratio = (of: Measure, { without, added }: Device): number => added.cost[of] / without.cost[of]
  const dearest = devices.toSorted((a, b) => ratio('requests', b) - ratio('requests', a))
  for (const device of dearest.slice(0, option('dearest', 10))) {
    const { without, added } = device
    const times = MEASURES.map(([name]) => `${name} ${ratio(name, device).toFixed(2)}`).join(', ')
    console.log(
      `${device.name}: ${times} times (${without.cost.requests.toFixed(0)} requests, ${added.cost.requests.toFixed(0)} with)`,
    )
  }
  for (const { name, without, added } of devices) {
    const fewer = KINDS.filter((kind) => added.rows[kind] < without.rows[kind])
    for (const kind of fewer) console.log(`${name}: ${added.rows[kind]} ${kind} instead of ${without.rows[kind]}`)
  }
  const means = (of: readonly Device[], what: string): BenchResult[] => [
    result(what, of.length, ''),
    ...MEASURES.map(([name, unit]) => {
      const mean = (cost: (device: Device) => Cost): number =>
        of.reduce((sum, one) => sum + cost(one)[name], 0) / of.length
      const label = name === 'cpuMs' ? 'CPU' : name
      const baseline = { name: 'without', value: mean(({ without }) => without.cost) }
      return result(
        `  ${label} of a discovery with definitions`,
        mean(({ added }) => added.cost),
        unit,
        baseline,
      )
    }),
  ]
  const rows = KINDS.map((kind) => {
    const total = (found: (device: Device) => Discovered): number =>
      devices.reduce((sum, one) => sum + found(one).rows[kind], 0)
    return result(
      `  ${kind} found with definitions`,
      total(({ added }) => added),
      'rows',
      { name: 'without', value: total(({ without }) => without) },
    )
  })
  return [...means(devices, 'devices'), ...rows, ...means(defined, 'devices whose system has tables that are walked')]
}

function targetOf(address: string, port: number, community: string): SnmpTarget {
  return {
    address,
    port,
    transport: 'udp',
    snmpver: 'v2c',
    community,
    authlevel: null,
    authname: null,
    authpass: null,
    authalgo: null,
    cryptopass: null,
    cryptoalgo: null,
    timeout: null,
    retries: null,
  }
}

/** Means over the runs, after a warm-up run; null: no answer. */
async function discovered(transport: Transport, target: SnmpTarget, folder: string): Promise<Discovered | null> {
  const given = createSettings({})
  const settings = {
    ...Object.fromEntries(MODULE_SETTINGS.map((name) => [name, given.get(name)])),
    [FOLDER_SETTING]: folder,
  }
  const facts = { deviceId: 1, hostname: target.address, os: null, sysObjectID: null, sysDescr: null, settings }
  const runs = option('runs', 3)
  const cost: Cost = { requests: 0, varbinds: 0, octets: 0, cpuMs: 0 }
  let found: readonly Observation[] = []
  const profile = newProfile(4)
  for (let turn = 0; turn <= runs; turn++) {
    const { agents, varbinds } = counted(transport)
    const before = { ...transport.stats }
    const cpu = process.cpuUsage()
    const outcome = await discover(
      agents,
      profile,
      { kind: 'discover', jobId: 1, target, facts, skip: [], unfinished: [], deadlineMs: DEADLINE_MS },
      () => Promise.resolve(),
    )
    const { user, system } = process.cpuUsage(cpu)
    if (outcome.kind !== 'answered') return null
    found = outcome.observations
    if (turn === 0) continue
    cost.requests += outcome.cost.requests / runs
    cost.varbinds += varbinds() / runs
    cost.octets += (transport.stats.octetsIn + transport.stats.octetsOut - before.octetsIn - before.octetsOut) / runs
    cost.cpuMs += (user + system) / 1000 / runs
  }
  const rowsOf = (kind: (typeof KINDS)[number]): number =>
    found.reduce((sum, one) => sum + (one.kind === kind ? one.rows.length : 0), 0)
  const rows = {
    sensors: rowsOf('sensors'),
    processors: rowsOf('processors'),
    mempools: rowsOf('mempools'),
    storage: rowsOf('storage'),
  }
  return { cost, rows, os: found.find((one) => one.kind === 'system')?.os ?? null }
}

/** Agents whose sessions are kept, to add up their varbinds. */
function counted(transport: Transport): { readonly agents: Agents; varbinds(): number } {
  const agents = createAgents(transport, {
    timeoutMs: 1000,
    retries: 3,
    maxRepetitions: 0,
    maxRows: 100_000,
    maxPorts: 100_000,
    maxOctets: 1 << 30,
  })
  const sessions: Session[] = []
  const open: Agents['open'] = (...args) => {
    const session = agents.open(...args)
    sessions.push(session)
    return session
  }
  return {
    agents: { ...agents, open },
    varbinds: () => sessions.reduce((sum, { stats }) => sum + stats.varbinds, 0),
  }
}

if (import.meta.main) {
  for (const one of await run()) console.log(formatResult(one))
  process.exit(0)
}
