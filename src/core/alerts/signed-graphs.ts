import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Settings } from '../../config/schema.ts'
import { parseTimeRange } from '../../lib/at-time.ts'
import { baseUrl } from '../base/base-url.ts'
import type { GraphOutcome, Graphs } from '../base/graphs.ts'
import { signingKey } from '../base/signing-key.ts'
import type { Store } from '../database/client.ts'

/** Path at which signed graphs are served without a token. */
export const SIGNED_GRAPH_PATH = '/signed-graph'

/** Parameters that templates may set, as in LibreNMS: `type`, `id` or `device`, `from`, `to`, `width`, `height`, ... */
export type GraphMembers = ReadonlyMap<string, string>

/** Returns the URL of a graph, which is served without a token until it expires; null: there is no such graph. */
export type GraphUrl = (members: GraphMembers, alertDevice: number) => string | null

/** A graph of a port, or of a device or one of its parts. */
export interface GraphChoice {
  readonly type: string
  readonly of: 'port' | 'device'
  readonly id: number
  /** Sensor, processor, memory pool or file system of the device; null: all of it. */
  readonly only: number | null
}

const SIZES = { width: 2000, height: 1000 } as const
const DAY_S = 86_400

/** LibreNMS's types of graphs of one part of a device, and the type here. */
const PARTS: Readonly<Record<string, string>> = {
  processor_usage: 'device_processor',
  mempool_usage: 'device_mempool',
  storage_usage: 'device_storage',
}

const idOf = (text: string | undefined): number | null => (/^[1-9]\d{0,9}$/.test(text ?? '') ? Number(text) : null)

/** The graph that the parameters select; null: none. `alertDevice` is used if they name no device. */
export function graphChoice(members: GraphMembers, alertDevice: number): GraphChoice | null {
  const type = members.get('type') ?? ''
  if (!/^[a-z][a-z\d_-]{0,60}$/.test(type)) return null
  const id = idOf(members.get('id'))
  if (type.startsWith('port_')) return id === null ? null : { type, of: 'port', id, only: null }
  const device = idOf(members.get('device')) ?? alertDevice
  if (type.startsWith('device_')) return { type, of: 'device', id: device, only: null }
  const part = PARTS[type] ?? (type.startsWith('sensor_') ? type.replace('sensor_', 'device_') : null)
  return part === null || id === null ? null : { type: part, of: 'device', id: device, only: id }
}

/** Draws the graph. */
export function drawChoice(
  graphs: Graphs,
  { type, of, id, only }: GraphChoice,
  options: Readonly<Record<string, string>>,
): Promise<GraphOutcome> {
  return of === 'port' ? graphs.port(id, type, options) : graphs.device(id, type, options, only ?? undefined)
}

interface SignedGraphDeps {
  readonly store: Store
  readonly settings: Settings
  readonly graphs: Graphs
  /** Epoch ms. Default: the clock. */
  readonly now?: () => number
}

/** Outcome of a request for a signed graph. */
export type SignedGraph = GraphOutcome | { kind: 'refused' } | { kind: 'expired' }

/**
 * Makes URLs of graphs for notifications and serves them. A URL contains exactly one graph with its range and size, and
 * an expiry time; all of it is signed (HMAC-SHA-256, RFC 2104) with a key kept in the database.
 */
export function createSignedGraphs({ store, settings, graphs, now = Date.now }: SignedGraphDeps) {
  let key: Uint8Array | null = null

  async function loaded(): Promise<Uint8Array> {
    key ??= await signingKey(store, 'graphs')
    return key
  }

  return {
    /** Returns the function that makes URLs. Throws StoreError when the key cannot be read. */
    async signer(): Promise<GraphUrl> {
      const secret = await loaded()
      const days = settings.get('alert.graph_days')
      const base = baseUrl(settings) || ownUrl(settings)
      return (members, alertDevice) => {
        const choice = graphChoice(members, alertDevice)
        const nowS = Math.floor(now() / 1000)
        const range = parseTimeRange(members.get('from') || '-1d', members.get('to') || 'now', nowS)
        if (choice === null || range.kind !== 'ok') return null
        const query = new URLSearchParams({
          type: choice.type,
          [choice.of]: String(choice.id),
          ...(choice.only !== null && { only: String(choice.only) }),
          from: String(range.fromS),
          to: String(range.toS),
          ...sizesOf(members),
          ...(members.get('legend') === 'no' && { legend: 'no' }),
          expires: String(nowS + days * DAY_S),
        })
        query.append('signature', signatureOf(query, secret))
        return `${base}${SIGNED_GRAPH_PATH}?${query}`
      }
    },

    /** URL of the page of an alert or device; null: there is none, or the base URL is not set. */
    pageUrl(of: 'alerts' | 'device', id: number): string | null {
      const base = baseUrl(settings)
      return id > 0 && /^https?:$/.test(URL.parse(base)?.protocol ?? '') ? `${base}/${of}/${id}` : null
    },

    /** URL of a path of the program; null: the base URL is not set. */
    addressOf(path: string): string | null {
      const base = baseUrl(settings)
      return base === '' ? null : `${base}/${path}`
    },

    /** Checks signature and expiry, and draws the graph. */
    async open(query: URLSearchParams): Promise<SignedGraph> {
      const given = query.get('signature') ?? ''
      const signed = new URLSearchParams(query)
      signed.delete('signature')
      const requested = signatureOf(signed, await loaded())
      if (given.length !== requested.length || !timingSafeEqual(Buffer.from(given), Buffer.from(requested)))
        return { kind: 'refused' }
      const { expires, type = '', port, device, only, ...options } = Object.fromEntries(signed)
      if (Number(expires) * 1000 < now()) return { kind: 'expired' }
      const of = port === undefined ? 'device' : 'port'
      const choice = { type, of, id: Number(port ?? device), only: only === undefined ? null : Number(only) } as const
      return await drawChoice(graphs, choice, options)
    },
  }
}

export type SignedGraphs = ReturnType<typeof createSignedGraphs>

function signatureOf(query: URLSearchParams, key: Uint8Array): string {
  const sorted = [...query].toSorted(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : 1))
  return createHmac('sha256', key).update(JSON.stringify(sorted)).digest('hex')
}

function sizesOf(members: GraphMembers): Record<string, string> {
  const sizes: Record<string, string> = {}
  for (const [name, most] of Object.entries(SIZES)) {
    const size = idOf(members.get(name))
    if (size !== null) sizes[name] = String(Math.min(most, size))
  }
  return sizes
}

function ownUrl(settings: Settings): string {
  const host = settings.get('listen')
  const scheme = settings.get('tls.cert') === '' ? 'http' : 'https'
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${settings.get('port')}`
}
