import { headers, type NatsConnection } from '@nats-io/transport-node'
import type { Log } from '../../../../observe/log.ts'
import type { RunSummary } from '../../../base/gateway.ts'
import { isId } from '../../../base/ids.ts'
import type { Place } from '../../../dependencies/place.ts'
import type { Position } from '../write-delivery.ts'
import { isRecord, isTime } from './checks.ts'
import { siteNames } from './names.ts'
import type { Seal } from './seal.ts'

/** What the centre asks a remote poller to do. */
export type SiteRequest =
  | { readonly verb: 'poll' | 'discover' | 'contact'; readonly deviceId: number }
  /** Asks for the state of the poller. */
  | { readonly verb: 'status' }
  /** Asks addresses at the site; `packed` is written and read by the scanners of both ends. */
  | { readonly verb: 'scan'; readonly packed: string }

/** State that a remote poller reports. */
export interface SiteStatus {
  readonly version: string
  readonly devices: number
  /** Polls that began late, since its start. */
  readonly late: number
  /** Messages since its start: accepted by the stream, and refused because it was full. */
  readonly published: number
  readonly refused: number
  /** Sample rows in its memory. */
  readonly rows: number
  /** A SiteWork; absent in earlier versions. */
  readonly work?: unknown
  /** Whether it understands the verb `scan`; absent in earlier versions, which do not answer to it. */
  readonly scans?: boolean
  /** Where it is in the network; null or absent: unknown, as in earlier versions. */
  readonly place?: Place | null
  /** Its clock, epoch ms. */
  readonly at: number
}

/** How a run at a site ended, and the message after which its results are stored. */
export interface SiteRun {
  readonly summary: RunSummary
  readonly after: Position
}

export type SiteAnswer =
  | { readonly run: SiteRun }
  | { readonly status: SiteStatus }
  /** As `encodeContact` writes it. */
  | { readonly contact: unknown }
  /** What addresses answered so far, packed as the request. */
  | { readonly scan: string }
  | { readonly error: string }

/** Header with the id of a request, which the seal covers. */
const ID_HEADER = 'Portlight-Request'
/** Maximum difference between the clocks of centre and poller, ms. */
export const MAX_SKEW_MS = 600_000
/** Limits: ids remembered, and concurrent requests. */
const MAX_IDS = 20_000
const MAX_RUNNING = 64

/**
 * The centre's side: sends a request to a remote poller and waits at most `timeoutMs`. Throws an Error with a message
 * for users if it does not answer.
 */
export async function askSite(
  connection: NatsConnection,
  seal: Seal,
  poller: string,
  request: SiteRequest,
  timeoutMs: number,
): Promise<SiteAnswer> {
  const id = crypto.randomUUID()
  const body = Buffer.from(JSON.stringify({ ...request, at: Date.now() }))
  const head = headers()
  head.set(ID_HEADER, id)
  const subject = siteNames(poller).requests
  const reply = await connection
    .request(subject, seal.close('to-poller', `request ${id}`, body), { timeout: timeoutMs, headers: head })
    .catch(() => {
      throw new Error(`the remote poller ${poller} does not answer`)
    })
  const plain = seal.open('to-centre', `reply ${id}`, reply.data)
  if (plain === null) throw new Error(`the answer of the remote poller ${poller} is not sealed with its key`)
  // safe: only the poller can seal it, and callers check what they use
  return JSON.parse(Buffer.from(plain).toString('utf8')) as SiteAnswer
}

export interface SiteRequestsOptions {
  readonly connection: NatsConnection
  readonly seal: Seal
  readonly poller: string
  readonly log: Log
  readonly answer: (request: SiteRequest) => Promise<SiteAnswer>
}

/** The poller's side: answers the centre's requests, each once. */
export function serveSite(o: SiteRequestsOptions): { stop(): void; refused(): number } {
  const seen = new Set<string>()
  let running = 0
  let refused = 0
  const subscription = o.connection.subscribe(siteNames(o.poller).requests, {
    callback(error, message) {
      if (error !== null) return
      const id = message.headers?.get(ID_HEADER) ?? ''
      const request = parse(id, message.data)
      if (request === null || running >= MAX_RUNNING) {
        refused++
        return
      }
      const reply = (answer: SiteAnswer): void => {
        message.respond(o.seal.close('to-centre', `reply ${id}`, Buffer.from(JSON.stringify(answer))))
      }
      running++
      o.answer(request)
        .then(reply, (cause: unknown) => {
          o.log.error({ err: cause, verb: request.verb }, 'a request from the centre failed')
          reply({ error: "the request failed at the site; see the remote poller's log" })
        })
        .finally(() => {
          running--
        })
    },
  })

  /** Null: not sealed by the centre, too old or too new, or seen before. */
  function parse(id: string, data: Uint8Array): SiteRequest | null {
    const plain = o.seal.open('to-poller', `request ${id}`, data)
    if (plain === null || seen.has(id)) return null
    const value: unknown = JSON.parse(Buffer.from(plain).toString('utf8'))
    if (!isRecord(value) || !isTime(value['at']) || Math.abs(value['at'] - Date.now()) > MAX_SKEW_MS) return null
    seen.add(id)
    if (seen.size > MAX_IDS) {
      const [oldest] = seen
      if (oldest !== undefined) seen.delete(oldest)
    }
    const { verb, deviceId, packed } = value
    if (verb === 'status') return { verb }
    if (verb === 'scan') return typeof packed === 'string' ? { verb, packed } : null
    if (!isId(deviceId)) return null
    return verb === 'poll' || verb === 'discover' || verb === 'contact' ? { verb, deviceId } : null
  }

  return { stop: () => subscription.unsubscribe(), refused: () => refused }
}
