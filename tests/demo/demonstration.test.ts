import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoToken } from '../../src/app/demo/token.ts'
import { type Composed, compose } from '../../src/app/server.ts'
import { createSettings } from '../../src/config/settings.ts'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { demoDevices, foundDevices } from '../../src/core/demo/read.ts'
import { DEMO_RULE, UNKNOWN_NETWORK } from '../../src/core/demo/settings.ts'
import { findDoubles } from '../../src/core/identity/find-doubles.ts'
import { forgetGone, maintain } from '../../src/core/series/write-roll-ups.ts'
import { FLEET, UNKNOWN } from '../../src/demo/fleet.ts'
import { createLog } from '../../src/observe/log.ts'
import { portlight } from '../cli/support.ts'
import { until } from '../e2e/server.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { internalNames } from '../web/internal-names.ts'
import { DARK, HEALTH, OTHERS } from './health-of-fleet.ts'
import { allPages, BREAKS, responder } from './running.ts'

// `serve --demo` end to end: the fleet is discovered, gets its history, is read through the API, and removed.

setDefaultTimeout(240_000)

const DAY_MS = 86_400_000
const dataDir = mkdtempSync(join(tmpdir(), 'portlight-demonstration-'))
const log = createLog('silent')
let database: TestDatabase
let server: Composed

async function start(): Promise<Composed> {
  const flags = { database_url: database.url, port: '0', icmp_check: 'false', 'poller.workers': '2' }
  return await compose({ settings: createSettings({ flags }), dataDir, log, demo: true, version: 'test' })
}

beforeAll(async () => {
  database = await testDatabase()
  server = await start()
})
afterAll(async () => {
  await server?.stop()
  await database?.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function rows<T>(query: string, parameters: (string | number)[] = []): Promise<T[]> {
  return [...(await database.store.sql.unsafe(query, parameters))] as T[]
}

async function get(path: string, token = server.demo?.token ?? ''): Promise<Response> {
  return await fetch(`${server.url}${path}${path.includes('?') ? '&' : '?'}api_token=${token}`)
}

test('the history of every device is stored once, and the printed graph shows it', async () => {
  expect(await server.demo?.graphReady).toBe(true)
  expect(server.demo?.others).toBe(false)
  const graph = await get(server.demo?.graph ?? '')
  expect([graph.status, graph.headers.get('Content-Type')]).toEqual([200, 'image/png'])
  const report = await server.demo?.history
  expect(report?.devices).toBe(FLEET.length)
  expect(report?.samples).toBeGreaterThan(200_000)
})

test.each(FLEET.map(({ name }) => name))('%s has its health data discovered, with history', async (name) => {
  const wanted = HEALTH[name]
  if (wanted === undefined) throw new Error(`the table lacks ${name}`)
  const [device] = await rows<{ device_id: number }>('select device_id from devices where hostname = $1', [name])
  const id = device?.device_id ?? 0
  const count = async (table: string): Promise<number> =>
    (await rows<{ n: number }>(`select count(*)::int as n from ${table} where device_id = $1`, [id]))[0]?.n ?? 0
  const atLeast = async (table: string, least: number | 'none' | undefined): Promise<void> => {
    if (least === 'none') expect(await count(table)).toBe(0)
    else expect(await count(table)).toBeGreaterThanOrEqual(least ?? 0)
  }
  await atLeast('processors', wanted.processors)
  await atLeast('mempools', wanted.memory)
  await atLeast('storage', wanted.storage)
  for (const other of wanted.others ?? []) await atLeast(OTHERS[other], 1)
  const classes = await rows<{ sensor_class: string; known: boolean; least: number }>(
    `select sensor_class, bool_and(sensor_current is not null) as known,
       min((select count(*) from ts.sensor_samples_stored x where x.sensor_id = s.sensor_id))::int as least
     from sensors s where device_id = $1 group by 1 order by 1`,
    [id],
  )
  const names = classes.map(({ sensor_class }) => sensor_class)
  if (wanted.sensors === 'none') expect(names).toEqual([])
  else {
    expect(wanted.sensors.length).toBeGreaterThanOrEqual(2)
    expect(names).toEqual(expect.arrayContaining([...wanted.sensors]))
  }
  for (const { known, least } of classes) {
    expect(known).toBe(true)
    // a fifth is missing of those that have no power at times
    expect(least).toBeGreaterThan(DARK.includes(name) ? 220 : 280)
  }
  // only the intended faults are outside their limits
  const out = await rows(
    `select sensor_descr, sensor_current from sensors where device_id = $1 and sensor_class <> 'state'
       and (sensor_current > sensor_limit or sensor_current < sensor_limit_low)`,
    [id],
  )
  if (name !== 'ups-1' && name !== 'wan-1') expect(out).toEqual([])
})

test('history and polls join without a gap: the samples of a port are consistent across the boundary', async () => {
  // wait for samples after the history, so that the boundary is between them
  await until(90, 'real samples of all ports', async () => {
    const [row] = await rows<{ n: number }>(
      `select count(*)::int as n from devices d where d.hostname not in ('warehouse-1', 'ap-2', 'printer-3') and not exists (
         select from ports p join ts.port_samples_stored x using (port_id)
         where p.device_id = d.device_id and x."time" > d.inserted + interval '24 hours 1 second')`,
    )
    return row?.n === 0
  })
  // a lost sample would be a minute
  const breaks = await rows<{ hostname: string; apart: number }>(BREAKS)
  expect(breaks).toEqual([])
})

test('devices that nobody has added are found by neighbours and by the scan of their network', async () => {
  const { candidates, scans } = server.services
  const names = UNKNOWN.map(({ name }) => name as string).toSorted()
  await until(120, 'all of them are found, with the switches that report them', async () => {
    const { rows: found } = await candidates.list(SYSTEM, { state: 'new', network: UNKNOWN_NETWORK, snmp: true })
    const reported = found.flatMap(({ sources }) => sources).filter(({ kind }) => kind !== 'scan')
    return found.length === names.length && reported.length >= 3
  })
  const { rows: found } = await candidates.list(SYSTEM, { state: 'new', network: UNKNOWN_NETWORK, snmp: true })
  expect(found.map(({ name }) => name).toSorted()).toEqual(names)
  const seen = found.flatMap(({ name, sources }) =>
    sources.flatMap(({ kind, device }) => (kind === 'scan' ? [] : [`${name} ${kind} ${device}`])),
  )
  expect(seen.toSorted()).toEqual(['access-4 lldp core-1', 'ap-1 lldp access-1', 'branch-2 cdp wan-1'])
  const [scan] = await scans.list(SYSTEM)
  expect([scan?.networks, scan?.startedBy, scan?.counts.answeredSnmp]).toEqual([[UNKNOWN_NETWORK], 'schedule', 5])
  await until(60, 'the telephone is ignored by the rule', async () => {
    const { rows: ignored } = await candidates.list(SYSTEM, { state: 'ignored' })
    return ignored.length === 1 && ignored[0]?.name?.startsWith('Polycom VVX') === true
  })
  // the other telephone is left alone by the settings
  expect((await candidates.list(SYSTEM, { state: 'all', text: 'SEP0250' })).total).toBe(0)
  expect((await candidates.unmonitored(SYSTEM)).map(({ name }) => name).toSorted()).toEqual([
    ...['access-4', 'ap-1', 'branch-2', 'home-router'],
  ])
})

test('no two of its devices look like one', async () => {
  const options = { namesRepeat: false, signal: new AbortController().signal }
  expect(await findDoubles(database.store, options)).toBe(0)
  expect(await server.services.candidates.doubles(SYSTEM, null, 10)).toEqual([])
})

test('the parents of its devices are computed from core-1 on, wherever this host is', async () => {
  expect((await server.services.settings.stored()).get('dependencies.attached')).toEqual(['core-1'])
  const parents = async () =>
    await rows<{ pair: string }>(
      `select c.hostname || ' behind ' || p.hostname || ', ' || r.via as pair from computed_parents r
         join devices c on c.device_id = r.child_device_id join devices p on p.device_id = r.parent_device_id`,
    ).then((all) => all.map(({ pair }) => pair))
  await until(60, 'access-1 is behind core-1', async () =>
    (await parents()).includes('access-1 behind core-1, LLDP link Te1/1/1'),
  )
  expect((await parents()).filter((pair) => pair.startsWith('core-1 '))).toEqual([])
})

test('a found device that is accepted is polled, and reached through the switch that reported it', async () => {
  const { candidates } = server.services
  const { rows: found } = await candidates.list(SYSTEM, { text: 'access-4' })
  const accepted = await candidates.accept(SYSTEM, [found[0]?.id ?? 0], { nameBy: 'sysname' })
  expect(accepted.map(({ state, problem }) => [state, problem])).toEqual([['added', null]])
  await until(120, 'it is polled, and its parent is known', async () => {
    const [row] = await rows<{ polled: boolean; parents: string[] }>(
      `select d.last_polled is not null as polled, array(select p.hostname from computed_parents r join devices p on p.device_id = r.parent_device_id
         where r.child_device_id = d.device_id) as parents from devices d where hostname = 'access-4'`,
    )
    return row?.polled === true && row.parents.includes('core-1')
  })
  expect((await foundDevices(database.store)).map(({ hostname }) => hostname)).toEqual(['access-4'])
})

test("octets of history and polls add up to the increase of the agent's counter", async () => {
  for (const [name, ifIndex] of [
    ['core-1', 302],
    ['edge-1', 520],
    ['nas-1', 4],
  ] as const) {
    const [sums] = await rows<{ octets: string; from: number; to: number }>(
      `select sum(x.in_octets)::text as octets, (min(extract(epoch from x."time") * 1000 - x.period_ms))::float8 as from,
         (max(extract(epoch from x."time")) * 1000)::float8 as to
       from devices d join ports p using (device_id) join ts.port_samples_stored x using (port_id)
       where d.hostname = $1 and p."ifIndex" = $2`,
      [name, ifIndex],
    )
    const { counters } = responder(name).past({
      counters: [`1.3.6.1.2.1.31.1.1.1.6.${ifIndex}`],
      numbers: [],
      moments: Float64Array.of(sums?.from ?? 0, sums?.to ?? 0),
    })
    const moved = Number((counters[1] ?? 0n) - (counters[0] ?? 0n))
    // the agents' clocks tick in hundredths and a poll takes time, which is negligible over 24 hours
    expect(Math.abs(Number(sums?.octets) / moved - 1)).toBeLessThan(1e-4)
  }
})

test('the history contains outages, a UPS on battery and a flapping port, with their events', async () => {
  const [span] = await rows<{ from: number; to: number; id: number }>(
    `select (extract(epoch from inserted) * 1000)::float8 as from, (extract(epoch from inserted) * 1000 + ${DAY_MS})::float8 as to,
       device_id as id from devices where hostname = 'warehouse-1'`,
  )
  if (span === undefined) throw new Error('no warehouse-1')
  const warehouse = responder('warehouse-1')
  // outages are kept in whole seconds and events are not: both are counted up to the same whole second
  const endS = Math.floor(span.to / 1000)
  const dark = Array.from({ length: 1440 }, (_, i) => !warehouse.instant(span.from + i * 60_000).powered)
  const outages = await rows<{ down: number; up: number | null }>(
    'select going_down::float8 as down, up_again::float8 as up from device_outages where device_id = $1 and going_down < $2 order by 1',
    [span.id, endS],
  )
  const begins = dark.filter((is, i) => is && dark[i - 1] === false).length
  expect(outages.length).toBeWithin(begins - 1, begins + 2)
  // 35 a day; those in progress at either end of the history may be missing
  expect(outages.length).toBeGreaterThanOrEqual(30)
  for (const { down, up } of outages) if (up !== null) expect(up - down).toBeWithin(0, 1200)
  // the last may have been in progress when the history ended
  const ended = outages.filter(({ up }) => up !== null && up < endS)
  expect(outages.length - ended.length).toBeWithin(0, 2)
  const types = await rows<{ type: string; n: number }>(
    `select type, count(*)::int as n from eventlog where device_id = $1 and datetime < to_timestamp($2::float8) group by 1 order by 1`,
    [span.id, endS],
  )
  const told = Object.fromEntries(types.map(({ type, n }) => [type, n]))
  expect([told['down'], told['up']]).toEqual([outages.length, ended.length])
  // the outage that the grace time after the start cut short is not a restart
  expect(told['reboot']).toBeWithin(outages.length - 1, outages.length + 1)

  const [battery] = await rows<{ out: number; back: number; lowest: number }>(
    `select count(*) filter (where e.severity = 5)::int as out, count(*) filter (where e.severity = 1)::int as back,
       (select min(x.value) from ts.sensor_samples_stored x join sensors s using (sensor_id)
        where s.device_id = d.device_id and s.sensor_class = 'charge')::float8 as lowest
     from devices d join eventlog e using (device_id) where d.hostname = 'ups-1' and e.type = 'voltage'
       and e.datetime < d.inserted + interval '24 hours' group by d.device_id`,
  )
  // a UPS that was found without mains power has no limits of its input yet: nothing is guessed from 0 V
  const [{ known } = { known: 0 }] = await rows<{ known: number }>(
    `select count(*)::int as known from sensors s join devices d using (device_id)
     where d.hostname = 'ups-1' and s.sensor_class = 'voltage' and s.sensor_descr ilike '%input%' and s.sensor_limit_low > 0`,
  )
  if (known === 0) expect(battery?.out ?? 0).toBe(0)
  else {
    expect(battery?.out).toBeGreaterThanOrEqual(3)
    expect(Math.abs((battery?.out ?? 0) - (battery?.back ?? 0))).toBeLessThanOrEqual(1)
    expect(battery?.lowest).toBeLessThan(90)
  }

  const flaps = await rows<{ message: string; n: number }>(
    `select e.message, count(*)::int as n from eventlog e join devices d using (device_id)
     where d.hostname = 'access-1' and e.type = 'interface' and e.datetime < d.inserted + interval '24 hours' group by 1 order by 2 desc`,
  )
  expect(
    flaps
      .slice(0, 2)
      .map(({ message }) => message)
      .sort(),
  ).toEqual(['ifOperStatus: down -> up', 'ifOperStatus: up -> down'])
  expect(flaps[0]?.n).toBeGreaterThan(20)
})

test('the history is rolled up like other samples', async () => {
  await maintain(database.store, { samplesDays: 30, hourlyDays: 400, dailyDays: 3650 })
  for (const base of ['port', 'sensor', 'processor', 'mempool', 'storage', 'device', 'stats', 'wireless', 'supply']) {
    const [row] = await rows<{ n: number }>(
      `select count(distinct bucket)::int as n from ts.${base}_1h where bucket < date_trunc('hour', now())`,
    )
    expect([base, (row?.n ?? 0) >= 23]).toEqual([base, true])
  }
})

test('no page shows names of columns, SQL or arrows of texts for programs', async () => {
  const pages = await allPages(server)
  expect(pages.size).toBeGreaterThan(120)
  const found = [...pages].flatMap(([path, html]) => internalNames(html).map((name) => `${path}: ${name}`))
  expect(found).toEqual([])
})

test('its token reads everything and changes nothing, and its file can be read only by the owner', async () => {
  const token = server.demo?.token ?? ''
  expect(token).toMatch(/^[0-9a-f]{32}$/)
  expect(readFileSync(join(dataDir, 'demo-token'), 'utf8').trim()).toBe(token)
  expect(statSync(join(dataDir, 'demo-token')).mode & 0o777).toBe(0o600)
  expect((await get('/api/v0/devices')).status).toBe(200)
  const wrote = await fetch(`${server.url}/api/v0/devices/web-1?api_token=${token}`, { method: 'DELETE' })
  expect(wrote.status).toBe(403)
})

test('no token is created if the API listens on an address other than loopback', async () => {
  for (const listen of ['0.0.0.0', '::', '192.0.2.1', 'example.org']) {
    expect(await demoToken(server.services.demo, dataDir, listen)).toBeNull()
  }
})

test('another start adds no history to devices that have it, and redoes an interrupted one', async () => {
  const cut = Date.now() / 1000 - 3600
  const told = async () =>
    await rows<{ n: number }>('select count(*)::int as n from eventlog where datetime < to_timestamp($1::float8)', [
      cut,
    ])
  const before = await told()
  const token = server.demo?.token
  await server.stop()
  // as if killed in between: the device was added after the end of its partial history, and before its first sample
  await rows(
    `with half as (
       update devices d set inserted = inserted + interval '24 hours 1 second' from devices_attribs a
       where a.device_id = d.device_id and d.hostname = 'ups-1' returning d.device_id)
     update devices_attribs set attrib_value = 'added' where attrib_type = 'demo' and device_id in (select device_id from half)`,
  )
  const restarted = Date.now() / 1000
  server = await start()
  const report = await server.demo?.history
  expect([report?.devices, server.demo?.token]).toEqual([1, token ?? ''])
  expect(await told()).toEqual(before)
  // the fleet answers before it is polled
  await until(120, 'all are polled again', async () => {
    const [left] = await rows<{ n: number }>(
      `select count(*)::int as n from devices join devices_attribs a using (device_id)
       where a.attrib_type = 'demo' and (last_polled is null or last_polled < to_timestamp($1::float8))`,
      [restarted],
    )
    return left?.n === 0
  })
  const lost = await rows(
    `select d.hostname from eventlog e join devices d using (device_id) where e.type = 'down' and e.datetime > to_timestamp($1::float8)`,
    [restarted],
  )
  // A fleet that answers later than it is polled loses every device. A machine that does much else loses single answers,
  // and then also lets the minute pass after which a switch of the stories has no power.
  const monitored = await demoDevices(database.store)
  expect(lost.length).toBeLessThan(monitored.length / 2)
  expect(monitored.every(({ history }) => history)).toBe(true)
})

test('demo remove removes the demo while the server runs and keeps other devices', async () => {
  const own = {
    hostname: '127.0.0.1',
    port: 9,
    community: 'public',
    snmpver: 'v2c',
    force: true,
    location: 'Here',
  } as const
  await server.services.devices.add(SYSTEM, own)
  await server.services.settings.set('nets', ['192.0.2.0/24', UNKNOWN_NETWORK])
  expect(await server.services.candidates.rules(SYSTEM)).toMatchObject([DEMO_RULE])
  const token = server.demo?.token ?? ''
  const removed = await portlight(['demo', 'remove', '--json', '--data-dir', dataDir], {
    env: { DATABASE_URL: database.url },
  })
  expect([removed.code, removed.err]).toEqual([0, ''])
  const told = JSON.parse(removed.out) as { devices: string[]; locations: string[]; token: boolean }
  expect(told.devices.toSorted()).toEqual(['access-4', ...FLEET.map(({ name }) => name as string)].toSorted())
  // what the demo had set so that devices are found is gone, and what was found
  const stored = await server.services.settings.stored()
  const names = ['nets', 'autodiscovery.networks', 'dependencies.attached']
  expect(names.map((name) => stored.get(name))).toEqual([['192.0.2.0/24'], undefined, undefined])
  expect(await server.services.candidates.rules(SYSTEM)).toEqual([])
  expect((await server.services.candidates.list(SYSTEM, { state: 'all' })).total).toBe(0)
  expect(await server.services.scans.list(SYSTEM)).toEqual([])
  expect([told.locations.length, told.token]).toEqual([4, true])
  const left = await rows<{ devices: string[]; locations: string[]; users: string[] }>(
    `select array(select hostname from devices) as devices, array(select location from locations) as locations,
       array(select username from users) as users`,
  )
  expect(left).toEqual([{ devices: ['127.0.0.1'], locations: ['Here'], users: ['admin'] }])
  // Polls that were already running store their samples a little later; those are deleted as well.
  const orphans = async () => {
    await forgetGone(database.store)
    const [samples] = await rows<{ n: number }>(
      `select ((select count(*) from ts.sensor_samples_stored) + (select count(*) from ts.processor_samples_stored)
        + (select count(*) from ts.port_1h_stored) + (select count(*) from device_outages where device_id not in (select device_id from devices)))::int as n`,
    )
    return samples?.n
  }
  await until(60, 'no sample is left', async () => (await orphans()) === 0)
  expect(existsSync(join(dataDir, 'demo-token'))).toBe(false)
  await until(10, 'the token is revoked', async () => (await get('/api/v0/devices', token)).status === 401)
})

test("a user's own device with the same name is left alone", async () => {
  const own = {
    hostname: 'printer-1',
    overwriteIp: '127.0.0.2',
    port: 9,
    community: 'own',
    snmpver: 'v2c',
    force: true,
  } as const
  await server.services.devices.add(SYSTEM, own)
  await server.stop()
  server = await start()
  const [device] = await rows<object>(
    `select overwrite_ip, port, community, poll_interval from devices where hostname = 'printer-1'`,
  )
  expect(device).toEqual({ overwrite_ip: '127.0.0.2', port: 9, community: 'own', poll_interval: null })
  const watched = (await demoDevices(database.store)).map(({ hostname }) => hostname)
  expect(watched.length).toBe(FLEET.length - 1)
  expect(watched).not.toContain('printer-1')
  // the start says that there are devices of the user's own
  expect(server.demo?.others).toBe(true)
})
