import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetchRrd, RRDTOOL } from '../../../packages/rrd/tests/rrdtool.ts'
import { compareApis, describeComparison } from '../../../src/cli/import-check.ts'
import { createSettings } from '../../../src/config/settings.ts'
import { createPasswordCheck } from '../../../src/core/access/users/passwords.ts'
import { openMysql } from '../../../src/core/import/mysql.ts'
import { notTaken } from '../../../src/core/import/not-taken.ts'
import type { ImportReport } from '../../../src/core/import/report.ts'
import { SourceError } from '../../../src/core/import/source.ts'
import { portSeries } from '../../../src/core/series/read-ports.ts'
import { spawnPortlight, startServe, temporaryFolder } from '../../cli/support.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { contents } from './contents.ts'
import { fillFiles } from './files.ts'
import { importInto, tableOf } from './imported.ts'
import { fillInstallation, PASSWORD, TOKEN } from './installation.ts'
import { MARIADB, startMaria, type TestMaria } from './maria.ts'

const SIZE = { devices: 3, portsPerDevice: 4, endS: Math.floor(Date.now() / 1000) - 60 }
const DAYS = 20
const SLOW_MS = 180_000

/** The API of another program, which has some different devices and no services. */
async function otherApi(url: string): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      if (pathname.endsWith('/services')) return new Response('{"status":"error"}', { status: 404 })
      const answer = await fetch(`${url}${pathname}${search}`, { headers: request.headers })
      if (!pathname.endsWith('/devices')) return answer
      const body = (await answer.json()) as { devices: { device_id: number; os: string }[] }
      const change = (id: number) => (id === 44 ? { device_id: 77 } : id === 43 ? { os: 'ios' } : {})
      return Response.json({ ...body, devices: body.devices.map((one) => ({ ...one, ...change(one.device_id) })) })
    },
  })
  return { url: server.url.href, stop: () => server.stop(true) }
}

describe.skipIf(MARIADB === null || RRDTOOL === null)('an installation on a MariaDB server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portlight-import-'))
  const databases: TestDatabase[] = []
  let maria: TestMaria
  let database: TestDatabase
  let first: ImportReport
  /** Imported by a command. */
  let completed: TestDatabase | null = null

  const fresh = async (): Promise<TestDatabase> => {
    const made = await testDatabase()
    databases.push(made)
    return made
  }
  const run = async (
    into: TestDatabase,
    dryRun = false,
    zone: string | null = 'Europe/Berlin',
  ): Promise<ImportReport> => {
    return await importInto(into, await openMysql(maria.url), { rrd: folder, zone, dryRun })
  }

  beforeAll(async () => {
    maria = await startMaria()
    await fillInstallation(maria, SIZE)
    fillFiles(folder, SIZE, DAYS)
    database = await fresh()
    // as in a database that has not been rolled up for a while
    await database.store.sql`update ts.rollup set watermark = watermark - interval '2 days'`
    const dry = await run(database, true)
    expect(await database.store.sql`select from devices`).toHaveLength(0)
    expect(await database.store.sql`select from ts.port_samples_stored limit 1`).toHaveLength(0)
    first = await run(database)
    expect({ ...dry.files, tookS: 0 }).toEqual({ ...first.files, tookS: 0 } as never)
    const counts = ({ tables }: ImportReport) =>
      tables.map(({ table: name, read, orphans }) => ({ name, read, orphans }))
    expect(counts(dry)).toEqual(counts(first))
  }, SLOW_MS)
  afterAll(async () => {
    await maria?.stop()
    for (const one of databases) await one.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('keeps ids, texts and secrets; rows whose owners are missing are counted', async () => {
    const { sql } = database.store
    expect(
      await sql`select device_id, hostname, community, host(ip) as ip, last_discovered, notes, timeout from devices order by 1`,
    ).toMatchObject([
      {
        device_id: 42,
        hostname: 'router-42.example.net',
        community: `comm"'\\42`,
        ip: '10.39.92.0',
        last_discovered: null,
        notes: 'it’s a\nnote',
      },
      { device_id: 43, hostname: '2001:db8::20', ip: '10.39.92.1' },
      { device_id: 44, timeout: null },
    ])
    expect(await sql`select min(port_id) as a, max(port_id) as b, count(*)::int as n from ports`).toMatchObject([
      { a: 4711, b: 4722, n: 12 },
    ])
    expect(tableOf(first, 'ports')).toMatchObject({ read: 13, imported: 12, orphans: 1 })
    expect(await sql`select attrib_value from devices_attribs`).toMatchObject([{ attrib_value: '1' }])
    expect(await sql`select location, timestamp is not null as t from locations`).toMatchObject([
      { location: 'Rack “12” \\ Köln 🏢', t: true },
    ])
    expect(first.tables.filter(({ refused }) => refused > 0)).toEqual([])
  })

  test('takes users, roles, tokens, rules, settings and bills over', async () => {
    const { sql } = database.store
    expect(
      await sql`select u.user_id, u.auth_type, u.password is null as none, r.name from users u left join model_has_roles m on m.model_id = u.user_id left join roles r on r.id = m.role_id order by 1`,
    ).toMatchObject([
      { user_id: 3, auth_type: 'local', none: false, name: 'admin' },
      { user_id: 4, auth_type: 'ldap', none: true, name: 'operators' },
      { user_id: 5, none: true, name: null },
    ])
    const hash = new Bun.CryptoHasher('sha256').update(TOKEN).digest('hex')
    expect(
      await sql`select id, token_hash = ${hash} as same, disabled, dialect from api_tokens order by 1`,
    ).toMatchObject([
      { id: 1, same: true, disabled: 0, dialect: 'librenms' },
      { id: 2, same: false, disabled: 1 },
    ])
    const rules = await sql<
      { id: number; disabled: number; extra: string; notes: string | null }[]
    >`select id, disabled, extra, notes from alert_rules order by 1`
    expect(rules).toMatchObject([
      { id: 31, disabled: 0 },
      { id: 32, disabled: 1, notes: expect.stringContaining('import:') },
    ])
    expect(JSON.parse(rules[0]?.extra ?? '')).toMatchObject({ mute: false, count: 3, delay: 120, interval: 300 })
    expect(await sql`select details from alert_log order by id`).toMatchObject([
      { details: { rule: [{ hostname: 'router-42' }] } },
      { details: null },
    ])
    expect(await sql`select start from alert_schedule`).toMatchObject([{ start: new Date('2026-12-24T18:00:00Z') }])
    const settings = new Map(
      (await sql<{ name: string; value: unknown }[]>`select name, value from config`).map(({ name, value }) => [
        name,
        value,
      ]),
    )
    expect(settings.get('bad_if')).toEqual(['lo', 'tun'])
    expect(settings.get('bad_if_regexp')).toEqual(['(?i)^ng[0-9]+$'])
    expect(first.notes.join()).toContain('graylog.password')
    expect(JSON.stringify(first)).not.toMatch(/geheim|comm"/)
    const [history] =
      await sql`select bill_datefrom, bill_dateto, bill_percent, rate_95th, traf_total from bill_history`
    expect(history).toMatchObject({
      bill_datefrom: new Date('2026-09-30T22:00:00Z'),
      bill_dateto: new Date('2026-10-31T22:59:59Z'),
      bill_percent: '50.00',
      rate_95th: 3,
      traf_total: 15,
    })
    // 3 hours in UTC, during which Berlin's clock shows one hour twice
    const data = await sql<
      { s: number; id: number }[]
    >`select extract(epoch from timestamp)::int as s, id from bill_data where id <= 36 order by id`
    expect(data.map(({ s }) => s)).toEqual(
      Array.from({ length: 36 }, (_, i) => Date.parse('2026-10-24T23:00:00Z') / 1000 + i * 300),
    )
  })

  test('has the rates of rrdtool fetch at every level, and the sums of its rows', async () => {
    const { sql } = database.store
    const path = join(folder, 'router-42.example.net', 'port-id4711.rrd')
    const rows = await sql<{ s: number; rate: number; ms: number }[]>`
      select extract(epoch from "time")::float8 as s, in_octets * 1000.0::float8 / period_ms as rate, period_ms as ms from ts.port_samples_stored where port_id = 4711 order by 1`
    const endS = Math.ceil(Math.max(...rows.map(({ s }) => s)))
    const fine = fetchRrd(path, 'AVERAGE', 300, endS - 7 * 86_400 + 7200, endS - 1)
    // a sample that ends with an hour not yet rolled up is a millisecond earlier
    const bySecond = new Map(rows.map((row) => [Math.ceil(row.s), row]))
    let compared = 0
    for (const { atS, values } of fine) {
      const expected = values[0] ?? Number.NaN
      const found = bySecond.get(atS)
      expect(found === undefined).toBe(Number.isNaN(expected))
      if (found === undefined) continue
      compared++
      expect(found.ms).toBe(300_000)
      expect(Math.abs(found.rate - expected)).toBeLessThanOrEqual(Math.max(1e-6 * expected, 1 / 300))
    }
    expect(compared).toBeGreaterThan(1900)
    // hours of the finest rows: (h, h + 3600]
    const hours = await sql<{ s: number; octets: number; n: number; ms: number; max: number }[]>`
      select extract(epoch from bucket)::float8 as s, in_octets as octets, n, period_ms as ms, in_octets_max as max from ts.port_1h_stored where port_id = 4711 order by 1`
    const recent = hours.filter(({ s }) => s > endS - 6 * 86_400)
    expect(recent.length).toBeGreaterThan(100)
    for (const hour of recent) {
      const own = fine.filter(
        ({ atS, values }) => atS > hour.s && atS <= hour.s + 3600 && !Number.isNaN(values[0] ?? Number.NaN),
      )
      const sum = own.reduce((all, { values }) => all + (values[0] ?? 0) * 300, 0)
      expect(hour.n).toBe(own.length)
      expect(hour.ms).toBe(own.length * 300_000)
      expect(Math.abs(hour.octets - sum)).toBeLessThanOrEqual(1.5 + 1e-9 * sum)
      expect(hour.max / Math.max(...own.map(({ values }) => values[0] ?? 0))).toBeCloseTo(1, 6)
    }
    const days = await sql<
      { s: number; octets: number }[]
    >`select extract(epoch from bucket)::float8 as s, in_octets as octets from ts.port_1d_stored where port_id = 4711 order by 1`
    expect(days.length).toBeGreaterThan(DAYS - 2)
    for (const { s, octets } of days) {
      const sum = hours
        .filter((hour) => hour.s >= s && hour.s < s + 86_400)
        .reduce((all, hour) => all + Number(hour.octets), 0)
      if (sum > 0) expect(Math.abs(Number(octets) - sum)).toBeLessThanOrEqual(48)
    }
  })

  test('counts no octet twice where maintenance takes over', async () => {
    const { sql } = database.store
    const [sums] = await sql<{ hours: number; samples: number }[]>`
      with w as (select ts.watermark('ts.port_1h') - interval '5 hours' as since)
      select (select sum(in_octets)::float8 from ts.port_1h_all, w where port_id = 4713 and bucket >= since) as hours,
        (select sum(in_octets)::float8 from ts.port_samples_stored, w where port_id = 4713 and "time" > since) as samples`
    expect(sums?.samples).toBeGreaterThan(0)
    expect(sums?.hours).toBe(sums?.samples as number)
  })

  test('reads sensors that share a file, processors, memory, ICMP and services', async () => {
    const { sql } = database.store
    const [sensors] =
      await sql`select count(distinct sensor_id)::int as ids, count(*)::int as n, min(value) as low, max(value) as high from ts.sensor_samples_stored`
    expect(sensors).toMatchObject({ ids: 6 })
    expect([Math.round(Number(sensors?.['low'])), Math.round(Number(sensors?.['high']))]).toEqual([20, 24])
    expect(
      await sql`select distinct total, round(perc) >= 33 as third from ts.mempool_samples_stored where total is not null`,
    ).toMatchObject([{ total: 3e9, third: true }])
    expect(await sql`select distinct sent, received, rtt_avg from ts.icmp_samples_stored`).toMatchObject([
      { sent: 3, received: 3, rtt_avg: 1.5 },
    ])
    expect(
      await sql`select distinct value from ts.service_samples_stored s join service_datasets d using (service_dataset_id) where d.ds = 'time' and d.service_id = 21`,
    ).toMatchObject([{ value: 0.25 }])
    expect(first.files?.unused).toEqual({ port: 1 })
  })

  test('joins the files of a device: polls and statistics', async () => {
    const { sql } = database.store
    const [polls] = await sql<{ ups: number; took: number; devices: number }[]>`
      select count(distinct uptime_s)::int as ups, max(took_ms) as took, count(distinct device_id)::int as devices from ts.device_samples_stored
      where uptime_s is not null`
    expect(polls).toMatchObject({ took: 2500, devices: 3 })
    // a file updated 10 s into each step, so that a row has the mean of two readings
    expect(polls?.ups).toBeGreaterThan(700)
    const rows = await sql`
      select distinct load1, load15, "ssCpuRawUser" as busy, "ssCpuRawIdle" as idle, "ssCpuRawGuest" as guest, "hrSystemProcesses" as n,
        "snmpInPkts" as pkts, "snmpInBadCommunityUses" as uses, "ipv6InReceives" as v6 from ts.stats_samples_stored where device_id = 42`
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      load1: 1.5,
      load15: 0.25,
      busy: 15,
      idle: 70,
      guest: null,
      n: 211,
      pkts: 7,
      uses: 0.5,
      v6: 12,
    })
    expect(await sql`select from ts.stats_samples_stored where device_id <> 42`).toHaveLength(0)
    expect(
      await sql`select distinct load1, "ssCpuRawIdle_max" as most from ts.stats_1d_stored where device_id = 42`,
    ).toMatchObject([{ load1: 1.5, most: 70 }])
  })

  test('takes routing, tunnels and services over, with references to ports and instances', async () => {
    const { sql } = database.store
    expect(
      await sql`select "bgpPeer_id" as id, vrf_id, descr_set, context_name from "bgpPeers" order by 1`,
    ).toMatchObject([
      { id: 311, vrf_id: 301, descr_set: 1, context_name: '' },
      { id: 312, vrf_id: null, descr_set: 0, context_name: '' },
    ])
    expect(
      await sql`select "AcceptedPrefixes"::int as n, "DeniedPrefixes"::int as none from "bgpPeers_cbgp"`,
    ).toMatchObject([{ n: 900_000, none: 0 }])
    expect(await sql`select id, port_id, context_name from ospf_nbrs`).toMatchObject([
      { id: 321, port_id: 4711, context_name: '' },
    ])
    expect(await sql`select id, port_id from ospf_ports order by 1`).toMatchObject([
      { id: 331, port_id: 4712 },
      { id: 332, port_id: 0 },
    ])
    expect(
      await sql`select p.id, p.ospfv3_area_id, a."ospfv3AreaId"::float8 as area, n.id as nbr from ospfv3_ports p join ospfv3_areas a on a.id = p.ospfv3_area_id join ospfv3_nbrs n on n.ospfv3_instance_id = p.ospfv3_instance_id`,
    ).toMatchObject([{ id: 371, ospfv3_area_id: 351, area: 4e9, nbr: 361 }])
    expect(await sql`select sap_id, svc_id from mpls_saps`).toMatchObject([{ sap_id: 391, svc_id: 381 }])
    expect(await sql`select tunnel_id, tunnel_name from ipsec_tunnels`).toMatchObject([
      { tunnel_id: 401, tunnel_name: 'branch' },
    ])
    expect(await sql`select "high_ifIndex"::int as high, "low_ifIndex"::int as low from ports_stack`).toMatchObject([
      { high: 3, low: 1 },
    ])
    expect(await sql`select port_security_enable as a, sticky_enable as b from port_security`).toMatchObject([
      { a: 1, b: 0 },
    ])
    expect(await sql`select id, port_id from ipv6_nd`).toMatchObject([{ id: 421, port_id: 4711 }])
    expect(first.notTaken).toContainEqual({ table: 'mpls_lsps', why: 'has no counterpart here' })
    expect(notTaken(['stp', 'isis_adjacencies', 'qos', 'slas', 'ports_adsl']).map(({ why }) => why)).toEqual([
      'discovery creates it again',
      'discovery creates it again',
      'discovery creates it again',
      'discovery creates it again',
      'discovery creates it again',
    ])
    expect(first.notTaken).toContainEqual({ table: 'dashboards', why: 'belongs to pages of LibreNMS' })
  })

  test(
    'imported again changes nothing',
    async () => {
      const before = await contents(database.store.sql)
      const report = await run(database)
      expect(report.tables.every(({ imported, refused }) => imported === 0 && refused === 0)).toBe(true)
      expect(report.files).toMatchObject({ read: 0, samples: 0, hours: 0, days: 0 })
      expect(await contents(database.store.sql)).toEqual(before)
    },
    SLOW_MS,
  )

  test(
    'killed at any moment and started again ends the same as without interruption',
    async () => {
      const whole = await contents(database.store.sql)
      const broken = await fresh()
      const args = [
        'import',
        'librenms',
        '--database',
        maria.url,
        '--rrd',
        folder,
        '--timezone',
        'Europe/Berlin',
        '--name',
        'test',
        '--database-url',
        broken.url,
      ]
      let code: number | null = null
      let killed = 0
      // Each attempt lives longer than the one before; waiting is part of the test.
      for (let attempt = 0; code !== 0 && attempt < 4; attempt++) {
        const child = spawnPortlight(args)
        const timer = setTimeout(() => child.kill('SIGKILL'), 1000 + attempt * 1500)
        code = await child.exited
        clearTimeout(timer)
        if (child.signalCode === 'SIGKILL') killed++
        else expect({ code, err: code === 0 ? '' : await child.stderr.text() }).toEqual({ code: 0, err: '' })
      }
      expect(killed).toBeGreaterThan(0)
      const { store } = broken
      if (code !== 0) await run(broken)
      expect(await contents(store.sql)).toEqual(whole)
      completed = broken
    },
    SLOW_MS,
  )

  test(
    'lets users and programs log in as before',
    async () => {
      const check = createPasswordCheck({ store: database.store, settings: createSettings({}) })
      expect(await check('alice', `${PASSWORD}!`.replace('correct', 'Correct'), '192.0.2.1')).toBe(false)
      // as in PHP: everything after 72 bytes is ignored
      expect(await check('alice', `${PASSWORD} and more`, '192.0.2.1')).toBe(true)
      expect(
        await database.store.sql`select password like '$argon2id$%' as own from users where username = 'alice'`,
      ).toMatchObject([{ own: true }])
      expect(await check('alice', `${PASSWORD} and more`, '192.0.2.1')).toBe(true)
      expect(await check('bob', 'anything', '192.0.2.1')).toBe(false)
      // one that no later test compares, because the server writes to it
      const copy = completed
      if (copy === null) throw new Error('no import was completed')
      const data = temporaryFolder()
      const server = await startServe(data.path, join(data.path, 'log'), ['--database-url', copy.url])
      try {
        const get = async (path: string) => {
          const answer = await fetch(`${server.url}/api/v0${path}`, { headers: { 'X-Auth-Token': TOKEN } })
          expect(answer.status).toBe(200)
          return answer
        }
        expect(await (await get('/devices/42')).json()).toMatchObject({
          devices: [{ device_id: 42, hostname: 'router-42.example.net' }],
        })
        expect(await (await get('/ports/4711')).json()).toMatchObject({ port: [{ port_id: 4711, ifName: 'eth0' }] })
        expect(await (await get('/bills/5/history')).json()).toMatchObject({
          // this server may have added months of its own
          bill_history: expect.arrayContaining([expect.objectContaining({ bill_hist_id: 91, bill_percent: '50.00' })]),
        })
        expect(await (await get('/rules/31')).json()).toMatchObject({ rules: [{ id: 31, name: 'Device down' }] })
        const graph = await get('/devices/42/ports/eth0/port_bits?from=-19d')
        expect(graph.headers.get('content-type')).toContain('image/png')
        const same = { url: server.url, token: TOKEN }
        const alike = await compareApis(same, same)
        expect(alike.map(({ list, there, records }) => ({ list, there, records }))).toEqual([
          { list: 'devices', there: 3, records: 0 },
          { list: 'ports', there: 12, records: 0 },
          { list: 'sensors', there: 6, records: 0 },
          { list: 'groups', there: 1, records: 0 },
          { list: 'bills', there: 1, records: 0 },
          { list: 'rules', there: 2, records: 0 },
          { list: 'services', there: 1, records: 0 },
        ])
        expect(describeComparison(alike).at(-1)).toBe('no differences')
        const other = await otherApi(server.url)
        try {
          const compared = await compareApis({ url: other.url, token: TOKEN }, same)
          const of = (list: string) => compared.find((one) => one.list === list)
          expect(of('devices')).toMatchObject({ missing: ['77'], added: ['44'], records: 1 })
          expect(of('devices')?.different).toEqual([{ id: '43', member: 'os', there: 'ios', here: 'linux' }])
          expect(of('services')).toMatchObject({ missing: [], added: ['21'] })
          const lines = describeComparison(compared)
          expect(lines).toContain('devices: 3 there, 3 here, 1 the same, 1 different, 1 missing here, 1 only here')
          expect(lines).toContain('  1 devices missing here: import again; this adds what is new there')
        } finally {
          await other.stop()
        }
        const refused = await fetch(`${server.url}/api/v0/devices`, { headers: { 'X-Auth-Token': `${TOKEN}2` } })
        expect(refused.status).toBe(401)
      } finally {
        server.process.kill('SIGTERM')
        await server.process.exited
        data.remove()
      }
    },
    SLOW_MS,
  )

  test('is drawn without a gap or step where polls take over', async () => {
    const { store } = database
    const { sql } = store
    const [last] = await sql<
      { s: number }[]
    >`select extract(epoch from max("time"))::float8 as s from ts.port_samples_stored where port_id = 4712`
    const endS = Math.ceil(last?.s ?? 0)
    // Polls of the next hour, offset by some seconds and milliseconds, at the rate of the file's signal at that time.
    const [rate] = await sql<
      { r: number }[]
    >`select in_octets * 1000.0::float8 / period_ms as r from ts.port_samples_stored where port_id = 4712 and "time" = to_timestamp(${last?.s ?? 0})`
    const ours = Array.from({ length: 10 }, (_, i) => endS + 301.234 + i * 300)
    for (const [i, s] of ours.entries()) {
      const ms = i === 0 ? 301_234 : 300_000
      await sql`insert into ts.port_samples ("time", port_id, period_ms, in_octets, out_octets) values (to_timestamp(${s}), 4712, ${ms}, ${Math.round(((rate?.r ?? 0) * ms) / 1000)}, 0)`
    }
    const found = await portSeries(
      store,
      [4712],
      { fromS: endS - 6 * 3600, toS: endS + 3000, stepS: 300 },
      { intervals: 3, intervalS: 300 },
      ['in_octets'],
    )
    const values = [...(found.series[0]?.values ?? [])]
    expect(values.length).toBeGreaterThan(80)
    expect(values.filter(Number.isNaN)).toEqual([])
    for (let i = 1; i < values.length; i++) expect((values[i] as number) / (values[i - 1] as number)).toBeCloseTo(1, 1)
    await sql`delete from ts.port_samples where port_id = 4712 and "time" > to_timestamp(${endS})`
    // across all resolutions of the file there is only the pause of two hours, which longer rows hide
    const long = await portSeries(
      store,
      [4712],
      { fromS: endS - 15 * 86_400, toS: endS, stepS: 7200 },
      { intervals: 3, intervalS: 300 },
      ['in_octets'],
    )
    expect([...(long.series[0]?.values ?? [])].filter(Number.isNaN)).toEqual([])
  })

  test('with a wrong or missing time zone is rejected before anything is written', async () => {
    const empty = await fresh()
    await expect(run(empty, false, null)).rejects.toBeInstanceOf(SourceError)
    await expect(run(empty, false, 'America/Chicago')).rejects.toThrow('zone')
    expect(await empty.store.sql`select from devices`).toHaveLength(0)
  })
})
