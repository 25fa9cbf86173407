import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { connect, type Store, type Tx } from '../../../src/core/database/client.ts'
import { lostClaims } from '../../../src/core/database/write-claims.ts'
import { PARENTS_LOCK } from '../../../src/core/dependencies/write-depths.ts'
import { deleteDevice } from '../../../src/core/devices/write.ts'
import { writeSamples } from '../../../src/core/series/write.ts'
import { until } from '../../e2e/server.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { batch, makeDevice, portSamples } from '../../support/samples.ts'

setDefaultTimeout(60_000)
let database: TestDatabase
let store: Store
beforeAll(async () => {
  database = await testDatabase()
  store = database.store
})
afterAll(() => database.drop())

interface Column {
  readonly table: string
  readonly column: string
  readonly type: string
  /** A value is required: not null, no default, not generated. */
  readonly wanted: boolean
  /** The table and column that it references; null: none. */
  readonly parent: string | null
  readonly parent_column: string | null
  /** First of the values that a check constraint allows; null: no such check. */
  readonly allowed: string | null
}

/** Columns of the inventory's tables. */
async function readColumns(): Promise<Column[]> {
  return await store.sql<Column[]>`
    select t.relname as table, a.attname as column, format_type(a.atttypid, null) as type,
      a.attnotnull and not a.atthasdef and a.attidentity = '' as wanted,
      p.relname as parent, pa.attname as parent_column,
      (select substring(pg_get_constraintdef(k.oid) from '''([^'']+)''') from pg_constraint k
        where k.conrelid = t.oid and k.contype = 'c' and k.conkey = array[a.attnum] limit 1) as allowed
    from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    left join pg_constraint c on c.conrelid = t.oid and c.contype = 'f' and c.conkey = array[a.attnum]
    left join pg_class p on p.oid = c.confrelid
    left join pg_attribute pa on pa.attrelid = p.oid and pa.attnum = c.confkey[1]
    where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and a.attgenerated = ''
    order by 1, a.attnum`
}

const VALUES: Readonly<Record<string, string>> = {
  text: "'x'",
  jsonb: "'{}'",
  json: "'{}'",
  'timestamp with time zone': 'now()',
  date: 'now()',
  boolean: 'true',
  inet: "'192.0.2.1'",
  bytea: "''",
}

/** Inserts a row into a table, together with the rows it references; `given` are values by column. Returns the row. */
async function addRow(
  columns: readonly Column[],
  table: string,
  given: Readonly<Record<string, unknown>>,
  known: Map<string, Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const names: string[] = []
  const values: string[] = []
  for (const c of columns.filter((x) => x.table === table)) {
    // what is of an alert goes with it, although the column may be null for others
    if (!(c.column in given) && !c.wanted && c.parent !== 'alerts') continue
    names.push(`"${c.column}"`)
    if (c.column in given) values.push(String(given[c.column]))
    else if (c.parent !== null && c.parent_column !== null) {
      const parent = known.get(c.parent) ?? (await addRow(columns, c.parent, givenFor(columns, c.parent, known), known))
      known.set(c.parent, parent)
      values.push(`'${parent[c.parent_column]}'`)
    } else values.push(c.allowed === null ? (VALUES[c.type] ?? '1') : `'${c.allowed}'`)
  }
  const [row] = await store.sql.unsafe(
    names.length === 0
      ? `insert into "${table}" default values returning *`
      : `insert into "${table}" (${names.join(', ')}) values (${values.join(', ')}) on conflict do nothing returning *`,
  )
  return row ?? {}
}

/** Values for every column of the table that references the device. */
function givenFor(columns: readonly Column[], table: string, known: Map<string, Record<string, unknown>>) {
  const device = known.get('devices')?.['device_id']
  const mine = columns.filter((c) => c.table === table && c.column.endsWith('device_id') && c.type === 'integer')
  return Object.fromEntries(mine.map((c) => [c.column, device]))
}

test('no table references a deleted device', async () => {
  const { deviceId } = await makeDevice(store, 1)
  const columns = await readColumns()
  const [device] = await store.sql`select * from devices where device_id = ${deviceId}`
  const known = new Map<string, Record<string, unknown>>([['devices', device ?? {}]])
  // a pair of devices cannot be made of one device
  const others = new Set(['devices', 'device_doubles'])
  const naming = columns.filter((c) => c.column.endsWith('device_id') && c.type === 'integer' && !others.has(c.table))
  const tables = [...new Set(naming.map((c) => c.table))]
  expect(tables.length).toBeGreaterThan(30)
  for (const table of tables) {
    const row = await addRow(columns, table, givenFor(columns, table, known), known)
    // later rows reference it, because its keys may allow only one
    if (!known.has(table) && Object.keys(row).length > 0) known.set(table, row)
  }
  const rows = async () => {
    const found: string[] = []
    for (const { table, column } of naming) {
      const [row] = await store.sql.unsafe(`select from "${table}" where "${column}" = ${deviceId} limit 1`)
      if (row !== undefined) found.push(`${table}.${column}`)
    }
    return found
  }
  // every such column must reference the device first, or the test would prove nothing
  expect((await rows()).toSorted()).toEqual(naming.map((c) => `${c.table}.${c.column}`).toSorted())
  expect(await deleteDevice(store, deviceId, 'gone', '')).toBe(true)
  expect(await rows()).toEqual([])
})

/** What writers of many devices at once lock first. */
const FIRST: Readonly<Record<string, (tx: Tx, deviceId: number) => Promise<unknown>>> = {
  'a batch of samples': (tx, deviceId) => lostClaims(tx, [{ deviceId, claim: 1 }]),
  'computed dependencies': (tx) => tx`select pg_advisory_xact_lock(${PARENTS_LOCK})`,
}

test.each(Object.entries(FIRST))(
  'a deletion waits for %s and holds nothing of the device meanwhile',
  async (_, lock) => {
    const { deviceId } = await makeDevice(store, 1)
    await store.sql`insert into device_claims (device_id, claim) values (${deviceId}, 1)`
    const other = connect(database.url, { max: 2 })
    let deletion = Promise.resolve(false)
    const writing = other.sql.begin(async (tx) => {
      await lock(tx, deviceId)
      deletion = deleteDevice(store, deviceId, 'gone', '')
      await until(30, 'the deletion waits', async () => {
        const waiting = await store.sql`
        select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
        return waiting.length > 0
      })
      await tx`select from devices where device_id = ${deviceId} for update nowait`
      await tx`select from ports where device_id = ${deviceId} for update nowait`
    })
    await writing
    expect(await deletion).toBe(true)
    await other.close()
  },
)

test('the series of a deleted device and of its ports are removed', async () => {
  const { deviceId, portIds } = await makeDevice(store, 1)
  const time = Date.now() - 60_000
  const deltas = { in_octets: 1, out_octets: 1, in_pkts: 1, out_pkts: 1, in_err: 0, out_err: 0 }
  await writeSamples(
    store,
    batch({
      ports: portSamples([{ portId: portIds[0] ?? 0, time, periodMs: 60_000, deltas }]),
      devices: [{ deviceId, time, tookMs: 1, answered: true, uptimeS: 1, requests: 1, timeouts: 0 }],
    }),
  )
  const count = async () => {
    const [row] = await store.sql`
      select (select count(*)::int from ts.port_samples where port_id = any(${portIds as number[]})) as ports,
        (select count(*)::int from ts.device_samples where device_id = ${deviceId}) as devices`
    return row
  }
  expect(await count()).toEqual({ ports: 1, devices: 1 })
  await deleteDevice(store, deviceId, 'gone', '')
  for (let left = 1; left > 0; ) {
    const [row] = await store.sql`select ts.forget_gone() as n`
    left = Number(row?.['n'])
  }
  expect(await count()).toEqual({ ports: 0, devices: 0 })
})
