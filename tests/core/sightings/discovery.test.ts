import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Store } from '../../../src/core/database/client.ts'
import { writeDiscovery } from '../../../src/core/discovery/write.ts'
import { placesOf } from '../../../src/core/sightings/read-sightings.ts'
import { SIGHTING_LIMITS } from '../../../src/core/sightings/sighting.ts'
import type { Observation } from '../../../src/modules/observation.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { newDevice, port, ports } from '../discovery/factories.ts'

let database: TestDatabase
// The first database in a process starts a server.
beforeAll(async () => {
  database = await testDatabase()
}, 60_000)
afterAll(() => database.drop())

const run = { tookMs: 1, complete: true }
const [A, B, C] = ['4c14a3000001', '4c14a3000002', '4c14a3000003']

type Learned = readonly [mac: string, ifIndex: number, vlan?: number]
const fdb = (rows: readonly Learned[], complete = true): Observation => ({
  kind: 'fdb',
  complete,
  rows: rows.map(([mac_address, ifIndex, vlan]) => ({ mac_address, ifIndex, vlan: vlan ?? null })),
})
const arp = (rows: readonly (readonly [string, string])[], complete = true): Observation => ({
  kind: 'arp',
  complete,
  rows: rows.map(([mac, address]) => ({ mac, address, ifIndex: 1, context: null })),
})

/** A device with ports 1 to 4 after its first discovery. */
async function discovered(store: Store, ...observations: readonly Observation[]): Promise<number> {
  const id = await newDevice(store)
  await writeDiscovery(store, id, [ports([port(1), port(2), port(3), port(4)]), ...observations], run)
  return id
}

/** Time goes on: everything that is stored happened so many hours earlier. */
async function later({ sql }: Store, hours: number): Promise<void> {
  const ago = sql`make_interval(secs => ${hours * 3600})`
  await sql`update sightings set first_seen = first_seen - ${ago}, last_seen = last_seen - ${ago}`
  await sql`update sighting_readings set read_at = read_at - ${ago}, complete_at = complete_at - ${ago}, hour_began = hour_began - ${ago}`
  await sql`update mac_moves set moved_at = moved_at - ${ago}`
}

/** `mac port kind since until`, in hours ago; until is empty while it is there. */
const history = async ({ sql }: Store, id: number) =>
  (
    await sql<{ line: string }[]>`
      select concat_ws(' ', right(mac_address, 1), kind, 'port ' || "ifIndex", host(address),
        round(extract(epoch from now() - first_seen) / 3600), 'to ' || round(extract(epoch from now() - last_seen) / 3600)) as line
      from sightings s join ports p using (port_id) where s.device_id = ${id} order by first_seen, mac_address, "ifIndex"`
  ).map(({ line }) => line)

const eventsOf = async ({ sql }: Store, id: number) =>
  (
    await sql<{ message: string }[]>`
      select message from eventlog where device_id = ${id} and type = 'mac' order by event_id`
  ).map(({ message }) => message)

test('a sighting begins, and ends at the last complete reading that had it; what stays is not written', async () => {
  const { store } = database
  const id = await discovered(
    store,
    fdb([
      [A, 1],
      [B, 2],
    ]),
  )
  const versions = async () => [
    ...(await store.sql`select xmin::text from sightings where device_id = ${id} and last_seen is null order by mac_address`),
  ]
  await later(store, 6)
  const before = await versions()
  expect(before.length).toBe(2)
  await writeDiscovery(
    store,
    id,
    [
      fdb([
        [A, 1],
        [B, 2],
      ]),
    ],
    run,
  )
  await writeDiscovery(
    store,
    id,
    [
      fdb([
        [A, 1],
        [B, 2],
        [C, 3],
      ]),
    ],
    run,
  )
  const after = await versions()
  expect(after.length).toBe(3)
  expect(after.slice(0, 2)).toEqual(before)
  await later(store, 6)
  await writeDiscovery(store, id, [fdb([[B, 2]], false)], run)
  expect(await history(store, id)).toEqual(['1 fdb port 1 12', '2 fdb port 2 12', '3 fdb port 3 6'])
  await later(store, 6)
  await writeDiscovery(store, id, [fdb([[B, 2]])], run)
  expect(await history(store, id)).toEqual(['1 fdb port 1 18 to 12', '2 fdb port 2 18', '3 fdb port 3 12 to 12'])
})

test('a move within a switch ends one sighting and begins another, also in an incomplete reading, with an event', async () => {
  const { store } = database
  const { sql } = store
  const id = await discovered(
    store,
    { kind: 'vlans', complete: true, rows: [] },
    fdb([
      [A, 1, 10],
      [B, 1, 10],
    ]),
  )
  await later(store, 6)
  await writeDiscovery(store, id, [fdb([[A, 3, 10]], false)], run)
  expect(await history(store, id)).toEqual(['1 fdb port 1 6 to 6', '2 fdb port 1 6', '1 fdb port 3 0'])
  const [{ name = '' } = {}] = await sql<
    { name: string }[]
  >`select hostname as name from devices where device_id = ${id}`
  expect(await eventsOf(store, id)).toEqual([`MAC address 4c:14:a3:00:00:01 moved from ${name} Gi0/1 to ${name} Gi0/3`])
  for (const port of [1, 2, 4]) {
    await later(store, 1)
    await writeDiscovery(
      store,
      id,
      [
        fdb([
          [A, port, 10],
          [B, 1, 10],
        ]),
      ],
      run,
    )
  }
  expect((await eventsOf(store, id)).slice(1)).toEqual([
    `MAC address 4c:14:a3:00:00:01 moved from ${name} Gi0/3 to ${name} Gi0/1`,
    `MAC address 4c:14:a3:00:00:01 is flapping: 3 moves within 24 h, the last from ${name} Gi0/1 to ${name} Gi0/2`,
  ])
})

test('a return within a day to the same place goes on, and one after being elsewhere does not', async () => {
  const { store } = database
  const id = await discovered(
    store,
    fdb([
      [A, 1],
      [B, 2],
    ]),
  )
  await later(store, 6)
  await writeDiscovery(store, id, [fdb([[B, 3]])], run)
  await later(store, 6)
  await writeDiscovery(
    store,
    id,
    [
      fdb([
        [A, 1],
        [B, 2],
      ]),
    ],
    run,
  )
  expect(await history(store, id)).toEqual([
    '1 fdb port 1 12',
    '2 fdb port 2 12 to 12',
    '2 fdb port 3 6 to 6',
    '2 fdb port 2 0',
  ])
})

test('a move to another switch is known when both were read, and the uplink between them is none', async () => {
  const { store } = database
  const { sql } = store
  const [A, B] = ['4c14a3000021', '4c14a3000022']
  const [one, two] = [
    await discovered(
      store,
      fdb([
        [A, 1],
        [B, 2],
      ]),
    ),
    await discovered(
      store,
      fdb([
        [A, 4],
        [B, 4],
      ]),
    ),
  ]
  const uplink =
    await sql`insert into links (local_port_id, local_device_id, remote_hostname, remote_device_id, remote_port, remote_version)
    select port_id, device_id, 'one', ${one}, 'x', '' from ports where device_id = ${two} and "ifIndex" = 4`
  expect(uplink.count).toBe(1)
  const names = await sql<
    { name: string }[]
  >`select hostname as name from devices where device_id in (${one}, ${two}) order by device_id`
  await later(store, 6)
  await writeDiscovery(
    store,
    two,
    [
      fdb([
        [A, 2],
        [B, 4],
      ]),
    ],
    run,
  )
  expect(await eventsOf(store, two)).toEqual([])
  await writeDiscovery(store, one, [fdb([[B, 2]])], run)
  expect(await eventsOf(store, one)).toEqual([
    `MAC address 4c:14:a3:00:00:21 moved from ${names[0]?.name} Gi0/1 to ${names[1]?.name} Gi0/2`,
  ])
  // the other order: the old place is left first
  await writeDiscovery(store, one, [fdb([])], run)
  await later(store, 2)
  await writeDiscovery(
    store,
    two,
    [
      fdb([
        [A, 2],
        [B, 1],
      ]),
    ],
    run,
  )
  expect(await eventsOf(store, two)).toEqual([
    `MAC address 4c:14:a3:00:00:22 moved from ${names[0]?.name} Gi0/2 to ${names[1]?.name} Gi0/1`,
  ])
})

test('addresses that routers share do not move', async () => {
  const { store } = database
  const shared = ['00005e000101', '00000c9ff00a', '00000c07ac01']
  const at = (ifIndex: number) => fdb(shared.map((mac) => [mac, ifIndex]))
  const id = await discovered(store, at(1))
  await writeDiscovery(store, id, [at(2)], run)
  expect(await eventsOf(store, id)).toEqual([])
})

test('ARP: an address with another MAC address is another sighting, also in an incomplete reading', async () => {
  const { store } = database
  const id = await discovered(
    store,
    arp([
      [A, '10.20.0.1'],
      [B, '10.20.0.2'],
    ]),
  )
  await later(store, 6)
  await writeDiscovery(store, id, [arp([[C, '10.20.0.1']], false)], run)
  expect(await history(store, id)).toEqual([
    '1 arp port 1 10.20.0.1 6 to 6',
    '2 arp port 1 10.20.0.2 6',
    '3 arp port 1 10.20.0.1 0',
  ])
})

test('what an import brought, or an earlier version, is the beginning of the history', async () => {
  const { store } = database
  const id = await discovered(store)
  const { sql } = store
  await sql`insert into ports_fdb (device_id, port_id, mac_address, created_at, updated_at)
    select device_id, port_id, ${A}, now() - interval '90 h', now() - interval '3 h' from ports where device_id = ${id} and "ifIndex" = 1
    union all select device_id, port_id, ${B}, now() - interval '80 h', now() - interval '70 h' from ports where device_id = ${id} and "ifIndex" = 2`
  await writeDiscovery(store, id, [fdb([[A, 1]])], run)
  expect(await history(store, id)).toEqual(['1 fdb port 1 90', '2 fdb port 2 80 to 70'])
})

test('a flood on one port leaves the others as they are, and is said once', async () => {
  const { store } = database
  const [A, B, C] = ['4c14a3000011', '4c14a3000012', '4c14a3000013']
  const limits = { ...SIGHTING_LIMITS, maxOpen: 50, maxPerHour: 40 }
  const id = await discovered(store, fdb([[A, 1]]))
  const flood = (n: number, ...rest: readonly Learned[]) =>
    fdb([
      ...Array.from({ length: n }, (_, i): Learned => [`02${i.toString(16).padStart(10, '0')}`, 4]),
      [A, 1],
      ...rest,
    ])
  const write = (seen: Observation) => writeDiscovery(store, id, [seen], run, undefined, { limits })
  await write(flood(5000, [B, 2]))
  await write(flood(9000, [B, 2], [C, 3]))
  const [{ n = 0 } = {}] = await store.sql<
    { n: number }[]
  >`select count(*)::int as n from sightings where device_id = ${id}`
  expect(n).toBeLessThanOrEqual(41)
  const known = (await history(store, id)).filter((line) => !line.includes('port 4'))
  expect(known).toEqual(['1 fdb port 1 0', '2 fdb port 2 0'])
  await later(store, 2)
  await write(flood(9000, [B, 2], [C, 3]))
  expect((await history(store, id)).filter((line) => !line.includes('port 4'))).toEqual([
    '1 fdb port 1 2',
    '2 fdb port 2 2',
    '3 fdb port 3 0',
  ])
  expect(await eventsOf(store, id)).toEqual([
    '4962 entries of the forwarding table are not recorded as sightings: more than sightings.max_per_hour allows (40). Look for a port with thousands of MAC addresses, or raise the setting',
  ])
})

test('a reading that arrives late counts at the time when it was taken, and one of the future now', async () => {
  const { store } = database
  const id = await discovered(store, fdb([]))
  const limits = SIGHTING_LIMITS
  const at = (hours: number) => Date.now() - hours * 3_600_000
  const [mac, other] = ['4c14a3000031', '4c14a3000032']
  await writeDiscovery(store, id, [fdb([[mac, 1]])], run, undefined, { limits, at: at(30) })
  await writeDiscovery(store, id, [fdb([[mac, 1]])], run, undefined, { limits, at: at(20) })
  await writeDiscovery(store, id, [fdb([[other, 2]])], run, undefined, { limits, at: at(-50) })
  expect(await history(store, id)).toEqual(['1 fdb port 1 30 to 20', '2 fdb port 2 0'])
})

test('an uplink is a port with a neighbour that is no phone, or an aggregate of such, and ranks behind edge ports', async () => {
  const { store } = database
  const { sql } = store
  const mac = '4c14a3000041'
  const many = Array.from({ length: 12 }, (_, i): Learned => [`4c14a30001${i.toString(16).padStart(2, '0')}`, 4])
  const id = await discovered(store, fdb([[mac, 1], [mac, 2], [mac, 3], [mac, 4], ...many]))
  const port = async (n: number) =>
    (await sql<{ port_id: number }[]>`select port_id from ports where device_id = ${id} and "ifIndex" = ${n}`)[0]
      ?.port_id ?? 0
  const link = (port: number, platform: string) =>
    sql`insert into links (local_port_id, local_device_id, remote_hostname, remote_port, remote_platform, remote_version)
      values (${port}, ${id}, 'x', 'y', ${platform}, '')`
  await link(await port(1), 'Cisco IP Phone 8845')
  const [member] = await sql<{ port_id: number }[]>`
    insert into ports (device_id, "ifIndex", "ifName") values (${id}, 5, 'Te1/1') returning port_id`
  await sql`insert into ports_stack (device_id, "high_ifIndex", high_port_id, "low_ifIndex", low_port_id, "ifStackStatus")
    values (${id}, 2, ${await port(2)}, 5, ${member?.port_id ?? 0}, 'active')`
  await link(member?.port_id ?? 0, 'switch')
  await link(await port(3), 'switch')
  const places = await placesOf(store, { kind: 'all' }, mac)
  expect(places.map(({ port, uplink }) => [port, uplink])).toEqual([
    ['Gi0/1', false],
    ['Gi0/4', false],
    ['Gi0/2', true],
    ['Gi0/3', true],
  ])
  expect(places[1]?.macs).toBe(13)
  // between ports that lead on nothing moves
  await writeDiscovery(store, id, [fdb([['4c14a3000042', 3]])], run)
  await writeDiscovery(store, id, [fdb([['4c14a3000042', 2]])], run)
  expect(await eventsOf(store, id)).toEqual([])
})
