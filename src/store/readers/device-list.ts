import type { Store } from '../client.ts'
import { integers } from '../pg-array.ts'
import { deviceSelectList } from './device-columns.ts'
import { condition, type DeviceFilter, type DeviceOrder, orderSql, parentsOf } from './devices.ts'
import { grantedDevicesText, type Scope } from './scope.ts'

/**
 * Records of devices that were made into JSON before, by device_id, each with the versions of the rows it was made of.
 * The database is asked for the versions every time, so that nothing stale is ever sent, whoever wrote it; what is saved
 * is making and sending the records that have not changed.
 */
type Records = Map<number, { readonly version: string; readonly json: string }>

/** Records kept in all; a fleet that is larger is read anew each time. */
const MOST_RECORDS = 50_000

const caches = new WeakMap<object, { readonly secrets: Records; readonly plain: Records }>()

/**
 * Device records in raw form as the JSON text of an array. Times are local, flags 0/1; without `secrets` they are null.
 */
export async function deviceListJson(
  { sql }: Pick<Store, 'sql'>,
  scope: Scope,
  filter: DeviceFilter,
  order: DeviceOrder,
  options: { secrets: boolean },
): Promise<{ json: string; count: number }> {
  const values: (string | number | readonly number[])[] = []
  const parameter = (value: string | number | readonly number[]) => `$${values.push(value)}`
  const seen = scope.kind === 'all' ? 'true' : `d.device_id in (${grantedDevicesText(scope, parameter)})`
  const text = `select d.device_id, d.xmin, d.ctid, l.xmin, r.child_device_id
    from devices d left join locations l on l.id = d.location_id
    left join (select distinct child_device_id from device_relationships) r on r.child_device_id = d.device_id
    where ${seen} and ${condition(filter, parameter)} order by ${orderSql(order)}`
  // Prepared statements stay, so only for the order that nearly everybody asks for.
  const prepare = order.column === 'hostname'
  const found = (await sql.unsafe(text, values as never[], { prepare }).values()) as unknown as VersionRow[]
  const records = recordsOf(sql, options.secrets)
  if (records.size + found.length > MOST_RECORDS) records.clear()
  // A record with parents tells of other rows as well: it is made anew each time, and not kept.
  const stale = found.filter((row) => row[4] !== null || records.get(row[0])?.version !== versionOf(row))
  const fresh = await readRecords(
    sql,
    stale.map((row) => row[0]),
    options.secrets,
    scope,
  )
  for (const row of stale) {
    const record = fresh.get(row[0])
    if (record === undefined || row[4] !== null) records.delete(row[0])
    else records.set(row[0], record)
  }
  let json = ''
  let count = 0
  for (const row of found) {
    const record = fresh.get(row[0]) ?? records.get(row[0])
    // one that was deleted between the two statements may still be known as it was
    if (record === undefined || (record.version !== versionOf(row) && !fresh.has(row[0]))) continue
    json += count === 0 ? record.json : `,${record.json}`
    count++
  }
  return { json: `[${json}]`, count }
}

/** device_id; xmin and ctid of the device; xmin of its location; its own id when it has parents. */
type VersionRow = [number, string, string, string | null, number | null]

/** A row version is told by its transaction and its place (PostgreSQL, System Columns). */
function versionOf(row: readonly unknown[]): string {
  return `${row[1]} ${row[2]} ${row[3]}`
}

async function readRecords(
  sql: Store['sql'],
  ids: readonly number[],
  secrets: boolean,
  scope: Scope,
): Promise<Records> {
  if (ids.length === 0) return new Map()
  const rows = (await sql
    .unsafe(
      `select d.device_id, d.xmin, d.ctid, l.xmin, (select row_to_json(t)::text from (
         select ${deviceSelectList('local', secrets)},
           x.ids as dependency_parent_id, x.names as dependency_parent_hostname) t)
       from devices d left join locations l on l.id = d.location_id ${parentsOf(scope)} where d.device_id = any('${integers(ids)}'::int[])`,
    )
    .values()) as unknown as [number, string, string, string | null, string][]
  return new Map(rows.map((row) => [row[0], { version: versionOf(row), json: row[4] }]))
}

function recordsOf(sql: object, secrets: boolean): Records {
  let cache = caches.get(sql)
  if (cache === undefined) {
    cache = { secrets: new Map(), plain: new Map() }
    caches.set(sql, cache)
  }
  return secrets ? cache.secrets : cache.plain
}
