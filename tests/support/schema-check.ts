import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { MIGRATIONS, type Migration } from '../../db/migrations.ts'
import * as schema from '../../db/schema/index.ts'
import { client, type Sql } from '../../src/core/database/client.ts'
import { emptyDatabase } from './database.ts'

/**
 * Differences between the database that the migrations create and the one that drizzle-kit creates from db/schema: a
 * line for each column, constraint and index that only one of them has. Empty: they are equal. Names of primary and
 * foreign keys do not count, and triggers, functions and comments cannot be declared in db/schema.
 */
export async function schemaDifferences(
  declared: Readonly<Record<string, unknown>> = schema,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<string[]> {
  const generated = await generateMigration(generateDrizzleJson({}), generateDrizzleJson({ ...declared }))
  const [migrated, made] = [
    await describe(migrations.toSorted((a, b) => a.number - b.number).map((m) => m.text)),
    await describe(generated),
  ]
  return [
    ...[...migrated].filter((line) => !made.has(line)).map((line) => `only in db/migrations: ${line}`),
    ...[...made].filter((line) => !migrated.has(line)).map((line) => `only in db/schema: ${line}`),
  ]
}

/** The columns, constraints and indexes that these statements create in an empty database, a line each. */
async function describe(statements: readonly string[]): Promise<ReadonlySet<string>> {
  const { url, drop } = await emptyDatabase()
  const sql = client(url, 1)
  try {
    for (const statement of statements) await sql.unsafe(statement).simple()
    return new Set(await catalogue(sql))
  } finally {
    await sql.end()
    await drop()
  }
}

async function catalogue(sql: Sql): Promise<string[]> {
  const rows = await sql<{ line: string }[]>`
    with tables as (select oid, relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p'))
    select format('column %s.%s %s%s%s%s', relname, attname, format_type(atttypid, atttypmod),
        case when attnotnull then ' not null' end, ' default ' || pg_get_expr(adbin, adrelid), ' identity ' || nullif(attidentity::text, '')) as line
    from tables join pg_attribute on attrelid = tables.oid left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attnum > 0 and not attisdropped
    union all
    -- NOT NULL is listed with the columns
    select format('constraint %s.%s %s', relname, case when contype in ('p', 'f') then '*' else conname end, pg_get_constraintdef(c.oid))
    from tables join pg_constraint c on conrelid = tables.oid where contype <> 'n'
    union all
    select format('index %s', pg_get_indexdef(indexrelid)) from tables join pg_index on indrelid = tables.oid where not indisprimary
    order by line`
  // Drizzle cannot declare the further columns of an index, nor partitions
  return rows.map((row) => row.line.replace(/ INCLUDE \([^)]*\)/, '').replace(' ON ONLY ', ' ON '))
}

if (import.meta.main) {
  const differences = await schemaDifferences()
  for (const line of differences) console.error(line)
  console.log(
    differences.length === 0 ? 'db/schema and db/migrations say the same' : `${differences.length} differences`,
  )
  process.exit(differences.length === 0 ? 0 : 1)
}
