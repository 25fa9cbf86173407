import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Dialect } from '../src/core/base/actor.ts'
import { fill } from '../tests/random/pool.ts'
import { bytesOf, type Caller, runRandom } from '../tests/random/run.ts'
import { type BenchResult, formatResult, result } from './result.ts'
import { type BenchServer, startServer } from './server.ts'

/**
 * Sends random requests for every operation of openapi.json to the real server: `--requests N` (20,000), `--seed N`,
 * `--dialect documented|librenms` (default: both). Prints the seed and the faults. Exit status 1 if a response did not
 * match its declaration or the server is unhealthy afterwards.
 */

const AT_ONCE = 8
/** Number of faults printed in full. */
const SHOWN = 40
/** Allowed growth of the server's memory, MB. */
const MAY_GROW = 400

const project = join(import.meta.dir, '..')

function argument(name: string, fallback: number): number {
  const at = process.argv.indexOf(`--${name}`)
  const value = at < 0 ? fallback : Number(process.argv[at + 1])
  if (!Number.isSafeInteger(value)) throw new Error(`--${name} must be a whole number`)
  return value
}

/** Dialects to check. */
function dialects(): readonly Dialect[] {
  const at = process.argv.indexOf('--dialect')
  const all = ['documented', 'librenms'] as const
  const wanted = at < 0 ? all : all.filter((dialect) => dialect === process.argv[at + 1])
  if (wanted.length === 0) throw new Error(`--dialect must be ${all.join(' or ')}`)
  return wanted
}

export async function run(): Promise<BenchResult[]> {
  const seed = argument('seed', Math.floor(Math.random() * 2 ** 31))
  console.log(`seed ${seed}`)
  // short timeouts, because requests go to agents that do not exist
  const quick = ['snmp.timeout=0.05', 'snmp.retries=0', 'ping.timeout=50', 'api.v1.enabled=true', 'log.level=warn']
  const server = await startServer(quick.flatMap((assignment) => ['--set', assignment]))
  try {
    return await attack(server, seed)
  } finally {
    await server.stop()
  }
}

async function attack(server: BenchServer, seed: number): Promise<BenchResult[]> {
  const requests = argument('requests', 20_000)
  const kept = await fill(server.store, 200)
  const callers = makeCallers(server, kept[0] ?? 0)
  const document: unknown = JSON.parse(readFileSync(join(project, 'openapi.json'), 'utf8'))
  const before = residentMb(server.pid)
  const started = performance.now()
  const outcome = await runRandom({
    requests,
    seed,
    callers,
    document,
    store: server.store,
    kept,
    atOnce: AT_ONCE,
    async send({ operation: { method }, path, body }, { token }) {
      const headers = new Headers(token === null ? {} : { 'X-Auth-Token': token, Authorization: `Bearer ${token}` })
      const answer = await fetch(server.url + path, { method, headers, body, redirect: 'manual' })
      const type = answer.headers.get('content-type')?.split(';')[0] ?? ''
      return { status: answer.status, type, bytes: await bytesOf(answer) }
    },
  })
  const seconds = (performance.now() - started) / 1000
  const grown = residentMb(server.pid) - before
  const unwell = await illness(server)
  for (const dialect of dialects()) {
    console.log(`answers by status, dialect ${dialect}: ${JSON.stringify(outcome.statuses[dialect])}`)
  }
  for (const fault of outcome.faults.slice(0, SHOWN)) console.log(`  ${fault}`)
  for (const line of unwell.slice(0, SHOWN)) console.log(`  ${line}`)
  const failures = outcome.statuses.documented[500] ?? 0
  const none = (count: number) => ({ text: 'none', met: count === 0 })
  return [
    result(`random requests, ${outcome.operations} operations, seed ${seed}`, outcome.sent, 'requests'),
    result('of them a second', outcome.sent / seconds, 'req/s'),
    result('operations that succeeded at least once', outcome.succeeded.size, 'operations'),
    result(
      'answers that do not match their declaration',
      outcome.faults.length,
      'answers',
      null,
      none(outcome.faults.length),
    ),
    result('of them 500 in dialect documented', failures, 'answers', null, none(failures)),
    result('health problems afterwards', unwell.length, 'signs', null, none(unwell.length)),
    result('memory gained', grown, 'MB', null, { text: `<= ${MAY_GROW}`, met: grown <= MAY_GROW }),
  ]
}

/** Health problems of the server: no answer to ping, a wrong list of devices, or errors in its log. */
async function illness(server: BenchServer): Promise<string[]> {
  const headers = { 'X-Auth-Token': server.token }
  const signs: string[] = []
  const ping = await (await fetch(`${server.url}/api/v0/ping`, { headers })).text()
  if (!ping.includes('pong')) signs.push(`ping: ${ping}`)
  const listed = (await (await fetch(`${server.url}/api/v0/devices`, { headers })).json()) as {
    devices: { device_id: number }[]
  }
  const stored = await server.store.sql<{ device_id: number }[]>`select device_id from devices`
  const ids = (devices: readonly { device_id: number }[]) => devices.map((device) => device.device_id).toSorted()
  if (!Bun.deepEquals(ids(listed.devices), ids(stored))) {
    signs.push(`list_devices: ${listed.devices.length} devices instead of ${stored.length}`)
  }
  return [...signs, ...server.log().filter((line) => /request failed|unhandled|uncaught|"level":(5|6)0/i.test(line))]
}

/** Callers with every role in both dialects, most of them administrators. */
function makeCallers(server: BenchServer, granted: number): Caller[] {
  const { dataDir } = server
  const portlight = (...args: string[]) => {
    const done = Bun.spawnSync([process.execPath, join(project, 'src/main.ts'), ...args, '--data-dir', dataDir])
    if (!done.success) throw new Error(`${args.join(' ')}: ${done.stderr}`)
    return done.stdout.toString().trim()
  }
  portlight('user', 'add', 'reader', '--role', 'global-read', '--no-password')
  portlight('user', 'add', 'guest', '--role', 'user', '--no-password')
  portlight('user', 'grant', 'guest', '--device', String(granted))
  const callers: Caller[] = [{ name: 'nobody', token: null, dialect: 'documented' }]
  for (const dialect of dialects()) {
    for (const [user, times] of [
      ['admin', 12],
      ['reader', 2],
      ['guest', 3],
    ] as const) {
      const token = portlight('token', 'create', '--user', user, '--description', 'random', '--dialect', dialect)
      for (let i = 0; i < times; i++) callers.push({ name: `${user}, ${dialect}`, token, dialect })
    }
  }
  return callers
}

function residentMb(pid: number): number {
  const found = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(found?.[1] ?? Number.NaN) / 1024
}

if (import.meta.main) {
  const results = await run()
  for (const one of results) console.log(formatResult(one))
  process.exit(results.every((one) => one.goal?.met !== false) ? 0 : 1)
}
