import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CliError, usage } from '../../src/cli/errors.ts'
import { projectDir } from '../../src/cli/globals.ts'
import { print } from '../../src/cli/output.ts'
import { CHROMIUM } from '../gallery/chromium.ts'
import { failedSections, readCounts, skippedTests, slowestFiles, summaryLine, type TestCounts } from './test-report.ts'

export interface TestOptions {
  /** Run test files whose path contains one of these; empty: all. */
  readonly patterns: readonly string[]
  /** Regular expression for test names. */
  readonly name: string | undefined
  readonly verbose: boolean | undefined
  /** Test files run in parallel; undefined: one for each core. */
  readonly jobs: string | undefined
  /** List the time and CPU time of every file. */
  readonly costs?: boolean | undefined
  /** Record how long each file took, so that later runs start the slowest files first. */
  readonly updateTimings?: boolean | undefined
}

/** Programs that some tests need. Tests whose program is missing are skipped and reported. */
const PROGRAMS: readonly { program: string; use: string; path?: string | null }[] = [
  { program: 'snmpd', use: 'a real SNMP agent' },
  { program: 'snmpbulkwalk', use: 'an independent SNMP manager' },
  { program: 'rrdtool', use: 'reference graphs' },
  { program: 'fping', use: 'ICMP without raw sockets' },
  { program: 'chromium', use: 'pages in a browser', path: CHROMIUM },
  { program: 'nats-server', use: 'NATS servers of remote sites' },
]
const FULL_EDITION = 'tests/full-edition/node_modules'
const OLDER_POSTGRES = 'tests/older-postgres/node_modules'
const SERVERS = ['TEST_TIMESCALE_URL', 'TEST_DATABASE_URL']

/** Long, because tests start real databases and agents on machines that may be busy. */
const TIMEOUT_MS = 60_000

const COMPILER = 'tests/support/compile.ts'

/** Milliseconds that each test file took. */
const TIMINGS = 'tests/timings.json'
const REPORT = 'junit.xml'
/** Measures the CPU time of each test file. */
const COSTS = 'tests/support/costs.ts'
/** How many of the slowest files are listed, after runs of at least as many. */
const MAX_SLOWEST = 20
/** Characters of the tests' output that are kept for the report at the end. */
const MAX_OUTPUT = 4_000_000

/** Runs `bun test` on the project and ends with a line of counts. Exit code 0 only if tests ran and none failed. */
export async function runTests(options: TestOptions): Promise<0 | 1> {
  if (projectDir === null) throw new CliError('the tests need the source: run this in a checkout')
  if (options.jobs !== undefined && !/^[1-9]\d{0,2}$/.test(options.jobs)) throw usage('--jobs must be a number above 0')
  announce(projectDir)
  // One folder for all temporary files of the tests, removed at the end. Database servers must be able to enter it.
  const folder = mkdtempSync(join(inMemory() ?? tmpdir(), 'portlight-'))
  chmodSync(folder, 0o755)
  try {
    compileProgram(projectDir, join(folder, 'portlight'))
    const { exitCode, output } = await runBun(projectDir, folder, options)
    const report = join(folder, REPORT)
    const xml = existsSync(report) ? readFileSync(report, 'utf8') : ''
    const skipped = skippedTests(xml)
    const counts = withRunFailure(readCounts(output), exitCode)
    if (skipped.length > 0) print(`\nskipped:\n${skipped.map((test) => `  ${test}`).join('\n')}`)
    const costs = join(folder, 'costs')
    const most = options.costs === true ? Number.POSITIVE_INFINITY : MAX_SLOWEST
    const slowest = slowestFiles(xml, existsSync(costs) ? readFileSync(costs, 'utf8') : '', most)
    if (options.costs === true || slowest.files.length === MAX_SLOWEST)
      print(`\nslowest files (in all ${slowest.cpuS} s of CPU time):\n${slowest.files.join('\n')}`)
    // Again, because whoever looks at a long log looks at its end.
    if (counts.failed > 0) print(`\nfailed:\n${failedSections(output).join('\n')}`)
    print(`\n${summaryLine(counts)}`)
    return counts.failed === 0 && counts.passed > 0 ? 0 : 1
  } finally {
    await remove(folder)
  }
}

/** Compiles the program that tests start, unless one is named. If that fails they start it from its sources. */
function compileProgram(project: string, path: string): void {
  if (process.env['PORTLIGHT_TEST_PROGRAM'] !== undefined) return
  const made = Bun.spawnSync([process.execPath, '--no-env-file', COMPILER, path], { cwd: project, stdout: 'ignore' })
  if (made.success) process.env['PORTLIGHT_TEST_PROGRAM'] = path
}

/** Removes the folder. Retries, because servers that are stopping remove files of their own at the same time. */
async function remove(folder: string): Promise<void> {
  for (let tries = 0; existsSync(folder) && tries < 20; tries++) {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // not empty: a server is still writing
    }
    if (existsSync(folder)) await Bun.sleep(100)
  }
}

/** Free memory required for temporary files; a whole run uses less than 2 GB at a time. */
const IN_MEMORY_OCTETS = 8 * 2 ** 30

/**
 * A file system in memory with room for the databases of the tests; null if there is none or TMPDIR is set. Creating
 * and dropping hundreds of databases takes several times as long on disk.
 */
function inMemory(): string | null {
  const place = '/dev/shm'
  if (process.env['TMPDIR'] !== undefined || !existsSync(place)) return null
  const { type, bavail, bsize } = statfsSync(place)
  if (type !== TMPFS || bavail * bsize < IN_MEMORY_OCTETS) return null
  return availableOctets() < IN_MEMORY_OCTETS || !runsPrograms(place) ? null : place
}

/** `f_type` of tmpfs. Source: statfs(2). */
const TMPFS = 0x01021994

/** Memory available without swapping. Source: proc(5), MemAvailable. */
function availableOctets(): number {
  const kib = /^MemAvailable:\s+(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]
  return Number(kib ?? 0) * 1024
}

/** Whether programs can be run from there; some systems mount it noexec. */
function runsPrograms(place: string): boolean {
  const folder = mkdtempSync(join(place, 'portlight-'))
  try {
    const file = join(folder, 'try')
    writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 })
    return Bun.spawnSync([file]).exitCode === 0
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function announce(project: string): void {
  print('real programs and servers:')
  for (const { program, use, path = Bun.which(program) } of PROGRAMS) {
    print(`  ${program.padEnd(20)} ${path ?? `not found: tests against ${use} are skipped`}`)
  }
  for (const name of SERVERS) {
    // The URL may contain a password.
    print(
      `  ${name.padEnd(20)} ${process.env[name] === undefined ? 'not set: nothing is tested on such a server' : 'set'}`,
    )
  }
  const full = existsSync(join(project, FULL_EDITION))
  print(`  ${'full edition'.padEnd(20)} ${full ? 'found' : 'not in tests/full-edition: compression is not tested'}`)
  const older = existsSync(join(project, OLDER_POSTGRES))
  print(
    `  ${'older PostgreSQL'.padEnd(20)} ${older ? 'found' : 'not in tests/older-postgres: upgrade-database is not tested'}`,
  )
  const shared = existsSync(join(project, '..', 'shared', 'contract'))
  print(`  ${'../shared'.padEnd(20)} ${shared ? 'found' : 'not found: tests against the API contract are skipped'}\n`)
}

async function runBun(project: string, folder: string, options: TestOptions) {
  const temporary = join(folder, 't')
  mkdirSync(temporary, { recursive: true, mode: 0o755 })
  const command = [
    process.execPath,
    '--no-env-file',
    'test',
    options.jobs === undefined ? '--parallel' : `--parallel=${options.jobs}`,
    // The files that a process runs share the loaded program and one database server, which halves the cost of a run.
    '--no-isolate',
    // Starts the slowest files first, so that the run does not end with one of them alone.
    `--timings=${TIMINGS}`,
    `--preload=./${COSTS}`,
    ...(options.updateTimings === true ? ['--update-timings'] : []),
    `--timeout=${TIMEOUT_MS}`,
    ...(options.verbose === true ? [] : ['--only-failures']),
    ...(options.name === undefined ? [] : ['--test-name-pattern', options.name]),
    '--reporter=junit',
    `--reporter-outfile=${join(folder, REPORT)}`,
    ...options.patterns,
  ]
  const colour = process.stderr.isTTY && process.env['NO_COLOR'] === undefined
  const child = Bun.spawn(command, {
    cwd: project,
    env: {
      ...process.env,
      TMPDIR: temporary,
      PORTLIGHT_TEST_SEED: join(folder, 'seed'),
      PORTLIGHT_TEST_COSTS: join(folder, 'costs'),
      ...(colour && { FORCE_COLOR: '1' }),
    },
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'pipe',
  })
  const forward = (signal: NodeJS.Signals) => child.kill(signal)
  process.on('SIGINT', forward).on('SIGTERM', forward)
  let output = ''
  const decoder = new TextDecoder()
  for await (const chunk of child.stderr) {
    process.stderr.write(chunk)
    output = (output + decoder.decode(chunk, { stream: true })).slice(-MAX_OUTPUT)
  }
  const exitCode = await child.exited
  process.off('SIGINT', forward).off('SIGTERM', forward)
  return { exitCode, output: Bun.stripANSI(output) }
}

/** Counts a run that failed without a failed test (killed, no such file) as one failed test. */
function withRunFailure(counts: TestCounts, exitCode: number): TestCounts {
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}
