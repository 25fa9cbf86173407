import { grantedDevicesText, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'
import { sharedReadsOf } from '../database/shared-reads.ts'
import { deviceRecordPart } from '../records/device.ts'
import { openRecords } from '../secrets/values.ts'
import { condition, type DeviceFilter, type DeviceOrder, orderSql, parentsOf } from './read.ts'

/**
 * Cached JSON of device records by device_id, with the versions of the rows behind each. Every request reads the
 * current versions from the database, so no stale record is sent, whoever wrote it. The cache saves reading and
 * serialising unchanged records.
 */
type Records = Map<number, DeviceVersion & { readonly json: string }>

/**
 * A device_id with the versions of its row and its location's row, as text. A row version is its transaction id and
 * physical position (PostgreSQL, System Columns).
 */
interface DeviceVersion {
  readonly id: number
  readonly version: string
}

/** A list of records as the JSON text of an array. Stays the same object as long as no record changes. */
export interface DeviceList {
  readonly json: string
  readonly count: number
}

/** Cache of one kind of list. */
interface Memory {
  /** The server process that the versions belong to: after a failover or restore they are not comparable. */
  server: string
  readonly records: Records
  /** Whole lists by query, with the versions of all their rows. */
  readonly lists: Map<string, { readonly versions: string; readonly list: DeviceList }>
}

/**
 * Maximum cached records, about 8 MB. Larger fleets are read every time; their records change with each poll anyway.
 */
const MAX_RECORDS = 5000

/** Maximum cached lists; one of 1,000 devices takes a few megabytes. */
const MAX_LISTS = 8
/** Characters of a cached list; a longer one is not kept. */
const MAX_LIST = 4_194_304

interface Memories {
  readonly secrets: Memory
  readonly plain: Memory
}

const shared = sharedReadsOf<DeviceList>()
const memories = new WeakMap<object, Memories>()

const VERSION = `d.device_id || ' ' || d.xmin || ' ' || d.ctid || ' ' || coalesce(l.xmin::text, '-')`

/** Suffix of the version of a device with parents. Its record contains data of other rows, so it is never reused. */
const WITH_PARENTS = ' parents'

/**
 * Raw device records as the JSON text of an array. Times are local, flags 0/1; without `secrets` those members are
 * null. Identical concurrent requests share a read that begins after they arrived.
 */
export async function deviceListJson(
  { sql }: Pick<Store, 'sql'>,
  scope: Scope,
  filter: DeviceFilter,
  order: DeviceOrder,
  options: { secrets: boolean },
): Promise<DeviceList> {
  const values: (string | number | readonly number[])[] = []
  const parameter = (value: string | number | readonly number[]) => `$${values.push(value)}`
  const seen = scope.kind === 'all' ? 'true' : `d.device_id in (${grantedDevicesText(scope, parameter)})`
  const text = `select pg_postmaster_start_time()::text, array_to_string(array(
    select ${VERSION} || case when r.child_device_id is null then '' else '${WITH_PARENTS}' end
    from devices d left join locations l on l.id = d.location_id
    left join (select distinct child_device_id from device_relationships) r on r.child_device_id = d.device_id
    where ${seen} and ${condition(filter, parameter)} order by ${orderSql(order)}), E'\n')`
  // Prepared statements stay for the life of a connection, so only the usual order is prepared.
  const prepare = order.column === 'hostname'
  const { secrets, plain } = memoriesOf(sql)
  const key = JSON.stringify([options.secrets, scope, text, values])
  return await shared(sql)(key, async () => {
    const [found] = (await sql.unsafe(text, values as never[], { prepare }).values()) as unknown as [[string, string]]
    return await listOf(sql, options.secrets ? secrets : plain, key, found, { scope, secrets: options.secrets })
  })
}

/** The list with these versions: from the cache, or rebuilt by reading only the records that changed. */
async function listOf(
  sql: Store['sql'],
  memory: Memory,
  key: string,
  [server, versions]: readonly [string, string],
  options: { readonly scope: Scope; readonly secrets: boolean },
): Promise<DeviceList> {
  if (memory.server !== server) {
    memory.server = server
    memory.records.clear()
    memory.lists.clear()
  }
  const known = memory.lists.get(key)
  if (known?.versions === versions) return known.list
  const { records } = memory
  const found = versions === '' ? [] : versions.split('\n').map(deviceVersion)
  const keeps = found.length <= MAX_RECORDS
  const added = found.reduce((n, { id }) => n + (records.has(id) ? 0 : 1), 0)
  if (records.size + added > MAX_RECORDS) records.clear()
  const stale = found.filter((device) => records.get(device.id)?.version !== device.version)
  const fresh = await readRecords(sql, stale, options)
  for (const { id, version } of stale) {
    const record = fresh.get(id)
    if (record === undefined || version.endsWith(WITH_PARENTS)) records.delete(id)
    else if (keeps && memory.server === server) records.set(id, record)
  }
  const parts: string[] = []
  let asFound = memory.server === server
  for (const { id, version } of found) {
    const record = fresh.get(id) ?? records.get(id)
    const same = record?.version === version
    asFound &&= same
    // a device deleted between the two statements may still be cached
    if (record !== undefined && (same || fresh.has(id))) parts.push(record.json)
  }
  const list = { json: `[${parts.join()}]`, count: parts.length }
  // A record written between the two statements is newer than its version, and one with parents has no version.
  if (asFound && list.json.length <= MAX_LIST) {
    if (memory.lists.size >= MAX_LISTS) memory.lists.clear()
    memory.lists.set(key, { versions, list })
  } else memory.lists.delete(key)
  return list
}

function deviceVersion(version: string): DeviceVersion {
  return { id: Number.parseInt(version, 10), version }
}

async function readRecords(
  sql: Store['sql'],
  devices: readonly DeviceVersion[],
  { scope, secrets }: { readonly scope: Scope; readonly secrets: boolean },
): Promise<Records> {
  if (devices.length === 0) return new Map()
  const ids = integers(devices.map(({ id }) => id))
  const rows = (await sql
    .unsafe(
      `select ${VERSION}, (select row_to_json(t)::text from (
         select ${deviceRecordPart(null, secrets).columns}) t)
       from devices d left join locations l on l.id = d.location_id ${parentsOf(scope)} where d.device_id = any('${ids}'::int[])`,
    )
    .values()) as unknown as [string, string][]
  return new Map(
    rows.map(([text, json]) => {
      const device = deviceVersion(text)
      return [device.id, { ...device, json: secrets ? openRecords(json) : json }]
    }),
  )
}

function memoriesOf(sql: object): Memories {
  let found = memories.get(sql)
  if (found === undefined) {
    const memory = (): Memory => ({ server: '', records: new Map(), lists: new Map() })
    found = { secrets: memory(), plain: memory() }
    memories.set(sql, found)
  }
  return found
}
