import type { Store } from '../client.ts'
import { integers } from '../pg-array.ts'
import { sharedReadsOf } from '../shared-reads.ts'
import { deviceSelectList } from './device-columns.ts'
import { condition, type DeviceFilter, type DeviceOrder, orderSql, parentsOf } from './devices.ts'
import { grantedDevicesText, type Scope } from './scope.ts'

/**
 * Records of devices that were made into JSON before, by device_id, each with the version of the rows it was made of.
 * The database is asked for the versions every time, so that nothing stale is ever sent, whoever wrote it; what is saved
 * is making and sending the records that have not changed.
 */
type Records = Map<number, DeviceVersion & { readonly json: string }>

/**
 * A device_id and the text that tells the versions of its row and of its location's: a row version is told by its
 * transaction and its place (PostgreSQL, System Columns).
 */
interface DeviceVersion {
  readonly id: number
  readonly version: string
}

/** A list of records: the JSON text of an array. The same object as long as nothing in it has changed. */
export interface DeviceList {
  readonly json: string
  readonly count: number
}

/** What is remembered of one kind of list. */
interface Memory {
  /** The server process that the versions are of: another, after a failover or a restore, counts its own. */
  server: string
  readonly records: Records
  /** Whole lists, by their query, with the versions of all their rows. */
  readonly lists: Map<string, { readonly versions: string; readonly list: DeviceList }>
}

/** Records kept in all; a fleet that is larger is read anew each time. */
const MOST_RECORDS = 50_000

/** Whole lists kept; one of 1,000 devices is some megabytes. */
const MOST_LISTS = 8

interface Memories {
  readonly secrets: Memory
  readonly plain: Memory
}

const shared = sharedReadsOf<DeviceList>()
const memories = new WeakMap<object, Memories>()

const VERSION = `d.device_id || ' ' || d.xmin || ' ' || d.ctid || ' ' || coalesce(l.xmin::text, '-')`

/** Ends the version of a device with parents. Its record tells of other rows as well: it is made anew each time. */
const WITH_PARENTS = ' parents'

/**
 * Device records in raw form as the JSON text of an array. Times are local, flags 0/1; without `secrets` they are null.
 * Those who ask for the same at the same time share a read that begins after they asked.
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
  // Prepared statements stay, so only for the order that nearly everybody asks for.
  const prepare = order.column === 'hostname'
  const { secrets, plain } = memoriesOf(sql)
  const key = JSON.stringify([options.secrets, scope, text, values])
  return await shared(sql)(key, async () => {
    const [found] = (await sql.unsafe(text, values as never[], { prepare }).values()) as unknown as [[string, string]]
    return await listOf(sql, options.secrets ? secrets : plain, key, found, { scope, secrets: options.secrets })
  })
}

/** The list with these versions: the remembered one, or made of records of which only those that changed are read. */
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
  if (records.size + found.length > MOST_RECORDS) records.clear()
  const stale = found.filter((device) => records.get(device.id)?.version !== device.version)
  const fresh = await readRecords(sql, stale, options)
  for (const { id, version } of stale) {
    const record = fresh.get(id)
    if (record === undefined || version.endsWith(WITH_PARENTS)) records.delete(id)
    else if (memory.server === server) records.set(id, record)
  }
  const parts: string[] = []
  let asFound = memory.server === server
  for (const { id, version } of found) {
    const record = fresh.get(id) ?? records.get(id)
    const same = record?.version === version
    asFound &&= same
    // one that was deleted between the two statements may still be known as it was
    if (record !== undefined && (same || fresh.has(id))) parts.push(record.json)
  }
  const list = { json: `[${parts.join()}]`, count: parts.length }
  // A record that was written between the two statements is newer than the versions say, and that with parents has none.
  if (asFound) {
    if (memory.lists.size >= MOST_LISTS) memory.lists.clear()
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
         select ${deviceSelectList('local', secrets)},
           x.ids as dependency_parent_id, x.names as dependency_parent_hostname) t)
       from devices d left join locations l on l.id = d.location_id ${parentsOf(scope)} where d.device_id = any('${ids}'::int[])`,
    )
    .values()) as unknown as [string, string][]
  return new Map(
    rows.map(([text, json]) => {
      const device = deviceVersion(text)
      return [device.id, { ...device, json }]
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
