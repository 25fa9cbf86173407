import type { Sql } from '../../../src/core/database/client.ts'

/** Columns that depend on when a row was stored, or are salted. */
const MOMENTS = ['updated', 'updated_at', 'created_at', 'inserted', 'last_discovered', 'lastupdate', 'password']
/**
 * Tables whose ids come from sequences, which an interruption moves, whose content depends on the time, or which an
 * import does not write.
 */
const LEFT_OUT = [
  'log_counts',
  'log_totals',
  'import_ids',
  'schema_migrations',
  'live_events',
  'roles',
  'permissions',
  'model_has_roles',
  'role_has_permissions',
  'coarse',
]

const DAY_S = 86_400
/** Start of the day before the tests began; later hours and days depend on when maintenance last ran. */
const SETTLED_S = (Math.floor(Date.now() / 1000 / DAY_S) - 1) * DAY_S

/** Number and digest of the rows in every table that an import writes; of time series only until `SETTLED_S`. */
export async function contents(sql: Sql): Promise<Record<string, string>> {
  const tables = await sql<{ name: string; columns: string }[]>`
    select format('%I.%I', n.nspname, c.relname) as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition and (n.nspname = 'public' or (n.nspname = 'ts' and c.relname ~ '_(samples|1h|1d)$'))
      and c.relname <> all(${LEFT_OUT}) and a.attname <> all(${MOMENTS}) and (c.relname, a.attname) <> ('locations', 'timestamp')
      and (c.relname, a.attname) not in (('ports_stack', 'id'), ('bgpPeers_cbgp', 'cbgp_id'))
      and not (c.relname = 'import_marks' and a.attname = 'rows')
    group by 1 order by 1`
  const found: Record<string, string> = {}
  for (const { name, columns } of tables) {
    const [row] = await sql.unsafe<{ n: number; digest: string }[]>(
      `select count(*)::int as n, coalesce(md5(string_agg(md5(x::text), '' order by md5(x::text))), '') as digest from (select ${columns} from ${name} where ${settled(name)}) x`,
    )
    if (row !== undefined && row.n > 0) found[name] = `${row.n} ${row.digest}`
  }
  return found
}

function settled(name: string): string {
  if (!name.startsWith('ts.')) return 'true'
  return `${name.endsWith('_samples') ? '"time"' : 'bucket'} < to_timestamp(${SETTLED_S})`
}
