/**
 * The clients of bench/scale.ts, in a separate thread, so that the measurement itself does not delay their requests.
 */

declare const self: Worker

const LIST_EVERY_MS = 400
const PING_EVERY_MS = 100
const REPORT_MS = 250
const PAGE_COLUMNS = 'device_id,hostname,sysName,os,status,uptime,last_polled'

/** The server to which the clients send requests, passed once; they continue until their thread is terminated. */
export interface Asked {
  readonly url: string
  readonly token: string
  readonly devices: number
  /** Devices of a page. */
  readonly page: number
  /** URL of a server that does nothing else than answer pings. */
  readonly bare: string
}

/** Response times since the last report, ms. */
export interface ClientReport {
  readonly list: readonly number[]
  readonly ping: readonly number[]
  /** Pings of the bare server. */
  readonly bare: readonly number[]
  /** Descriptions of wrong responses. */
  readonly failed: readonly string[]
}

let report = { list: [] as number[], ping: [] as number[], bare: [] as number[], failed: [] as string[] }

self.onmessage = ({ data }: MessageEvent<Asked>) => {
  void pages(data)
  void pings(data)
  setInterval(() => {
    self.postMessage(report satisfies ClientReport)
    report = { list: [], ping: [], bare: [], failed: [] }
  }, REPORT_MS)
}

/** A client that pages through all devices repeatedly. */
async function pages(asked: Asked): Promise<never> {
  const { devices, page } = asked
  for (let offset = 0; ; offset = offset + page < devices ? offset + page : 0) {
    const rows = Math.min(page, devices - offset)
    const path = `devices?columns=${PAGE_COLUMNS}&limit=${page}&offset=${offset}`
    report.list.push(await ask(asked, path, (body) => body.split('"device_id"').length - 1 === rows))
    await Bun.sleep(LIST_EVERY_MS)
  }
}

async function pings(asked: Asked): Promise<never> {
  for (;;) {
    report.ping.push(await ask(asked, 'ping', (body) => body.includes('pong')))
    report.bare.push(await ask({ ...asked, url: asked.bare }, 'ping', (body) => body.includes('pong')))
    await Bun.sleep(PING_EVERY_MS)
  }
}

async function ask({ url, token }: Asked, path: string, isGood: (body: string) => boolean): Promise<number> {
  const started = performance.now()
  const response = await fetch(`${url}/api/v0/${path}`, { headers: { 'X-Auth-Token': token } }).catch(() => null)
  const body = (await response?.text().catch(() => '')) ?? ''
  const tookMs = performance.now() - started
  if (response?.ok !== true || !isGood(body)) report.failed.push(`${path}: ${response?.status} ${body.slice(0, 200)}`)
  return tookMs
}
