import { fill, OPERATIONS, type Operation } from './support/api-operations.ts'
import { startBare } from './support/bare.ts'
import { type BenchResult, result } from './support/result.ts'
import { type BenchServer, startServer } from './support/server.ts'

/**
 * Requests per second and p99 of the API at 16 connections, measured by wrk, compared with a bare Bun.serve that
 * returns the same bytes and with the bare SQL query over connections with the same settings. Turns are interleaved;
 * figures are medians.
 */

const CONNECTIONS = 16
const ROUNDS = 3
const TURN_S = 1
/** Goal: share of the bare server's rate. */
const OF_BARE_SERVER = 0.6
const OF_BARE_QUERY = 0.7
const DEVICE_P50_MS = 2

export async function run(): Promise<BenchResult[]> {
  if (Bun.which('wrk') === null) {
    console.warn('SKIPPED: wrk is not installed (Debian package wrk)')
    return []
  }
  const server = await startServer([])
  try {
    await fill(server)
    const bodies = new Map<string, Uint8Array>()
    for (const { path } of OPERATIONS) bodies.set(path, await body(server, path))
    const bare = await startBare(bodies)
    const results: BenchResult[] = []
    for (const operation of OPERATIONS) {
      const bytes = bodies.get(operation.path)?.length ?? 0
      results.push(...figures(operation, bytes, await measure(server, bare.url, operation)))
    }
    bare.stop()
    return results
  } finally {
    await server.stop()
  }
}

interface Turn {
  readonly perS: number
  readonly p50Ms: number
  readonly p99Ms: number
}

interface Measured {
  readonly api: Turn
  /** The bare server. */
  readonly bare: Turn
  /** Bare queries per second; null if the operation has none. */
  readonly rows: number | null
  readonly json: number | null
}

async function measure(server: BenchServer, bareUrl: string, operation: Operation): Promise<Measured> {
  const turns = { api: [] as Turn[], bare: [] as Turn[], rows: [] as number[], json: [] as number[] }
  const { query, asJson } = operation
  const { sql } = server.store
  for (let round = 0; round < ROUNDS; round++) {
    turns.api.push(wrk(server.url + operation.path, server.token))
    turns.bare.push(wrk(bareUrl + operation.path, ''))
    if (query) turns.rows.push(await perSecond(() => query(sql)))
    if (asJson) turns.json.push(await perSecond(() => asJson(sql)))
  }
  return {
    api: middle(turns.api),
    bare: middle(turns.bare),
    rows: query ? median(turns.rows) : null,
    json: asJson ? median(turns.json) : null,
  }
}

function figures({ name, list }: Operation, bytes: number, { api, bare, rows, json }: Measured): BenchResult[] {
  const ping = rows === null
  const results = [
    result(
      `${name}, ${(bytes / 1024).toFixed(1)} KiB`,
      api.perS,
      'req/s',
      { name: 'bare Bun.serve, same bytes', value: bare.perS },
      ping ? { text: `ratio >= ${OF_BARE_SERVER}`, met: api.perS >= OF_BARE_SERVER * bare.perS } : undefined,
    ),
  ]
  if (rows !== null) {
    const query =
      json === null || rows > json
        ? { name: 'bare query, rows through the driver', value: rows }
        : { name: 'bare query, JSON by PostgreSQL', value: json }
    const met = api.perS >= OF_BARE_QUERY * query.value
    results.push(result(name, api.perS, 'req/s', query, list ? { text: `ratio >= ${OF_BARE_QUERY}`, met } : undefined))
  }
  const fast = { text: `< ${DEVICE_P50_MS} ms`, met: api.p50Ms < DEVICE_P50_MS }
  results.push(
    result(
      `${name}: median`,
      api.p50Ms,
      'ms',
      { name: 'bare Bun.serve', value: bare.p50Ms },
      name === 'get_device' ? fast : undefined,
    ),
    result(`${name}: p99`, api.p99Ms, 'ms', { name: 'bare Bun.serve', value: bare.p99Ms }),
  )
  return results
}

async function body(server: BenchServer, path: string): Promise<Uint8Array> {
  const response = await fetch(server.url + path, { headers: { 'X-Auth-Token': server.token } })
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
  return response.bytes()
}

function wrk(url: string, token: string): Turn {
  const header = token === '' ? [] : ['-H', `X-Auth-Token: ${token}`]
  const done = Bun.spawnSync(['wrk', '-t1', `-c${CONNECTIONS}`, `-d${TURN_S}s`, '--latency', ...header, url])
  const text = done.stdout.toString()
  if (/Non-2xx/.test(text)) throw new Error(`${url}: some requests failed`)
  const part = (percent: number) => {
    const [, value, unit] = new RegExp(`${percent}%\\s+([\\d.]+)(us|ms|s)`).exec(text) ?? []
    return Number(value) * (unit === 'us' ? 0.001 : unit === 's' ? 1000 : 1)
  }
  const perS = Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1] ?? Number.NaN)
  return { perS, p50Ms: part(50), p99Ms: part(99) }
}

/** Queries per second, with as many in flight as the API has connections. */
async function perSecond(query: () => PromiseLike<unknown>): Promise<number> {
  const until = performance.now() + TURN_S * 1000
  let done = 0
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < until) {
        await query()
        done++
      }
    }),
  )
  return done / TURN_S
}

function middle(turns: readonly Turn[]): Turn {
  return {
    perS: median(turns.map((t) => t.perS)),
    p50Ms: median(turns.map((t) => t.p50Ms)),
    p99Ms: median(turns.map((t) => t.p99Ms)),
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}
