import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Store } from '../../../src/core/database/client.ts'
import { writeSamples } from '../../../src/core/series/write.ts'
import { maintain } from '../../../src/core/series/write-roll-ups.ts'
import { type TestDatabase, testDatabase, testServers } from '../../support/database.ts'
import { liveRow } from '../../support/live-row.ts'
import { batch, makeDevice, portSamples, portState } from '../../support/samples.ts'

// What rules read as the rates of a port: its newest sample, in whichever form that is stored, and nobody else's.

setDefaultTimeout(180_000)
const DAY = 86_400_000
const KEEP = { samplesDays: 30, hourlyDays: 400, dailyDays: 3650 }
const PORTS = 4

/** A device with a sample of each port every two hours for six days, up to `end` (epoch ms). */
async function polledUntil(store: Store, end: number) {
  const { deviceId, portIds } = await makeDevice(store, PORTS)
  for (let time = end - 5 * DAY; time <= end; time += DAY / 12) {
    const deltas = { in_octets: (time / 1000) % 1_000_003, out_octets: 7 }
    const ports = portSamples(portIds.map((portId) => ({ portId, time, periodMs: 7_200_000, deltas })))
    const state = portState(deviceId, time, portIds, (port, c) => 2n ** 40n + BigInt(port * 100 + c))
    await writeSamples(store, batch({ ports, portState: [state] }))
  }
  return { deviceId, portIds, end }
}

/** Rows that the statement takes from packed and from plain samples, by its plan. */
async function readsOf(store: Store, statement: string): Promise<{ packed: number; plain: number }> {
  interface Node {
    readonly 'Relation Name'?: string
    readonly 'Actual Rows': number
    readonly 'Actual Loops': number
    readonly Plans?: readonly Node[]
  }
  const [row] = await store.sql.unsafe<{ 'QUERY PLAN': readonly { Plan: Node }[] }[]>(
    `explain (analyze, format json) ${statement}`,
  )
  const reads = { packed: 0, plain: 0 }
  const visit = (node: Node): void => {
    const name = node['Relation Name'] ?? ''
    const rows = node['Actual Rows'] * node['Actual Loops']
    const below = node.Plans ?? []
    // a hypertable is named by the node above its chunks as well
    if (/^port_samples_packed/.test(name)) reads.packed += rows
    else if (below.length === 0 && /^port_samples|^_hyper/.test(name)) reads.plain += rows
    for (const one of below) visit(one)
  }
  for (const { Plan } of row?.['QUERY PLAN'] ?? []) visit(Plan)
  return reads
}

for (const { name, url } of testServers()) {
  describe(`live counters of ports on ${name}`, () => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await testDatabase(url)
    })
    afterAll(async () => {
      await database?.drop()
    })

    test('are those of the newest sample, also when that has been packed for days', async () => {
      const { store } = database
      const midnight = Math.floor(Date.now() / DAY) * DAY
      // the last sample is the first of its day, the last of it, or of now
      const devices = [
        await polledUntil(store, midnight - 3 * DAY),
        await polledUntil(store, midnight - 2 * DAY - 1),
        await polledUntil(store, Math.floor(Date.now() / 1000) * 1000),
      ]
      const rows = () => Promise.all(devices.flatMap(({ portIds }) => portIds.map((id) => liveRow(store, id))))
      const before = await rows()
      for (const [i, { end }] of devices.entries()) {
        const expected = { ifInOctets_delta: (end / 1000) % 1_000_003, ifOutOctets_delta: 7, poll_time: end / 1000 }
        for (const row of before.slice(i * PORTS, (i + 1) * PORTS)) {
          expect(Number(row['poll_time'])).toBeCloseTo(expected.poll_time, 3)
          expect(row).toMatchObject({ ifOutOctets_delta: 7, ifInOctets_delta: Math.round(expected.ifInOctets_delta) })
        }
      }
      for (let round = 0; round < 3; round++) await maintain(store, KEEP, 60_000)
      const [packed] = await store.sql<{ days: number }[]>`
        select count(distinct pack_span)::int as days from ts.port_samples_packed`
      expect(packed?.days).toBeGreaterThan(4)
      expect(await rows()).toEqual(before)

      // one sample of each port is read, of the devices that are asked for
      await store.sql`analyze ts.port_state`
      for (const { deviceId, end } of devices) {
        const reads = await readsOf(store, `select "ifInOctets_rate" from ts.port_live where device_id = ${deviceId}`)
        expect(reads).toEqual(end < midnight - DAY ? { packed: PORTS, plain: 0 } : { packed: 0, plain: PORTS })
      }
    })
  })
}
