import type { Browser, BrowserContext, Page } from 'playwright-core'

/** A server that was started with `--demo`. */
export interface DemoServer {
  readonly url: string
  /** Of user `admin`. */
  readonly password: string
  readonly token: string
}

/** A picture of a page: `docs/img/pages-NAME.png`. */
export interface Shot {
  readonly name: string
  readonly path: string
  readonly phone?: boolean
  readonly theme?: 'light' | 'dark'
  /** Title and headings are those of whatever alert was the first, open or ended. */
  readonly varies?: true
  readonly before?: (page: Page) => Promise<void>
}

const DESK = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 780 }

async function api<T>({ url, token }: DemoServer, path: string, body?: object): Promise<T> {
  const response = await fetch(`${url}/api/v0/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'X-Auth-Token': token, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok && response.status !== 404) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

/** A port of the demo is there, and a bill is counted, at the latest after this, ms. */
const READY_MS = 240_000

/** The id of a port of the demo, which is waited for. Throws if it does not come. */
async function portOf(server: DemoServer, device: string, name: string): Promise<number> {
  const endMs = performance.now() + READY_MS
  while (performance.now() < endMs) {
    const { ports = [] } = await api<{ ports?: { port_id: number; ifName: string }[] }>(
      server,
      `devices/${device}/ports?columns=port_id,ifName`,
    )
    const found = ports.find(({ ifName }) => ifName === name)
    if (found !== undefined) return found.port_id
    await Bun.sleep(1000)
  }
  throw new Error(`${device} has no port ${name}`)
}

const PROVIDER = 'Provider A'
const SERVERS = 'Linux servers'

/** What the demo has none of, once. */
export async function furnish(server: DemoServer): Promise<void> {
  const { bills = [] } = await api<{ bills?: readonly { readonly bill_name: string }[] }>(server, 'bills')
  if (bills.some(({ bill_name }) => bill_name === PROVIDER)) return
  const [first, second] = [await portOf(server, 'edge-1', 'xe-0/0/0'), await portOf(server, 'edge-1', 'xe-0/0/1')]
  const rest = { bill_custid: '', bill_ref: '', bill_notes: '' }
  await api(server, 'bills', {
    ...rest,
    bill_name: PROVIDER,
    bill_type: 'cdr',
    bill_cdr: 1e9,
    bill_day: 1,
    ports: [first],
  })
  const quota = { bill_name: 'Provider B', bill_type: 'quota', bill_quota: 2e13, bill_day: 15 }
  await api(server, 'bills', { ...rest, ...quota, ports: [second] })
  const rule = {
    id: 'devices.os',
    field: 'devices.os',
    type: 'string',
    input: 'text',
    operator: 'equal',
    value: 'linux',
  }
  const rules = JSON.stringify({ condition: 'AND', rules: [rule], valid: true })
  await api(server, 'devicegroups', { name: SERVERS, type: 'dynamic', desc: 'with a shell', rules })
  await api(server, 'devicegroups', { name: 'Access layer', type: 'static', devices: [] })
  await api(server, 'port_groups', { name: 'Uplinks', desc: 'to providers' })
  const local = { ip: '127.0.0.1', desc: '' }
  const port = new URL(server.url).port
  await api(server, 'services/web-1', { ...local, type: 'http', name: 'Shop', param: `-p ${port} -u /sign-in` })
  await api(server, 'services/db-1', { ...local, type: 'tcp', name: 'Database', param: '-p 1' })
  await api(server, 'services/edge-1', { ip: '', desc: '', param: '', type: 'icmp', name: 'Ping' })
  await api(server, 'devices/access-2/maintenance', { title: 'Firmware', duration: '2:00', notes: 'new image' })
  await api(server, 'syslogsink', [
    { host: 'edge-1', priority: 'err', program: 'rpd', msg: 'bgp_recv: peer 198.51.100.1: received unexpected EOF' },
    { host: 'core-1', priority: 'warning', program: 'LINK', msg: 'Interface Gi1/0/12, changed state to down' },
    { host: 'fw-1', priority: 'notice', program: 'event', msg: 'user=admin action=login status=success' },
  ])
}

/** The id of the provider's bill, once its traffic was counted for the first time. Throws if that does not happen. */
async function countedBill(server: DemoServer): Promise<number> {
  const endMs = performance.now() + READY_MS
  while (performance.now() < endMs) {
    const { bills = [] } = await api<{ bills?: { bill_id: number; bill_name: string; total_data: number }[] }>(
      server,
      'bills',
    )
    const found = bills.find(({ bill_name }) => bill_name === PROVIDER)
    if (found !== undefined && Number(found.total_data) > 0) return found.bill_id
    await Bun.sleep(1000)
  }
  throw new Error(`the bill of ${PROVIDER} is not counted`)
}

/** The pictures, in the order in which the documentation shows them. */
export async function shotsOf(server: DemoServer): Promise<Shot[]> {
  const uplink = `/port/${await portOf(server, 'edge-1', 'xe-0/0/0')}`
  const bill = await countedBill(server)
  // the answer is a list of one, as LibreNMS gives it
  const [answer] = await api<{ groups: { id: number; name: string }[] }[]>(server, 'devicegroups')
  const group = answer?.groups.find(({ name }) => name === SERVERS)?.id
  if (group === undefined) throw new Error(`there is no device group ${SERVERS}`)
  const search = async (page: Page) => {
    await page.keyboard.press('/')
    await page.keyboard.type('core')
    await page.waitForSelector('.palette [role=option]')
  }
  return [
    { name: 'overview', path: '/' },
    { name: 'devices', path: '/devices' },
    { name: 'device', path: '/device/core-1' },
    { name: 'port', path: uplink },
    { name: 'port-dark', path: uplink, theme: 'dark' },
    { name: 'health', path: '/health' },
    { name: 'topology', path: '/topology' },
    { name: 'alerts', path: '/alerts' },
    { name: 'rule', path: '/alerts/rules/new?preset=port-errors' },
    { name: 'search', path: '/', before: search },
    { name: 'logs', path: '/logs' },
    { name: 'services', path: '/services' },
    { name: 'bill', path: `/bills/${bill}` },
    { name: 'groups', path: `/groups/${group}` },
    { name: 'maintenance', path: '/maintenance' },
    { name: 'pollers', path: '/pollers' },
    { name: 'settings', path: '/settings?section=alerts' },
    { name: 'phone-overview', path: '/', phone: true, theme: 'dark' },
    { name: 'phone-alerts', path: '/alerts/1', phone: true, theme: 'dark', varies: true },
    { name: 'phone-port', path: uplink, phone: true, theme: 'dark' },
  ]
}

/** Opens each page as its picture shows it, and hands it over. */
export async function eachShot(
  browser: Browser,
  server: DemoServer,
  work: (shot: Shot, page: Page) => Promise<void>,
): Promise<void> {
  const shots = await shotsOf(server)
  for (const phone of [false, true])
    for (const theme of ['light', 'dark'] as const) {
      const mine = shots.filter((shot) => (shot.phone === true) === phone && (shot.theme ?? 'light') === theme)
      if (mine.length === 0) continue
      const context = await browser.newContext({ colorScheme: theme, viewport: phone ? PHONE : DESK })
      context.setDefaultTimeout(WAIT_MS)
      await signIn(context, server)
      for (const shot of mine) {
        const page = await context.newPage()
        await openShot(page, server, shot)
        await work(shot, page)
        await page.close()
      }
      await context.close()
    }
}

/** Opens the page, also again, and waits until it is as it is drawn. */
export async function openShot(page: Page, server: DemoServer, shot: Shot): Promise<void> {
  const answer = await page.goto(server.url + shot.path)
  if (answer?.ok() !== true) throw new Error(`${shot.path} is no page to draw: ${answer?.status() ?? 'no answer'}`)
  await shot.before?.(page)
  await page.waitForLoadState('networkidle')
  await areDrawn(page)
  await page.evaluate('document.fonts.ready')
}

const WAIT_MS = 60_000

/** Charts draw themselves, those in the window first. */
const ARE_DRAWN = `[...document.querySelectorAll('[data-island=chart] .chart-box')]
  .filter((box) => box.checkVisibility() && box.getBoundingClientRect().top < innerHeight)
  .every((box) => box.dataset.ready !== undefined)`

/** Asks again and again; `waitForFunction` would evaluate a text in the page, which its policy forbids. */
async function areDrawn(page: Page): Promise<void> {
  const endMs = performance.now() + WAIT_MS
  while (!(await page.evaluate<boolean>(ARE_DRAWN))) {
    if (performance.now() > endMs) throw new Error(`the charts of ${page.url()} are not drawn`)
    await Bun.sleep(50)
  }
}

async function signIn(context: BrowserContext, { url, password }: DemoServer): Promise<void> {
  const page = await context.newPage()
  await page.goto(`${url}/sign-in`)
  await page.fill('#u', 'admin')
  await page.fill('#p', password)
  await page.click('button[type=submit]')
  await page.waitForSelector('main h1')
  await page.close()
}
