import { hasCounters, type SampleKind } from '../../series/kind.ts'
import type { Sql } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'
import { type CopyColumn, copyRows } from '../series/copy-rows.ts'
import { type Chunks, packRows } from '../series/pack-rows.ts'
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
  /** What `prepareTables` returned. */
  readonly packing: Packing
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

/** How the rows of a level are packed when they are written. */
interface LevelPacking extends Chunks {
  /** Chunks that end before it are closed, epoch ms. */
  readonly closedMs: number
}

/** The levels whose closed chunks are written packed; none on servers that do not pack. */
export type Packing = Readonly<Partial<Record<Level, LevelPacking>>>

/** Creates what rows since then need, epoch seconds; partitions of packed rows are created when they get rows. */
export async function prepareTables(sql: Sql, kind: string, fromS: Readonly<Record<Level, number>>): Promise<Packing> {
  const rows = await sql<({ level: Level } & LevelPacking)[]>`
      select level, extract(epoch from origin)::float8 * 1000 as "originMs", extract(epoch from width)::float8 * 1000 as "widthMs",
        extract(epoch from closed)::float8 * 1000 as "closedMs", wide
      from ts.prepare_packing(${kind})`
  const packing: Packing = Object.fromEntries(rows.map(({ level, ...rest }) => [level, rest]))
  const from = (level: Level): number => Math.max(fromS[level], (packing[level]?.closedMs ?? 0) / 1000)
  await sql`
      select ts.ensure_partitions(s.rel, g) from ts.series s,
        lateral generate_series(to_timestamp(case s.level when 'samples' then ${from('samples')}::float8
          when '1h' then ${from('1h')}::float8 else ${from('1d')}::float8 end), now(), s.chunk) g
      where s.base = ${kind}`
  return packing
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
  const read = async (level: Level) =>
    await sql.unsafe<Native[]>(
      `select ${kind.key} as id, extract(epoch from ${level === 'samples' ? '"time"' : 'bucket'})::float8 * 1000 as "timeMs"
       from ${relOf(kind, level)}_stored where ${kind.key} = any('${integers(ids)}'::int[]) order by 1, 2`,
    )
  return { samples: await read('samples'), '1h': await read('1h'), '1d': await read('1d') }
}

function relOf(kind: SampleKind, level: Level): string {
  return `ts.${kind.name}_${level}`
}

/** Stores a batch and its marks, all or nothing. */
export async function writeHistory(sql: Sql, source: string, batch: HistoryBatch): Promise<void> {
  await sql.begin(async (tx) => {
    // A crash loses the rows together with their marks, and the next run repeats them.
    await tx`set local synchronous_commit = off`
    await storeLevel(tx, batch, 'samples', batch.samples)
    await storeLevel(tx, batch, '1h', batch.hours)
    await storeLevel(tx, batch, '1d', batch.days)
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
  const clear = (level: Level, beginMs: number): string => {
    const [rel, begin] = [relOf(kind, level), `to_timestamp(${beginMs / 1000})`]
    return `select ts.unpack_rows('${rel}', array[${id}], ${begin}, ${begin} + interval '1 second');
      delete from ${rel} where ${kind.key} = ${id} and bucket = ${begin};`
  }
  await sql.unsafe(clear('1h', hourMs) + clear('1d', dayMs))
}

async function storeLevel(tx: ImportTx, batch: HistoryBatch, level: Level, rows: HistoryRows): Promise<void> {
  const { timeMs, id } = rows
  if (timeMs.length === 0) return
  const { kind, packing } = batch
  const rel = relOf(kind, level)
  const columns = valueColumns(kind, level, rows)
  const chunks = packing[level]
  const [closed, open]: [number[], number[]] = [[], []]
  for (let row = 0; row < timeMs.length; row++)
    (chunks !== undefined && (timeMs[row] as number) < chunks.closedMs ? closed : open).push(row)
  if (chunks !== undefined && closed.length > 0) {
    const { names, copy } = packRows(kind.key, { timeMs, id, columns }, closed, chunks)
    const [made] = await tx<{ name: string }[]>`select ts.pack_table(${rel}::text::regclass) as name`
    if (made === undefined) throw new Error(`no table to pack rows of ${rel} in`)
    await tx.unsafe(`copy ${made.name} (${quoted(names)}) from stdin (format binary)`, [], { copy })
    await tx`select ts.pack_in(${rel}::text::regclass, ${made.name})`
  }
  if (open.length === 0) return
  const all: readonly NamedColumn[] = [
    { name: level === 'samples' ? 'time' : 'bucket', type: 'timestamptz', cells: timeMs },
    { name: kind.key, type: 'int', cells: id },
    ...columns,
  ]
  const left = closed.length === 0 ? all : all.map((column) => ({ ...column, cells: cellsOf(column, open) }))
  const copy = copyRows(left, open.length)
  await tx.unsafe(`copy ${rel} (${quoted(left.map(({ name }) => name))}) from stdin (format binary)`, [], { copy })
}

type NamedColumn = CopyColumn & { readonly name: string }

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join()

/** The cells of these rows. */
function cellsOf({ cells, width = 1 }: NamedColumn, rows: readonly number[]): readonly number[] {
  return rows.flatMap((row) => Array.from({ length: width }, (_, i) => cells[row * width + i] as number))
}

function valueColumns(kind: SampleKind, level: Level, rows: HistoryRows): readonly NamedColumn[] {
  const rolled = level !== 'samples'
  const columns: NamedColumn[] = []
  if (rolled) {
    columns.push({ name: 'n', type: 'int', cells: rows.n })
    if (rows.known.some((weight) => !Number.isNaN(weight)))
      columns.push({ name: 'known', type: 'bigint[]', cells: rows.known, width: kind.columns.length })
  }
  if (hasCounters(kind.columns))
    columns.push({ name: 'period_ms', type: rolled ? 'bigint' : 'int', cells: rows.periodMs })
  kind.columns.forEach(({ name, type, role }, c) => {
    columns.push({ name, type, cells: rows.values[c] ?? [] })
    if (!rolled) return
    const extreme = role === 'counter' ? 'real' : type
    columns.push({ name: `${name}_min`, type: extreme, cells: rows.lowest[c] ?? [] })
    columns.push({ name: `${name}_max`, type: extreme, cells: rows.highest[c] ?? [] })
  })
  return columns
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
