import { addressOctets } from '@portlight/addresses/networks.ts'
import type { ProbeTarget } from '../../core/candidates/observed-host.ts'
import { isSilent, scanSource } from '../../core/scans/scan.ts'
import { steadyNow } from '../../lib/steady.ts'
import type { Log } from '../../observe/log.ts'
import { isAllowed } from '../allowed.ts'
import type { HostAnswer, JobOptions } from '../protocol.ts'
import type { Scanner } from '../scanner.ts'
import { MAX_ADDRESSES, packAnswer, type SiteScanRequest, unpackRequest } from './site-messages.ts'

/** The scanner of a site, as it answers the centre. */
export interface ServedScans {
  /** Answers after a few seconds at most, with what is known by then. Never rejects. */
  answer(packed: string): Promise<{ readonly scan: string } | { readonly error: string }>
  stop(): void
}

/** Most jobs at the same time. */
const MAX_JOBS = 8
/** How long an answer waits for the first result, and with one for more, ms. */
const HOLD_MS = 4000
const GATHER_MS = 300
/** A job ends after this long without a request from the centre, ms. */
const IDLE_MS = 120_000

export function serveScans({ scanner, log }: { readonly scanner: Scanner; readonly log: Log }): ServedScans {
  const jobs = new Map<string, SiteJob>()

  function jobOf({ job: name, options }: SiteScanRequest): SiteJob | null {
    const running = jobs.get(name)
    if (running !== undefined) return running
    if (jobs.size >= MAX_JOBS) return null
    const job = new SiteJob(scanner, options, () => jobs.delete(name))
    jobs.set(name, job)
    return job
  }

  return {
    async answer(packed) {
      const request = unpackRequest(packed)
      if (request === null) return { error: 'the request to scan cannot be read by this version' }
      if (request.addresses.length === 0) {
        jobs.get(request.job)?.end()
        return { scan: packAnswer({ answered: [], silent: [], outside: [] }) }
      }
      const job = jobOf(request)
      if (job === null) return { error: `${MAX_JOBS} scans are running at the site already` }
      const { answer, problem } = await job.answer(request.addresses)
      if (problem === null) return { scan: packAnswer(answer) }
      log.error({ reason: problem }, 'a scan for the centre failed')
      job.end()
      return { error: `its scanner failed: ${problem}` }
    },
    stop() {
      for (const job of [...jobs.values()]) job.end()
    },
  }
}

/** Addresses that the centre wants to know of, from the first request that names them until the first that does not. */
class SiteJob {
  private readonly asked = new Set<string>()
  private readonly ready = new Map<string, HostAnswer>()
  private readonly queue: string[] = []
  private readonly ending = new AbortController()
  private readonly wakers = new Set<() => void>()
  private feed: (() => void) | null = null
  private idle: ReturnType<typeof setTimeout> | null = null
  private problem: string | null = null

  constructor(
    scanner: Scanner,
    private readonly options: JobOptions,
    private readonly ended: () => void,
  ) {
    void this.run(scanner)
  }

  async answer(addresses: readonly string[]) {
    if (this.idle !== null) clearTimeout(this.idle)
    this.idle = setTimeout(() => this.end(), IDLE_MS)
    const named = new Set(addresses)
    for (const address of this.ready.keys()) if (!named.has(address)) this.ready.delete(address)
    const outside: number[] = []
    let expected = 0
    for (const [at, address] of addresses.entries()) {
      const octets = addressOctets(address)
      if (octets === null || !isAllowed(this.options, octets)) outside.push(at)
      else {
        expected++
        if (!this.ready.has(address) && this.asked.size < 2 * MAX_ADDRESSES) this.add(address)
      }
    }
    await this.results(expected)
    const answered: (HostAnswer & { at: number })[] = []
    const silent: number[] = []
    for (const [at, address] of addresses.entries()) {
      const host = this.ready.get(address)
      if (host === undefined) continue
      if (isSilent(host)) silent.push(at)
      else answered.push({ at, ...host })
    }
    return { answer: { answered, silent, outside }, problem: this.problem }
  }

  end(): void {
    if (this.idle !== null) clearTimeout(this.idle)
    this.ending.abort()
    this.feed?.()
    this.wake()
    this.ended()
  }

  private add(address: string): void {
    if (this.asked.has(address)) return
    this.asked.add(address)
    this.queue.push(address)
    this.feed?.()
  }

  /** Waits for this number of results, or for some, but not for long. */
  private async results(expected: number): Promise<void> {
    const began = steadyNow()
    while (this.ready.size < expected && this.problem === null && !this.ending.signal.aborted) {
      const rest = (this.ready.size > 0 ? GATHER_MS : HOLD_MS) - (steadyNow() - began)
      if (rest <= 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, rest)
      this.wakers.add(resolve)
      await promise
      clearTimeout(timer)
      this.wakers.delete(resolve)
    }
  }

  private wake(): void {
    for (const wake of this.wakers) wake()
  }

  private async run(scanner: Scanner): Promise<void> {
    try {
      for await (const { target, pingMs, snmp, failure } of scanner.askAs(
        this.targets(),
        this.ending.signal,
        this.options,
      )) {
        this.asked.delete(target.address)
        this.ready.set(target.address, { pingMs, snmp, failure })
        this.wake()
      }
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error)
      this.wake()
    }
  }

  private async *targets(): AsyncGenerator<ProbeTarget> {
    const source = scanSource(null)
    while (!this.ending.signal.aborted) {
      const address = this.queue.shift()
      if (address !== undefined) yield { address, pollerGroup: 0, source }
      else
        await new Promise<void>((resolve) => {
          this.feed = resolve
        })
    }
  }
}
