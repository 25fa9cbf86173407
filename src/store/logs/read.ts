import { deviceInScope, type Scope } from '../access/scope.ts'
import type { Sql, Store } from '../client.ts'
import { guarded } from '../errors.ts'
import { CHUNK_ROWS, chunkTurns, type ListChunk, type ListChunks } from '../list-chunks.ts'
import { logColumn } from '../records/lists.ts'
import { sharedReadsOf } from '../shared-reads.ts'
import { ZONE } from '../zone.ts'
import { countedByTime, countedTotal, isNear, type Position, positionOf } from './position.ts'
import { LOGS, type LogBound, type LogName, type LogPage, type LogTable } from './tables.ts'

/** A part of a log: JSON objects joined by commas, and the position of its end; null: no rows. */
export interface LogChunk extends ListChunk {
  readonly last: { readonly at: string; readonly id: number } | null
}

/** A page of a log. */
export interface LogList {
  readonly chunks: ListChunks
  /** Number of matching rows regardless of paging. Call it after reading all chunks, with the number of rows read. */
  total(count: number): Promise<number>
}

/** Pages up to this size are read at once and shared by identical concurrent requests. */
const SHARED_ROWS = 500
/** Target size of a chunk of a longer page, in octets. Messages have up to 64 kB, so a row count would not bound it. */
const CHUNK_OCTETS = 65_536

interface ReadPage {
  readonly chunk: LogChunk
  readonly total: number
}

const EMPTY: LogChunk = { json: '', count: 0, last: null }
const shared = sharedReadsOf<ReadPage>()

/**
 * A page of a log in chunks, and the number of matching rows. Role `user` sees rows of granted devices, and its own
 * logins. Identical concurrent requests for a short page share a read that begins after they arrived. A long page is
 * read as it is sent, each chunk by its own statement, so no connection is held in between. Throws StoreError.
 */
export function listLog(store: Store, scope: Scope, name: LogName, page: LogPage): LogList {
  if (page.limit > SHARED_ROWS) {
    return {
      chunks: chunksOf(store, scope, name, page),
      total: (count) => totalOf(store, scope, name, page, count),
    }
  }
  let total = 0
  async function* whole(): ListChunks {
    const read = await shared(store)(JSON.stringify([scope, name, page]), async () => {
      const start = await startOf(store, scope, name, page)
      const [chunk, counted] = await Promise.all([
        start.position === null ? EMPTY : logChunk(store, scope, name, page, start.position),
        start.total ?? (countedByTime(scope, page) ? countedTotal(store, name, page) : null),
      ])
      if (counted === null) return { chunk, total: await totalOf(store, scope, name, page, chunk.count) }
      // rows may have arrived since they were counted
      return { chunk, total: chunk.count === 0 ? counted : Math.max(counted, page.offset + chunk.count) }
    })
    total = read.total
    if (read.chunk.count > 0) yield read.chunk
  }
  return { chunks: whole(), total: async () => total }
}

interface Start {
  /** null: the page is beyond the last row. */
  readonly position: Position | Following | null
  /** Number of matching rows, if finding the position has counted them. */
  readonly total: number | null
}

/** Finds where a page begins: rows are skipped one by one in an index, unless there is a cheaper way. */
async function startOf(store: Store, scope: Scope, name: LogName, page: LogPage): Promise<Start> {
  if (!isNear(page) && countedByTime(scope, page)) return await positionOf(store, name, page)
  if (!isNear(page) && page.deviceId !== null && page.search === null) {
    const total = await countRows(store, scope, name, page)
    return { position: await rowAt(store, scope, name, page, total), total }
  }
  return { position: { offset: page.offset, since: null, before: null }, total: null }
}

async function* chunksOf(store: Store, scope: Scope, name: LogName, page: LogPage): ListChunks {
  const inTurn = chunkTurns(store)
  let { position } = await inTurn(() => startOf(store, scope, name, page))
  let left = page.limit
  let rows = 100
  while (left > 0 && position !== null) {
    const part = { ...page, limit: Math.min(rows, left) }
    const from: Position | Following = position
    const chunk: LogChunk = await inTurn(() => logChunk(store, scope, name, part, from))
    if (chunk.last === null) return
    yield chunk
    if (chunk.count < part.limit) return
    position = { after: chunk.last }
    left -= chunk.count
    rows = Math.max(1, Math.min(CHUNK_ROWS, Math.floor((chunk.count * CHUNK_OCTETS) / chunk.json.length)))
  }
}

/** Number of matching rows; `count` of them are on the page. */
async function totalOf(store: Store, scope: Scope, name: LogName, page: LogPage, count: number): Promise<number> {
  if (countedByTime(scope, page)) return await countedTotal(store, name, page)
  // A page that is not full gives the total without counting.
  if (count < page.limit && (count > 0 || page.offset === 0)) return page.offset + count
  return await countRows(store, scope, name, page)
}

/** Counts matching rows in the index of their device. */
async function countRows({ sql }: Store, scope: Scope, name: LogName, page: LogPage): Promise<number> {
  const [counted] = await guarded(
    () => sql<{ total: number }[]>`
      select count(*)::float8 as total from ${sql(LOGS[name].table)} x where ${matches(sql, scope, name, page)}`,
  )
  return counted?.total ?? 0
}

/** Directly after a row that was read, or beginning with one. */
export interface Following {
  readonly after: NonNullable<LogChunk['last']>
  readonly included?: boolean
}

/**
 * The row that a page begins with, counted in the index from the nearer end of the `total` rows; no other row is read.
 * Null: the page is beyond the last row.
 */
async function rowAt(
  { sql }: Store,
  scope: Scope,
  name: LogName,
  page: LogPage,
  total: number,
): Promise<Following | null> {
  if (page.offset >= total) return null
  const { table, time, id } = LOGS[name]
  const fromBegin = page.offset * 2 <= total
  const order = page.descending === fromBegin ? 'desc' : 'asc'
  const skipped = fromBegin ? page.offset : total - 1 - page.offset
  const [row] = await guarded(
    () => sql<{ at: string; id: number }[]>`
      select ${sql.unsafe(`x."${time}"::text as at, x."${id}"::float8 as id`)} from ${sql(table)} x
      where ${matches(sql, scope, name, page)}
      order by ${sql.unsafe(`x."${time}" ${order}, x."${id}" ${order}`)} limit 1 offset ${skipped}`,
  )
  return row === undefined ? null : { after: row, included: true }
}

/**
 * Rows by time and id from a position on. Scans the index on both, and reads only rows that are skipped or sent.
 */
export async function logChunk(
  { sql }: Store,
  scope: Scope,
  name: LogName,
  page: LogPage,
  position: Position | Following,
): Promise<LogChunk> {
  const log = LOGS[name]
  const order = page.descending ? 'desc' : 'asc'
  const direction = sql.unsafe(`x."${log.time}" ${order}, x."${log.id}" ${order}`)
  const following = 'after' in position
  const offset = following ? 0 : position.offset
  const follows = following
    ? followsRow(sql, log, page.descending, position)
    : sql`${edge(sql, log, '>=', position.since)} and ${edge(sql, log, '<', position.before)}`
  // Limit the rows before joining names, so that the join does not make the planner abandon the index.
  const names = log.ofDevices ? 'd.hostname, d."sysName", ' : ''
  const join = log.ofDevices ? 'left join devices d on d.device_id = x.device_id' : ''
  const columns = sql.unsafe(names + log.columns.map((column) => logColumn(column, log.time)).join(', '))
  const [chunk] = await guarded(
    () => sql<{ json: string; count: number; at: string | null; id: number | null }[]>`
      select coalesce(string_agg(t.json, ',' order by t.n), '') as json, count(*)::int as count,
        (array_agg(t.at::text order by t.n desc))[1] as at, (array_agg(t.id order by t.n desc))[1]::float8 as id
      from (
        select row_number() over (order by ${direction}) as n,
          ${sql.unsafe(`x."${log.time}" as at, x."${log.id}" as id`)},
          (select row_to_json(r)::text from (select ${columns}) r) as json
        from (select * from ${sql(log.table)} x where ${matches(sql, scope, name, page)} and ${follows}
          order by ${direction} limit ${page.limit} offset ${offset}) x ${sql.unsafe(join)}
      ) t`,
  )
  const { json = '', count = 0, at = null, id = null } = chunk ?? {}
  return { json, count, last: at === null || id === null ? null : { at, id } }
}

/** The bare comparison of the time lets the planner leave out partitions. */
function followsRow(sql: Sql, { time, id }: LogTable, descending: boolean, { after, included }: Following) {
  const operator = `${descending ? '<' : '>'}${included === true ? '=' : ''}`
  return sql`(${sql.unsafe(`x."${time}", x."${id}"`)}) ${sql.unsafe(operator)} (${after.at}::text::timestamptz, ${after.id}::bigint)
    and ${sql.unsafe(`x."${time}" ${descending ? '<=' : '>='}`)} ${after.at}::text::timestamptz`
}

function edge(sql: Sql, { time }: LogTable, operator: '>=' | '<', at: string | null) {
  return at === null ? sql`true` : sql`${sql.unsafe(`x."${time}" ${operator}`)} ${at}::text::timestamptz`
}

/** Condition on alias `x`. */
function matches(sql: Sql, scope: Scope, name: LogName, { deviceId, from, to, search }: LogPage) {
  const log = LOGS[name]
  return sql`${inScope(sql, scope, log)} and ${deviceId === null ? sql`true` : sql`x.device_id = ${deviceId}`}
    and ${bound(sql, log, '>=', from)} and ${bound(sql, log, '<=', to)} and ${contains(sql, log, search)}`
}

/** Condition on alias `x`. */
function inScope(sql: Sql, scope: Scope, { ofDevices }: LogTable) {
  if (scope.kind === 'all') return sql`true`
  if (!ofDevices) return sql`x."user" = (select username from users where user_id = ${scope.userId})`
  return sql`x.device_id in (select d.device_id from devices d where ${deviceInScope(sql, scope)})`
}

function contains(sql: Sql, { text }: LogTable, search: string | null) {
  if (search === null || text === null) return sql`true`
  return sql`${sql.unsafe(`x."${text}"`)} ilike ${`%${search.replace(/[\\%_]/g, '\\$&')}%`}`
}

function bound(sql: Sql, { id, time }: LogTable, operator: '>=' | '<=', end: LogBound | null) {
  if (end === null) return sql`true`
  const compare = sql.unsafe(`x."${end.kind === 'id' ? id : time}" ${operator}`)
  if (end.kind === 'id') return sql`${compare} ${end.id}::bigint`
  return sql`${compare} ${end.local}::timestamp at time zone ${ZONE}`
}
