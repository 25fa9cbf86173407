import { quoted } from '../database/archived.ts'
import type { Sql } from '../database/client.ts'
import type { SeriesMode } from '../schema/migrate.ts'

/** A column whose values are backed up: any but generated ones. */
export interface ArchivedColumn {
  readonly name: string
  /** As format_type() names it. */
  readonly type: string
}

/** A table, not one of its partitions or chunks. */
export interface ArchivedTable {
  readonly schema: string
  readonly table: string
  readonly columns: readonly ArchivedColumn[]
  /** The column that it is partitioned by; null: it is not partitioned. */
  readonly time: string | null
  /** Ranges of its partitions or chunks, as timestamptz in UTC, in order, `to` exclusive. Rows may be outside them. */
  readonly parts: readonly { readonly from: string; readonly to: string }[]
  /** The table of schema `ts` whose rows it holds packed (db/series/24-packed-form.sql); null: its rows are what they are. */
  readonly packs: string | null
  /** Number of rows as the server estimates it. */
  readonly estimate: number
}

/** A sequence, with the table and column that it numbers. */
export interface ArchivedSequence {
  readonly schema: string
  /** Of the table, or of the sequence itself if `column` is null. */
  readonly name: string
  readonly column: string | null
  readonly last: string
  readonly called: boolean
}

/** The schema of a database. */
export interface SchemaState {
  readonly mode: SeriesMode
  /** Version of PostgreSQL. */
  readonly server: string
  readonly migrations: readonly { readonly number: number; readonly name: string; readonly checksum: string }[]
}

/**
 * Tables that describe the schema itself. Migrations fill them, so they are not data; `ts.series` and `ts.field` are
 * derived from the declared kinds. The key of the leader's lock belongs to the database that it locks, and so do its sizes,
 * the warning about its disk and the packing of its chunks: the rows of a chunk that is being packed are all still there,
 * so a restored copy packs it from the beginning.
 */
const STRUCTURE = [
  ...['public.schema_migrations', 'public.schema_series', 'public.cluster_lead', 'ts.series', 'ts.field'],
  ...['ts.packing', 'ts.size_note', 'ts.notice', 'ts.packing_run'],
]

/** Session settings that determine the text form of values. */
export const TEXT_SETTINGS = `set search_path = public; set timezone = 'UTC'; set datestyle = 'ISO, YMD';
  set intervalstyle = 'postgres'; set bytea_output = 'hex'; set extra_float_digits = 1; set xmloption = 'content'`

/** SQL condition on `c` (pg_class): it does not belong to an extension. */
const OWN = `not exists (select from pg_catalog.pg_depend x where x.classid = 'pg_class'::regclass and x.objid = c.oid and x.deptype = 'e')`

/** `schema.table`, as backups name it. */
export function tableName({ schema, table }: Pick<ArchivedTable, 'schema' | 'table'>): string {
  return `${schema}.${table}`
}

/**
 * Every table that holds data: those of the inventory, then those of schema `ts`, at last those that hold packed rows.
 * The session has TEXT_SETTINGS.
 */
export async function listTables(sql: Sql): Promise<readonly ArchivedTable[]> {
  const tables = await sql.unsafe<Omit<ArchivedTable, 'parts' | 'time' | 'packs'>[]>(`
    select n.nspname::text as schema, c.relname::text as table,
      (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
        from pg_catalog.pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      (with recursive parts as (
          select c.oid as oid union all select i.inhrelid from parts p join pg_catalog.pg_inherits i on i.inhparent = p.oid)
        select coalesce(sum(greatest(x.reltuples, pg_stat_get_live_tuples(x.oid), 0)), 0)::float8
        from parts p join pg_catalog.pg_class x on x.oid = p.oid where x.relkind = 'r') as estimate
    from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p' and n.nspname in ('public', 'ts') and ${OWN}
    order by n.nspname, c.relname`)
  const divided = await parts(sql)
  const { packs, unfinished } = await packing(sql)
  const isData = (name: string): boolean => !STRUCTURE.includes(name) && !unfinished.has(name)
  return tables
    .filter((table) => isData(tableName(table)) && !isMarker(table) && table.columns !== null)
    .map((table) => ({
      ...table,
      ...(divided.get(tableName(table)) ?? { time: null, parts: [] }),
      packs: packs.get(tableName(table)) ?? null,
    }))
    .toSorted((a, b) => Number(a.packs !== null) - Number(b.packs !== null))
}

interface Packing {
  /** Tables of rows, by the table that holds theirs packed. */
  readonly packs: ReadonlyMap<string, string>
  /** Tables with packed rows of a chunk whose rows are still there, which are no data yet. */
  readonly unfinished: ReadonlySet<string>
}

async function packing(sql: Sql): Promise<Packing> {
  const [has] = await sql<{ packed: boolean }[]>`select to_regclass('ts.packing') is not null as packed`
  if (has?.packed !== true) return { packs: new Map(), unfinished: new Set() }
  const rows = await sql.unsafe<{ name: string; packs: string | null }[]>(`
    select format('ts.%s', c.relname) as name, format('ts.%s', s.base || '_' || s.level) as packs
    from ts.series s join pg_catalog.pg_class c on c.oid = s.packed
    union all select format('ts.%s', c.relname), null from ts.packing p join pg_catalog.pg_class c on c.oid = p.made`)
  return {
    packs: new Map(rows.flatMap(({ name, packs }) => (packs === null ? [] : [[name, packs]]))),
    unfinished: new Set(rows.flatMap(({ name, packs }) => (packs === null ? [name] : []))),
  }
}

/** Whether the table belongs to an unfinished restore, which drops it when it ends. */
function isMarker({ schema, table }: Pick<ArchivedTable, 'schema' | 'table'>): boolean {
  return schema === 'public' && /^restore_(state|done)$/.test(table)
}

type Parts = Pick<ArchivedTable, 'time' | 'parts'>

/** Partitions of series and logs. An older schema may lack either. */
async function parts(sql: Sql): Promise<ReadonlyMap<string, Parts>> {
  const [has] = await sql<{ series: boolean; packed: boolean; logs: boolean; hyper: boolean }[]>`
    select to_regclass('ts.series') is not null as series, to_regclass('public.log_tables') is not null as logs,
      to_regclass('ts.packing') is not null as packed,
      exists (select from pg_extension where extname = 'timescaledb') as hyper`
  const found = new Map<string, Parts>()
  const add = (rows: readonly { name: string; time: string; from: string | null; to: string | null }[]): void => {
    for (const { name, time, from, to } of rows) {
      const before = found.get(name)?.parts ?? []
      found.set(name, { time, parts: from === null || to === null ? before : [...before, { from, to }] })
    }
  }
  if (has?.series === true) {
    add(
      await sql.unsafe(`
        select 'ts.' || s.name as name, s.time_col as time, p.range_from::text as from, p.range_to::text as to
        from (select base || '_' || level as name, time_col, rel from ts.series
          ${has.packed ? `union all select base || '_' || level || '_packed', 'pack_span', packed from ts.series where packed is not null` : ''}
        ) s left join lateral (
          select (b.bounds)[1]::timestamptz as range_from, (b.bounds)[2]::timestamptz as range_to
          from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid,
            lateral (select regexp_match(pg_get_expr(c.relpartbound, c.oid), $r$FROM \\('([^']+)'\\) TO \\('([^']+)'\\)$r$) as bounds) b
          where i.inhparent = s.rel and b.bounds is not null
          ${
            has.hyper
              ? `union all select x.range_start, x.range_end from timescaledb_information.chunks x
            where x.hypertable_schema = 'ts' and x.hypertable_name = s.name`
              : ''
          }) p on true
        order by 1, p.range_from`),
    )
  }
  if (has?.logs === true) {
    add(
      await sql.unsafe(`
        select 'public.' || l.log as name, l.time_column as time, p.from_time::text as from, p.to_time::text as to
        from log_tables l left join lateral log_partitions(l.log) p on true order by 1, p.from_time`),
    )
  }
  return found
}

/** Every sequence of our schemas. Sequences ignore snapshots, so values may be ahead of the snapshot, never behind. */
export async function listSequences(sql: Sql): Promise<readonly ArchivedSequence[]> {
  const rows = await sql.unsafe<{ schema: string; name: string; column: string | null; sequence: string }[]>(`
    select coalesce(tn.nspname, n.nspname)::text as schema, coalesce(t.relname, c.relname)::text as name, a.attname::text as column,
      format('%I.%I', n.nspname, c.relname) as sequence
    from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    left join pg_catalog.pg_depend d on d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i')
      and d.refclassid = 'pg_class'::regclass
    left join pg_catalog.pg_class t on t.oid = d.refobjid left join pg_catalog.pg_namespace tn on tn.oid = t.relnamespace
    left join pg_catalog.pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
    where c.relkind = 'S' and n.nspname in ('public', 'ts') and ${OWN} order by 1, 2, 3`)
  const found: ArchivedSequence[] = []
  for (const { sequence, ...row } of rows) {
    const [value] = await sql.unsafe<{ last: string; called: boolean }[]>(
      `select last_value::text as last, is_called as called from ${sequence}`,
    )
    if (value !== undefined) found.push({ ...row, ...value })
  }
  return found
}

/** Sets a sequence. Does nothing if the schema lacks it. */
export async function setSequence(sql: Sql, sequence: ArchivedSequence): Promise<void> {
  const { schema, name, column, last, called } = sequence
  const own = quoted(schema, name)
  await sql`
    select setval(s.seq, ${last}::bigint, ${called}) from (select ${
      column === null
        ? sql`to_regclass(${own})`
        : sql`case when exists (select from pg_attribute where attrelid = to_regclass(${own}) and attname = ${column} and not attisdropped)
            then pg_get_serial_sequence(${own}, ${column})::regclass end`
    } as seq) s where s.seq is not null`
}

/** The schema of a database. Throws the server's error if the database is not Portlight's. */
export async function readSchema(sql: Sql): Promise<SchemaState> {
  const migrations = await sql<{ number: number; name: string; checksum: string }[]>`
    select number, name, checksum from schema_migrations order by number`
  const [row] = await sql<{ mode: SeriesMode; server: string }[]>`
    select ts.edition() as mode, split_part(current_setting('server_version'), ' ', 1) as server`
  return { mode: row?.mode ?? 'plain', server: row?.server ?? '', migrations: [...migrations] }
}
