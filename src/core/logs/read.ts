import { grantedDevicesText, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { CHUNK_ROWS, chunkLimiter, type ListChunk, type ListChunks } from '../database/list-chunks.ts'
import { containing } from '../database/patterns.ts'
import { type Parameter, parameters, preparedTexts } from '../database/prepared.ts'
import { sharedReadsOf } from '../database/shared-reads.ts'
import { ZONE } from '../database/zone.ts'
import { logColumn } from '../records/lists.ts'
import { countedByTime, countedTotal, isBounded, isNear, type Position, positionOf } from './read-position.ts'
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
/** Target size of a chunk of a longer page, in bytes. Messages have up to 64 kB, so a row count would not bound it. */
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
    const key = JSON.stringify([scope, name, page])
    const read = await shared(store)(key, () =>
      isNear(page) ? nearPage(store, scope, name, page) : farPage(store, scope, name, page),
    )
    total = read.total
    if (read.chunk.count > 0) yield read.chunk
  }
  return { chunks: whole(), total: async () => total }
}

/** A page found by skipping rows one by one, with the number of matching rows at the same moment. */
async function nearPage(store: Store, scope: Scope, name: LogName, page: LogPage): Promise<ReadPage> {
  const [read, counted] = await Promise.all([
    pageRows(store, scope, name, page),
    // a page bounded by time is counted in a query of its own, and rows may arrive in between
    isBounded(page) && countedByTime(scope, page) ? countedTotal(store, name, page) : null,
  ])
  if (counted === null) return read
  const { chunk } = read
  return { chunk, total: chunk.count === 0 ? counted : Math.max(counted, page.offset + chunk.count) }
}

async function farPage(store: Store, scope: Scope, name: LogName, page: LogPage): Promise<ReadPage> {
  const start = await startOf(store, scope, name, page)
  const chunk = start.position === null ? EMPTY : await logChunk(store, scope, name, page, start.position)
  const total = start.total ?? (await totalOf(store, scope, name, page, chunk.count))
  // rows may have arrived since they were counted
  return { chunk, total: chunk.count === 0 ? total : Math.max(total, page.offset + chunk.count) }
}

interface Start {
  /** null: the page is beyond the last row. */
  readonly position: Position | Following | null
  /** Number of matching rows, if finding the position has counted them. */
  readonly total: number | null
}

/** Finds where a page begins, by skipping rows one by one in an index unless there is a cheaper way. */
async function startOf(store: Store, scope: Scope, name: LogName, page: LogPage): Promise<Start> {
  if (!isNear(page) && countedByTime(scope, page)) return await positionOf(store, name, page)
  if (!isNear(page) && page.deviceId !== null && page.search === null) {
    const total = await countRows(store, scope, name, page)
    return { position: await rowAt(store, scope, name, page, total), total }
  }
  return { position: { offset: page.offset, since: null, before: null }, total: null }
}

async function* chunksOf(store: Store, scope: Scope, name: LogName, page: LogPage): ListChunks {
  const inTurn = chunkLimiter(store)
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
  const { values, parameter } = parameters()
  const text = `select count(*)::float8 as total from ${LOGS[name].table} x where ${matches(parameter, scope, name, page)}`
  const [counted] = await sql.unsafe<{ total: number }[]>(text, values, { prepare: true })
  return counted?.total ?? 0
}

/**
 * The rows of a near page and, unless the page is bounded by time, the number of matching rows, in one statement.
 * Limits the rows before joining names, so that the join does not make the planner abandon the index, and sorts again
 * afterwards, so that no parallel plan loses the order.
 */
async function pageRows({ sql }: Store, scope: Scope, name: LogName, page: LogPage): Promise<ReadPage> {
  const { table, time, ofDevices, columns } = LOGS[name]
  const direction = order(LOGS[name], page.descending)
  const names = ofDevices ? ['d.hostname', 'd."sysName"'] : []
  const shown = [...names, ...columns.map((column) => logColumn(column, time))].join(', ')
  const join = ofDevices ? 'left join devices d on d.device_id = x.device_id' : ''
  const build = (amount: (rows: number, parameter: Parameter) => string) => {
    const { values, parameter } = parameters()
    const where = matches(parameter, scope, name, page)
    const [limit, offset] = [amount(page.limit, parameter), amount(page.offset, parameter)]
    // A page that is not full gives the total without counting.
    const total = countedByTime(scope, page)
      ? `(select coalesce(sum("rows"), 0) from log_totals where log = ${parameter(table)})`
      : `case when count(*) < ${limit} and (count(*) > 0 or ${offset} = 0) then ${offset} + count(*)
          else (select count(*) from ${table} x where ${where}) end`
    const text = `
      select coalesce(string_agg(row_to_json(t)::text, ','), '') as json, count(*)::int as count, (${total})::float8 as total
      from (
        select ${shown} from (
          select * from ${table} x where ${where} order by ${direction} limit ${limit} offset ${offset}
        ) x ${join} order by ${direction} limit ${limit}
      ) t`
    return { text, values }
  }
  // With a constant limit the server can reuse a plan, but the best plan for time bounds or a search depends on the
  // values.
  const known = !isBounded(page) && page.search === null ? build((rows) => String(rows)) : null
  const { text, values } =
    known !== null && mayPrepare(known.text) ? known : build((rows, parameter) => `${parameter(rows)}::bigint`)
  const [row] = await sql.unsafe<{ json: string; count: number; total: number }[]>(text, values, { prepare: true })
  const { json = '', count = 0, total = 0 } = row ?? {}
  return { chunk: { json, count, last: null }, total }
}

/**
 * Each limit that clients choose makes another text, and prepared statements stay, so only the first few are prepared.
 */
const mayPrepare = preparedTexts(64)

/** A position directly after a row that was read, or at it. */
export interface Following {
  readonly after: NonNullable<LogChunk['last']>
  readonly included?: boolean
}

/**
 * The row that a page begins with, found by counting in the index from the nearer end of the `total` rows; no other row
 * is read. Null: the page is beyond the last row.
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
  const skipped = fromBegin ? page.offset : total - 1 - page.offset
  const { values, parameter } = parameters()
  const text = `
    select x."${time}"::text as at, x."${id}"::float8 as id from ${table} x where ${matches(parameter, scope, name, page)}
    order by ${order(LOGS[name], page.descending === fromBegin)} limit 1 offset ${parameter(skipped)}::bigint`
  const [row] = await sql.unsafe<{ at: string; id: number }[]>(text, values, { prepare: true })
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
  const direction = order(log, page.descending)
  const { values, parameter } = parameters()
  const where = [
    matches(parameter, scope, name, page),
    ...('after' in position
      ? [followsRow(parameter, log, page.descending, position)]
      : [edge(parameter, log, '>=', position.since), edge(parameter, log, '<', position.before)]),
  ].filter((condition) => condition !== null)
  const offset = 'after' in position ? 0 : position.offset
  // Limit the rows before joining names, so that the join does not make the planner abandon the index.
  const names = log.ofDevices ? 'd.hostname, d."sysName", ' : ''
  const join = log.ofDevices ? 'left join devices d on d.device_id = x.device_id' : ''
  const columns = names + log.columns.map((column) => logColumn(column, log.time)).join(', ')
  const text = `
    select coalesce(string_agg(t.json, ',' order by t.n), '') as json, count(*)::int as count,
      (array_agg(t.at::text order by t.n desc))[1] as at, (array_agg(t.id order by t.n desc))[1]::float8 as id
    from (
      select row_number() over (order by ${direction}) as n, x."${log.time}" as at, x."${log.id}" as id,
        (select row_to_json(r)::text from (select ${columns}) r) as json
      from (select * from ${log.table} x where ${where.join(' and ')}
        order by ${direction} limit ${parameter(page.limit)}::bigint offset ${parameter(offset)}::bigint) x ${join}
    ) t`
  const [chunk] = await sql.unsafe<{ json: string; count: number; at: string | null; id: number | null }[]>(
    text,
    values,
    {
      prepare: true,
    },
  )
  const { json = '', count = 0, at = null, id = null } = chunk ?? {}
  return { json, count, last: at === null || id === null ? null : { at, id } }
}

/** The bare comparison of the time lets the planner leave out partitions. */
function followsRow(
  parameter: Parameter,
  { time, id }: LogTable,
  descending: boolean,
  { after, included }: Following,
): string {
  const operator = `${descending ? '<' : '>'}${included === true ? '=' : ''}`
  const at = `${parameter(after.at)}::text::timestamptz`
  return `(x."${time}", x."${id}") ${operator} (${at}, ${parameter(after.id)}::bigint)
    and x."${time}" ${descending ? '<=' : '>='} ${at}`
}

function edge(parameter: Parameter, { time }: LogTable, operator: '>=' | '<', at: string | null): string | null {
  return at === null ? null : `x."${time}" ${operator} ${parameter(at)}::text::timestamptz`
}

/** Condition on alias `x`. */
function matches(parameter: Parameter, scope: Scope, name: LogName, { deviceId, from, to, search }: LogPage): string {
  const log = LOGS[name]
  const conditions = [
    inScope(parameter, scope, log),
    deviceId === null ? null : `x.device_id = ${parameter(deviceId)}`,
    bound(parameter, log, '>=', from),
    bound(parameter, log, '<=', to),
    contains(parameter, log, search),
  ].filter((condition) => condition !== null)
  return conditions.length === 0 ? 'true' : conditions.join(' and ')
}

/** Condition on alias `x`; null: none. */
function inScope(parameter: Parameter, scope: Scope, { ofDevices }: LogTable): string | null {
  if (scope.kind === 'all') return null
  if (!ofDevices) return `x."user" = (select username from users where user_id = ${parameter(scope.userId)})`
  return `x.device_id in (select d.device_id from devices d where d.device_id in (${grantedDevicesText(scope, parameter)}))`
}

function contains(parameter: Parameter, { text }: LogTable, search: string | null): string | null {
  if (search === null || text === null) return null
  return `x."${text}" ilike ${parameter(containing(search))}`
}

function bound(
  parameter: Parameter,
  { id, time }: LogTable,
  operator: '>=' | '<=',
  end: LogBound | null,
): string | null {
  if (end === null) return null
  if (end.kind === 'id') return `x."${id}" ${operator} ${parameter(end.id)}::bigint`
  return `x."${time}" ${operator} ${parameter(end.local)}::timestamp at time zone '${ZONE}'`
}

const order = ({ time, id }: LogTable, descending: boolean): string =>
  [time, id].map((column) => `x."${column}" ${descending ? 'desc' : 'asc'}`).join(', ')
