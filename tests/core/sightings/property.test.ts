import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { fairShare, type Seen, SIGHTING_LIMITS, type SightingKind } from '../../../src/core/sightings/sighting.ts'
import { noteReading } from '../../../src/core/sightings/write-sightings.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { newDevice } from '../discovery/factories.ts'

setDefaultTimeout(120_000)

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
}, 60_000)
afterAll(() => database.drop())

const HOUR = 3_600_000
const START = Date.UTC(2026, 0, 1)
const GAP = SIGHTING_LIMITS.gapHours * HOUR

interface Step {
  readonly kind: SightingKind
  readonly complete: boolean
  /** Hours since the reading before; below 0: the clock went back. */
  readonly hours: number
  readonly rows: readonly Seen[]
}

const macs = fc.constantFrom('020000000001', '020000000002', '020000000003')
const seen = (kind: SightingKind): fc.Arbitrary<Seen> =>
  fc.record({
    mac: macs,
    port_id: fc.integer({ min: 0, max: 2 }),
    vlan: kind === 'fdb' || kind === 'nac' ? fc.constantFrom(null, 10, 20) : fc.constant(null),
    address: kind === 'fdb' ? fc.constant(null) : fc.constantFrom('10.0.0.1', '10.0.0.2'),
    username: kind === 'nac' ? fc.constantFrom(null, 'ann', 'b"o\\b') : fc.constant(null),
  })

/** What one table can hold: a switch has an address once in a VLAN, a router one MAC address for an address of a port. */
const placeOf = (kind: SightingKind, { mac, vlan, port_id, address, username }: Seen) =>
  kind === 'fdb'
    ? `${mac} ${vlan ?? `on ${port_id}`}`
    : kind === 'nac'
      ? [mac, vlan, port_id, address, username].join()
      : `${port_id} ${address}`

const steps: fc.Arbitrary<readonly Step[]> = fc.constantFrom<SightingKind>('fdb', 'arp', 'nac').chain((kind) =>
  fc.array(
    fc.record({
      kind: fc.constant(kind),
      complete: fc.boolean(),
      hours: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 0, max: 30 }) }, fc.integer({ min: -40, max: 200 })),
      rows: fc.uniqueArray(seen(kind), { maxLength: 4, selector: (row) => placeOf(kind, row) }),
    }),
    { minLength: 1, maxLength: 9 },
  ),
)

interface Row extends Seen {
  readonly first: number
  last: number | null
}

const keyOf = (row: Seen) => [row.mac, row.port_id, row.vlan, row.address, row.username].join()

/** The history as the rules say it, kept row by row in memory. */
function historyOf(readings: readonly Step[]): readonly Row[] {
  const rows: Row[] = []
  let at = START
  let completeAt: number | null = null
  for (const [i, { kind, complete, hours, rows: now }] of readings.entries()) {
    at += hours * HOUR
    // nothing is known before the first, and one that is empty says nothing
    if (i === 0 && now.length === 0) continue
    const isOpen = (row: Row) => row.last === null
    const fresh = now.filter((row) => !rows.some((old) => isOpen(old) && keyOf(old) === keyOf(row)))
    for (const old of rows.filter(isOpen)) {
      if (now.some((row) => keyOf(row) === keyOf(old))) continue
      const isTaken =
        !(kind === 'nac' || (kind === 'fdb' && old.vlan === null)) &&
        fresh.some((row) => placeOf(kind, row) === placeOf(kind, old))
      if (complete || isTaken) old.last = Math.max(old.first, completeAt ?? old.first)
    }
    const before = [...rows]
    for (const row of fresh) {
      const past = before
        .filter((old) => keyOf(old) === keyOf(row) && old.last !== null)
        .reduce<Row | null>((a, b) => (a === null || (b.last ?? 0) > (a.last ?? 0) ? b : a), null)
      const last = past?.last ?? null
      const meanwhile = (old: Row) =>
        old !== past &&
        last !== null &&
        old.first >= last &&
        ((old.mac === row.mac && old.vlan === row.vlan && old.address === row.address) ||
          (row.address !== null && old.address === row.address && old.mac !== row.mac))
      if (past !== null && last !== null && last >= at - GAP && !before.some(meanwhile)) past.last = null
      else rows.push({ ...row, first: at, last: null })
    }
    if (complete) completeAt = at
  }
  return rows
}

/** Two empty readings, of which the second counts, and then the clock goes back. */
const EMPTY_AHEAD: readonly Step[] = [
  { kind: 'arp', complete: false, hours: 0, rows: [] },
  { kind: 'arp', complete: true, hours: 0, rows: [] },
  ...[1, 2].map((n) => ({
    ...({ kind: 'arp', complete: false, hours: n === 1 ? -1 : 0 } as const),
    rows: [{ mac: `02000000000${n}`, port_id: 1, vlan: null, address: '10.0.0.1', username: null }],
  })),
]

test('the history of any readings is what the rules say, without two open sightings of the same', async () => {
  const { sql } = database.store
  await fc.assert(
    fc.asyncProperty(steps, async (readings) => {
      const id = await newDevice(database.store)
      const ports = await sql<{ port_id: number }[]>`
        insert into ports (device_id, "ifIndex") select ${id}, i from generate_series(1, 3) i returning port_id`
      const portAt = (i: number) => ports[i]?.port_id ?? 0
      let at = START
      for (const { kind, complete, hours, rows } of readings) {
        at += hours * HOUR
        const placed = rows.map((row) => ({ ...row, port_id: portAt(row.port_id) }))
        await sql.begin((tx) => noteReading(tx, id, { kind, complete, rows: placed }, SIGHTING_LIMITS, at))
      }
      const stored = await sql<(Seen & { first: number; last: number | null })[]>`
        select mac_address as mac, port_id, vlan, host(address) as address, username,
          (extract(epoch from first_seen) * 1000)::float8 as first, (extract(epoch from last_seen) * 1000)::float8 as last
        from sightings where device_id = ${id}`
      const line = ({ first, last, ...row }: Row) => [keyOf(row), first, last].join()
      const expected = historyOf(readings).map((row) => line({ ...row, port_id: portAt(row.port_id) }))
      expect(stored.map(line).sort()).toEqual(expected.sort())
      for (const { first, last } of stored) expect(last === null || last >= first).toBe(true)
      const open = stored.filter(({ last }) => last === null).map(keyOf)
      expect(new Set(open).size).toBe(open.length)
    }),
    { numRuns: 150, examples: [[EMPTY_AHEAD]] },
  )
})

test('a port with a million addresses gets its share, too', () => {
  const rows = [{ port_id: 1 }, ...Array.from({ length: 1_000_001 }, () => ({ port_id: 2 }))]
  expect(fairShare(rows, 1_000_001).length).toBe(1_000_001)
})

test('a share of places is full, and a port gets less than another only if it wants less', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 5 }).map((port_id) => ({ port_id }))), fc.nat(40), (rows, most) => {
      const chosen = fairShare(rows, most)
      expect(chosen.length).toBe(Math.min(rows.length, most))
      const count = (list: typeof rows, port: number) => list.filter(({ port_id }) => port_id === port).length
      const ports = [...new Set(rows.map(({ port_id }) => port_id))]
      const got = new Map(ports.map((port) => [port, count([...chosen], port)]))
      for (const a of ports)
        for (const b of ports) if ((got.get(a) ?? 0) + 1 < (got.get(b) ?? 0)) expect(got.get(a)).toBe(count(rows, a))
    }),
  )
})
