/** The clients of bench/soak.ts in a thread of their own: programs that use the API, and a browser that opens pages. */

declare const self: Worker

/** Sent once; the clients go on until their thread is ended. */
export interface Users {
  readonly url: string
  readonly token: string
  readonly password: string
  /** First of the device ids and how many follow it. */
  readonly firstId: number
  readonly devices: number
  /** Requests of the API and pages a second. 0: none. */
  readonly api: number
  readonly pages: number
}

/** What was answered since the last report: waiting times in ms, and answers that were errors. */
export interface UsersReport {
  readonly api: readonly number[]
  readonly pages: readonly number[]
  readonly failed: readonly string[]
}

const REPORT_MS = 1000

let report = { api: [] as number[], pages: [] as number[], failed: [] as string[] }

self.onmessage = ({ data }: MessageEvent<Users>) => {
  const device = () => data.firstId + Math.floor(Math.random() * data.devices)
  if (data.api > 0) void requests(data, device)
  if (data.pages > 0) void browser(data, device)
  setInterval(() => {
    self.postMessage(report satisfies UsersReport)
    report = { api: [], pages: [], failed: [] }
  }, REPORT_MS)
}

const API: readonly ((device: number) => string)[] = [
  (device) => `devices/${device}`,
  (device) => `devices/${device}/ports?columns=ifName,ifOperStatus,ifInOctets_rate,ifOutOctets_rate`,
  (device) => `devices?columns=device_id,hostname,status,uptime&limit=100&offset=${device % 900}`,
  (device) => `devices/${device}/device_bits?width=600&height=200`,
  () => 'alerts?state=1',
  (device) => `logs/eventlog/${device}?limit=50`,
  (device) => `logs/syslog/${device}?limit=50`,
  () => 'services',
]

async function requests({ url, token, api }: Users, device: () => number): Promise<never> {
  for (let i = 0; ; i++) {
    const path = `/api/v0/${(API[i % API.length] ?? API[0])?.(device())}`
    report.api.push(await ask(url + path, { 'X-Auth-Token': token }))
    await Bun.sleep(1000 / api)
  }
}

const PAGES: readonly ((device: number) => string)[] = [
  () => '/',
  () => '/devices?sort=-in',
  (device) => `/device/${device}`,
  (device) => `/device/${device}/ports`,
  () => '/alerts',
  () => '/logs',
  () => '/ports?sort=-used',
  () => '/services',
  () => '/search?format=json&q=127.16.0.9',
]

async function browser({ url, password, pages }: Users, device: () => number): Promise<never> {
  const signedIn = await fetch(`${url}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url },
    body: new URLSearchParams({ username: 'admin', password }),
  })
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  for (let i = 0; ; i++) {
    const path = (PAGES[i % PAGES.length] ?? PAGES[0])?.(device())
    report.pages.push(await ask(url + path, { cookie, accept: 'text/html' }))
    await Bun.sleep(1000 / pages)
  }
}

async function ask(url: string, headers: Record<string, string>): Promise<number> {
  const began = performance.now()
  const response = await fetch(url, { headers, redirect: 'manual' }).catch(() => null)
  const body = (await response?.arrayBuffer().catch(() => null)) ?? null
  if (response?.status !== 200 || body === null) report.failed.push(`${new URL(url).pathname}: ${response?.status}`)
  return performance.now() - began
}
