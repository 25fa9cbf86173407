/**
 * Draws the pictures of pages in docs/reference/pages.md and in the README. Needs Chromium and a server that was started with
 * `./portlight serve --demo` and has run for ten minutes; it adds bills, groups, services and a maintenance window to it.
 *
 * `bun tools/gallery/pages.ts http://127.0.0.1:8000 PASSWORD TOKEN`: the password of `admin`, and a token of that user.
 */
import { join } from 'node:path'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { encodePng } from '../../src/graphs/png.ts'

const [url, password, token] = process.argv.slice(2)
if (url === undefined || password === undefined || token === undefined) {
  throw new Error('usage: bun tools/gallery/pages.ts URL PASSWORD TOKEN')
}
const FOLDER = join(import.meta.dir, '../../docs/img')
const DESK = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 780 }
const MAX_COLOURS = 256

interface Shot {
  readonly name: string
  readonly path: string
  readonly phone?: boolean
  readonly theme?: 'light' | 'dark'
  readonly before?: (page: Page) => Promise<void>
}

async function api<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(`${url}/api/v0/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'X-Auth-Token': token ?? '', 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok && response.status !== 404) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

/** The id of a port of the demo. */
async function portOf(device: string, name: string): Promise<number> {
  const { ports } = await api<{ ports: { port_id: number; ifName: string }[] }>(
    `devices/${device}/ports?columns=port_id,ifName`,
  )
  return ports.find(({ ifName }) => ifName === name)?.port_id ?? 0
}

/** What the demo has none of, once. */
async function furnish(): Promise<void> {
  const { bills = [] } = await api<{ bills?: readonly unknown[] }>('bills')
  if (bills.length > 0) return
  const [first, second] = [await portOf('edge-1', 'xe-0/0/0'), await portOf('edge-1', 'xe-0/0/1')]
  const rest = { bill_custid: '', bill_ref: '', bill_notes: '' }
  await api('bills', { ...rest, bill_name: 'Provider A', bill_type: 'cdr', bill_cdr: 1e9, bill_day: 1, ports: [first] })
  const quota = { bill_name: 'Provider B', bill_type: 'quota', bill_quota: 2e13, bill_day: 15 }
  await api('bills', { ...rest, ...quota, ports: [second] })
  const rule = {
    id: 'devices.os',
    field: 'devices.os',
    type: 'string',
    input: 'text',
    operator: 'equal',
    value: 'linux',
  }
  const rules = JSON.stringify({ condition: 'AND', rules: [rule], valid: true })
  await api('devicegroups', { name: 'Linux servers', type: 'dynamic', desc: 'with a shell', rules })
  await api('devicegroups', { name: 'Access layer', type: 'static', devices: [] })
  await api('port_groups', { name: 'Uplinks', desc: 'to providers' })
  const local = { ip: '127.0.0.1', desc: '' }
  const port = new URL(url ?? '').port
  await api('services/web-1', { ...local, type: 'http', name: 'Shop', param: `-p ${port} -u /sign-in` })
  await api('services/db-1', { ...local, type: 'tcp', name: 'Database', param: '-p 1' })
  await api('services/edge-1', { ip: '', desc: '', param: '', type: 'icmp', name: 'Ping' })
  await api('devices/access-2/maintenance', { title: 'Firmware', duration: '2:00', notes: 'new image' })
  await api('syslogsink', [
    { host: 'edge-1', priority: 'err', program: 'rpd', msg: 'bgp_recv: peer 198.51.100.1: received unexpected EOF' },
    { host: 'core-1', priority: 'warning', program: 'LINK', msg: 'Interface Gi1/0/12, changed state to down' },
    { host: 'fw-1', priority: 'notice', program: 'event', msg: 'user=admin action=login status=success' },
  ])
}

async function shotsOf(): Promise<Shot[]> {
  const uplink = `/port/${await portOf('edge-1', 'xe-0/0/0')}`
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
    { name: 'bill', path: '/bills/1' },
    { name: 'groups', path: '/groups/1' },
    { name: 'maintenance', path: '/maintenance' },
    { name: 'pollers', path: '/pollers' },
    { name: 'settings', path: '/settings?section=alerts' },
    { name: 'phone-overview', path: '/', phone: true, theme: 'dark' },
    { name: 'phone-alerts', path: '/alerts/1', phone: true, theme: 'dark' },
    { name: 'phone-port', path: uplink, phone: true, theme: 'dark' },
  ]
}

/** A screenshot with at most 256 colours: the most frequent ones, each pixel as the nearest of them. */
async function reduced(png: Uint8Array): Promise<Uint8Array> {
  const image = await loadImage(png)
  const { width, height } = image
  const context = createCanvas(width, height).getContext('2d')
  context.drawImage(image, 0, 0)
  const { data } = context.getImageData(0, 0, width, height)
  const colourAt = (i: number) => ((data[i] ?? 0) << 16) | ((data[i + 1] ?? 0) << 8) | (data[i + 2] ?? 0)
  const counts = new Map<number, number>()
  for (let i = 0; i < data.length; i += 4) counts.set(colourAt(i), (counts.get(colourAt(i)) ?? 0) + 1)
  const palette = paletteOf(counts)
  const nearest = new Map<number, number>()
  const rows = new Uint8Array(height * (width + 1))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const colour = colourAt((y * width + x) * 4)
      const known = nearest.get(colour) ?? nearestOf(palette, colour)
      nearest.set(colour, known)
      rows[y * (width + 1) + 1 + x] = known
    }
  }
  const bytes = palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255])
  return encodePng({ width, height, rows }, Uint8Array.from(bytes))
}

/** The most frequent colours, without those that hardly differ from a more frequent one. */
function paletteOf(counts: ReadonlyMap<number, number>): number[] {
  const palette: number[] = []
  for (const [colour] of [...counts].sort(([, a], [, b]) => b - a)) {
    if (palette.length === MAX_COLOURS) break
    if (palette.every((known) => distance(known, colour) > 60)) palette.push(colour)
  }
  return palette
}

function distance(a: number, b: number): number {
  const [red, green, blue] = [(a >> 16) - (b >> 16), ((a >> 8) & 255) - ((b >> 8) & 255), (a & 255) - (b & 255)]
  return red * red + green * green + blue * blue
}

function nearestOf(palette: readonly number[], colour: number): number {
  let best = 0
  for (const [i, known] of palette.entries()) {
    if (distance(known, colour) < distance(palette[best] ?? 0, colour)) best = i
  }
  return best
}

async function draw(context: BrowserContext, { name, path, before }: Shot): Promise<void> {
  const page = await context.newPage()
  await page.goto(url + path)
  // the first view of a page does not wait for its typeface
  await page.reload()
  await before?.(page)
  // charts and small charts draw themselves
  await page.waitForTimeout(1500)
  const png = await reduced(await page.screenshot())
  await Bun.write(join(FOLDER, `pages-${name}.png`), png)
  console.log(`pages-${name}.png ${Math.round(png.length / 1000)} kB`)
  await page.close()
}

await furnish()
const shots = await shotsOf()
const browser = await chromium.launch({ executablePath: Bun.which('chromium') ?? 'chromium', args: ['--no-sandbox'] })
for (const phone of [false, true]) {
  for (const theme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ colorScheme: theme, viewport: phone ? PHONE : DESK })
    const page = await context.newPage()
    await page.goto(`${url}/sign-in`)
    await page.fill('#u', 'admin')
    await page.fill('#p', password)
    await page.click('button[type=submit]')
    await page.waitForSelector('main h1')
    await page.close()
    const mine = shots.filter((shot) => (shot.phone === true) === phone && (shot.theme ?? 'light') === theme)
    for (const shot of mine) await draw(context, shot)
    await context.close()
  }
}
await browser.close()
