import { hasCounters, type SampleKind } from '../../series/kind.ts'
import type { Sql } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'
import { type CopyColumn, copyRows } from '../series/copy-rows.ts'
import { type JournalEntry, writeJournal } from './write-journal.ts'
import type { ImportTx } from './write-tables.ts'

/** Rows of a level in columns; `timeMs` is the end of a sample, and the start of an hour or a day. */
export interface HistoryRows {
  readonly timeMs: readonly number[]
  readonly id: readonly number[]
  readonly n: readonly number[]
  readonly periodMs: readonly number[]
  readonly known: readonly number[]
  readonly values: readonly (readonly number[])[]
  readonly lowest: readonly (readonly number[])[]
  readonly highest: readonly (readonly number[])[]
}

/** History of several subjects of one kind. */
export interface HistoryBatch {
  readonly kind: SampleKind
  readonly samples: HistoryRows
  readonly hours: HistoryRows
  readonly days: HistoryRows
  readonly journal: readonly JournalEntry[]
  /** End of the last day without hours, epoch seconds; 0: all days have hours. */
  readonly coarseS: number
}

type Level = 'samples' | '1h' | '1d'

/** When levels of a kind begin and end, epoch seconds. */
export interface KindBounds {
  readonly keepS: Readonly<Record<Level, number>>
  /** Up to when maintenance has made roll-ups. */
  readonly hoursToS: number
  readonly daysToS: number
}

/** `rolledUp`: as if `rollUpToNow` had run, for a dry run, which does not roll anything up. */
export async function kindBounds(sql: Sql, kind: string, rolledUp: boolean): Promise<KindBounds> {
  const rows = await sql<{ level: Level; keep: number; upto: number | null }[]>`
      select s.level, extract(epoch from s.keep)::float8 as keep,
        extract(epoch from case when ${rolledUp} then greatest(r.watermark, closed.upto) else r.watermark end)::float8 as upto
      from ts.series s
      left join ts.rollup r on r.dst = s.rel
      left join ts.rollup source on source.dst = r.src
      cross join lateral (select date_bin(r.width, least(now() - r.lag,
        date_bin(source.width, now() - source.lag, timestamptz '2000-01-03 00:00+00')),
        timestamptz '2000-01-03 00:00+00') as upto) closed
      where s.base = ${kind}`
  const of = (level: Level) => rows.find((row) => row.level === level)
  const keep = (level: Level): number => of(level)?.keep ?? 0
  return {
    keepS: { samples: keep('samples'), '1h': keep('1h'), '1d': keep('1d') },
    hoursToS: of('1h')?.upto ?? 0,
    daysToS: of('1d')?.upto ?? 0,
  }
}

/** Creates the partitions that rows since then need. */
export async function makePartitions(sql: Sql, kind: string, fromS: Readonly<Record<Level, number>>): Promise<void> {
  await sql`
      select ts.ensure_partitions(s.rel, g) from ts.series s,
        lateral generate_series(to_timestamp(case s.level when 'samples' then ${fromS.samples}::float8
          when '1h' then ${fromS['1h']}::float8 else ${fromS['1d']}::float8 end), now(), s.chunk) g
      where s.base = ${kind}`
}

/** A sample that a poll wrote: its subject, and its end in epoch ms. */
export interface Native {
  readonly id: number
  readonly timeMs: number
}

/** Ends of the samples that these subjects have, and starts of their hours and days, in order. */
export async function presentRows(
  sql: Sql,
  kind: SampleKind,
  ids: readonly number[],
): Promise<Readonly<Record<Level, readonly Native[]>>> {
  const read = async (level: Level, time: string) =>
    await sql.unsafe<{ id: number; timeMs: number }[]>(
      `select ${kind.key} as id, extract(epoch from ${time})::float8 * 1000 as "timeMs" from ts.${kind.name}_${level}
         where ${kind.key} = any('${integers(ids)}'::int[]) order by 1, 2`,
    )
  return {
    samples: await read('samples', '"time"'),
    '1h': await read('1h', 'bucket'),
    '1d': await read('1d', 'bucket'),
  }
}

/** Stores a batch and its marks, all or nothing. */
export async function writeHistory(sql: Sql, source: string, batch: HistoryBatch): Promise<void> {
  await sql.begin(async (tx) => {
    // A crash loses the rows together with their marks, and the next run repeats them.
    await tx`set local synchronous_commit = off`
    await copyLevel(tx, batch.kind, 'samples', batch.samples)
    await copyLevel(tx, batch.kind, '1h', batch.hours)
    await copyLevel(tx, batch.kind, '1d', batch.days)
    if (batch.coarseS > 0)
      await tx`
          insert into ts.coarse (base, upto) values (${batch.kind.name}, to_timestamp(${batch.coarseS}))
          on conflict (base) do update set upto = excluded.upto where ts.coarse.upto < excluded.upto`
    await writeJournal(tx, source, batch.journal)
  })
}

/** Deletes a subject's row of an hour and of a day that an earlier import made from part of their time. */
export async function clearPartial(
  sql: Sql,
  kind: SampleKind,
  id: number,
  hourMs: number,
  dayMs: number,
): Promise<void> {
  await sql.unsafe(
    `delete from ts.${kind.name}_1h where ${kind.key} = ${id} and bucket = to_timestamp(${hourMs / 1000});
       delete from ts.${kind.name}_1d where ${kind.key} = ${id} and bucket = to_timestamp(${dayMs / 1000})`,
  )
}

async function copyLevel(tx: ImportTx, kind: SampleKind, level: Level, rows: HistoryRows): Promise<void> {
  if (rows.timeMs.length === 0) return
  const counters = hasCounters(kind.columns)
  const rolled = level !== 'samples'
  const columns: (CopyColumn & { readonly name: string })[] = [
    { name: rolled ? 'bucket' : 'time', type: 'timestamptz', cells: rows.timeMs },
    { name: kind.key, type: 'int', cells: rows.id },
  ]
  if (rolled) {
    columns.push({ name: 'n', type: 'int', cells: rows.n })
    if (rows.known.some((weight) => !Number.isNaN(weight)))
      columns.push({ name: 'known', type: 'bigint[]', cells: rows.known, width: kind.columns.length })
  }
  if (counters) columns.push({ name: 'period_ms', type: rolled ? 'bigint' : 'int', cells: rows.periodMs })
  kind.columns.forEach(({ name, type, role }, c) => {
    columns.push({ name, type, cells: rows.values[c] ?? [] })
    if (!rolled) return
    const extreme = role === 'counter' ? 'real' : type
    columns.push({ name: `${name}_min`, type: extreme, cells: rows.lowest[c] ?? [] })
    columns.push({ name: `${name}_max`, type: extreme, cells: rows.highest[c] ?? [] })
  })
  const copy = copyRows(columns, rows.timeMs.length)
  const names = columns.map(({ name }) => `"${name}"`).join()
  await tx.unsafe(`copy ts.${kind.name}_${level} (${names}) from stdin (format binary)`, [], { copy })
}

/** Ids of a service's data sets by name; missing ones are created. */
export async function dataSetIds(
  sql: Sql,
  serviceId: number,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const list = JSON.stringify(names)
  await sql`
      insert into service_datasets (service_id, ds)
      select ${serviceId}, x from jsonb_array_elements_text(${list}::text::jsonb) x on conflict do nothing`
  const rows = await sql<{ ds: string; id: number }[]>`
      select ds, service_dataset_id as id from service_datasets
      where service_id = ${serviceId} and ds in (select jsonb_array_elements_text(${list}::text::jsonb)) order by 2`
  return new Map(rows.map(({ ds, id }) => [ds, id]))
}

/** Rolls up all hours and then all days that have ended, so that no later roll-up touches what the import writes. */
export async function rollUpToNow(sql: Sql): Promise<void> {
  const series = await sql<{ rel: string }[]>`
      select r.dst::text as rel from ts.rollup r order by r.width, 1`
  for (const { rel } of series) {
    for (let done = 1; done > 0; ) {
      const [row] = await sql.unsafe<{ done: number }[]>(`select ts.roll('${rel}', 24) as done`)
      done = row?.done ?? 0
    }
  }
}
