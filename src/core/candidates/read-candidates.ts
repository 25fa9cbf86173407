import { isId } from '../base/ids.ts'
import { grantedDevices, type Scope } from '../base/scope.ts'
import type { Sql, Store } from '../database/client.ts'
import { containing } from '../database/patterns.ts'
import type { Candidate, CandidateState, SeenBy } from './candidate.ts'
import { LIMITS, tidy } from './limits.ts'
import type { AcceptedCredentials, SourceKind } from './observed-host.ts'
import { vendorsOf } from './read-vendors.ts'
import { credentialsText, reasonWithoutOthers } from './words.ts'

/** Columns by which lists of candidates are ordered. */
export const CANDIDATE_ORDERS = ['last_seen', 'first_seen', 'name', 'address', 'os'] as const
export type CandidateOrder = (typeof CANDIDATE_ORDERS)[number]

/** Which candidates a list has. Undefined: does not count. */
export interface CandidateQuery {
  /** Default: new. */
  readonly state?: CandidateState | 'all' | undefined
  /** Part of a name, a description, the hardware or an address, regardless of case. */
  readonly text?: string | undefined
  /** CIDR. */
  readonly network?: string | undefined
  readonly os?: string | undefined
  readonly source?: SourceKind | undefined
  /** Only those that this scan met. */
  readonly scanId?: number | undefined
  /** Only those that answered SNMP (true) or did not (false). */
  readonly snmp?: boolean | undefined
  /** Only these. */
  readonly ids?: readonly number[] | undefined
  readonly order?: CandidateOrder | undefined
  readonly descending?: boolean | undefined
  readonly offset?: number | undefined
  /** Default 50, at most LIMITS.page. */
  readonly limit?: number | undefined
}

interface Row {
  readonly id: number
  readonly state: CandidateState
  readonly name: string | null
  readonly address: string | null
  readonly addresses: readonly string[]
  readonly poller_group: number
  readonly sys_descr: string | null
  readonly sys_object_id: string | null
  readonly os: string
  readonly hardware: string | null
  readonly ports: number | null
  readonly snmp_version: AcceptedCredentials['version'] | null
  readonly snmp_index: number | null
  readonly first_seen: Date
  readonly last_seen: Date
  readonly why: string
  readonly moved_from: number | null
  readonly device_id: number | null
  readonly total: number
}

interface SourceRow {
  readonly candidate_id: number
  readonly kind: SourceKind
  readonly scan_id: number | null
  readonly device_id: number | null
  readonly port_id: number | null
  readonly remote_name: string | null
  readonly remote_port: string | null
  readonly remote_platform: string | null
  readonly remote_description: string | null
  readonly device: string | null
  readonly port: string | null
  readonly last_seen: Date
}

const NAME = `coalesce(c.sys_name, c.heard_name, host(c.address))`
const ORDERS: Readonly<Record<CandidateOrder, string>> = {
  last_seen: 'c.last_seen',
  first_seen: 'c.first_seen',
  name: `lower(${NAME})`,
  address: 'c.address',
  os: 'c.os',
}

/** A page of candidates and how many there are. Of a restricted user: those that a granted device reports. */
export async function listCandidates(
  store: Store,
  scope: Scope,
  query: CandidateQuery,
): Promise<{ readonly rows: Candidate[]; readonly total: number }> {
  const { sql } = store
  const { order = 'last_seen', descending = order === 'last_seen' || order === 'first_seen' } = query
  const limit = Math.min(Math.max(query.limit ?? 50, 1), LIMITS.page)
  const direction = descending ? 'desc' : 'asc'
  const rows = await sql<Row[]>`
      select c.id, c.state, ${sql.unsafe(NAME)} as name, host(c.address) as address, array(select host(a.address)
          from candidate_addresses a where a.candidate_id = c.id order by a.address) as addresses,
        c.poller_group, c.sys_descr, c.sys_object_id, c.os, c.hardware, c.ports, c.snmp_version, c.snmp_index,
        c.first_seen, c.last_seen, c.why, case when ${seesDevice(sql, scope, 'moved_from')} then c.moved_from end as moved_from,
        case when ${seesDevice(sql, scope, 'device_id')} then c.device_id end as device_id, count(*) over ()::int as total
      from candidates c where ${conditionOf(sql, scope, query)}
      order by ${sql.unsafe(`${ORDERS[order]} ${direction} nulls last, c.id ${direction}`)}
      offset ${Math.max(query.offset ?? 0, 0)} limit ${limit}`
  const total =
    rows[0]?.total ??
    ((query.offset ?? 0) > 0
      ? ((
          await sql<
            { n: number }[]
          >`select count(*)::int as n from candidates c where ${conditionOf(sql, scope, query)}`
        )[0]?.n ?? 0)
      : 0)
  const sources = await sourcesOf(
    store,
    scope,
    rows.map(({ id }) => id),
  )
  const unread = rows.filter((row) => row.snmp_version === null && row.sys_descr === null)
  const vendors = await vendorsOf(
    store,
    scope,
    unread.map(({ id }) => id),
  )
  return {
    rows: rows.map((row) => candidateOf(row, scope, sources.get(row.id) ?? [], vendors.get(row.id) ?? null)),
    total,
  }
}

function conditionOf(sql: Sql, scope: Scope, query: CandidateQuery) {
  const { state = 'new', network, os, source, scanId, snmp, ids } = query
  const text = tidy(query.text) ?? ''
  const like = containing(text.toLowerCase())
  return sql`${inScope(sql, scope)}
    and ${state === 'all' ? sql`true` : sql`c.state = ${state}`}
    and ${ids === undefined ? sql`true` : sql`c.id = any(${ids.filter(isId)}::int[])`}
    and ${os === undefined ? sql`true` : sql`c.os = ${tidy(os)}`}
    and ${snmp === undefined ? sql`true` : sql`(c.snmp_version is not null) = ${snmp}`}
    and ${
      source === undefined
        ? sql`true`
        : sql`exists (select from candidate_sources s where s.candidate_id = c.id and s.kind = ${source})`
    }
    and ${
      scanId === undefined
        ? sql`true`
        : sql`exists (select from candidate_sources s where s.candidate_id = c.id and s.scan_id = ${isId(scanId) ? scanId : 0})`
    }
    and ${
      network === undefined
        ? sql`true`
        : sql`exists (select from candidate_addresses a where a.candidate_id = c.id and a.address <<= ${network}::inet)`
    }
    and ${
      text === ''
        ? sql`true`
        : sql`(lower(concat_ws(' ', c.sys_name, c.heard_name, c.sys_descr, c.hardware, c.os)) like ${like}
            or exists (select from candidate_addresses a where a.candidate_id = c.id and host(a.address) like ${like}))`
    }`
}

/** Condition on alias `c`: a device in scope reports the candidate, or all devices are in scope. */
function inScope(sql: Sql, scope: Scope) {
  if (scope.kind === 'all') return sql`true`
  return sql`exists (select from candidate_sources s where s.candidate_id = c.id
    and s.device_id in (${grantedDevices(sql, scope)}))`
}

function seesDevice(sql: Sql, scope: Scope, column: 'moved_from' | 'device_id') {
  return scope.kind === 'all' ? sql`true` : sql`${sql.unsafe(`c.${column}`)} in (${grantedDevices(sql, scope)})`
}

/** Sources that the scope may see, the latest first. */
async function sourcesOf(
  { sql }: Store,
  scope: Scope,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly SeenBy[]>> {
  if (ids.length === 0) return new Map()
  const rows = await sql<SourceRow[]>`
      select s.candidate_id, s.kind, s.scan_id, s.device_id, s.port_id, s.remote_name, s.remote_port, s.remote_platform,
        s.remote_description, coalesce(nullif(d.display, ''), d.hostname) as device, p."ifName" as port, s.last_seen
      from candidate_sources s left join devices d on d.device_id = s.device_id left join ports p on p.port_id = s.port_id
      where s.candidate_id = any(${[...ids]}::int[])
        and ${scope.kind === 'all' ? sql`true` : sql`s.device_id in (${grantedDevices(sql, scope)})`}
      order by s.last_seen desc, s.id`
  const grouped = Map.groupBy(rows, ({ candidate_id }) => candidate_id)
  return new Map([...grouped].map(([id, list]) => [id, list.map(seenBy)]))
}

function seenBy(row: SourceRow): SeenBy {
  return {
    kind: row.kind,
    scanId: row.scan_id,
    deviceId: row.device_id,
    portId: row.port_id,
    remoteName: row.remote_name,
    remotePort: row.remote_port,
    remotePlatform: row.remote_platform,
    remoteDescription: row.remote_description,
    device: row.device,
    port: row.port,
    lastSeen: row.last_seen,
  }
}

function candidateOf(row: Row, scope: Scope, sources: readonly SeenBy[], vendor: string | null): Candidate {
  const { snmp_version: version, snmp_index: index } = row
  // the device that the reason names is one of these, if the scope may see it
  const isWhole = scope.kind === 'all' || row.moved_from !== null || row.device_id !== null
  return {
    id: row.id,
    state: row.state,
    name: row.name ?? `candidate ${row.id}`,
    address: row.address,
    addresses: row.addresses,
    pollerGroup: row.poller_group,
    sysDescr: row.sys_descr,
    sysObjectId: row.sys_object_id,
    os: row.os,
    hardware: row.hardware,
    vendor,
    ports: row.ports,
    sources,
    credentials: version === null || index === null ? null : credentialsText({ version, index }),
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
    why: isWhole ? row.why : reasonWithoutOthers(row.why),
    movedFrom: row.moved_from,
    deviceId: row.device_id,
  }
}

/** What is needed to add a candidate. */
export interface Addable {
  readonly id: number
  readonly state: CandidateState
  readonly address: string | null
  readonly poller_group: number
  readonly sys_name: string | null
  readonly heard_name: string | null
  readonly snmp_version: AcceptedCredentials['version'] | null
  readonly snmp_index: number | null
  readonly snmp_port: number | null
  readonly moved_from: number | null
  readonly device_id: number | null
}

/** The candidates with these ids that the scope may see, in the order given. */
export async function addableCandidates({ sql }: Store, scope: Scope, ids: readonly number[]): Promise<Addable[]> {
  const rows = await sql<Addable[]>`
      select c.id, c.state, host(c.address) as address, c.poller_group, c.sys_name, c.heard_name, c.snmp_version,
        c.snmp_index, c.snmp_port, c.moved_from, c.device_id
      from candidates c where c.id = any(${[...ids]}::int[]) and ${inScope(sql, scope)}`
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id)).filter((row) => row !== undefined)
}

/** How many candidates wait for a decision. */
export async function countNew({ sql }: Store, scope: Scope): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
      select count(*)::int as n from candidates c where c.state = 'new' and ${inScope(sql, scope)}`
  return row?.n ?? 0
}

/** Whether a device answers at its own address. */
export async function isAnswering({ sql }: Store, deviceId: number): Promise<boolean> {
  return (await sql`select from devices where device_id = ${deviceId} and status = 1`).length > 0
}

/** How many candidates there are. */
export interface CandidateOverview {
  /** By state, of those that the other filters of a list leave. */
  readonly states: Readonly<Record<CandidateState, number>>
  /** All, whatever the filters. */
  readonly all: number
  /** Operating systems of all candidates with the most candidates first, at most MAX_SYSTEMS. */
  readonly systems: readonly string[]
}

/** Operating systems that are offered as a filter. */
const MAX_SYSTEMS = 200

/** One reading of the candidates for what a list says above its rows; the state of the query does not count. */
export async function candidateOverview(
  { sql }: Store,
  scope: Scope,
  query: CandidateQuery,
): Promise<CandidateOverview> {
  const rows = await sql<{ os: string; n: number; new: number; ignored: number; added: number }[]>`
      select os, count(*)::int as n, count(*) filter (where fits and state = 'new')::int as new,
        count(*) filter (where fits and state = 'ignored')::int as ignored,
        count(*) filter (where fits and state = 'added')::int as added
      from (select c.os, c.state, ${conditionOf(sql, scope, { ...query, state: 'all' })} as fits
        from candidates c where ${inScope(sql, scope)}) c
      group by os order by n desc, os`
  const sum = (of: CandidateState | 'n') => rows.reduce((total, row) => total + row[of], 0)
  return {
    states: { new: sum('new'), ignored: sum('ignored'), added: sum('added') },
    all: sum('n'),
    systems: rows.slice(0, MAX_SYSTEMS).map(({ os }) => os),
  }
}
