import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BenchResult, result } from './result.ts'
import type { BenchServer } from './server.ts'

/** What must not grow while a server runs with the same devices. Sizes in MiB. */
export interface Footprint {
  /** Resident memory of the server, and the part of it that no file backs. */
  readonly rss: number
  readonly anon: number
  readonly threads: number
  /** Open file descriptors of the server. */
  readonly files: number
  /** Processes of the embedded PostgreSQL and the memory that they do not share. */
  readonly backends: number
  readonly database: number
  /** Files below the temporary folder, the server's log and data folder included, without those of the database's tables. */
  readonly temporary: number
  readonly temporaryMib: number
  /** Temporary files that PostgreSQL has written since its start: sorts and hashes that did not fit work_mem. */
  readonly spilled: number
  /** Tables that keep their number of rows (inventory, counters of the last poll, rules): rows, and the rest of the space. */
  readonly tables: number
  readonly indexes: number
  readonly deadRows: number
  /** What grows with time, until its retention ends: partitions of samples, roll-ups and logs, and sent notifications. */
  readonly history: number
}

const MIB = 2 ** 20

export async function footprint({ pid, dataDir, store: { sql } }: BenchServer): Promise<Footprint> {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  const [row] = await sql<{ tables: number; indexes: number; dead: number; history: number; spilled: number }[]>`
    with tables as (
      select c.oid, c.relispartition or c.relname = 'alert_outbox' as part from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname in ('public', 'ts'))
    select coalesce(sum(pg_table_size(oid)) filter (where not part), 0)::float8 as tables,
      coalesce(sum(pg_indexes_size(oid)) filter (where not part), 0)::float8 as indexes,
      coalesce(sum(pg_stat_get_dead_tuples(oid)) filter (where not part), 0)::float8 as dead,
      coalesce(sum(pg_total_relation_size(oid)) filter (where part), 0)::float8 as history,
      (select coalesce(sum(temp_files), 0) from pg_stat_database)::float8 as spilled
    from tables`
  const found = temporaryFiles()
  return {
    rss: field('VmRSS') / 1024,
    anon: field('RssAnon') / 1024,
    threads: field('Threads'),
    files: readdirSync(`/proc/${pid}/fd`).length,
    ...backends(dataDir),
    temporary: found.files,
    temporaryMib: found.octets / MIB,
    spilled: row?.spilled ?? 0,
    tables: (row?.tables ?? 0) / MIB,
    indexes: (row?.indexes ?? 0) / MIB,
    deadRows: row?.dead ?? 0,
    history: (row?.history ?? 0) / MIB,
  }
}

/** Processes of the embedded database, and MiB that they have for themselves. */
function backends(dataDir: string): Pick<Footprint, 'backends' | 'database'> {
  const postmaster = Number(readFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
  let kib = 0
  let count = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const status = readFileSync(`/proc/${name}/status`, 'latin1')
      const parent = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? 0)
      if (parent !== postmaster && Number(name) !== postmaster) continue
      count++
      kib += Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0)
    } catch {
      // ended meanwhile
    }
  }
  return { backends: count, database: kib / 1024 }
}

/** Files below the temporary folder, where the data folder is as well; the database counts those of its tables. */
function temporaryFiles(): { readonly files: number; readonly octets: number } {
  const listed = Bun.spawnSync(
    ['find', tmpdir(), '-path', '*/postgres/data', '-prune', '-o', '-type', 'f', '-printf', '%s\n'],
    { stderr: 'ignore' },
  )
  const sizes = listed.stdout.toString().split('\n').filter(Boolean).map(Number)
  return { files: sizes.length, octets: sizes.reduce((sum, size) => sum + size, 0) }
}

const QUANTITIES: readonly (readonly [name: keyof Footprint, text: string, unit: string, most: number])[] = [
  ['rss', 'RSS', 'MiB', 1.1],
  ['files', 'open files', '', 1.1],
  ['threads', 'threads', '', 1.1],
  ['backends', 'processes of PostgreSQL', '', 1.1],
  ['database', 'memory of PostgreSQL', 'MiB', 1.25],
  ['temporary', 'temporary files', '', 1.1],
  ['tables', 'tables of constant rows', 'MiB', 1.1],
  ['indexes', 'indexes of these', 'MiB', 1.1],
]

/** The last tenth of the readings against the tenth behind the first fifth, by when everything has been used once. */
export function growth(readings: readonly Footprint[]): BenchResult[] {
  const tenth = Math.max(1, Math.floor(readings.length / 10))
  const mean = (some: readonly Footprint[], name: keyof Footprint) =>
    some.reduce((sum, reading) => sum + reading[name], 0) / some.length
  const early = readings.slice(2 * tenth, 3 * tenth)
  const late = readings.slice(-tenth)
  return QUANTITIES.map(([name, text, unit, most]) => {
    const [before, after] = [mean(early, name), mean(late, name)]
    const met = after <= before * most
    return result(
      `${text} at the end`,
      after,
      unit,
      { name: 'after a fifth', value: before },
      { text: `ratio <= ${most}`, met },
    )
  })
}
