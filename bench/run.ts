import { readdirSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { type BenchResult, formatResult } from './result.ts'

/** Modules beside this one that measure something: those that export `run`. */
const NOT_BENCHES = new Set(['run.ts', 'result.ts'])

/** One benchmark, as its process reports it. */
type Report =
  | { kind: 'results'; results: readonly BenchResult[] }
  | { kind: 'failed'; reason: string }
  | { kind: 'none' }

if (import.meta.main) {
  const [first, ...rest] = process.argv.slice(2)
  if (first === '--child') await child(rest[0] ?? '')
  else process.exit(await parent(process.argv.slice(2)))
}

/** Runs each benchmark in a process of its own, so that none inherits the heap of another. Resolves to the exit code. */
async function parent(args: readonly string[]): Promise<number> {
  const json = args.includes('--json')
  const wanted = args.filter((arg) => !arg.startsWith('--'))
  const all = readdirSync(import.meta.dir)
    .filter((file) => file.endsWith('.ts') && !NOT_BENCHES.has(file))
    .map((file) => file.slice(0, -3))
  const unknown = wanted.filter((name) => !all.includes(name))
  if (unknown.length > 0) {
    console.error(`no such benchmark: ${unknown.join(', ')}; there are ${all.join(', ')}`)
    return 2
  }
  const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, Bun ${Bun.version}, commit ${commit()}`
  if (!json) console.log(machine)
  const reports = new Map<string, Report>()
  for (const name of wanted.length > 0 ? wanted : all) {
    const report = await measure(name)
    if (report.kind === 'none') continue // a part that other benchmarks share
    reports.set(name, report)
    if (json) continue
    console.log(`\n${name}`)
    if (report.kind === 'failed') console.log(`  FAILED: ${report.reason}`)
    else for (const result of report.results) console.log(`  ${formatResult(result)}`)
  }
  if (json) console.log(JSON.stringify({ machine, benchmarks: Object.fromEntries(reports) }, null, 2))
  const good = [...reports.values()].every(
    (report) => report.kind === 'results' && report.results.every((result) => result.goal?.met !== false),
  )
  return good && reports.size > 0 ? 0 : 1
}

async function measure(name: string): Promise<Report> {
  let report: Report | null = null
  const child = Bun.spawn([process.execPath, '--no-env-file', import.meta.path, '--child', name], {
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc(message: Report) {
      report = message
    },
  })
  const stop = () => child.kill('SIGTERM')
  process.on('SIGINT', stop).on('SIGTERM', stop)
  const code = await child.exited
  process.off('SIGINT', stop).off('SIGTERM', stop)
  return report ?? { kind: 'failed', reason: `the process ended with code ${code} and no result` }
}

async function child(name: string): Promise<void> {
  let report: Report
  try {
    const module: Record<string, unknown> = await import(join(import.meta.dir, `${name}.ts`))
    const run = module['run']
    // Safe: a benchmark's `run` is `() => Promise<BenchResult[]>`, the contract of this folder.
    report = typeof run === 'function' ? { kind: 'results', results: (await run()) as BenchResult[] } : { kind: 'none' }
  } catch (error) {
    report = { kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
  process.send?.(report, undefined, undefined, () => process.exit(0))
}

function commit(): string {
  const git = Bun.which('git')
  if (git === null) return 'unknown'
  const found = Bun.spawnSync([git, 'rev-parse', '--short', 'HEAD'], { cwd: import.meta.dir })
  return found.success ? found.stdout.toString().trim() : 'unknown'
}
