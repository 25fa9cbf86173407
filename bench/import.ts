/**
 * Imports an installation of 50 devices with 24 ports, whose RRD files have all the archives of a default installation
 * and a history of 400 days: total time, files per minute, the memory of the process, and how well stored rates agree
 * with rrdtool fetch, and how much space the history takes. Files are links to 24 different ones, so that they are read from memory.
 *
 * `--devices N` (50); needs mariadbd and rrdtool.
 */

import { linkSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetchRrd } from '../packages/rrd/tests/rrdtool.ts'
import type { Store } from '../src/core/database/client.ts'
import { spawnPortlight } from '../tests/cli/support.ts'
import { portFile } from '../tests/core/import/files.ts'
import { fillInstallation } from '../tests/core/import/installation.ts'
import { startMaria } from '../tests/core/import/maria.ts'
import { withDatabase } from './support/database.ts'
import { option } from './support/option.ts'
import { type BenchResult, result } from './support/result.ts'
import { residentMib } from './support/watch.ts'

const PORTS = 24
const DAYS = 400

export async function run(): Promise<BenchResult[]> {
  return await withDatabase(4, (store, url) => imported(store, url, option('devices', 50)))
}

async function imported(store: Store, databaseUrl: string, devices: number): Promise<BenchResult[]> {
  const rrd = mkdtempSync(join(tmpdir(), 'portlight-bench-rrd-'))
  const endS = Math.floor(Date.now() / 1000) - 60
  const maria = await startMaria()
  try {
    await fillInstallation(maria, { devices, portsPerDevice: PORTS, endS })
    for (let p = 0; p < PORTS; p++) portFile(join(rrd, 'templates', `${p}.rrd`), endS, DAYS, 1e6 * (1 + p))
    for (let d = 0; d < devices; d++) {
      const folder = join(rrd, d === 1 ? '2001_db8__20' : `router-${42 + d}.example.net`)
      mkdirSync(folder)
      for (let p = 0; p < PORTS; p++)
        linkSync(join(rrd, 'templates', `${p}.rrd`), join(folder, `port-id${4711 + d * PORTS + p}.rrd`))
    }
    const args = [
      'import',
      'librenms',
      '--database',
      maria.url,
      '--rrd',
      rrd,
      '--timezone',
      'Europe/Berlin',
      '--database-url',
      databaseUrl,
    ]
    const began = performance.now()
    const child = spawnPortlight(args, 'pipe')
    const peaks: number[] = []
    const timer = setInterval(() => peaks.push(residentMib(child.pid)), 200)
    const code = await child.exited
    clearInterval(timer)
    const err = await child.stderr.text()
    const out = (await child.stdout?.text()) ?? ''
    if (code !== 0) throw new Error(err)
    console.log(
      err
        .split('\n')
        .filter((line) => /history|samples/.test(line))
        .slice(-3)
        .join('\n'),
    )
    const seconds = (performance.now() - began) / 1000
    const [took] = /in ([\d.]+) s \(/.exec(out)?.slice(1) ?? []
    const files = devices * PORTS
    const perMinute = (files / Number(took)) * 60
    const half = peaks.slice(Math.floor(peaks.length / 3), Math.floor((peaks.length * 2) / 3))
    const end = peaks.slice(Math.floor((peaks.length * 2) / 3))
    return [
      result('files of ports, a minute', perMinute, 'files/min', null, { text: '>= 1,000', met: perMinute >= 1000 }),
      result('the whole import', seconds, 's'),
      result('memory of the process, at most', Math.max(...peaks), 'MB', null, {
        text: '< 500',
        met: Math.max(...peaks) < 500,
      }),
      result('memory, mean of the last third against the second', mean(end) / mean(half), 'x'),
      result('greatest difference of a rate from rrdtool fetch', await disagreement(store, rrd, endS), 'octets/sample'),
      ...(await sizes(store)),
    ]
  } finally {
    await maria.stop()
    rmSync(rrd, { recursive: true, force: true })
  }
}

/** The greatest difference between a stored delta and the rate in the file times its width, over 6 days of samples. */
async function disagreement({ sql }: Store, rrd: string, endS: number): Promise<number> {
  let worst = 0
  for (const port of [4711, 4720, 4734]) {
    const rows = await sql<{ s: number; octets: number }[]>`
      select extract(epoch from "time")::float8 as s, in_octets as octets from ts.port_samples_stored where port_id = ${port}`
    const stored = new Map(rows.map(({ s, octets }) => [s, Number(octets)]))
    const path = join(rrd, 'templates', `${port - 4711}.rrd`)
    for (const { atS, values } of fetchRrd(path, 'AVERAGE', 300, endS - 6 * 86_400, endS - 600)) {
      const octets = stored.get(atS)
      if (octets !== undefined) worst = Math.max(worst, Math.abs(octets - (values[0] ?? 0) * 300))
    }
  }
  return worst
}

/** Octets on disk, with indexes, of a stored row of each level, in whichever form the rows are. */
async function sizes({ sql }: Store): Promise<BenchResult[]> {
  const found: BenchResult[] = []
  for (const [level, name] of [
    ['samples', 'sample'],
    ['1h', 'hour'],
    ['1d', 'day'],
  ] as const) {
    const [row] = await sql.unsafe<{ octets: number; rows: number }[]>(`
      select (select coalesce(sum(pg_total_relation_size(i.inhrelid)), 0)::float8 from pg_catalog.pg_inherits i
          join ts.series s on i.inhparent in (s.rel, s.packed) where s.base = 'port' and s.level = '${level}') as octets,
        (select count(*)::float8 from ts.port_${level}_stored) as rows`)
    if (row === undefined) continue
    found.push(result(`a port's ${name} on disk, of ${row.rows} rows`, row.octets / row.rows, 'octets'))
  }
  return found
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
