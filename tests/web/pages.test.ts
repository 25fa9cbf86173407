import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { BOOKMARKS } from '../../src/web/bookmarks.ts'
import { PAGES } from '../../src/web/pages.ts'
import { fillDevice } from '../support/fill.ts'
import { relate } from '../support/relate.ts'
import { addressOf } from './page-addresses.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

const [MINE, OTHER, EVIL] = [10_000, 20_000, 30_000]
const MARKUP = `<img src=x onerror=alert(1)>"'</script><u>`

let web: TestWeb
let mine: ReadonlyMap<string, number>
let other: ReadonlyMap<string, number>
let evil: ReadonlyMap<string, number>
let admin: Person
let reader: Person
let user: Person
beforeAll(async () => {
  web = await testWeb()
  const { store } = web.api
  ;({ ids: mine } = await fillDevice(store, MINE, 'granted'))
  ;({ ids: other } = await fillDevice(store, OTHER, 'foreign'))
  ;({ ids: evil } = await fillDevice(store, EVIL, MARKUP))
  await relate(store, mine, other)
  admin = await web.signedIn(['admin'])
  reader = await web.signedIn(['global-read'])
  user = await web.signedIn(['user'])
  await web.api.services.users.grant(user.username, { deviceIds: [id(mine, 'devices')] })
})
afterAll(() => web.drop())

const id = (ids: ReadonlyMap<string, number>, table: string): number => ids.get(table) ?? 0

/** URLs of a page about these objects. */
const addresses = (path: string, ids: ReadonlyMap<string, number>): string[] =>
  path === '/search'
    ? ['/search?q=foreign', '/search?q=granted', '/search?q=onerror', '/search?q=foreign&format=json']
    : [addressOf(path, ids, admin.userId)]

const open = async (path: string, person: Person) => {
  const answer = await web.send(path, { cookie: person.cookie })
  return { status: answer.status, text: await answer.text() }
}

describe.each(PAGES.map(({ path, gate }) => [path, gate] as const))('%s', (path, gate) => {
  test('opens for an administrator, and, if it only shows data, for a global reader', async () => {
    const forReader = gate === 'token' || gate.endsWith('.viewAny') ? 200 : 404
    for (const [person, expected] of [[admin, 200] as const, [reader, forReader] as const]) {
      for (const address of addresses(path, mine)) {
        const { status, text } = await open(address, person)
        expect([address, status]).toEqual([address, expected])
        if (!address.includes('format=json')) expect(text).toMatch(/<h1[ >]/)
      }
    }
  })

  test('shows a user only what was granted', async () => {
    for (const address of [...addresses(path, mine), ...addresses(path, other)]) {
      const { text } = await open(address, user)
      // the search text is repeated
      const shown = text.replaceAll(/value="foreign"|Search for foreign|Results for “foreign”/g, '')
      expect([address, shown.includes('foreign')]).toEqual([address, false])
    }
    if (!path.includes(':id')) return
    const [foreign = ''] = addresses(path, other)
    const [missing = ''] = [path.replace(':id', '999999')]
    const [a, b] = [await open(foreign, user), await open(missing, user)]
    expect([a.status, b.status]).toEqual([404, 404])
    expect(a.text.replaceAll(/\d+/g, '')).toBe(b.text.replaceAll(/\d+/g, ''))
  })

  test('redirects visitors who are not signed in', async () => {
    for (const address of addresses(path, mine)) expect((await web.send(address)).status).toBe(303)
  })

  test('shows markup from devices as text', async () => {
    for (const address of [...addresses(path, evil), '/search?q=onerror']) {
      const { text } = await open(address, admin)
      if (address.includes('format=json')) continue
      expect([address, /<img src=x|<u>/.exec(text)?.[0] ?? null]).toEqual([address, null])
      expect(text).not.toMatch(/\sstyle="|\son\w+="/)
    }
  })

  test('is within its size budget', async () => {
    for (const address of addresses(path, mine)) {
      const { text } = await open(address, admin)
      expect(Bun.gzipSync(text).byteLength).toBeLessThan(60_000)
    }
  })
})

test('scripts and styles of a page stay below 120 kB compressed, and are cached by browsers', async () => {
  const page = await (await web.send(`/port/${id(mine, 'ports')}`, { cookie: admin.cookie })).text()
  const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"#]+\.(?:js|css))"/g)].map((m) => m[1] ?? '')
  expect(files.length).toBe(3)
  let octets = 0
  for (const file of files) {
    const answer = await web.send(file, { headers: { 'accept-encoding': 'br' } })
    expect(answer.headers.get('cache-control')).toContain('immutable')
    expect(answer.headers.get('content-encoding')).toBe('br')
    octets += (await answer.arrayBuffer()).byteLength
  }
  expect(octets).toBeLessThan(120_000)
  expect((await web.send('/assets/main.000000000000.js')).status).toBe(404)
})

test('every page of the navigation is in the table once, and so is every path', () => {
  const paths = PAGES.map(({ path }) => path)
  expect(new Set(paths).size).toBe(paths.length)
  const orders = PAGES.flatMap(({ nav }) => (nav === undefined ? [] : [`${nav.group} ${nav.order}`]))
  expect(new Set(orders).size).toBe(orders.length)
})

describe('the list of devices', () => {
  test('keeps filter, order and columns in the URL', async () => {
    const { text } = await open('/devices?q=granted&sort=-name&cols=os', admin)
    expect(text).toContain('granted.example.net')
    expect(text).not.toContain('foreign.example.net')
    expect(text).toContain('aria-sort="descending"')
    expect(text).not.toContain('sort=cpu')
  })

  test('counts states under the other filters, and says so when none is left', async () => {
    const { text } = await open('/devices?q=granted&state=disabled', admin)
    expect(text).toContain('No device is disabled')
    expect(text).toMatch(/All <small>1<\/small>/)
  })

  test('exports the same as CSV, in which no field is a formula', async () => {
    await web.api.store.sql`update devices set display = '=1+1' where device_id = ${id(evil, 'devices')}`
    const { text } = await open('/devices?format=csv', admin)
    expect(text.split('\r\n')).toHaveLength(5)
    expect(text).toContain(`"'=1+1"`)
    expect(text).toContain('granted.example.net')
  })
})

test('an escape that is not UTF-8 is an unknown address at every route with a parameter', async () => {
  const paths = web.routes.filter(({ path }) => path.includes(':') && !path.startsWith('/api/'))
  expect(paths.length).toBeGreaterThan(20)
  for (const { method, path } of paths)
    for (const code of ['%ff', '%c3%28', '%', '%00']) {
      const address = path.replace(/:\w+/, code).replaceAll(/:\w+/g, '1')
      const { status } = await web.send(address, { method, cookie: admin.cookie, headers: { accept: 'text/html' } })
      expect([302, 404], `${method} ${address}: ${status}`).toContain(status)
    }
})

test('a device URL with its name redirects to its id', async () => {
  const answer = await web.send('/device/granted.example.net/ports?only=up', { cookie: admin.cookie })
  expect([answer.status, answer.headers.get('location')]).toEqual([301, `/device/${id(mine, 'devices')}/ports?only=up`])
})

test('a granted port opens even if its device is not granted', async () => {
  const person = await web.signedIn(['user'])
  await web.api.services.users.grant(person.username, { portIds: [id(other, 'ports')] })
  const page = await open(`/port/${id(other, 'ports')}`, person)
  expect(page.status).toBe(200)
  expect(page.text).not.toContain('foreign.example.net')
  expect((await open(`/device/${id(other, 'devices')}`, person)).status).toBe(404)
})

test('graph images need a session and a grant', async () => {
  const path = `/graph/device/${id(other, 'devices')}/device_bits`
  expect((await web.send(path)).status).toBe(303)
  expect((await web.send(path, { cookie: user.cookie })).status).toBe(404)
  expect((await web.send(`/graph/port/${id(other, 'ports')}/port_bits`, { cookie: user.cookie })).status).toBe(404)
})

describe('LibreNMS URLs', () => {
  test.each([
    ['/device/device=7/', '/device/7'],
    ['/device/device=7/tab=port/port=42/', '/port/42'],
    ['/device/device=7/tab=ports/view=detail/', '/device/7/ports'],
    ['/device/7/tab=health/metric=dbm', '/device/7/health'],
    ['/device/device=7/tab=overview', '/device/7'],
    ['/device/7/overview', '/device/7'],
    ['/device/7/arp', '/device/7/fdb'],
    ['/device/7/tab=showconfig', '/device/7'],
    ['/devices/type=network/format=list_detail', '/devices'],
    ['/overview', '/'],
    ['/login', '/sign-in'],
    ['/logout', '/account'],
    ['/graph.php?type=port_bits&id=42&from=-1d', '/port/42?from=-1d'],
    ['/graph/type=device_bits/device=7/from=1700000000', '/device/7/graphs?from=1700000000'],
    ['/availability-map', '/devices'],
    ['/ports/state=down', '/ports'],
    ['/eventlog', '/logs'],
    ['/users', '/settings/users'],
    ['/addhost', '/devices/new'],
    ['/poller/log', '/pollers'],
    ['/alert-schedule', '/maintenance'],
    ['/bill/bill_id=3/view=quick/', '/bills/3'],
    ['/syslog/device=7', '/logs/syslog'],
    ['/port/port=42', '/port/42'],
    ['/device/7/port/port=42', '/port/42'],
    ['/map', '/topology'],
  ])('%s', async (from, to) => {
    const answer = await web.send(from)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, to])
  })

  test('every row of the table redirects to a page', () => {
    const known = PAGES.map(({ path }) => new RegExp(`^${path.replace(':id', '[^/]+')}$`))
    for (const [, to] of BOOKMARKS) {
      const path = to.replaceAll('$1', '7').replace('$2', 'health')
      const all = to.endsWith('$2') && to.startsWith('/device') ? [path] : [to.replace('$1', '7').replace('$2', '7')]
      for (const one of all)
        expect([one, known.some((page) => page.test(one)) || one === '/sign-in']).toEqual([one, true])
    }
  })
})

test('colours of the stylesheet have enough contrast', async () => {
  const css = await Bun.file(new URL('../../src/web/assets/portlight.css', import.meta.url)).text()
  const tokens = new Map(
    [...css.matchAll(/--([\w-]+):\s*light-dark\(\s*(#\w+),\s*(#\w+)\s*\)/g)].map(
      (m) => [m[1] ?? '', [m[2] ?? '', m[3] ?? '']] as const,
    ),
  )
  const light = (hex: string) => {
    const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    const [r = 0, g = 0, b = 0] = parts.map((c) => (c <= 0.040_45 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const ratio = (a: string, b: string) => {
    const [high, low] = [light(a), light(b)].sort((x, y) => y - x)
    return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05)
  }
  const pairs: [string, string, number][] = [
    ['text', 'surface', 7],
    ['text', 'bg', 7],
    ['text-2', 'hover', 4.5],
    ['text-3', 'surface', 4.5],
    ['text-3', 'bg', 4.5],
    ['text-3', 'selected', 4.5],
    ['accent', 'surface', 4.5],
    ['accent', 'selected', 4.5],
    ...['ok', 'warn', 'bad', 'ack', 'off'].flatMap((tone): [string, string, number][] => [
      [tone, `${tone}-soft`, 4.5],
      [`${tone}-mark`, 'surface', 3],
    ]),
    ...['in', 'out', 'err', 'disc'].map((tone): [string, string, number] => [tone, 'surface', 3]),
    ['control', 'surface', 3],
    ['focus', 'bg', 3],
  ]
  for (const [front, back, least] of pairs) {
    for (const theme of [0, 1]) {
      const of = (name: string) => tokens.get(name)?.[theme] ?? ''
      expect([front, back, theme, ratio(of(front), of(back)) >= least]).toEqual([front, back, theme, true])
    }
  }
})
