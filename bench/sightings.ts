import type { Store } from '../src/core/database/client.ts'
import { findStations, listSightings, placesOf } from '../src/core/sightings/read-sightings.ts'
import { type Seen, SIGHTING_LIMITS } from '../src/core/sightings/sighting.ts'
import { dropOldSightings } from '../src/core/sightings/write-retention.ts'
import { noteReading } from '../src/core/sightings/write-sightings.ts'
import { withDatabase } from './support/database.ts'
import { option } from './support/option.ts'
import { type BenchResult, result } from './support/result.ts'

/**
 * Sightings of 100,000 MAC addresses on the edge ports of 400 switches, all of which a core switch sees too, where 1 % of
 * them are on another port at each reading: what a day writes when tables are read every 6 hours, as discovery does, and
 * every 5 minutes. `--macs N`, `--switches N`, `--percent N` and `--rounds N` (readings at 5 minutes, of which a day is
 * made) change that. Also the time of the page of a MAC address and of a search, and of deleting a year's end.
 */

const MACS = option('macs', 100_000)
const SWITCHES = option('switches', 400)
const PERCENT = option('percent', 1)
const ROUNDS = option('rounds', 12)
const PORTS = 48
const HOUR_MS = 3_600_000
const ALL = { kind: 'all' } as const
const GOAL_MS = 2000
const GOAL_READ_MS = 100
const GOAL_SEARCH_MS = 300

export async function run(): Promise<BenchResult[]> {
  return withDatabase(2, measure)
}

/** What a number of rounds cost. */
interface Cost {
  readonly rows: number
  readonly wal: number
  readonly stored: number
  /** Mean and longest, of the core switch with all addresses. */
  readonly coreMs: readonly [number, number]
  /** Of a switch at the edge. */
  readonly edgeMs: number
}

async function measure(store: Store): Promise<BenchResult[]> {
  const { sql } = store
  await sql`insert into devices (hostname) select 'switch-' || i from generate_series(0, ${SWITCHES}::int) i`
  // the last device is the core, whose ports lead to the others
  await sql`insert into ports (device_id, "ifIndex", "ifName")
    select 1 + i / ${PORTS}::int, i % ${PORTS}::int, 'Gi0/' || i % ${PORTS}::int from generate_series(0, ${SWITCHES * PORTS}::int - 1) i
    union all select 1 + ${SWITCHES}::int, i, 'Te1/' || i from generate_series(0, ${SWITCHES}::int - 1) i`
  await sql`insert into links (local_port_id, local_device_id, remote_device_id, remote_hostname, remote_port, remote_version)
    select port_id, device_id, 1 + "ifIndex", 'x', 'x', '' from ports where device_id = 1 + ${SWITCHES}::int`
  const places = Array.from({ length: MACS }, (_, i) => i % (SWITCHES * PORTS))
  let at = Date.UTC(2026, 0, 1)
  await round(store, places, at)
  await sql.unsafe('vacuum analyze')
  const slow = await rounds(store, places, 4, () => (at += 6 * HOUR_MS))
  const fast = await rounds(store, places, ROUNDS, () => (at += HOUR_MS / 12))
  const still = await rounds(store, places, 1, () => (at += HOUR_MS), 0)
  const perDay = 288 / ROUNDS
  const reads = await timesOfReads(store)
  const [{ n = 0 } = {}] = await sql<
    { n: number }[]
  >`select count(*)::int as n from sightings where last_seen is not null`
  await sql`update sightings set last_seen = last_seen - interval '400 d', first_seen = first_seen - interval '400 d' where last_seen is not null`
  const from = performance.now()
  const dropped = await dropOldSightings(store, 365)
  const dropMs = performance.now() - from
  const ms = (value: number, goal = GOAL_MS) => ({ text: `<= ${goal} ms`, met: value <= goal })
  const lines = (name: string, cost: Cost, times: number): BenchResult[] => [
    result(`${name}: rows begun in a day`, cost.rows * times, 'rows'),
    result(`${name}: tables and indexes grow in a day`, (cost.stored * times) / 1e6, 'MB'),
    result(`${name}: WAL of a day`, (cost.wal * times) / 1e6, 'MB'),
    result(`${name}: reading of ${MACS} MAC addresses, mean`, cost.coreMs[0], 'ms'),
    result(`${name}: the same, longest`, cost.coreMs[1], 'ms', null, ms(cost.coreMs[1])),
    result(`${name}: reading of ${Math.round(MACS / SWITCHES)}, mean`, cost.edgeMs, 'ms'),
  ]
  return [
    ...lines('every 6 h', slow, 1),
    ...lines('every 5 min', fast, perDay),
    result('nothing moves: WAL of a round', still.wal / 1e3, 'kB'),
    result('nothing moves: rows begun', still.rows, 'rows', null, { text: '0', met: still.rows === 0 }),
    ...reads.map(([name, value]) =>
      result(name, value, 'ms', null, ms(value, name.startsWith('search') ? GOAL_SEARCH_MS : GOAL_READ_MS)),
    ),
    result(`delete ${n} old sightings`, dropMs, 'ms'),
    result('deleted, with moves', dropped, 'rows'),
  ]
}

const macOf = (i: number) => `4c14${i.toString(16).padStart(8, '0')}`
const seenAt = (i: number, port_id: number): Seen => ({
  mac: macOf(i),
  port_id,
  vlan: null,
  address: null,
  username: null,
})

/** Reads every switch, then the core; returns the time of the core and the mean of the others, ms. */
async function round({ sql }: Store, places: readonly number[], at: number): Promise<readonly [number, number]> {
  const rows: Seen[][] = Array.from({ length: SWITCHES }, () => [])
  for (const [i, place] of places.entries()) rows[Math.floor(place / PORTS)]?.push(seenAt(i, place + 1))
  const note = async (deviceId: number, seen: readonly Seen[]) => {
    const from = performance.now()
    const reading = { kind: 'fdb', complete: true, rows: seen } as const
    await sql.begin((tx) =>
      noteReading(tx, deviceId, reading, { ...SIGHTING_LIMITS, maxOpen: MACS * 2, maxPerHour: MACS * 2 }, at),
    )
    return performance.now() - from
  }
  let edge = 0
  for (const [n, seen] of rows.entries()) edge += await note(n + 1, seen)
  const core = places.map((place, i) => seenAt(i, SWITCHES * PORTS + 1 + Math.floor(place / PORTS)))
  return [await note(SWITCHES + 1, core), edge / SWITCHES]
}

async function rounds(
  store: Store,
  places: number[],
  times: number,
  next: () => number,
  percent = PERCENT,
): Promise<Cost> {
  const before = await sizes(store)
  const core: number[] = []
  let edge = 0
  for (let n = 0; n < times; n++) {
    for (let i = 0; i < (MACS * percent) / 100; i++)
      places[Math.floor(Math.random() * MACS)] = Math.floor(Math.random() * SWITCHES * PORTS)
    const [coreMs, edgeMs] = await round(store, places, next())
    core.push(coreMs)
    edge += edgeMs
  }
  const after = await sizes(store)
  return {
    rows: after.rows - before.rows,
    wal: after.wal - before.wal,
    stored: after.stored - before.stored,
    coreMs: [core.reduce((a, b) => a + b, 0) / times, Math.max(...core)],
    edgeMs: edge / times,
  }
}

async function sizes({ sql }: Store): Promise<{ rows: number; wal: number; stored: number }> {
  await sql.unsafe('vacuum analyze sightings')
  await sql.unsafe('checkpoint')
  const [row] = await sql<{ rows: number; wal: number; stored: number }[]>`
    select (select count(*) from sightings)::float8 as rows, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal,
      (pg_total_relation_size('sightings') + pg_total_relation_size('mac_moves'))::float8 as stored`
  return row ?? { rows: 0, wal: 0, stored: 0 }
}

async function timesOfReads(store: Store): Promise<(readonly [string, number])[]> {
  const read = async (name: string, work: () => Promise<unknown>) => {
    const times: number[] = []
    for (let n = 0; n < 5; n++) {
      const from = performance.now()
      await work()
      times.push(performance.now() - from)
    }
    return [name, Math.max(...times.slice(1))] as const
  }
  const part = { offset: 0, limit: 100 }
  const mac = macOf(7)
  return [
    await read('page of a MAC address: places', () => placesOf(store, ALL, mac)),
    await read('page of a MAC address: history', () => listSightings(store, ALL, { mac }, part)),
    await read('list without a filter', () => listSightings(store, ALL, {}, part)),
    await read('list of a port', () => listSightings(store, ALL, { portId: 7 }, part)),
    await read('search for a whole MAC address', () => findStations(store, ALL, { mac }, 50)),
    await read('search for a prefix of 4,096 of them', () => findStations(store, ALL, { mac: mac.slice(0, 9) }, 50)),
    await read('search for a prefix of all of them', () => findStations(store, ALL, { mac: '4c14' }, 50)),
  ]
}
