import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeDiscovery } from '../../../src/core/discovery/write.ts'
import { kindSeries } from '../../../src/core/series/read.ts'
import { writeSamples } from '../../../src/core/series/write.ts'
import type { IsisAdjacencyRow } from '../../../src/modules/isis/observation.ts'
import type { Observation } from '../../../src/modules/observation.ts'
import type { StpPortRow, StpRow } from '../../../src/modules/spanning-tree/observation.ts'
import { createBatch } from '../../../src/poller/samples/batch.ts'
import { stp as kind } from '../../../src/series/kinds/stp.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { messagesOf, newDevice, port, ports } from './factories.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
}, 60_000)
afterAll(() => database.drop())

const run = { tookMs: 1, complete: true }

const tree = (rest: Partial<StpRow> = {}): Observation => ({
  kind: 'stp',
  complete: true,
  rows: [
    {
      instance: 'CST',
      vlan: null,
      protocol: 'rstp',
      bridgeAddress: '00005e005311',
      priority: 32_768,
      designatedRoot: '00005e005301',
      rootPriority: 4096,
      rootCost: 4,
      rootPort: 1,
      is_root: 0,
      topChanges: 12,
      timeSinceTopologyChange: 3600.5,
      maxAge: 20,
      ...rest,
    },
  ],
})
const treePorts = (...rows: Partial<StpPortRow>[]): Observation => ({
  kind: 'stp_ports',
  complete: false,
  rows: rows.map((row) => ({ instance: 'CST', vlan: null, port_index: 1, state: 'forwarding', ...row })),
})
const adjacencies = (...rows: Partial<IsisAdjacencyRow>[]): Observation => ({
  kind: 'isis',
  complete: true,
  rows: rows.map((row) => ({
    isisCircIndex: 41,
    isisISAdjNeighSysID: '0100.0000.0007',
    isisISAdjUsage: 'level2',
    isisISAdjState: 'up',
    isisISAdjIPAddrAddress: '192.0.2.7',
    isisISAdjUptime: 60,
    ...row,
  })),
})

async function bridge(...more: readonly Observation[]): Promise<number> {
  const id = await newDevice(database.store)
  await writeDiscovery(database.store, id, [ports([port(7)]), ...more], run)
  return id
}
const write = (id: number, ...more: readonly Observation[]) => writeDiscovery(database.store, id, more)
const events = async (id: number) => await messagesOf(database.store, id)
async function stored(id: number, table: string): Promise<readonly Record<string, unknown>[]> {
  const { sql } = database.store
  const rows = await sql<Record<string, unknown>[]>`select * from ${sql(table)} where device_id = ${id} order by 1`
  return rows.map((row) => ({ ...row }))
}

describe('spanning trees', () => {
  test('a new root and topology changes are events, the agent starting anew is not', async () => {
    const id = await bridge(tree())
    expect(await stored(id, 'stp')).toMatchObject([{ instance: 'CST', timeSinceTopologyChange: 3601, maxAge: 20 }])
    const before = (await events(id)).length
    await write(id, tree({ topChanges: 13 }))
    await write(id, tree({ topChanges: 20 }))
    await write(id, tree({ topChanges: 0 }))
    await write(id, tree({ topChanges: 3, designatedRoot: '00005e005399', rootPriority: 0 }))
    await write(id, tree({ topChanges: undefined, designatedRoot: null }))
    expect((await events(id)).slice(before)).toEqual([
      'Spanning tree CST topology changed',
      'Spanning tree CST topology changed 7 times',
      'Spanning tree CST root bridge: 4096 00:00:5e:00:53:01 -> 0 00:00:5e:00:53:99',
    ])
  })

  test('a port keeps its interface between discoveries; blocking and forwarding are events', async () => {
    const id = await bridge(tree(), treePorts({ ifIndex: 7, role: 'designated', pathCost: 4 }))
    const [first] = await stored(id, 'ports_stp')
    expect(first).toMatchObject({ state: 'forwarding', role: 'designated', pathCost: 4 })
    expect(first?.['port_id']).toBeNumber()
    const before = (await events(id)).length
    await write(id, treePorts({ state: 'blocking', role: 'alternate' }))
    expect((await stored(id, 'ports_stp'))[0]).toEqual({ ...first, state: 'blocking', role: 'alternate' })
    for (const state of ['disabled', 'listening', 'learning', 'forwarding', 'broken'])
      await write(id, treePorts({ state }))
    await write(id, treePorts({ state: 'forwarding' }))
    await write(id, treePorts({ state: 'blocking' }))
    await write(id, treePorts({ state: 'forwarding' }))
    expect((await events(id)).slice(before)).toEqual([
      'Spanning tree CST, bridge port 1 forwarding -> blocking',
      'Spanning tree CST, bridge port 1 forwarding -> blocking',
      'Spanning tree CST, bridge port 1 blocking -> forwarding',
    ])
  })

  test('topology changes from poll to series', async () => {
    const { store } = database
    const id = await bridge(tree())
    const stpId = Number((await stored(id, 'stp'))[0]?.['stp_id'])
    expect(kind.observed?.read([tree({ topChanges: undefined }), treePorts({})], new Map()).get('CST')).toEqual([
      Number.NaN,
    ])
    expect(kind.observed?.read([tree()], new Map()).get(kind.observed.keyOf({ id: stpId, instance: 'CST' }))).toEqual([
      12,
    ])
    const start = Math.floor(Date.now() / 60_000) * 60_000 - 600_000
    const batch = createBatch()
    batch.add('stp', stpId, start + 60_000, [2], 60_000)
    batch.add('stp', stpId, start + 120_000, [Number.NaN], 60_000)
    await writeSamples(store, batch.seal())
    const window = { fromS: start / 1000, toS: start / 1000 + 120, stepS: 60 }
    const { series } = await kindSeries(store, 'stp', { deviceId: id }, window, { intervals: 3, intervalS: 60 })
    expect(series.map(({ name, values }) => [name, ...values])).toEqual([['CST', 2 / 60, Number.NaN]])
    const shown =
      await store.sql`select topology_changes_per_s::float8 as rate, instance from grafana.spanning_tree_changes
      where stp_id = ${stpId} order by "time" limit 1`
    expect(shown.map((row) => ({ ...row }))).toEqual([{ rate: 2 / 60, instance: 'CST' }])
  })
})

describe('IS-IS adjacencies', () => {
  test('changes of state are events', async () => {
    const id = await bridge(adjacencies({ ifIndex: 7 }))
    const [first] = await stored(id, 'isis_adjacencies')
    expect(first).toMatchObject({ isisISAdjState: 'up', isisISAdjUptime: 60, lost_at: null })
    expect(first?.['port_id']).toBeNumber()
    const before = (await events(id)).length
    await write(id, adjacencies({ isisISAdjState: 'down', isisISAdjUptime: null }))
    await write(id, adjacencies({}))
    expect((await events(id)).slice(before)).toEqual([
      'IS-IS adjacency 0100.0000.0007 (192.0.2.7) up -> down',
      'IS-IS adjacency 0100.0000.0007 (192.0.2.7) down -> up',
    ])
  })

  test('one that is no longer reported is down for a day, so that rules see it, and is then removed', async () => {
    const { sql } = database.store
    const id = await bridge(adjacencies({}))
    const before = (await events(id)).length
    await write(id, { ...adjacencies(), complete: false } as Observation)
    expect(await stored(id, 'isis_adjacencies')).toMatchObject([{ isisISAdjState: 'up', lost_at: null }])
    await write(id, adjacencies())
    const [lost] = await stored(id, 'isis_adjacencies')
    expect(lost).toMatchObject({ isisISAdjState: 'down', isisISAdjUptime: null, isisISAdjIPAddrAddress: '192.0.2.7' })
    expect(Math.abs(Number(lost?.['lost_at']) - Date.now() / 1000)).toBeLessThan(60)
    await write(id, adjacencies())
    expect(await stored(id, 'isis_adjacencies')).toEqual(lost === undefined ? [] : [lost])
    // it comes back
    await write(id, adjacencies({}))
    expect(await stored(id, 'isis_adjacencies')).toMatchObject([
      { id: lost?.['id'], isisISAdjState: 'up', lost_at: null },
    ])
    await write(id, adjacencies())
    await sql`update isis_adjacencies set lost_at = lost_at - 86400 where device_id = ${id}`
    await write(id, adjacencies())
    expect(await stored(id, 'isis_adjacencies')).toEqual([])
    expect((await events(id)).slice(before)).toEqual([
      'IS-IS adjacency 0100.0000.0007 (192.0.2.7) up -> down',
      'IS-IS adjacency 0100.0000.0007 (192.0.2.7) down -> up',
      'IS-IS adjacency 0100.0000.0007 (192.0.2.7) up -> down',
      'IS-IS adjacency 0100.0000.0007 (192.0.2.7) removed',
    ])
  })
})
