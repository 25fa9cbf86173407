/**
 * Backs up, verifies and restores a database of port samples, and does the same with pg_dump -Fc and pg_restore on the
 * same server, which is the distribution's PostgreSQL because its programs refuse newer servers. The times for a
 * database of 100 GB are computed from the rates.
 *
 * `bun bench/run.ts backup [--rows 3000000]`; needs /usr/lib/postgresql/VERSION/bin and, as root, a user postgres.
 */

import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { client } from '../src/core/database/client.ts'
import { migrate } from '../src/core/schema/migrate.ts'
import { createLog } from '../src/observe/log.ts'
import { chooseAccount } from '../src/postgres/account.ts'
import { spawnPortlight } from '../tests/cli/support.ts'
import { option } from './option.ts'
import { type BenchResult, result } from './result.ts'

const PORTS = 2000
const LIB = '/usr/lib/postgresql'

export async function run(rows = option('rows', 3_000_000)): Promise<BenchResult[]> {
  const server = await startDebian()
  try {
    const [source, target, other] = await Promise.all(['source', 'target', 'other'].map(server.create))
    if (source === undefined || target === undefined || other === undefined) throw new Error('no databases')
    await fill(source, rows)
    const file = join(server.folder, 'backup.tar')
    const dump = join(server.folder, 'dump')
    const made = await measure(['backup', file, '--database-url', source])
    const checked = await measure(['backup', 'verify', file])
    const restored = await measure(['restore', file, '--database-url', target])
    const dumped = await seconds([server.program('pg_dump'), '-Fc', '-f', dump, source])
    const loaded = await seconds([server.program('pg_restore'), '-d', other, dump])
    const [packed, dumpedOctets] = [statSync(file).size, statSync(dump).size]
    const octets = await databaseOctets(source)
    const hours = (s: number): number => ((s / octets) * 100e9) / 3600
    return [
      result('backup', rows / made.seconds, 'rows/s', { name: 'pg_dump -Fc', value: rows / dumped }),
      result('backup, of the database as it is on disk', octets / 1e6 / made.seconds, 'MB/s'),
      result('backup, memory', made.peakMb, 'MB'),
      result('size of the backup', packed / 1e6, 'MB', { name: 'pg_dump -Fc', value: dumpedOctets / 1e6 }),
      result('size of the database', octets / 1e6, 'MB'),
      result('backup verify', rows / checked.seconds, 'rows/s'),
      result('backup verify, memory', checked.peakMb, 'MB'),
      result('restore, with reading back and comparing', rows / restored.seconds, 'rows/s', {
        name: 'pg_restore, without',
        value: rows / loaded,
      }),
      result('restore, memory', restored.peakMb, 'MB'),
      result('backup of a database of 100 GB, computed', hours(made.seconds), 'h', {
        name: 'pg_dump -Fc',
        value: hours(dumped),
      }),
      result('restore of a database of 100 GB, computed', hours(restored.seconds), 'h', {
        name: 'pg_restore',
        value: hours(loaded),
      }),
    ]
  } finally {
    await server.stop()
  }
}

async function fill(url: string, rows: number): Promise<void> {
  await migrate(url, createLog('error'))
  const sql = client(url, 1, null)
  const each = Math.ceil(rows / PORTS)
  await sql.unsafe(`set statement_timeout = 0;
    select ts.ensure_partitions('ts.port_samples', now() - d * interval '1 day') from generate_series(0, ${Math.ceil(each / 288) + 1}) d;
    insert into ts.port_samples ("time", port_id, period_ms, in_octets, out_octets, in_err, out_err, in_disc, out_disc)
    select now() - n * interval '5 minutes' + p * interval '37 ms', p, 300000 + (random() * 20)::int, (random() * 1e11)::bigint,
      (random() * 1e10)::bigint, case when random() < 0.01 then 3 else 0 end, 0, (random() * 2)::int, 0
    from generate_series(1, ${each}) n, generate_series(1, ${PORTS}) p`)
  await sql.unsafe('analyze')
  await sql.end()
}

async function databaseOctets(url: string): Promise<number> {
  const sql = client(url, 1)
  const [row] = await sql<{ octets: number }[]>`select pg_database_size(current_database())::float8 as octets`
  await sql.end()
  return row?.octets ?? 0
}

/** Runs the program; returns its duration and peak memory. */
async function measure(args: readonly string[]): Promise<{ seconds: number; peakMb: number }> {
  const began = performance.now()
  const child = spawnPortlight(args)
  let peakMb = 0
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      peakMb = Math.max(peakMb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
    } catch {
      // the process has just ended
    }
  }, 50)
  const err = child.stderr.text()
  const code = await child.exited
  clearInterval(timer)
  if (code !== 0) throw new Error(await err)
  return { seconds: (performance.now() - began) / 1000, peakMb }
}

async function seconds(command: readonly string[]): Promise<number> {
  const began = performance.now()
  const child = Bun.spawn([...command], { stdout: 'ignore', stderr: 'pipe' })
  const [code, err] = await Promise.all([child.exited, child.stderr.text()])
  if (code !== 0) throw new Error(err)
  return (performance.now() - began) / 1000
}

/** The distribution's server with default settings, except for those that the embedded server also gets. */
async function startDebian() {
  const version = readdirSync(LIB).toSorted().at(-1) ?? ''
  const program = (name: string): string => join(LIB, version, 'bin', name)
  const folder = mkdtempSync(join(tmpdir(), 'portlight-bench-'))
  const account = chooseAccount(null)
  const as = account.switch ? { uid: account.uid, gid: account.gid } : {}
  chownSync(folder, account.uid, account.gid)
  const data = join(folder, 'data')
  const made = Bun.spawnSync(
    [program('initdb'), '-D', data, '-U', 'portlight', '-A', 'trust', '-E', 'UTF8', '--locale=C'],
    {
      ...as,
      cwd: folder,
    },
  )
  if (made.exitCode !== 0) throw new Error(made.stderr.toString())
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${folder}`,
    'shared_buffers=1GB',
    'max_wal_size=2GB',
    'jit=off',
  ]
  const server = Bun.spawn([program('postgres'), '-D', data, ...settings.flatMap((s) => ['-c', s])], {
    ...as,
    cwd: folder,
    stdout: 'ignore',
    stderr: 'ignore',
  })
  const url = (database: string): string =>
    `postgres://portlight@localhost/${database}?host=${encodeURIComponent(folder)}`
  for (let i = 0; i < 100; i++) {
    const sql = client(url('postgres'), 1)
    const up = await sql`select 1`.then(
      () => true,
      () => false,
    )
    await sql.end({ timeout: 1 })
    if (up) break
    await Bun.sleep(100)
  }
  return {
    folder,
    program,
    async create(name: string): Promise<string> {
      const sql = client(url('postgres'), 1)
      await sql.unsafe(`create database ${name} template template0`)
      await sql.end()
      return url(name)
    },
    async stop() {
      server.kill('SIGINT')
      await server.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
