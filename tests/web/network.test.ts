import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sensorsNearLimit } from '../../src/core/lists/read-overview.ts'
import { project, TILE, tilesOf, viewOf } from '../../src/core/lists/tiles.ts'
import { layoutOf } from '../../src/core/lists/topology-layout.ts'
import { indexPorts } from '../../src/core/logs/write-search-index.ts'
import { makeNetwork } from '../support/network.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

let web: TestWeb
let admin: Person
beforeAll(async () => {
  web = await testWeb()
  await makeNetwork(web.api.store, 30)
  admin = await web.signedIn(['admin'])
})
afterAll(() => web.drop())

const open = async (path: string, person = admin) => await (await web.send(path, { cookie: person.cookie })).text()
const order = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((m) => m[1] ?? '')

describe('the search of ports', () => {
  const found = async (text: string) => {
    const answer = JSON.parse(await open(`/search?format=json&q=${encodeURIComponent(text)}`)) as unknown
    return JSON.stringify(answer)
  }
  test.each(['without', 'with'])('finds names, aliases and descriptions in any case, %s an index', async (index) => {
    if (index === 'with') await indexPorts(web.api.store)
    expect(await found('USER 3-7')).toContain('/port/100307')
    expect(await found('gigabitethernet1/0/7')).toContain('Gi1/0/7')
    expect(await found('gi1/0/7')).toContain('Gi1/0/7')
    expect(await found('user_3-7')).not.toContain('/port/')
    await web.api.store.sql`update ports set "ifAlias" = 'Ünîque' where port_id = 100307`
    expect(await found('ünîQUE')).toContain('/port/100307')
    await web.api.store.sql`update ports set "ifAlias" = 'user 3-7' where port_id = 100307`
  })
})

describe('the list of devices', () => {
  test('is sorted by traffic and by ports that are up', async () => {
    await web.api.store.sql`update ports set "ifOperStatus" = 'down' where device_id = 1004 and "ifIndex" < 20`
    const least = order(await open('/devices?sort=ports'), /class="name nowrap" href="\/device\/(\d+)"/g)
    expect(least[0]).toBe('1004')
    const [{ id } = { id: 0 }] = await web.api.store.sql<{ id: number }[]>`
      select p.device_id as id from ports p join ts.port_samples x using (port_id) where "ifType" = 'ethernetCsmacd'
      group by 1 order by sum(in_octets) desc limit 1`
    const most = order(await open('/devices?sort=-in'), /class="name nowrap" href="\/device\/(\d+)"/g)
    expect(most[0]).toBe(String(id))
    expect(most).toHaveLength(30)
  })
})

describe('the list of ports', () => {
  test('counts states under the other filters', async () => {
    const text = await open('/ports?q=user+3-7')
    expect(text).toMatch(/All <small>1<\/small>/)
    expect(await open('/ports?speed=12345')).toContain('No port matches')
  })

  test('finds ports by their own text and by the name of their device, whether few or many', async () => {
    const all = (text: string) => /All <small>([\d\u2009]+)<\/small>/.exec(text)?.[1]?.replaceAll('\u2009', '')
    expect(all(await open('/ports?q=SW-17.example'))).toBe('26')
    expect(all(await open('/ports?q=user+16-'))).toBe('26')
    expect(all(await open('/ports?q=user+1%25'))).toBe('0')
    await web.api.store.sql`
      insert into ports (device_id, "ifIndex", "ifName", "ifAlias", "ifType", "ifOperStatus", "ifAdminStatus")
      select 1003, 100 + n, 'Vl' || n, 'of-many', 'l3ipvlan', 'up', 'up' from generate_series(1, 2100) n`
    try {
      expect(all(await open('/ports?q=of-many'))).toBe('2100')
      expect(all(await open('/ports?q=sw-4.exa'))).toBe('2126')
    } finally {
      await web.api.store.sql`delete from ports where "ifAlias" = 'of-many'`
    }
  })

  test('shows only ports above a utilisation, the busiest first', async () => {
    const percents = order(await open('/ports?used=80&sort=-used'), /<span>(\d+) %<\/span>/g).map(Number)
    expect(percents.length).toBeGreaterThan(5)
    expect(percents).toEqual(percents.toSorted((a, b) => b - a))
    expect(percents.at(-1)).toBeGreaterThanOrEqual(80)
  })

  test('starts with ports that went down, and counts those that were down before as without a link', async () => {
    const { sql } = web.api.store
    await sql`update ports set "ifOperStatus" = 'down', "ifOperStatus_prev" = 'up', "ifAdminStatus" = 'up', "ifAlias" = "ifName"
      where port_id = 100309`
    try {
      const text = await open('/ports')
      expect(order(text, /href="\/port\/(\d+)"/g)[0]).toBe('100309')
      const states = order(text, /aria-label="(Errors|Up|Down|Admin down)"/g)
      expect(states.slice(0, 2)).toEqual(['Down', 'Errors'])
      expect(states.slice(1)).not.toContain('Down')
      expect(order(await open('/ports?state=down'), /href="\/port\/(\d+)"/g)[0]).toBe('100309')
      const row = text.split('<tr').find((part) => part.includes('/port/100309')) ?? ''
      expect(row.split('Gi1/0/9').length).toBe(2)
      const overview = await open('/')
      expect(overview).toContain(' 1 went down')
      // of these it is not known whether they were ever up
      const [down] = await sql<{ n: number }[]>`select count(*)::int as n from ports
        where "ifAdminStatus" = 'up' and "ifOperStatus" = 'down' and "ifOperStatus_prev" is distinct from 'up'`
      expect(overview).toContain(` ${down?.n} no link`)
    } finally {
      await sql`update ports set "ifOperStatus" = 'up', "ifOperStatus_prev" = null, "ifAlias" = 'user 3-9' where port_id = 100309`
    }
  })

  test('shows a user only granted ports, without the name of their device', async () => {
    const person = await web.signedIn(['user'])
    await web.api.services.users.grant(person.username, { portIds: [100307] })
    const text = await open('/ports', person)
    expect(order(text, /href="\/port\/(\d+)"/g)).toEqual(['100307'])
    expect(text).not.toContain('sw-4')
    expect(await open('/ports?q=sw-4', person)).toContain('No port matches')
  })
})

test('health shows what is beyond a limit first', async () => {
  const text = await open('/health?class=temperature')
  const levels = order(text, /aria-label="(Beyond a limit|Near a limit|OK)"/g)
  expect(levels.filter((one) => one === 'Beyond a limit')).toHaveLength(8)
  expect(levels.lastIndexOf('Beyond a limit')).toBeLessThan(levels.indexOf('OK'))
  expect(await open('/health?class=temperature&level=over')).toContain('1 to 8 of 8 values')
})

test('levels follow the limits, limits have their unit, and a chart opens from any page', async () => {
  const { sql } = web.api.store
  await sql`
    insert into sensors (device_id, sensor_class, sensor_type, sensor_index, sensor_oid, sensor_descr, sensor_current, sensor_limit_low, sensor_limit)
    values (1001, 'runtime', 'near', 'a', '.1', 'near: runtime', 56, 5, 3000), (1001, 'voltage', 'near', 'b', '.1', 'near: rail', 12, 11.4, 12.6),
      (1001, 'current', 'near', 'c', '.1', 'near: bias', 0.0096, 0, 0.01), (1001, 'voltage', 'near', 'd', '.1', 'near: low rail', 11.44, 11.4, 12.6),
      (1001, 'dbm', 'near', 'e', '.1', 'near: light', 0.5, -14, 0)`
  await sql`
    insert into mempools (device_id, mempool_index, mempool_type, mempool_class, mempool_descr, mempool_perc, mempool_perc_warn, mempool_used,
      mempool_free, mempool_total, mempool_precision, mempool_deleted)
    values (1001, '1', 'near', 'cached', 'near: cache', 45, 0, 45, 55, 100, 1, 0), (1001, '2', 'near', 'system', 'near: gone', 45, 90, 45, 55, 100, 1, 1)`
  const rows = (await open('/health?q=near%3A')).split('<tr').slice(1)
  const found = rows.flatMap((row) => {
    const name = /near: ([a-z ]+)/.exec(row)?.[1]
    return name === undefined ? [] : [[name, /aria-label="([\w ]+)"/.exec(row)?.[1]]]
  })
  expect(found.slice(0, 1)).toEqual([['light', 'Beyond a limit']])
  expect(Object.fromEntries(found)).toEqual({
    light: 'Beyond a limit',
    bias: 'Near a limit',
    'low rail': 'Near a limit',
    runtime: 'OK',
    rail: 'OK',
    cache: 'OK',
  })
  const bias = rows.find((row) => row.includes('near: bias')) ?? ''
  expect(bias).toContain('0 to 10 mA')
  const chart = /chart=(sensor-\d+)/.exec(bias)?.[1]
  expect(await open(`/health?q=nothing&chart=${chart}`)).toContain('near: bias of ')
  expect(await open('/health?chart=sensor-999999')).toContain('<h1>Health</h1>')
  const near = await sensorsNearLimit(web.api.store, { kind: 'all' }, 100)
  expect(near.map(({ descr }) => descr).filter((descr) => descr.startsWith('near:'))).toEqual(
    expect.arrayContaining(['near: light', 'near: bias', 'near: low rail']),
  )
  expect(near.map(({ descr }) => descr)).not.toContain('near: runtime')
  expect(await open('/device/1001/health')).not.toContain('near: gone')
  const tab = /href="\/device\/1001\/health"[^>]*>\s*Health\s*<small>\s*(\d+)/.exec(await open('/device/1001'))?.[1]
  const [{ n } = { n: 0 }] = await sql<{ n: number }[]>`
    select (select count(*) from sensors where device_id = 1001 and sensor_deleted = 0)::int
      + (select count(*) from processors where device_id = 1001)::int + (select count(*) from storage where device_id = 1001)::int + 1 as n`
  expect(Number(tab)).toBe(n)
})

test('routing shows sessions that are down first, or only those', async () => {
  const text = await open('/routing')
  expect(text).toContain('10 of 30 sessions down')
  expect(order(text, /aria-label="(Up|Down)"/g).slice(0, 10)).toEqual(Array(10).fill('Down'))
  expect(await open('/routing?state=down&kind=BGP')).toContain('1 to 10 of 10 sessions')
})

describe('the layout of the map', () => {
  test('has layers starting with the most connected devices, whatever the order of the links', () => {
    const edges: (readonly [number, number])[] = [
      [1, 2],
      ...[3, 4, 5, 6].flatMap((middle) => [[1, middle] as const, [2, middle] as const]),
      ...Array.from({ length: 40 }, (_, i) => [3 + (i % 4), 10 + i] as const),
    ]
    const ids = [...new Set(edges.flat())]
    const made = layoutOf(ids, edges)
    const layer = (id: number) => made.places.get(id)?.layer
    expect(layer(10)).toBeGreaterThan(layer(3) ?? 9)
    expect(layoutOf(ids.toReversed(), edges.toReversed())).toEqual(made)
    const taken = new Set([...made.places.values()].map(({ x, y }) => `${x} ${y}`))
    expect(taken.size).toBe(ids.length)
  })

  test('is finite for devices in a ring, without links, or for none at all', () => {
    expect(layoutOf([], []).places.size).toBe(0)
    expect(layoutOf([7], [[7, 7]]).places.size).toBe(1)
    const ring = Array.from({ length: 50 }, (_, i) => [i, (i + 1) % 50] as const)
    expect(
      layoutOf(
        ring.map(([a]) => a),
        ring,
      ).places.size,
    ).toBe(50)
  })
})

describe('the map of locations', () => {
  const policy = async (path: string) =>
    (await web.send(path, { cookie: admin.cookie })).headers.get('content-security-policy') ?? ''
  const set = (value: string) => web.api.settings.applyStored(new Map([['web.tile_url', value]]))

  test('exists only with a tile source, whose origin is the only one that images may load from', async () => {
    await web.api.store.sql`
      insert into locations (location, lat, lng) values ('Bern <i>', 46.948, 7.447), ('Sydney', -33.868, 151.207), ('Nowhere', null, null)`
    expect(await open('/locations?view=map')).not.toContain('Map')
    expect(await policy('/locations?view=map')).toContain("img-src 'self' data:;")
    set('https://tiles.example:8443/osm/{z}/{x}/{y}.png?key=1')
    const page = await open('/locations?view=map')
    expect(page).toMatch(/<image href="https:\/\/tiles\.example:8443\/osm\/[23]\/\d\/\d\.png\?key=1"/)
    expect(page).toContain('aria-label="Bern &lt;i&gt;: 0 devices, 0 down"')
    expect([...page.matchAll(/<circle class="place/g)]).toHaveLength(2)
    expect(await policy('/locations?view=map')).toContain("img-src 'self' data: https://tiles.example:8443;")
    for (const path of ['/locations', '/devices', '/']) expect(await policy(path)).toContain("img-src 'self' data:;")
    expect(await open('/locations?view=map&zoom=99')).toContain('/osm/17/')
    for (const wrong of [
      'javascript:{z}{x}{y}',
      'https://{x}.example/{z}/{y}',
      'https://a.example/{z}',
      'https://u:p@a.example/{z}/{x}/{y}',
    ]) {
      set(wrong)
      expect(await policy('/locations?view=map')).toContain("img-src 'self' data:;")
    }
    set('')
  })

  test('puts locations where they are in the projection of the tiles', () => {
    expect(project({ lat: 0, lng: 0 }, 0)).toEqual({ x: 128, y: 128 })
    const bern = project({ lat: 46.948, lng: 7.447 }, 10)
    expect([Math.floor(bern.x / TILE), Math.floor(bern.y / TILE)]).toEqual([533, 360])
    const view = viewOf([{ lat: 46.948, lng: 7.447 }], 600, 400, null)
    const tiles = tilesOf(view, 600, 400)
    expect(tiles.every(({ x, y }) => x > -TILE && y > -TILE && x < 600 && y < 400)).toBe(true)
    expect(tilesOf(viewOf([{ lat: 89, lng: 179.9 }], 600, 400, 17), 600, 400).length).toBeLessThan(16)
  })
})

test('an error page says what to do and offers links', async () => {
  const missing = await open('/device/999999')
  expect(missing).toContain('href="/search"')
  const forged = await web.post('/groups/new?x=1', { csrf: 'stolen', do: 'add' }, { cookie: admin.cookie })
  expect(forged.status).toBe(403)
  expect(await forged.text()).toMatch(/href="\/groups\/new\?x=1">\s*Try again/)
})
