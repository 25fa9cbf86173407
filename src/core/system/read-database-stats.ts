import { client } from '../database/client.ts'

/** State of the database. Times in seconds, sizes in bytes. */
export interface DatabaseLook {
  readonly connections: Readonly<Record<ConnectionState, number>>
  readonly connectionLimit: number
  readonly octets: number
  /** 0: none is open. */
  readonly oldestTransactionS: number
  readonly deadlocks: number
  readonly tempOctets: number
  /** Clock of the database minus that of this machine. */
  readonly skewS: number
  readonly rollups: readonly { readonly kind: string; readonly level: string; readonly lagS: number }[]
  /** Steps of the maintenance of series that fail. */
  readonly problems: number
  /** Time covered by partitions ahead, of the table with the least; null: no table has partitions of ours. */
  readonly partitionsAheadS: number | null
  /** Open sessions of people. */
  readonly sessions: number
  /** How long the oldest notification has waited; 0: none waits. */
  readonly outboxAgeS: number
}

export type ConnectionState = 'active' | 'idle' | 'idle_in_transaction' | 'other'

/** Checks the database over its own connection, so that other statements do not delay it. */
export interface DatabaseStatsReader {
  /** Throws the driver's error, also when the database takes longer than ANSWER_S. */
  read(): Promise<DatabaseLook>
  close(): Promise<void>
}

const ANSWER_S = 10

type Row = Omit<DatabaseLook, 'connections' | 'skewS'> & {
  readonly connections: Readonly<Partial<Record<ConnectionState, number>>> | null
  readonly epoch: number
}

/** Connects on the first call of `look`. */
export function createDatabaseLooker(url: string): DatabaseStatsReader {
  const sql = client(url, 1, ANSWER_S)
  return {
    async read() {
      const began = Date.now()
      const [clock] = await sql<{ epoch: number }[]>`select extract(epoch from clock_timestamp())::float8 as epoch`
      const ended = Date.now()
      const [row] = await sql<Row[]>`
        select
          (select jsonb_object_agg(state, count) from (
            select case when state in ('active', 'idle') then state when state like 'idle in transaction%' then
              'idle_in_transaction' else 'other' end as state, count(*)::int as count
            from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
            group by 1) c) as connections,
          current_setting('max_connections')::int as "connectionLimit",
          pg_database_size(current_database()) as octets,
          (select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8 from pg_stat_activity
            where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid())
            as "oldestTransactionS",
          d.deadlocks, d.temp_bytes as "tempOctets",
          (select coalesce(jsonb_agg(jsonb_build_object('kind', s.base, 'level', s.level, 'lagS', greatest(0,
              extract(epoch from date_bin(r.width, now() - interval '20 minutes', timestamptz '2000-01-03 00:00+00')
                - r.watermark))::float8)), '[]')
            from ts.rollup r join ts.series s on s.rel = r.dst) as rollups,
          (select count(*)::int from ts.problem) as problems,
          (select extract(epoch from min(ends) - now())::float8 from (
            select max(substring(pg_get_expr(c.relpartbound, c.oid) from $r$TO \\('([^']+)'\\)$r$)::timestamptz) as ends
            from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
            where p.relkind = 'p' and not p.relispartition and c.relkind in ('r', 'p')
              and p.oid not in (select packed from ts.series where packed is not null) group by i.inhparent) e) as "partitionsAheadS",
          (select count(*)::int from sessions where stage = 'open') as sessions,
          (select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 from alert_outbox
            where sent_at is null and dead_at is null) as "outboxAgeS"
        from pg_stat_database d where d.datname = current_database()`
      if (row === undefined || clock === undefined) throw new Error('the database returned no row')
      const { connections, ...rest } = row
      return {
        ...rest,
        octets: Number(rest.octets),
        connections: { active: 0, idle: 0, idle_in_transaction: 0, other: 0, ...connections },
        skewS: clock.epoch - (began + ended) / 2000,
      }
    },
    close: () => sql.end({ timeout: 1 }),
  }
}
