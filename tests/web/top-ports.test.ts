import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { piecesOf } from '../../src/core/lists/sql-pieces.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

const HOUR = 3_600_000
const NOW = Date.now()

let web: TestWeb
let admin: Person
/** Ports by name. */
const ports = new Map<string, number>()
let devices: readonly number[] = []

/** One sample for each 5 minutes from `fromH` to `toH` hours ago, at these rates. */
async function traffic(port: string, fromH: number, toH: number, rates: { in: number; out?: number; err?: number }) {
  await web.api.store.sql`
    insert into ts.port_samples ("time", port_id, period_ms, in_octets, out_octets, in_err, out_err, in_disc, out_disc)
    select to_timestamp(${NOW / 1000}::float8) - make_interval(mins => n), ${ports.get(port) ?? 0}, 300000, ${rates.in * 37.5}::float8::bigint, ${(rates.out ?? 0) * 37.5}::float8::bigint,
      ${rates.err ?? 0}, 0, 0, 0 from generate_series(${toH * 60}::int, ${fromH * 60 - 5}::int, 5) n`
}

beforeAll(async () => {
  web = await testWeb()
  const { sql } = web.api.store
  for (let day = 0; day <= 3; day++)
    await sql`select ts.ensure_partitions('ts.port_samples', to_timestamp(${NOW / 1000 - day * 86_400}::float8))`
  const rows = await sql<{ id: number }[]>`
    insert into devices (hostname, status) values ('left.example.net', 1), ('right.example.net', 1), ('alone.example.net', 1) returning device_id as id`
  devices = rows.map(({ id }) => id)
  const [left = 0, right = 0, alone = 0] = devices
  const made: [string, number, string][] = [
    ['l-uplink', left, 'ethernetCsmacd'],
    ['r-uplink', right, 'ethernetCsmacd'],
    ['l-Po1', left, 'ieee8023adLag'],
    ['l-m1', left, 'ethernetCsmacd'],
    ['l-m2', left, 'ethernetCsmacd'],
    ['r-Po1', right, 'ieee8023adLag'],
    ['r-m1', right, 'ethernetCsmacd'],
    ['a-lo0', alone, 'softwareLoopback'],
    ['a-Vlan10', alone, 'propVirtual'],
    ['a-ignored', alone, 'ethernetCsmacd'],
    ['a-user', alone, 'ethernetCsmacd'],
    ['a-before', alone, 'ethernetCsmacd'],
  ]
  for (const [i, [name, device, type]] of made.entries()) {
    const [row] = await sql<{ id: number }[]>`
      insert into ports (device_id, "ifIndex", "ifName", "ifType", "ifSpeed", ignore)
      values (${device}, ${i + 1}, ${name}, ${type}, 1000000000, ${name === 'a-ignored' ? 1 : 0}) returning port_id as id`
    ports.set(name, row?.id ?? 0)
  }
  const link = async (a: string, b: string) =>
    await sql`
    insert into links (local_port_id, local_device_id, remote_port_id, remote_device_id, protocol, remote_hostname, remote_port, remote_version)
    values (${ports.get(a) ?? 0}, ${left}, ${ports.get(b) ?? 0}, ${right}, 'lldp', 'right', ${b}, '')`
  await link('l-uplink', 'r-uplink')
  await link('l-m1', 'r-m1')
  const stack = async (device: number, high: string, low: string) =>
    await sql`
    insert into ports_stack (device_id, "high_ifIndex", high_port_id, "low_ifIndex", low_port_id, "ifStackStatus")
    values (${device}, ${ports.get(high) ?? 0}, ${ports.get(high) ?? 0}, ${ports.get(low) ?? 0}, ${ports.get(low) ?? 0}, 'active')`
  await stack(left, 'l-Po1', 'l-m1')
  await stack(left, 'l-Po1', 'l-m2')
  await stack(right, 'r-m1', 'r-Po1') // some agents have it the other way round
  for (const name of ['l-uplink', 'r-uplink']) await traffic(name, 50, 0, { in: 500e6, out: 10e6 })
  for (const name of ['l-Po1', 'r-Po1']) await traffic(name, 50, 0, { in: 800e6 })
  for (const name of ['l-m1', 'l-m2', 'r-m1']) await traffic(name, 50, 0, { in: 400e6, err: name === 'l-m1' ? 7 : 0 })
  for (const name of ['a-lo0', 'a-Vlan10', 'a-ignored']) await traffic(name, 50, 0, { in: 900e6 })
  await traffic('a-user', 50, 25, { in: 100e6 })
  await traffic('a-user', 24, 0, { in: 300e6 })
  await traffic('a-before', 50, 27, { in: 250e6 })
  await traffic('a-before', 2, 0, { in: 250e6 })
  admin = await web.signedIn(['admin'])
}, 120_000)
afterAll(() => web.drop())

const open = async (path: string, person = admin) => await (await web.send(path, { cookie: person.cookie })).text()
const listed = (text: string) =>
  [...text.matchAll(/class="name" href="\/port\/\d+"[^>]*>([^<]+)</g)].map((m) => m[1] ?? '')

describe('ports over a time range', () => {
  test('count each traffic once: no loopbacks, virtual or ignored ports, members or second ends', async () => {
    const text = await open('/ports/top?from=-1h')
    expect(listed(text)).toEqual(['l-Po1', 'l-uplink', 'a-user', 'a-before'])
    expect(text).toContain('right.example.net r-Po1')
    expect(text).toContain('800 Mbit/s')
  })

  test('a filter by device keeps its end of a link', async () => {
    expect(listed(await open(`/ports/top?from=-1h&device=${devices[1]}`))).toEqual(['r-Po1', 'r-uplink'])
  })

  test('a longer range is the mean over roll-ups and samples', async () => {
    const { sql } = web.api.store
    await sql`delete from ts.port_1h where port_id = ${ports.get('a-user') ?? 0}`
    await sql`insert into ts.port_1h (bucket, port_id, n, period_ms, known, in_octets, out_octets)
      select date_bin('1 hour', to_timestamp(${NOW / 1000}::float8) - make_interval(hours => h), '2000-01-03 00:00+00'), ${ports.get('a-user') ?? 0}, 12, 3600000, null,
        (300e6 * 450)::bigint, 0 from generate_series(1, 23) h`
    const csv = await open('/ports/top?from=-20h&format=csv&q=a-user')
    expect(csv).toMatch(/a-user.*,300000000,/)
  })

  test('the largest change compares two ranges', async () => {
    const text = await open('/ports/top?from=-2h&by=change&against=day')
    expect(listed(text)[0]).toBe('a-user')
    expect(text).toContain('+200 Mbit/s')
    expect(await open('/ports/top?from=-2h&by=change&q=a-before')).toContain('No port matches')
  })

  test('errors stay with the member that counted them', async () => {
    expect(listed(await open('/ports/top?from=-1h&by=errors'))).toEqual(['l-m1'])
  })

  test('the overview lists each traffic once, now or over a range', async () => {
    for (const path of ['/', '/?top=24h', '/?top=7d']) {
      const text = await open(path)
      const card = text.slice(text.indexOf('Top talkers')).split('</section>')[0] ?? ''
      const names = [...card.matchAll(/class="name" href="\/port\/\d+">([^<]+)</g)].map((m) => m[1] ?? '')
      expect([path, names.slice(0, 2)]).toEqual([path, ['left.example.net l-Po1', 'left.example.net l-uplink']])
      expect([path, /r-uplink|l-m1|a-lo0|a-ignored|a-Vlan10/.test(card)]).toEqual([path, false])
    }
  })

  test('groups and locations narrow the list, and a range that is no time is named at its field', async () => {
    const { sql } = web.api.store
    const [group] = await sql<
      { id: number }[]
    >`insert into device_groups (name, type) values ('edge', 'static') returning id`
    await sql`insert into device_group_device (device_group_id, device_id) values (${group?.id ?? 0}, ${devices[2] ?? 0})`
    await sql`with l as (insert into locations (location) values ('Bern') returning id)
      update devices set location_id = l.id from l where device_id = ${devices[1] ?? 0}`
    expect(listed(await open(`/ports/top?from=-1h&group=${group?.id}`))).toEqual(['a-user', 'a-before'])
    expect(listed(await open('/ports/top?from=-1h&location=Bern'))).toEqual(['r-Po1', 'r-uplink'])
    expect(await open('/ports/top?from=nonsense')).toContain('nonsense is not a date and time.')
  })

  test('a user sees granted ports only, without what is at the other end', async () => {
    const person = await web.signedIn(['user'])
    await web.api.services.users.grant(person.username, { portIds: [ports.get('r-uplink') ?? 0] })
    const text = await open('/ports/top?from=-1h', person)
    expect(listed(text)).toEqual(['r-uplink'])
    expect(text).not.toContain('left.example.net')
    expect(text).not.toContain('right.example.net')
  })
})

test('pieces cover a range once, from few tables', () => {
  const time = fc.integer({ min: -400 * 24, max: 48 }).map((hours) => NOW + hours * HOUR)
  const odd = fc.integer({ min: 0, max: HOUR - 1 })
  fc.assert(
    fc.property(time, odd, time, odd, (a, da, b, db) => {
      const [from, to] = [a + da, b + db]
      const pieces = piecesOf(from, to, NOW)
      const end = Math.min(to, NOW)
      if (!(from < end)) return expect(pieces).toEqual([])
      expect(pieces.length).toBeGreaterThan(0)
      expect(pieces.length).toBeLessThanOrEqual(4)
      expect(pieces.at(-1)?.toMs).toBe(end)
      const first = pieces[0]?.fromMs ?? Number.NaN
      expect(first <= from && from - first < HOUR).toBe(true)
      pieces.forEach((piece, i) => {
        expect(piece.fromMs < piece.toMs).toBe(true)
        if (i > 0) expect(piece.fromMs).toBe(pieces[i - 1]?.toMs ?? Number.NaN)
        if (piece.level === 'samples') expect(piece.toMs - piece.fromMs).toBeLessThanOrEqual(3 * HOUR)
      })
    }),
  )
})
