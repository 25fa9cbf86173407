import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { writeStatus } from '../../../src/core/availability/write.ts'
import type { Store } from '../../../src/core/database/client.ts'
import { claimDevices } from '../../../src/core/database/write-claims.ts'
import { type ComputedRow, storeComputed } from '../../../src/core/dependencies/write-computed.ts'
import { replaceParents } from '../../../src/core/dependencies/write-parents.ts'
import { deleteDevice, updateDevice } from '../../../src/core/devices/write.ts'
import { writeDiscovery } from '../../../src/core/discovery/write.ts'
import { writeSamples } from '../../../src/core/series/write.ts'
import { forgetGone } from '../../../src/core/series/write-roll-ups.ts'
import type { LinkRow } from '../../../src/modules/links/observation.ts'
import { createBatch } from '../../../src/poller/samples/batch.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { portState } from '../../support/samples.ts'
import { address, ipv4, newDevice, port, ports } from '../discovery/factories.ts'
import { RARE, writeTogether } from './together.ts'

// Everything that writes rows of several devices, at the same time and as fast as it can. PostgreSQL would end a deadlock,
// and the loser be repeated, but each costs all of them a second: writers have to lock in the same order.

setDefaultTimeout(120_000)
const NAMES = 30
const MONITORED = 20
const DELETIONS = 30
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const any = (below: number): number => Math.floor(Math.random() * below)
const nameOf = (n: number): string => `switch${n}`

function linkTo(ifIndex: number, name: string): LinkRow {
  return {
    local: [{ by: 'ifIndex', value: String(ifIndex) }],
    protocol: 'lldp',
    remote_hostname: name,
    remote_port: 'Gi0/1',
    remote_platform: null,
    remote_version: '',
    remote: { name, mac: null, addresses: [], portNames: ['Gi0/1'], portMac: null, portIndex: null },
  }
}

test('writers of many devices do not deadlock', async () => {
  const known = new Set<number>()
  const add = async (store: Store) => known.add(await newDevice(store, { sysName: nameOf(any(NAMES)), os: 'ios' }))
  const one = (): number => [...known][any(known.size)] ?? 0
  for (let n = 0; n < MONITORED; n++) await add(database.store)

  const deletions = async (store: Store) => {
    const id = one()
    known.delete(id)
    await deleteDevice(store, id, 'gone', '')
    await add(store)
  }
  const discovery = async (store: Store) => {
    const id = one()
    const rows = [1, 2, 3].map((ifIndex) => port(ifIndex, { ifOperStatus: any(2) === 0 ? 'up' : 'down' }))
    const links = [1, 2, 3].map((ifIndex) => linkTo(ifIndex, nameOf(any(NAMES))))
    await writeDiscovery(
      store,
      id,
      [ports(rows), ipv4([address(1, `10.0.0.${id % 250}`)]), { kind: 'links', complete: true, rows: links }],
      { tookMs: 1, complete: true },
    )
  }
  const computing = async (store: Store) => {
    const pairs = new Map<string, ComputedRow>()
    for (let i = 0; i < 2 * MONITORED; i++) {
      const [child, parent] = [one(), one()]
      if (child !== parent) pairs.set(`${child} ${parent}`, { child, parent, further: false, via: `${any(100)}` })
    }
    await storeComputed(store, [...pairs.values()])
  }
  const byHand = async (store: Store) => {
    const [child, parent] = [one(), one()]
    if (child !== parent) await replaceParents(store, { kind: 'all' }, child, any(2) === 0 ? [parent] : 'computed')
  }
  const polls = async (store: Store) => {
    const deviceIds = [...known]
    const claim = await claimDevices(store, deviceIds, 1)
    const stored = await store.sql<{ device_id: number; port_id: number }[]>`select device_id, port_id from ports`
    const batch = createBatch()
    for (const deviceId of deviceIds) {
      const time = Date.now()
      const portIds = stored.filter(({ device_id }) => device_id === deviceId).map(({ port_id }) => port_id)
      batch.under({ deviceId, claim })
      batch.addDevice({ deviceId, time, tookMs: 5, answered: true, uptimeS: 9, requests: 1, timeouts: 0 })
      batch.addState(portState(deviceId, time, portIds, () => BigInt(time)))
    }
    await writeSamples(store, batch.seal())
  }
  const statuses = (store: Store) =>
    writeStatus(store, { deviceId: one(), up: any(2) === 0, reason: any(2) === 0 ? 'snmp' : '', at: Date.now() })
  const edits = (store: Store) => updateDevice(store, one(), { purpose: `${any(1000)}` }, `Hall ${any(4)}`)

  const loops = [deletions, deletions, discovery, discovery, discovery, computing, byHand, polls, statuses, edits]
  const { done, deadlocks } = await writeTogether(
    database,
    loops.map((work) => [work.name, work]),
    DELETIONS,
  )
  await forgetGone(database.store)
  for (const { name } of loops) expect([name, done[name]]).toEqual([name, expect.any(Number)])
  expect(deadlocks).toBeLessThan(RARE)
})
