import type { Sql } from '../database/client.ts'

/** Columns with secrets, wherever they are. */
const SECRET = '(pass|secret|token|community|_hash$|remember|transport_config|totp|recovery|service_param)'
/** Tables that only a running program needs, or whose rows are secrets. */
const NO_TABLES = [
  'sessions',
  'push_subscriptions',
  'signing_keys',
  'site_keys',
  'remote_poller_refusals',
  'trap_engine',
  'trap_senders',
  'log_batches',
  'live_events',
  'listener_counts',
  'log_counts',
  'log_totals',
]
/** Rows fetched at a time. */
const AT_ONCE = 1000

export interface ExportOptions {
  readonly secrets: boolean
  readonly history: boolean
}

/**
 * Every row of every table as a line of JSON, `{"table": ..., "row": {...}}`, some at a time. Omits secret settings.
 */
export async function* exportLines(sql: Sql, options: ExportOptions): AsyncGenerator<readonly string[]> {
  const tables = await sql<{ name: string; shown: string; secrets: string[] | null }[]>`
    select format('%I.%I', n.nspname, c.relname) as name, case n.nspname when 'public' then c.relname else n.nspname || '.' || c.relname end as shown,
      array_agg(a.attname::text) filter (where a.attname ~* ${SECRET}) as secrets
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all(${NO_TABLES})
      and (n.nspname = 'public' or (${options.history} and n.nspname = 'ts' and c.relname in (
        select s.base || '_' || s.level from ts.series s)))
    group by n.nspname, c.relname order by n.nspname, c.relname`
  for (const { name, shown, secrets } of tables) {
    const drop = options.secrets || secrets === null ? '' : ` - '{${secrets.join()}}'::text[]`
    const query = `select jsonb_build_object('table', '${shown}', 'row', to_jsonb(t)${drop})::text as line from ${name} t`
    for await (const rows of sql.unsafe<{ line: string }[]>(query).cursor(AT_ONCE)) yield rows.map(({ line }) => line)
  }
}
