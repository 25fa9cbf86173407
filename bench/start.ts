import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { dataFolder } from './support/folder.ts'
import { type BenchResult, result } from './support/result.ts'

/**
 * Time from the command to the first response of the API, on an existing data folder: with the launcher from source,
 * and with the compiled program if it has been built. The shortest of `--runs N` (5) starts, with the parts of that
 * start. Also the first start in an empty folder, which creates the database and, with the compiled program, unpacks
 * PostgreSQL; and sizes.
 */

const root = join(import.meta.dir, '..')
const DEADLINE_MS = 120_000
const FILE = `portlight-${manifest.version}-${process.platform}-${process.arch}`

interface Program {
  readonly name: string
  readonly command: readonly string[]
  readonly goalS: number
}

const PROGRAMS: readonly Program[] = [
  { name: 'from source', command: [join(root, 'portlight')], goalS: 0.6 },
  { name: 'compiled', command: [join(root, 'dist', FILE)], goalS: 0.4 },
]

/** Log lines that mark the end of each part, in order. */
const PARTS: readonly (readonly [message: string, part: string])[] = [
  ['database server ready', 'launcher, imports, PostgreSQL'],
  ['database schema is current', 'schema'],
  ['polling', 'workers, devices'],
  ['ready', 'API'],
]

export async function run(): Promise<BenchResult[]> {
  const results: BenchResult[] = []
  for (const program of PROGRAMS) {
    const [first = ''] = program.command
    if (existsSync(first)) results.push(...(await measure(program)))
    else console.warn(`SKIPPED: ${program.name}: no ${first}; build it with: bun run build`)
  }
  return results
}

async function measure({ name, command, goalS }: Program): Promise<BenchResult[]> {
  const dataDir = dataFolder('portlight-start-')
  const port = await freePort()
  const at = process.argv.indexOf('--runs')
  const runs = at < 0 ? 5 : Number(process.argv[at + 1])
  const starts: Start[] = []
  try {
    const first = await startOnce(command, dataDir, port)
    for (let i = 0; i < runs; i++) starts.push(await startOnce(command, dataDir, port))
    const version = await shortest(runs, () => timed([...command, 'version']))
    const best = starts.reduce((a, b) => (b.totalMs < a.totalMs ? b : a))
    const bestS = best.totalMs / 1000
    return [
      result(`${name}: second start to the first answer`, bestS, 's', null, {
        text: `<= ${goalS}`,
        met: bestS <= goalS,
      }),
      ...best.parts.map(([part, ms]) => result(`  ${part}`, ms, 'ms')),
      result('  CPU of this process and what it loaded', best.cpuMs, 'ms'),
      result(`${name}: first start in an empty folder`, first.totalMs / 1000, 's'),
      ...first.parts
        .slice(0, 1)
        .map(([, ms]) => result('  until PostgreSQL is unpacked, created and running', ms, 'ms')),
      result(`${name}: \`portlight version\`, the launcher and Bun alone`, version, 'ms'),
      ...sizes(name, command[0] ?? '', dataDir),
    ]
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function sizes(name: string, program: string, dataDir: string): BenchResult[] {
  if (name !== 'compiled') return []
  const home = join(dataDir, 'postgres')
  const unpacked = readdirSync(home).find((entry) => entry.startsWith('postgresql-')) ?? ''
  return [
    result('compiled: size of the program', statSync(program).size / 2 ** 20, 'MiB'),
    result('  PostgreSQL unpacked beside the data', folderSize(join(home, unpacked)) / 2 ** 20, 'MiB'),
    result('  a new database', folderSize(join(home, 'data')) / 2 ** 20, 'MiB'),
  ]
}

function folderSize(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => statSync(join(folder, path)))
    .reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0)
}

interface Start {
  readonly totalMs: number
  readonly cpuMs: number
  readonly parts: readonly (readonly [string, number])[]
}

async function startOnce(command: readonly string[], dataDir: string, port: number): Promise<Start> {
  const began = Date.now()
  const child = Bun.spawn([...command, 'serve', '--data-dir', dataDir, '--port', String(port), '--log-level', 'info'], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const log = new Response(child.stderr).text()
  await answering(`http://127.0.0.1:${port}/healthz`, began + DEADLINE_MS)
  const totalMs = Date.now() - began
  child.kill('SIGTERM')
  await child.exited
  const usage = child.resourceUsage()
  const parts: (readonly [string, number])[] = []
  let from = began
  for (const [message, part] of PARTS) {
    const line = (await log).split('\n').find((text) => text.includes(`"msg":"${message}"`))
    const time = line === undefined ? Number.NaN : Date.parse(/"time":"([^"]+)"/.exec(line)?.[1] ?? '')
    parts.push([part, time - from])
    if (!Number.isNaN(time)) from = time
  }
  return { totalMs, cpuMs: Number(usage?.cpuTime.total ?? 0) / 1000, parts }
}

async function answering(url: string, deadline: number): Promise<void> {
  while (Date.now() < deadline) {
    try {
      await fetch(url)
      return
    } catch {
      await Bun.sleep(2)
    }
  }
  throw new Error(`no answer at ${url}`)
}

async function shortest(runs: number, work: () => Promise<number>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < runs; i++) best = Math.min(best, await work())
  return best
}

async function timed(command: readonly string[]): Promise<number> {
  const began = performance.now()
  await Bun.spawn([...command], { stdio: ['ignore', 'ignore', 'ignore'] }).exited
  return performance.now() - began
}

async function freePort(): Promise<number> {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port } = server
  await server.stop(true)
  if (port === undefined) throw new Error('no free port')
  return port
}
