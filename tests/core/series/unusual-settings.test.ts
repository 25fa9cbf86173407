import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { connect, type Store } from '../../../src/core/database/client.ts'
import { writeSamples } from '../../../src/core/series/write.ts'
import { maintain } from '../../../src/core/series/write-roll-ups.ts'
import { type TestDatabase, testDatabase, testServers } from '../../support/database.ts'
import { batch, makeDevice, portSamples } from '../../support/samples.ts'

// A server of somebody else: its settings decide how times, intervals, names and numbers look as text, and what is found
// without a schema. What is packed there is what was stored.

setDefaultTimeout(300_000)

const DAY = 86_400_000
const TODAY = Math.floor(Date.now() / DAY) * DAY
const KEEP = { samplesDays: 30, hourlyDays: 400, dailyDays: 3650 }
const SETTINGS: Readonly<Record<string, string>> = {
  timezone: "'America/St_Johns'",
  datestyle: "'German, DMY'",
  intervalstyle: "'sql_standard'",
  quote_all_identifiers: 'on',
  search_path: 'ts, public',
  extra_float_digits: '-15',
  constraint_exclusion: 'off',
  work_mem: "'64kB'",
  array_nulls: 'off',
  bytea_output: "'escape'",
  standard_conforming_strings: 'off',
  transform_null_equals: 'on',
  default_transaction_isolation: "'serializable'",
  'plpgsql.variable_conflict': "'use_column'",
}

describe.each(testServers())('on $name', ({ url }) => {
  let database: TestDatabase
  let store: Store
  beforeAll(async () => {
    database = await testDatabase(url)
    const name = new URL(database.url).pathname.slice(1)
    for (const [setting, value] of Object.entries(SETTINGS))
      await database.store.sql.unsafe(`alter database "${name}" set ${setting} = ${value}`)
    store = connect(database.url, { max: 2 })
  })
  afterAll(async () => {
    await store.close()
    await database.drop()
  })

  const round = async (): Promise<void> =>
    expect(await maintain(store, KEEP, 120_000)).toMatchObject({ failures: [], busy: 0 })

  test('rows, late rows and roll-ups are packed and read as they were', async () => {
    const { portIds } = await makeDevice(store, 1)
    const [portId = 0] = portIds
    const times = Array.from({ length: 1200 }, (_, i) => TODAY - 6 * DAY + i * 300_000 + (i % 7))
    const sample = (time: number, octets: number) => ({
      portId,
      time,
      periodMs: 300_000,
      deltas: { in_octets: octets },
    })
    const late = times.filter((_, i) => i % 11 === 5)
    await writeSamples(
      store,
      batch({ ports: portSamples(times.filter((t) => !late.includes(t)).map((t, i) => sample(t, i))) }),
    )
    await round()
    await writeSamples(store, batch({ ports: portSamples(late.map((t) => sample(t, 2 ** 40))) }))
    await round()
    await round()
    const [left] = await store.sql<{ n: number }[]>`
      select count(*)::int as n from ts.port_samples where extract(epoch from "time") * 1000 < ${TODAY - DAY}`
    expect(left?.n).toBe(0)
    const rows = await store.sql<{ ms: number; octets: number }[]>`
      select round(extract(epoch from "time") * 1000)::float8 as ms, in_octets::float8 as octets
      from ts.port_samples_stored where port_id = ${portId} order by "time"`
    expect(rows.map(({ ms }) => ms)).toEqual(times)
    expect(rows.filter(({ octets }) => octets === 2 ** 40).map(({ ms }) => ms)).toEqual(late)
    const [hours] = await store.sql<{ octets: number }[]>`
      select sum(in_octets)::float8 as octets from ts.port_1h_dated where port_id = ${portId}`
    expect(hours?.octets).toBe(rows.reduce((sum, { octets }) => sum + octets, 0))
    // the role for Grafana reads all of them
    const seen = await store.sql.begin(async (tx) => {
      await tx`set local role portlight_reader`
      return await tx<{ n: number }[]>`select count(*)::int as n from ts.port_rates where port_id = ${portId}`
    })
    expect(seen[0]?.n).toBe(rows.length)
  })

  test('octets, backslashes and unknown values are read as they are, and writers do not refuse each other', async () => {
    const [row] = await store.sql<{ octets: Uint8Array; word: boolean; some: number }[]>`
      select ${Buffer.from([0, 92, 255])}::bytea as octets, 'an rx' ~ '\\mrx' as word, cardinality(array_remove('{1,NULL}'::int[], null)) as some`
    expect([...(row?.octets ?? [])]).toEqual([0, 92, 255])
    expect(row).toMatchObject({ word: true, some: 1 })
    await makeDevice(store, 1)
    const [a, b] = await Promise.all([await store.sql.reserve(), await store.sql.reserve()])
    try {
      await a`begin`
      await b`begin`
      // both have read before either writes
      for (const one of [a, b]) await one`select count(*) from devices`
      await a`update devices set notes = coalesce(notes, '') || 'a'`
      await a`commit`
      await b`update devices set notes = coalesce(notes, '') || 'b'`
      await b`commit`
    } finally {
      a.release()
      b.release()
    }
    expect(await store.sql<{ notes: string }[]>`select distinct notes from devices`).toMatchObject([{ notes: 'ab' }])
  })
})
