import { addressOctets } from '@portlight/addresses/networks.ts'
import type { ObservedHost, ProbeTarget } from '../../core/candidates/observed-host.ts'
import { type ProbeTargets, targetIterator } from '../../core/scans/scan.ts'
import { steadyNow } from '../../lib/steady.ts'
import { isAllowed } from '../allowed.ts'
import { type HostAnswer, type JobOptions, SILENT } from '../protocol.ts'
import { windowOf } from '../window.ts'
import { MAX_ADDRESSES, packRequest, type SiteScanAnswer, unpackAnswer } from './site-messages.ts'

/** The line to a remote poller. */
export interface SiteLine {
  /** Name of the remote poller. */
  readonly poller: string
  /** Its version, and whether it can scan. Throws an Error with a clause for users if it does not answer. */
  status(): Promise<{ readonly version: string; readonly scans?: boolean }>
  /** Throws as `status`. `error`: it refuses, with a reason. */
  scan(packed: string): Promise<{ readonly scan: string } | { readonly error: string }>
}

/** How long a site may be unreachable before the scan is given up, and the pause between attempts, ms. */
const AWAY_MS = 60_000
const AGAIN_MS = 2000
/** How long a site may answer without a result for any host, ms. */
const STALLED_MS = 600_000
/** Time that results take to be gathered and sent, ms. */
const TRAVEL_MS = 1000

/**
 * Asks hosts by the scanner of a site, as `AskHosts` does: the site keeps the rate, the centre sends addresses as room
 * becomes free. A lost message is sent again, and costs no host a second datagram. Throws an Error with a clause for
 * users when the site cannot scan, refuses, or is away for `awayMs`; what has not been yielded by then is not known.
 */
export async function* askAtSite(
  site: SiteLine,
  targets: ProbeTargets,
  signal: AbortSignal,
  options: JobOptions,
  awayMs = AWAY_MS,
): AsyncGenerator<ObservedHost> {
  const { poller } = site
  const source = targetIterator(targets)
  const job = crypto.randomUUID()
  const waiting = new Map<string, ProbeTarget[]>()
  const window = windowOf(options, MAX_ADDRESSES, TRAVEL_MS)
  let isMore = true
  let began = false

  async function fill(): Promise<void> {
    while (isMore && waiting.size < window && !signal.aborted) {
      const { done, value } = await source.next()
      if (done === true) {
        isMore = false
        return
      }
      const octets = addressOctets(value.address)
      if (octets === null || !isAllowed(options, octets)) continue
      waiting.set(value.address, [...(waiting.get(value.address) ?? []), value])
    }
  }

  /** Null: aborted. */
  async function send(addresses: readonly string[]): Promise<SiteScanAnswer | null> {
    const answer = await persist(() => site.scan(packRequest({ job, options, addresses })), signal, awayMs)
    if (answer === null) return null
    if ('error' in answer) throw new Error(`the remote poller ${poller} does not scan: ${answer.error}`)
    const results = unpackAnswer(answer.scan, addresses.length)
    if (results === null)
      throw new Error(`the remote poller ${poller} gave an answer that this version cannot read: upgrade the older one`)
    return results
  }

  try {
    const status = await persist(() => site.status(), signal, awayMs)
    if (status === null) return
    if (status.scans !== true)
      throw new Error(
        `the remote poller ${poller} runs Portlight ${status.version}, which cannot scan. Upgrade it at its site`,
      )
    began = true
    let resultAt = steadyNow()
    await fill()
    while (waiting.size > 0 && !signal.aborted) {
      const addresses = [...waiting.keys()]
      const results = await send(addresses)
      if (results === null) return
      const hosts = taken(waiting, addresses, results)
      if (hosts.length > 0 || results.outside.length > 0) resultAt = steadyNow()
      else if (steadyNow() - resultAt > STALLED_MS)
        throw new Error(`the remote poller ${poller} had no result for ${STALLED_MS / 60_000} minutes`)
      for (const host of hosts) {
        if (signal.aborted) return
        yield host
      }
      await fill()
    }
  } finally {
    // not awaited: a site that is away ends the job by itself
    if (began) void site.scan(packRequest({ job, options, addresses: [] })).catch(() => undefined)
    void source.return?.()
  }
}

/** Takes what is known now out of what is waited for. */
function taken(
  waiting: Map<string, ProbeTarget[]>,
  addresses: readonly string[],
  { answered, silent, outside }: SiteScanAnswer,
): ObservedHost[] {
  const hosts: ObservedHost[] = []
  const take = (at: number, answer: HostAnswer | null): void => {
    const address = addresses[at] ?? ''
    const targets = waiting.get(address) ?? []
    waiting.delete(address)
    if (answer !== null) for (const target of targets) hosts.push({ target, ...answer })
  }
  for (const { at, ...answer } of answered) take(at, answer)
  for (const at of silent) take(at, SILENT)
  for (const at of outside) take(at, null)
  return hosts
}

/** Tries until there is an answer; null: aborted. Throws the last error after `awayMs`. */
async function persist<T>(work: () => Promise<T>, signal: AbortSignal, awayMs: number): Promise<T | null> {
  const aborted = Promise.withResolvers<null>()
  const abort = (): void => aborted.resolve(null)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  const since = steadyNow()
  try {
    for (;;) {
      try {
        return await Promise.race([aborted.promise, work()])
      } catch (error) {
        if (steadyNow() - since >= awayMs) throw error
      }
      await Promise.race([aborted.promise, Bun.sleep(Math.min(AGAIN_MS, awayMs))])
      if (signal.aborted) return null
    }
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
