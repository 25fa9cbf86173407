import { and, asc, eq, sql } from 'drizzle-orm'
import { ports } from '../../../db/schema/index.ts'
import { grantedDevicesText, portInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { CHUNK_ROWS, type ListChunk, type ListChunks } from '../database/list-chunks.ts'
import { integers } from '../database/pg-array.ts'
import { parameters, prepared, preparedTexts } from '../database/prepared.ts'
import { sharedReadsOf } from '../database/shared-reads.ts'
import { filled, listedRecord } from '../records/fields.ts'
import {
  isStoredPortColumn,
  PORT,
  PORT_STATISTICS,
  PORT_VLAN,
  type PortRow,
  type PortStatisticsRow,
  type PortVlanRow,
  STORED_PORT_COLUMNS,
} from '../records/port.ts'
import { liveCounters, liveCountersOf } from '../series/live-counters.ts'
import { LIVE_SQL, type LiveRow } from '../series/read-port-state.ts'

/** Filter of a list of ports. `search` matches part of any of the fields, case-insensitive. */
export type PortWhere =
  | { readonly kind: 'all' }
  | { readonly kind: 'device'; readonly deviceId: number }
  | { readonly kind: 'search'; readonly fields: readonly string[]; readonly text: string }

/** A list of ports. `columns` are members of PORT, validated by the caller. Deleted ports never appear. */
export interface PortQuery {
  readonly scope: Scope
  readonly where: PortWhere
  readonly columns: readonly string[]
  /** Adds `vlans`, the VLANs of the port. */
  readonly vlans: boolean
  readonly order: 'port_id' | 'ifIndex' | 'ifName'
}

const ORDER = {
  port_id: 'p.port_id',
  ifIndex: 'p."ifIndex" asc nulls first, p.port_id',
  ifName: 'lower(p."ifName") asc nulls first, p.port_id',
} as const

const VLAN = listedRecord(PORT_VLAN, 'v')

const VLANS = `(select coalesce(json_agg(row_to_json(r) order by r.vlan), '[]')
  from (select ${VLAN} from ports_vlans v where v.port_id = p.port_id) r) as vlans`

const shared = sharedReadsOf<ListChunk>()

/**
 * The ports of a query in chunks, as JSON. PostgreSQL makes the JSON if all columns are stored; columns of the latest
 * samples are added here. Memory does not grow with the list, and a slow client holds no connection. The ids are read
 * first, so a port deleted meanwhile is omitted. Identical concurrent requests for one device share a read that begins
 * after they arrived.
 */
export async function* portChunks(store: Store, query: PortQuery): ListChunks {
  const { values, parameter } = parameters()
  const from = `from ports p where p.deleted = 0 and ${scopeSql(query.scope, parameter)}
    and ${whereSql(query.where, parameter)} order by ${ORDER[query.order]}`
  if (query.where.kind === 'device') {
    const key = JSON.stringify([query.columns, query.vlans, from, values])
    const chunk = await shared(store)(key, () => readChunk(store, query, from, values))
    if (chunk.count > 0) yield chunk
    return
  }
  // One text value instead of a hundred thousand rows, each of which the driver would turn into an object.
  const [row] = await store.sql.unsafe<{ ids: string }[]>(
    `select coalesce(array_to_string(array(select p.port_id ${from}), ','), '') as ids`,
    values,
  )
  const ids = row === undefined || row.ids === '' ? [] : row.ids.split(',')
  for (let at = 0; at < ids.length; at += CHUNK_ROWS) {
    const some = `{${ids.slice(at, at + CHUNK_ROWS).join()}}`
    const joined = 'from unnest($1::int[]) with ordinality q(id, n) join ports p on p.port_id = q.id order by q.n'
    const chunk = await readChunk(store, query, joined, [some])
    if (chunk.count > 0) yield chunk
  }
}

/** Clients choose the columns. */
const mayPrepare = preparedTexts(64)

/** The requested columns of one chunk of ports. */
async function readChunk(
  store: Store,
  query: PortQuery,
  from: string,
  values: (string | number)[],
): Promise<ListChunk> {
  const stored = query.columns.filter(isStoredPortColumn)
  const live = stored.length < query.columns.length
  const list = [
    ...new Set([...stored.map((c) => `p."${c}"`), ...(live ? ['p.port_id'] : []), ...(query.vlans ? [VLANS] : [])]),
  ].join(', ')
  if (live) {
    const rows = await store.sql.unsafe<StoredPort[]>(`select ${list} ${from}`, values)
    return { json: await withLive(store, query, rows), count: rows.length }
  }
  const text = `select row_to_json(t)::text from (select ${list} ${from}) t`
  const rows = await store.sql.unsafe<[string][]>(text, values, { prepare: mayPrepare(text) }).values()
  return { json: rows.map(([json]) => json).join(), count: rows.length }
}

function scopeSql(scope: Scope, parameter: (value: number) => string): string {
  if (scope.kind === 'all') return 'true'
  const user = parameter(scope.userId)
  return `(p.device_id in (${grantedDevicesText(scope, parameter)})
    or p.port_id in (select port_id from ports_perms where user_id = ${user}))`
}

function whereSql(where: PortWhere, parameter: (value: string | number) => string): string {
  switch (where.kind) {
    case 'all':
      return 'true'
    case 'device':
      return `p.device_id = ${parameter(where.deviceId)}`
    case 'search': {
      const fields = where.fields.filter(isStoredPortColumn)
      if (fields.length === 0) return 'false'
      // Added only when used: PostgreSQL rejects a parameter that no part of the query uses.
      const text = parameter(where.text)
      return `(${fields.map((f) => `position(lower(${text}) in lower(p."${f}"::text)) > 0`).join(' or ')})`
    }
  }
}

async function withLive(store: Store, query: PortQuery, rows: readonly StoredPort[]): Promise<string> {
  const counters = await liveCounters(
    store,
    rows.map((row) => row.port_id),
  )
  const members = query.vlans ? [...query.columns, 'vlans'] : query.columns
  return rows
    .map((row) => {
      const last = counters.get(row.port_id)
      const shown: Record<string, unknown> = {}
      for (const name of members) shown[name] = row[name] ?? last?.[name] ?? null
      return JSON.stringify(shown)
    })
    .join(',')
}

type StoredPort = Readonly<Record<string, string | number | null>> & { readonly port_id: number }
const STORED = STORED_PORT_COLUMNS.map((name) => `p."${name}"`).join()

/** Complete port records in the order of the ids, deleted ports included. Unknown ids are omitted. */
export async function portRecords(store: Store, portIds: readonly number[]): Promise<PortRow[]> {
  if (portIds.length === 0) return []
  const [rows, counters] = await Promise.all([
    store.sql<StoredPort[]>`
      select ${store.sql.unsafe(STORED)} from ports p where port_id = any(${integers(portIds)}::int[])`,
    liveCounters(store, portIds),
  ])
  const byId = new Map(rows.map((row) => [row.port_id, row]))
  return portIds.flatMap((id) => {
    const row = byId.get(id)
    return row === undefined ? [] : [filled(PORT, row, counters.get(id))]
  })
}

const RECORD = `select ${STORED}, ${LIVE_SQL.columns} from ports p ${LIVE_SQL.joins} where p.port_id = $1`

/** Complete record of one port, deleted or not, in one statement; null: none. */
export async function portRecord(store: Store, portId: number): Promise<PortRow | null> {
  const [row] = await store.sql.unsafe<(StoredPort & LiveRow)[]>(RECORD, [portId], { prepare: true })
  return row === undefined ? null : filled(PORT, row, liveCountersOf(row))
}

/** Whether discovery has found Ethernet counters of the port. */
export async function hasEtherlike({ sql }: Store, portId: number): Promise<boolean> {
  return (await sql`select from ports where port_id = ${portId} and etherlike <> 0`).length > 0
}

/** Id and names of a port. */
export interface PortKey {
  readonly port_id: number
  readonly device_id: number
  readonly ifName: string | null
  readonly ifDescr: string | null
  readonly ifAlias: string | null
}

const KEY = {
  port_id: ports.port_id,
  device_id: ports.device_id,
  ifName: ports.ifName,
  ifDescr: ports.ifDescr,
  ifAlias: ports.ifAlias,
}
const portById = prepared((db) =>
  db
    .select(KEY)
    .from(ports)
    .where(eq(ports.port_id, sql.placeholder('id')))
    .prepare('port_by_id'),
)
const portByColumn = (column: 'ifName' | 'ifDescr') =>
  prepared((db) =>
    db
      .select(KEY)
      .from(ports)
      .where(
        and(
          eq(ports.device_id, sql.placeholder('deviceId')),
          eq(ports.deleted, 0),
          sql`lower(${ports[column]}) = lower(${sql.placeholder('name')})`,
        ),
      )
      .orderBy(asc(ports.port_id))
      .limit(1)
      .prepare('port_by_name'),
  )
const PORT_BY = { ifName: portByColumn('ifName'), ifDescr: portByColumn('ifDescr') }

/** A port by id, deleted or not; null: none. */
export async function findPort({ db }: Store, portId: number): Promise<PortKey | null> {
  const [row] = await portById(db).execute({ id: portId })
  return row ?? null
}

/** A port of a device by name, case-insensitive, not deleted; null: none. */
export async function findPortByName(
  { db }: Store,
  deviceId: number,
  column: 'ifName' | 'ifDescr',
  name: string,
): Promise<PortKey | null> {
  const [row] = await PORT_BY[column](db).execute({ deviceId, name })
  return row ?? null
}

/** Whether the port or its device is in scope. */
export async function maySeePort({ sql }: Store, scope: Scope, portId: number): Promise<boolean> {
  if (scope.kind === 'all') return true
  const [row] = await sql`select 1 from ports p where p.port_id = ${portId} and ${portInScope(sql, scope)}`
  return row !== undefined
}

/** VLANs of a port by number. */
export async function portVlans({ sql }: Store, portId: number): Promise<PortVlanRow[]> {
  return await sql<PortVlanRow[]>`
    select ${sql.unsafe(VLAN)} from ports_vlans v join ports p on p.port_id = v.port_id where v.port_id = ${portId} order by v.vlan`
}

/** The last two samples of these counters; null: the port was never sampled. */
export async function portStatistics(store: Store, portId: number): Promise<PortStatisticsRow | null> {
  const last = (await liveCounters(store, [portId])).get(portId)
  if (!last) return null
  return filled(PORT_STATISTICS, { port_id: portId }, last)
}
