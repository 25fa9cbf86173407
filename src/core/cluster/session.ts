import { client, INSTANCE, type Sql, type Store } from '../database/client.ts'

/**
 * First key of the advisory locks of processes; the second is a process's id. Any role may take an advisory lock, so a
 * lock counts only if its session may be one of ours (function is_cluster_role). The leader's lock: function take_lead.
 */
const NODE_LOCKS = 0x6e6f6465 // "node"
/** Names tried for a process whose own is taken: `name`, `name-2`, and so on. */
const MAX_NAMES = 1000

/** A process that shares the database. */
export interface ClusterNode {
  readonly id: number
  readonly name: string
  readonly instance: string
  readonly roles: readonly string[]
  /** null: it names none. */
  readonly groups: readonly number[] | null
  /** It holds its lock. */
  readonly living: boolean
  readonly isLeader: boolean
  readonly version: string
  readonly host: string
  /** Epoch seconds; null: it has never run. */
  readonly startedAt: number | null
  /** When it last reported, epoch seconds. */
  readonly seenAt: number
  /** What it last reported about itself. */
  readonly figures: Readonly<Record<string, unknown>>
}

/** What a process reports about itself when it joins. */
export interface NodeFacts {
  /** Preferred name; another process may already have it. */
  readonly name: string
  readonly host: string
  readonly pid: number
  readonly version: string
  readonly roles: readonly string[]
  readonly groups: readonly number[] | null
  /** It may become the leader. */
  readonly mayBeLeader: boolean
  /** Ms of silence after which the server ends the session. */
  readonly leaseMs: number
  /** Its figures until its first report. Default: none. */
  readonly figures?: Readonly<Record<string, unknown>>
}

/** What a report found. */
export interface BeatRow {
  readonly nodes: readonly ClusterNode[]
  readonly locked: boolean
  /** Another process has taken the name, because this one was silent for too long: join again. */
  readonly expelled: boolean
  /** Ms since another process last confirmed that it is the leader; null: none did, or it ended in order. */
  readonly otherLeaderMs: number | null
  /** The connection was re-established since the last report. */
  readonly renewed: boolean
  /** The server was started since the last report, or is another one: all processes lost their locks. */
  readonly restarted: boolean
  /** Ms by which the clock of this process is ahead of the database's, to about half the report's round trip. */
  readonly aheadMs: number
}

/** The membership of one process: a session of its own that holds its locks. */
export interface NodeSession {
  readonly id: number
  readonly name: string
  /** Reports, and reads who else is there. `isLeader`: this process is the leader. Throws StoreError. */
  beat(isLeader: boolean, figures: Readonly<Record<string, unknown>>): Promise<BeatRow>
  /** Ends the membership in order: others take over at once. */
  leave(): Promise<void>
}

/** How long an answer may take before the connection counts as lost, s. */
const ANSWER_S = 4

/** Registers this process under its name, or the next that is free. Throws StoreError. */
export async function joinCluster(url: string, facts: NodeFacts): Promise<NodeSession> {
  const session = `portlight-node ${crypto.randomUUID().slice(0, 8)}`
  const sql = client(url, 1, ANSWER_S, {
    application_name: session,
    idle_session_timeout: facts.leaseMs,
    // a host that vanished does not end its connections itself
    tcp_keepalives_idle: 3,
    tcp_keepalives_interval: 2,
    tcp_keepalives_count: 2,
  })
  try {
    return await join(sql, facts, session)
  } catch (error) {
    await sql.end({ timeout: 1 })
    throw error
  }
}

async function join(sql: Sql, facts: NodeFacts, session: string): Promise<NodeSession> {
  const { id, name } = await takeName(sql, facts.name)
  const { host, pid, version, roles, groups, figures = {} } = facts
  const gone = !isAlive(await formerPid(sql, id, host))
  await sql`
    update poller_cluster set instance = ${INSTANCE}, host = ${host}, pid = ${pid}, poller_version = ${version},
      roles = ${`{${roles.join()}}`}::text[], named_groups = ${groups === null ? null : `{${groups.join()}}`}::int[],
      poller_groups = coalesce(${groups?.join() ?? null}::text,
        '0' || coalesce((select string_agg(',' || g.id, '' order by g.id) from poller_groups g), '')),
      started_at = now(), beat_at = now(), last_report = now(), master = 0,
      figures = ${JSON.stringify(figures)}::text::jsonb,
      -- a process of this name on this host that is known to have ended no longer leads
      lead_at = case when host = ${host} and (pid = ${pid} or ${gone}) then null else lead_at end
    where id = ${id}`
  let backend = await backendOf(sql)
  let server = await startOf(sql)
  let locked = false
  let named = true
  /** It has held the leader's lock, so the time lead_at in its row is its own. */
  let led = false
  let marked = false
  /** When another process last led, on the monotonic clock; null: none did. */
  let otherLeaderAt: number | null = null

  async function tryLeaderLock(): Promise<void> {
    locked = await takeLeaderLock(sql)
    if (!locked) return
    const [row] = await sql<{ ms: number | null }[]>`
      select extract(epoch from clock_timestamp() - max(lead_at))::float8 * 1000 as ms
      from poller_cluster where id <> ${id} or not ${led}`
    // a time in the future was stored while the database's clock was ahead: at the latest, it was just now
    otherLeaderAt = row?.ms == null ? null : performance.now() - Math.max(0, row.ms)
    led = true
  }

  /** Ends the former session; returns whether the server was restarted meanwhile. */
  async function renew(now: number): Promise<boolean> {
    // the server may not have noticed yet that the client of the former session is gone
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = ${session} and pid <> ${now}`
    backend = now
    locked = false
    named = false
    const since = server
    server = await startOf(sql)
    return server !== since
  }

  return {
    id,
    name,
    beat: async (isLeader, figures) => {
      const now = await backendOf(sql)
      const renewed = now !== backend
      const restarted = renewed && (await renew(now))
      if (!named) named = await tryLock(sql, id)
      // a foreign session has taken the name's lock: to the others this process looks dead until it has another name
      const robbed = !named && (await isForeign(sql, id))
      if (!locked && facts.mayBeLeader && named) await tryLeaderLock()
      if (isLeader && !marked) await sql`update poller_cluster set master = 0 where id <> ${id} and master <> 0`
      marked = isLeader
      const [row] = await sql<{ nodes: ClusterNode[]; at: number; here: number | null }[]>`
          with mine as (
            update poller_cluster set beat_at = clock_timestamp(), last_report = clock_timestamp(),
              figures = ${JSON.stringify(figures)}::text::jsonb, master = ${isLeader ? 1 : 0},
              lead_at = case when ${locked} then clock_timestamp() else lead_at end
            where id = ${id} and instance = ${INSTANCE} returning id)
          select (select id from mine) as here, extract(epoch from clock_timestamp())::float8 * 1000 as at,
            (select jsonb_agg(x order by x.id) from (${nodesOf(sql)}) x) as nodes`
      return {
        nodes: row?.nodes ?? [],
        locked,
        expelled: robbed || row?.here !== id,
        otherLeaderMs: otherLeaderAt === null ? null : performance.now() - otherLeaderAt,
        renewed,
        restarted,
        aheadMs: row === undefined ? 0 : Date.now() - row.at,
      }
    },
    async leave() {
      try {
        await sql`update poller_cluster set beat_at = null, lead_at = null, master = 0
          where id = ${id} and instance = ${INSTANCE}`
      } catch {
        // the session ends anyway, which frees the locks
      }
      await sql.end({ timeout: 1 })
    },
  }
}

/** All processes, as ClusterNode. */
function nodesOf(sql: Sql) {
  return sql`select n.id, n.node_id as name, n.instance, n.roles, n.named_groups as groups, l.objid is not null as living,
      n.master = 1 and l.objid is not null as "isLeader", n.poller_version as version, n.host,
      extract(epoch from n.started_at)::float8 as "startedAt", extract(epoch from n.last_report)::float8 as "seenAt", n.figures
    from poller_cluster n left join (${livingLocks(sql)}) l on l.objid = n.id`
}

/** All processes that share or shared the database, by name. */
export async function listNodes({ sql }: Store): Promise<ClusterNode[]> {
  return await sql<ClusterNode[]>`select * from (${nodesOf(sql)}) x order by name, id`
}

/** Deletes the row of a process that has ended; false: no process has this name, or it is still running. */
export async function forgetNode({ sql }: Store, name: string): Promise<boolean> {
  const rows = await sql`delete from poller_cluster where node_id = ${name}
      and id not in (select objid from (${livingLocks(sql)}) l) returning id`
  return rows.length > 0
}

/** The locks of living processes: `objid` is the process's id. */
export function livingLocks(sql: Sql) {
  return sql`${heldLocks(sql)}
    and exists (select from pg_stat_activity a where a.pid = pg_locks.pid and is_cluster_role(a.usesysid))`
}

/** The same, whoever holds them, for a database without function is_cluster_role. */
export function heldLocks(sql: Sql) {
  return sql`select distinct objid::bigint::int as objid from pg_locks where locktype = 'advisory' and granted
    and classid = ${NODE_LOCKS}::bigint::oid and objsubid = 2
    and database = (select oid from pg_database where datname = current_database())`
}

/** Whether a process that polls is living. */
export async function pollersLive({ sql }: Store): Promise<boolean> {
  const rows =
    await sql`select from poller_cluster n join (${livingLocks(sql)}) l on l.objid = n.id where 'poller' = any(n.roles)`
  return rows.length > 0
}

/** The first free one of `name`, `name-2`, ...: its row, locked. */
async function takeName(sql: Sql, preferred: string): Promise<{ id: number; name: string }> {
  for (let n = 1; n <= MAX_NAMES; n++) {
    const name = n === 1 ? preferred : `${preferred}-${n}`
    await sql`insert into poller_cluster (node_id, poller_name, last_report, master) values (${name}, ${name}, now(), 0)
      on conflict (node_id) do nothing`
    const [row] = await sql<{ id: number }[]>`select id from poller_cluster where node_id = ${name}`
    if (row !== undefined && (await tryLock(sql, row.id))) return { id: row.id, name }
  }
  throw new Error(`${MAX_NAMES} processes named ${preferred} share this database`)
}

/** Whether the lock of a process's name is held by a session that cannot be one of ours. */
async function isForeign(sql: Sql, id: number): Promise<boolean> {
  const rows = await sql`
    select from pg_locks l join pg_stat_activity a on a.pid = l.pid where l.locktype = 'advisory' and l.granted
      and l.classid = ${NODE_LOCKS}::bigint::oid and l.objid = ${id}::bigint::oid and l.objsubid = 2
      and l.database = (select oid from pg_database where datname = current_database())
      and not is_cluster_role(a.usesysid)`
  return rows.length > 0
}

async function tryLock(sql: Sql, id: number): Promise<boolean> {
  const [row] = await sql<{ ours: boolean }[]>`select pg_try_advisory_lock(${NODE_LOCKS}::int, ${id}::int) as ours`
  return row?.ours === true
}

/** Takes the leader's lock for the session of `sql`; false: another process has it. */
export async function takeLeaderLock(sql: Pick<Sql, 'unsafe'>): Promise<boolean> {
  const take = (await hasLeaderLock(sql)) ? 'take_lead()' : `pg_try_advisory_lock(${FIRST_LEADER_KEY})`
  const [row] = await sql.unsafe<{ ours: boolean }[]>(`select ${take} as ours`)
  return row?.ours === true
}

/** The leader's key of the versions that had no function take_lead, and the one that it begins with. */
const FIRST_LEADER_KEY = 1_886_350_444

/** Whether the database has the functions of the leader's lock: an empty one, and one of an older version, has not. */
export async function hasLeaderLock(sql: Pick<Sql, 'unsafe'>): Promise<boolean> {
  const [row] = await sql.unsafe<{ made: boolean }[]>(
    `select to_regprocedure('public.take_lead()') is not null as made`,
  )
  return row?.made === true
}

async function backendOf(sql: Sql): Promise<number> {
  const [mine] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  return mine?.pid ?? 0
}

async function startOf(sql: Sql): Promise<string> {
  const [row] = await sql<{ at: string }[]>`select pg_postmaster_start_time()::text as at`
  return row?.at ?? ''
}

/** Process id of the last process of this name, if it ran on this host; 0: it did not. */
async function formerPid(sql: Sql, id: number, host: string): Promise<number> {
  const [row] = await sql<{ pid: number }[]>`select pid from poller_cluster where id = ${id} and host = ${host}`
  return row?.pid ?? 0
}

function isAlive(pid: number): boolean {
  if (pid <= 0) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: unknown }).code !== 'ESRCH'
  }
}

/**
 * Ends database sessions left by processes that are gone, because their transactions would hold row locks until the
 * server notices. They are found by the instance in application_name.
 */
export async function endSessions(sql: Sql, instances: readonly string[]): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = any(${instances.map((instance) => `portlight ${instance}`)}::text[])`
}
