import { quoted, SCHEMAS } from './archived.ts'
import { client, type Sql } from './client.ts'
import { toStoreError } from './errors.ts'
import { explainRefusal } from './refusals.ts'

/**
 * Phase of a restore. `schema`: the tables are being created. `tables`: rows of the inventory are being loaded.
 * `between`: they are complete and verified. `series`: rows of the series are being loaded.
 */
export type RestorePhase = 'schema' | 'tables' | 'between' | 'series'

/** An unfinished restore. */
export interface RestoreState {
  /** Id of the backup. */
  readonly backup: string
  readonly phase: RestorePhase
  readonly begun_at: Date
  /** Statements that restore the foreign keys and triggers removed for loading, in order. */
  readonly undo: readonly string[]
}

/** The unfinished restore of a database; null: there is none. */
export async function restoreState(sql: Sql): Promise<RestoreState | null> {
  const [made] = await sql<{ made: boolean }[]>`select to_regclass('public.restore_state') is not null as made`
  if (made?.made !== true) return null
  const [row] = await sql<RestoreState[]>`select backup, phase, begun_at, undo from public.restore_state`
  return row ?? { backup: '', phase: 'schema', begun_at: new Date(0), undo: [] }
}

/** The error of everything that would use a partly restored database. */
export function unfinishedText({ backup, begun_at }: RestoreState): string {
  return `the database holds only part of backup ${backup}, whose restore began at ${begun_at.toISOString()} and did not finish: run portlight restore with the same file again`
}

/** Marks the database as being restored, before anything else is in it. */
export async function beginRestore(sql: Sql, backup: string): Promise<void> {
  await sql
    .unsafe(
      `create table public.restore_state (backup text not null, phase text not null, begun_at timestamptz not null default now(), undo text[] not null);
      create table public.restore_done (seq bigint primary key, name text, rows bigint, a bigint, b bigint)`,
    )
    .simple()
  await sql`insert into public.restore_state (backup, phase, undo) values (${backup}, 'schema', '{}')`
}

/** Removes the mark: the database may be used. */
export async function endRestore(sql: Sql): Promise<void> {
  await sql.unsafe('drop table public.restore_state, public.restore_done')
}

/** What a database holds. */
export interface Holdings {
  /** Without those of extensions. */
  readonly tables: number
  readonly devices: number
  readonly users: number
}

export async function countObjects(sql: Sql): Promise<Holdings> {
  const [row] = await sql.unsafe<{ tables: number; known: boolean }[]>(`
    select count(*)::int as tables, to_regclass('public.devices') is not null as known
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p') and not c.relispartition
      and n.nspname !~ '^(pg_|information_schema$|_?timescaledb_)' and ${own('pg_class', 'c.oid')}`)
  const [held] =
    row?.known === true
      ? await sql<{ devices: number; users: number }[]>`
          select (select count(*)::int from devices) as devices, (select count(*)::int from users) as users`
      : []
  return { tables: row?.tables ?? 0, devices: held?.devices ?? 0, users: held?.users ?? 0 }
}

/** What the database at `url` holds. Throws StoreError. */
export async function holdingsOf(url: string): Promise<Holdings> {
  const sql = client(url, 1)
  try {
    return await countObjects(sql)
  } catch (error) {
    throw explainRefusal(toStoreError(error), url)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

function own(catalogue: string, oid: string): string {
  return `not exists (select from pg_depend x where x.classid = '${catalogue}'::regclass and x.objid = ${oid} and x.deptype = 'e')`
}

/** Drops everything of this program: its schemas, and whatever in schema `public` does not belong to an extension. */
export async function removeAll(sql: Sql): Promise<void> {
  const relations = await sql.unsafe<{ kind: string; name: string }[]>(`
    select case c.relkind when 'v' then 'view' when 'S' then 'sequence' when 'm' then 'materialized view' else 'table' end as kind,
      format('%I.%I', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'S', 'm') and not c.relispartition and n.nspname in (${SCHEMAS.map((s) => `'${s}'`).join(', ')})
      and ${own('pg_class', 'c.oid')}
    order by c.relname = 'restore_state', c.relkind = 'S'`)
  for (const schema of ['grafana', 'ts_shim']) await sql.unsafe(`drop schema if exists ${quoted(schema)} cascade`)
  // one by one: a table with many chunks needs many locks; the mark goes last
  for (const { kind, name } of relations) await sql.unsafe(`drop ${kind} if exists ${name} cascade`)
  for (const schema of ['ts', 'log_parts']) await sql.unsafe(`drop schema if exists ${quoted(schema)} cascade`)
  const functions = await sql.unsafe<{ name: string; kind: string }[]>(`
    select p.oid::regprocedure::text as name, case p.prokind when 'p' then 'procedure' when 'a' then 'aggregate' else 'function' end as kind
    from pg_proc p where p.pronamespace = 'public'::regnamespace and ${own('pg_proc', 'p.oid')}`)
  for (const { name, kind } of functions) await sql.unsafe(`drop ${kind} if exists ${name} cascade`)
  const types = await sql.unsafe<{ name: string }[]>(`
    select t.oid::regtype::text as name from pg_type t
    where t.typnamespace = 'public'::regnamespace and t.typtype in ('e', 'd') and ${own('pg_type', 't.oid')}`)
  for (const { name } of types) await sql.unsafe(`drop type if exists ${name} cascade`)
}
