import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { client, connect, type Store } from '../src/core/database/client.ts'
import { migrate } from '../src/core/schema/migrate.ts'
import { portSeries } from '../src/core/series/read-ports.ts'
import { createLog } from '../src/observe/log.ts'
import { startEmbedded } from '../src/postgres/embedded.ts'
import { type Served, spawnPortlight, startServe, temporaryFolder } from '../tests/cli/support.ts'
import { contents } from '../tests/core/import/contents.ts'
import { fillFiles, octetsAt, portFileStartS, updatePortFile } from '../tests/core/import/files.ts'
import { fillInstallation, TOKEN } from '../tests/core/import/installation.ts'
import { startMaria, type TestMaria } from '../tests/core/import/maria.ts'
import { rng } from '../tests/random/rng.ts'
import { startAgents } from '../tests/support/replay.ts'
import { countingAgent } from './counting-agent.ts'
import { option } from './option.ts'
import { type BenchResult, formatResult, result } from './result.ts'
import { peakMib } from './watch.ts'

/**
 * Imports an installation of 50 devices with 24 ports twice from a separate MariaDB server, with a different RRD file
 * for each port: once without interruption, and once killed at random times and started again until it completes.
 * Compares the two databases table by table. Then serves the second one: the API must answer with the old ids and
 * accept the old token. One device's agent continues the counters in its files, is polled by both systems for a while,
 * and the import is run again: the series of its ports must have no gap across the seam and follow the signal.
 *
 * `bun bench/run.ts import-kills [--devices 50] [--ports 24] [--days 20] [--kills 8] [--seed N] [--polled 420]`; needs
 * mariadbd and rrdtool.
 */

const ZONE = 'Europe/Berlin'
/** The device that is polled: its community, as in the installation's database. */
const DEVICE = 42
const COMMUNITY = `comm"'\\${DEVICE}`
const ADDRESS = '127.36.0.1'
const FIRST_PORT = 4711
/** Seconds between polls of the server, and of the other system. */
const INTERVAL_S = 15
const STEP_S = 300
const HOUR_S = 3600
/** Time until the process begins to store history, ms. */
const BEGIN_MS = 2000
/** Maximum relative deviation of a series from the signal. */
const MAX_OFF = 0.01

interface Size {
  readonly devices: number
  readonly portsPerDevice: number
  readonly endS: number
}

export async function run(): Promise<BenchResult[]> {
  const size = {
    devices: option('devices', 50),
    portsPerDevice: option('ports', 24),
    endS: Math.floor(Date.now() / 1000) - 60,
  }
  const days = option('days', 20)
  const seed = option('seed', Math.floor(Math.random() * 2 ** 31))
  console.log(`seed ${seed}`)
  const log = createLog('error')
  const data = temporaryFolder()
  const rrd = mkdtempSync(join(tmpdir(), 'portlight-bench-rrd-'))
  const maria = await startMaria()
  const server = await startEmbedded({ dataDir: data.path, log })
  const stores: Store[] = []
  const database = async (name: string): Promise<Store> => {
    const admin = client(server.url, 1)
    await admin.unsafe(`create database ${name}`).finally(() => admin.end())
    const url = new URL(server.url)
    url.pathname = `/${name}`
    await migrate(url.href, log)
    const store = connect(url.href, { max: 4 })
    stores.push(store)
    return store
  }
  const startS = portFileStartS(size.endS, days)
  const agent = await startAgents(
    new Map([
      [COMMUNITY, countingAgent(size.portsPerDevice, (port) => octetsAt(Date.now() / 1000 - startS, 1e6 * (1 + port)))],
    ]),
    [ADDRESS],
  )
  try {
    await fillInstallation(maria, size)
    await maria.run('update devices set overwrite_ip = ?, port = ? where device_id = ?', [ADDRESS, agent.port, DEVICE])
    const began = performance.now()
    fillFiles(rrd, size, days)
    console.log(`files made in ${((performance.now() - began) / 1000).toFixed(0)} s`)
    const [whole, broken] = [await database('whole'), await database('broken')]
    const unbroken = await importInto(whole, maria, rrd)
    const killed = await importKilled(broken, maria, rrd, { seed, unbroken, kills: option('kills', 8) })
    const different = await compare(whole, broken)
    return [
      result('files read, a minute', unbroken.perMinute, 'files/min', null, atLeast(unbroken.perMinute, 1000)),
      result('the unbroken import', unbroken.seconds, 's'),
      result('its memory, at most', unbroken.peakMib, 'MiB'),
      result(`kills, seed ${seed}`, killed.kills, 'kills', null, atLeast(killed.kills, option('kills', 8))),
      result('memory of the killed ones, at most', killed.peakMib, 'MiB'),
      result('tables that differ', different, 'tables', null, { text: '0', met: different === 0 }),
      ...(await served(broken, { maria, rrd, size, startS })),
    ]
  } finally {
    agent.stop()
    for (const store of stores) await store.close()
    await server.stop()
    await maria.stop()
    data.remove()
    rmSync(rrd, { recursive: true, force: true })
  }
}

function atLeast(value: number, goal: number): { readonly text: string; readonly met: boolean } {
  return { text: `>= ${goal.toLocaleString('en')}`, met: value >= goal }
}

function command({ url }: Store, maria: TestMaria, rrd: string): string[] {
  const from = ['--database', maria.url, '--rrd', rrd, '--timezone', ZONE, '--name', 'bench']
  return ['import', 'librenms', ...from, '--database-url', url]
}

interface Unbroken {
  readonly perMinute: number
  readonly seconds: number
  readonly peakMib: number
  /** Objects whose history was stored. */
  readonly objects: number
}

async function importInto(store: Store, maria: TestMaria, rrd: string): Promise<Unbroken> {
  const began = performance.now()
  const child = spawnPortlight(command(store, maria, rrd))
  const peak = peakMib(child.pid)
  const [code, err] = await Promise.all([child.exited, child.stderr.text()])
  if (code !== 0) throw new Error(err)
  for (const line of err.split('\n').filter((text) => /^ +(history|\d+ samples|checks)/.test(text))) console.log(line)
  return {
    perMinute: Number(/\((\d+) files a minute\)/.exec(err)?.[1]),
    seconds: (performance.now() - began) / 1000,
    peakMib: peak.stop(),
    objects: (await marks(store)).objects,
  }
}

/** Progress of an import. */
async function marks({ sql }: Store): Promise<{ devices: number; logs: number; objects: number }> {
  const [row] = await sql<{ devices: number; logs: number; objects: number }[]>`
    select (select count(*)::int from devices) as devices, count(*) filter (where object like 'table %')::int as logs,
      count(*) filter (where object not like 'table %')::int as objects from import_marks`
  return row ?? { devices: 0, logs: 0, objects: 0 }
}

interface Killing {
  readonly seed: number
  readonly unbroken: Unbroken
  readonly kills: number
}

/** Kills the import at random times, every fourth time during its start, then lets it complete. */
async function importKilled(
  store: Store,
  maria: TestMaria,
  rrd: string,
  { seed, unbroken, kills: wanted }: Killing,
): Promise<{ readonly kills: number; readonly peakMib: number }> {
  const random = rng(seed)
  let kills = 0
  let highest = 0
  for (;;) {
    const ms =
      kills % 4 === 0 ? BEGIN_MS * random.next() : BEGIN_MS + 2000 * (unbroken.seconds / wanted) * random.next()
    const livesMs = kills < wanted ? 200 + ms : null
    const child = spawnPortlight(command(store, maria, rrd))
    const peak = peakMib(child.pid)
    const timer = livesMs === null ? undefined : setTimeout(() => child.kill('SIGKILL'), livesMs)
    const [code, err] = await Promise.all([child.exited, child.stderr.text()])
    clearTimeout(timer)
    highest = Math.max(highest, peak.stop())
    if (child.signalCode !== 'SIGKILL') {
      if (code !== 0) throw new Error(err)
      return { kills, peakMib: highest }
    }
    kills++
    const { devices, logs, objects } = await marks(store)
    const where =
      devices === 0
        ? 'nothing was stored'
        : `inventory, ${logs} logs and ${objects} of ${unbroken.objects} histories were stored`
    console.log(`kill ${kills} after ${((livesMs ?? 0) / 1000).toFixed(2)} s: ${where}`)
  }
}

/** Prints each table's rows in both databases, and whether they are equal. Returns the number of tables that differ. */
async function compare(whole: Store, broken: Store): Promise<number> {
  const [a, b] = [await everything(whole), await everything(broken)]
  const tables = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort()
  let different = 0
  const rows = (text: string | undefined): string => (text?.split(' ')[0] ?? '0').padStart(10)
  for (const table of tables) {
    const same = a[table] === b[table]
    if (!same) different++
    console.log(`${table.padEnd(36)} ${rows(a[table])} ${rows(b[table])}  equal: ${same ? 'yes' : 'no'}`)
  }
  console.log(`${tables.length} tables with rows`)
  return different
}

/**
 * Rows and digests of all tables, and of the latest samples, whose times maintenance may have moved by a millisecond.
 */
async function everything({ sql }: Store): Promise<Record<string, string>> {
  const found = await contents(sql)
  const [row] = await sql<{ n: number; digest: string }[]>`
    select count(*)::int as n, md5(string_agg(x, '' order by x)) as digest from (
      select concat_ws(' ', ceil(extract(epoch from "time")), port_id, period_ms, in_octets, out_octets, in_err, out_err, in_mcast) as x
      from ts.port_samples where "time" >= now() - interval '36 hours') s`
  return { ...found, 'ts.port_samples, latest': `${row?.n} ${row?.digest}` }
}

interface Installation {
  readonly maria: TestMaria
  readonly rrd: string
  readonly size: Size
  readonly startS: number
}

/** Serves the imported database and checks ids, token and the seam. */
async function served(store: Store, of: Installation): Promise<BenchResult[]> {
  const { size } = of
  const data = temporaryFolder()
  const settings = [`poller.interval=${INTERVAL_S}`, 'icmp_check=false', 'snmp.retries=0']
  const args = settings.flatMap((one) => ['--set', one])
  const server = await startServe(data.path, join(data.path, 'log'), [...args, '--database-url', store.url])
  try {
    const deviceIds = await idsOf(server, '/devices', 'devices', 'device_id')
    const portIds = await idsOf(server, '/ports?columns=port_id', 'ports', 'port_id')
    const expected = (first: number, count: number) => new Set(Array.from({ length: count }, (_, i) => first + i))
    const devices = expected(DEVICE, size.devices).intersection(deviceIds).size
    const ports = expected(FIRST_PORT, size.devices * size.portsPerDevice).intersection(portIds).size
    const [token, disabled] = [await statusWith(server, TOKEN), await statusWith(server, `${TOKEN}2`)]
    const all = (found: number, known: number, of: number) => ({
      text: `${of}, no others`,
      met: found === of && known === of,
    })
    return [
      result('status for the old token', token, '', null, { text: '200', met: token === 200 }),
      result('status for the old token that was disabled', disabled, '', null, { text: '401', met: disabled === 401 }),
      result('devices by their old ids', devices, '', null, all(devices, deviceIds.size, size.devices)),
      result('ports by their old ids', ports, '', null, all(ports, portIds.size, size.devices * size.portsPerDevice)),
      ...(await seam(store, server, of)),
    ]
  } finally {
    server.process.kill('SIGTERM')
    await server.process.exited
    data.remove()
  }
}

async function idsOf({ url }: Served, path: string, list: string, member: string): Promise<ReadonlySet<number>> {
  const answer = await fetch(`${url}/api/v0${path}`, { headers: { 'X-Auth-Token': TOKEN } })
  const body = (await answer.json()) as Record<string, readonly Record<string, number>[]>
  return new Set((body[list] ?? []).map((record) => record[member] ?? Number.NaN))
}

async function statusWith({ url }: Served, token: string): Promise<number> {
  return (await fetch(`${url}/api/v0/devices`, { headers: { 'X-Auth-Token': token } })).status
}

/** Lets both systems poll the device for a while, imports the other's data again, and reads the series. */
async function seam(store: Store, server: Served, { maria, rrd, size, startS }: Installation): Promise<BenchResult[]> {
  const { endS, portsPerDevice } = size
  const { sql } = store
  await until(120, 'samples of polls', async () => (await firstPolled(store)) !== null)
  await Bun.sleep(option('polled', 420) * 1000)
  const folder = join(rrd, `router-${DEVICE}.example.net`)
  const toS = Math.floor(Date.now() / 1000)
  for (let p = 0; p < portsPerDevice; p++)
    updatePortFile(join(folder, `port-id${FIRST_PORT + p}.rrd`), { fromS: endS, toS, startS, base: 1e6 * (1 + p) })
  await importInto(store, maria, rrd)
  const polledS = (await firstPolled(store)) ?? Number.NaN
  const [last] = await sql<{ s: number }[]>`
    select extract(epoch from max("time"))::float8 as s from ts.port_samples where port_id = ${FIRST_PORT}`
  const lastS = Math.floor((last?.s ?? 0) / STEP_S) * STEP_S
  let [gaps, off, values] = [0, 0, 0]
  for (let p = 0; p < portsPerDevice; p++) {
    const window = { fromS: polledS - 6 * HOUR_S, toS: lastS, stepS: STEP_S }
    const { timeS, stepS, series } = await portSeries(
      store,
      [FIRST_PORT + p],
      window,
      { intervals: 3, intervalS: STEP_S },
      ['in_octets'],
    )
    for (const [i, value] of (series[0]?.values ?? []).entries()) {
      values++
      if (Number.isNaN(value)) gaps++
      const fromS = (timeS[i] ?? 0) - startS
      const rate = (octetsAt(fromS + stepS, 1e6 * (1 + p)) - octetsAt(fromS, 1e6 * (1 + p))) / stepS
      if (!Number.isNaN(value)) off = Math.max(off, Math.abs(value / rate - 1))
    }
  }
  const [found] = await sql<{ ports: number; polled: number; deleted: number }[]>`
    select count(*)::int as ports, sum(deleted)::int as deleted, (select count(*)::int from ts.port_samples s
      where s.period_ms < 60000 and s.port_id between ${FIRST_PORT} and ${FIRST_PORT + portsPerDevice - 1}) as polled
    from ports where device_id = ${DEVICE}`
  const ids = { text: `${portsPerDevice}`, met: found?.ports === portsPerDevice && found.deleted === 0 }
  const graph = await fetch(`${server.url}/api/v0/devices/${DEVICE}/ports/eth0/port_bits?from=-6h`, {
    headers: { 'X-Auth-Token': TOKEN },
  })
  const octets = (await graph.arrayBuffer()).byteLength
  const drawn = graph.ok && graph.headers.get('content-type')?.includes('image/png') === true
  return [
    result('ports of the polled device after its discovery', found?.ports ?? 0, '', null, ids),
    result('samples of polls', found?.polled ?? 0, ''),
    result('values in the series of 6 hours before the seam and since', values, ''),
    result('of them unknown', gaps, '', null, { text: '0', met: gaps === 0 && values > 0 }),
    result('furthest from the signal', 100 * off, '%', null, { text: `<= ${100 * MAX_OFF}`, met: off <= MAX_OFF }),
    result('graph across the seam', octets, 'octets', null, { text: 'a PNG', met: drawn }),
  ]
}

/** End of the first sample of the polled device that is not from a file, epoch seconds; null: none yet. */
async function firstPolled({ sql }: Store): Promise<number | null> {
  const [row] = await sql<{ s: number | null }[]>`
    select extract(epoch from min("time"))::float8 as s from ts.port_samples
    where port_id = ${FIRST_PORT} and period_ms < ${1000 * 2 * INTERVAL_S} and in_octets is not null`
  return row?.s ?? null
}

async function until(seconds: number, what: string, condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + seconds * 1000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not within ${seconds} s: ${what}`)
    await Bun.sleep(500)
  }
}

if (import.meta.main) {
  const results = await run()
  for (const one of results) console.log(formatResult(one))
  process.exit(results.every((one) => one.goal?.met !== false) ? 0 : 1)
}
