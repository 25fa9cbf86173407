import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type ArchivedSequence, type ArchivedTable, setSequence } from '../../src/core/backup/read-catalogue.ts'
import { quoted } from '../../src/core/database/archived.ts'
import { client, type Sql } from '../../src/core/database/client.ts'

/** A database of a release: the statements that create its schema, and its rows. Made by make.ts. */
export interface Fixture {
  readonly release: string
  /** An API token that it contains. */
  readonly token: string
  readonly migrations: readonly {
    readonly number: number
    readonly name: string
    readonly checksum: string
    readonly text: string
  }[]
  /** The SQL texts that create the series, in order. */
  readonly series: readonly string[]
  /** `text`: rows as COPY writes them. */
  readonly tables: readonly (ArchivedTable & { readonly name: string; readonly text: string })[]
  readonly sequences: readonly ArchivedSequence[]
}

export function readFixture(release: string): Fixture {
  return JSON.parse(gunzipSync(readFileSync(join(import.meta.dir, `${release}.json.gz`))).toString()) as Fixture
}

/** Creates the release's database in an empty one, on a server of any edition, as the release itself would have. */
export async function loadFixture(url: string, fixture: Fixture): Promise<void> {
  const first = client(url, 1)
  await first
    .unsafe(`do $d$ begin
      if exists (select from pg_available_extensions where name = 'timescaledb') then create extension if not exists timescaledb; end if;
    end $d$`)
    .simple()
  await first.end()
  const sql = client(url, 1)
  try {
    await sql
      .unsafe(
        `create table schema_migrations (number int primary key, name text not null, checksum text not null, applied_at timestamptz not null default now());
        create table schema_series (name text primary key, checksum text not null)`,
      )
      .simple()
    for (const { number, name, checksum, text } of fixture.migrations) {
      await sql.unsafe(text).simple()
      await sql`insert into schema_migrations (number, name, checksum) values (${number}, ${name}, ${checksum})`
    }
    for (const text of fixture.series) await sql.unsafe(text).simple()
    const [row] = await sql<{ mode: string }[]>`select ts.edition() as mode`
    const sum = new Bun.CryptoHasher('sha256').update(`${row?.mode}\n${fixture.series.join('\n')}`).digest('hex')
    await sql`insert into schema_series values ('series', ${sum})`
    await loadRows(sql, fixture)
  } finally {
    await sql.end()
  }
}

async function loadRows(sql: Sql, { tables, sequences }: Fixture): Promise<void> {
  for (const { schema, table, parts } of tables) {
    for (const { from } of parts) {
      if (schema === 'public') await sql`select make_log_partition(${table}, ${from}::timestamptz)`
      else await sql`select ts.ensure_partitions(${`ts.${table}`}::regclass, ${from}::timestamptz)`
    }
  }
  await sql.unsafe('set session_replication_role = replica')
  await sql.unsafe(`truncate ${tables.map((t) => quoted(t.schema, t.table)).join(', ')}`)
  for (const { schema, table, columns, text } of tables) {
    if (text === '') continue
    const names = columns.map(({ name }) => quoted(name)).join(', ')
    await sql.unsafe(`copy ${quoted(schema, table)} (${names}) from stdin`, [], { copy: Buffer.from(text) })
  }
  await sql.unsafe('set session_replication_role = origin')
  for (const sequence of sequences) await setSequence(sql, sequence)
}

/** The kinds of samples that a database has. Kinds that came later are rolled up too, which changes none of the older ones. */
export async function kindsOf(sql: Sql): Promise<readonly string[]> {
  return (await sql<{ base: string }[]>`select distinct base from ts.rollup`).map(({ base }) => base)
}

/** Columns whose values an upgrade drops, by table: numbers of operations meant nothing before there were any. */
const DROPPED: Readonly<Record<string, readonly string[]>> = { 'public.alert_rules': ['alert_operation_id'] }

const kept = (table: string, columns: Fixture['tables'][number]['columns']): string =>
  columns.flatMap(({ name }) => (DROPPED[table]?.includes(name) === true ? [] : [quoted(name)])).join(', ')

/** Rows and checksum of the fixture's tables in the fixture's columns and kinds of samples, by the server's own hash. */
export async function fixtureSums(
  sql: Sql,
  { tables }: Fixture,
  kinds: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {}
  for (const { name, schema, table, columns } of tables) {
    const [row] = await sql.unsafe<{ text: string }[]>(`
      select count(*) || ' rows, ' || coalesce(sum(hashtextextended(row(${kept(name, columns)})::text, 0)), 0) as text
      from ${quoted(schema, table)}
      ${name === 'ts.rollup' ? `where base in (${kinds.map((kind) => `'${kind}'`).join(', ')})` : ''}`)
    found[name] = row?.text ?? ''
  }
  return found
}
