import { readdirSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { HEAP_OPTIONS } from '../src/cli/heap.ts'
import { type BenchResult, formatResult } from './support/result.ts'

/** Benchmarks that take ten minutes or more and run only when named. */
const LONG = new Set(['cluster', 'fill', 'graph-edges', 'import', 'kills', 'memory', 'robust', 'scale', 'site', 'soak'])

/** Benchmarks that measure memory in their own process, with the heap options of `serve`. */
const LIKE_SERVE = new Set(['help', 'syslog'])

/** The report of a benchmark's process. */
type Report = { kind: 'results'; results: readonly BenchResult[] } | { kind: 'failed'; reason: string }

if (import.meta.main) {
  const [first, ...rest] = process.argv.slice(2)
  if (first === '--child') await child(rest[0] ?? '')
  else process.exit(await parent(process.argv.slice(2)))
}

/**
 * Runs each benchmark in a separate process, so that none inherits the heap of another. Options after the names are
 * passed on to the benchmarks (`engine --agent PATH`). Resolves to the exit status.
 */
async function parent(args: readonly string[]): Promise<number> {
  const json = args.includes('--json')
  const rest = args.filter((arg) => arg !== '--json')
  const firstOption = rest.findIndex((arg) => arg.startsWith('--'))
  const wanted = firstOption < 0 ? rest : rest.slice(0, firstOption)
  const options = firstOption < 0 ? [] : rest.slice(firstOption)
  const all = benchmarks()
  const unknown = wanted.filter((name) => !all.includes(name))
  if (unknown.length > 0) {
    console.error(`no such benchmark: ${unknown.join(', ')}; there are ${all.join(', ')}`)
    return 2
  }
  const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, Bun ${Bun.version}, commit ${commit()}`
  if (!json) console.log(machine)
  const reports = new Map<string, Report>()
  for (const name of wanted.length > 0 ? wanted : all.filter((name) => !LONG.has(name))) {
    const report = await measure(name, options, json)
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

/** The files in this folder; shared code is in `support`. */
function benchmarks(): string[] {
  return readdirSync(import.meta.dir)
    .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
    .map((file) => file.slice(0, -3))
    .sort()
}

async function measure(name: string, options: readonly string[], json: boolean): Promise<Report> {
  let report: Report | null = null
  const child = Bun.spawn([process.execPath, '--no-env-file', import.meta.path, '--child', name, ...options], {
    // with --json, only the JSON goes to stdout
    env: { ...process.env, ...(LIKE_SERVE.has(name) ? HEAP_OPTIONS : {}) },
    stdio: ['ignore', json ? 2 : 'inherit', 'inherit'],
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
    const { run }: { run: () => Promise<BenchResult[]> } = await import(join(import.meta.dir, `${name}.ts`))
    report = { kind: 'results', results: await run() }
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
