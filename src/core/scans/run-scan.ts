import type { Settings } from '../../config/schema.ts'
import type { Log } from '../../observe/log.ts'
import type { Gateway } from '../base/gateway.ts'
import type { ObservedHost, ProbeTarget, RecordedHost, Source } from '../candidates/observed-host.ts'
import { recordHost } from '../candidates/record-host.ts'
import type { Store } from '../database/client.ts'
import { portOf } from './network-options.ts'
import type { StoredScan } from './read.ts'
import { type AskHosts, isSilent, type ScanCounts, scanSource } from './scan.ts'
import { noCounts, whyNothing, withHost } from './scan-counts.ts'
import { planOf, type ScanPlan } from './scan-plan.ts'
import { endScan, writeProgress } from './write.ts'

export interface ScanRunDeps {
  readonly store: Store
  readonly settings: Settings
  readonly gateway: Gateway
  readonly ask: AskHosts
  readonly log: Log
}

/** What a caller follows of a scan. */
export interface ScanFollower {
  /** A host that answered, or was silent. */
  host?(host: RecordedHost): void
  progress?(counts: ScanCounts): void
}

/** Milliseconds between writes of the progress; a scan that was stopped ends at the next one. */
const PROGRESS_MS = 1500

/**
 * Runs a scan that `runner` has taken, to its end or until it is stopped or the signal is aborted; then it stays as it
 * is for the next one. Returns what it met. Throws StoreError when progress cannot be stored.
 */
export async function runScan(
  { store, settings, gateway, ask, log }: ScanRunDeps,
  scan: StoredScan,
  runner: string,
  signal: AbortSignal,
  follower: ScanFollower = {},
): Promise<{ readonly counts: ScanCounts; readonly why: string | null; readonly isOver: boolean }> {
  const run = new Run(planOf(settings, scan.networks), scan)
  const ending = new AbortController()
  const abort = (): void => ending.abort()
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  let lost: unknown = null
  let storing = Promise.resolve()
  const timer = setInterval(() => {
    storing = storing
      .then(async () => {
        follower.progress?.(run.counts)
        if (!(await writeProgress(store, scan.id, runner, run.progress()))) abort()
      })
      .catch((error: unknown) => {
        lost ??= error
        abort()
      })
  }, PROGRESS_MS)
  try {
    const options = { rate: scan.rate, ping: scan.ping, snmp: scan.snmp }
    for await (const host of ask(run.targets(), ending.signal, options)) {
      if (isSilent(host)) {
        run.met(host, null)
        if (follower.host !== undefined) follower.host(silent(host))
        continue
      }
      const recorded = await recordHost(
        // who scans by ping alone wants what answers it
        { store, settings, gateway, ...(!scan.snmp && { keepsPing: true }) },
        host,
      )
      run.met(host, recorded)
      follower.host?.(recorded)
    }
  } catch (error) {
    log.error({ err: error, scan: scan.id }, 'the scan failed')
    const why = `The scan could not go on: ${error instanceof Error ? error.message : String(error)}. Resume it to go on where it was.`
    await writeProgress(store, scan.id, runner, run.progress())
    await endScan(store, scan.id, runner, { state: 'failed', why })
    return { counts: run.counts, why, isOver: true }
  } finally {
    clearInterval(timer)
    signal.removeEventListener('abort', abort)
    await storing
  }
  if (lost !== null) throw lost
  await writeProgress(store, scan.id, runner, run.progress())
  if (ending.signal.aborted) return { counts: run.counts, why: null, isOver: false }
  const v3 = settings.get('snmp.v3')
  const why = whyNothing(run.counts, {
    ...{ ping: scan.ping, snmp: scan.snmp, port: portOf(settings, scan.networks) },
    communities: settings.get('snmp.community').length,
    users: Array.isArray(v3) ? v3.length : 0,
  })
  await endScan(store, scan.id, runner, { state: 'done', why })
  return { counts: run.counts, why, isOver: true }
}

/** Where a scan is. */
class Run {
  private next: number
  private others: ScanCounts
  /** Silent addresses since, which are most of all and therefore leave no garbage. */
  private silent = 0
  private readonly source: Source
  private readonly pending: Set<number>
  private readonly positions = new Map<ProbeTarget, number>()

  constructor(
    private readonly plan: ScanPlan,
    private readonly scan: StoredScan,
  ) {
    this.next = scan.position
    this.pending = new Set(scan.pending)
    // the settings may have changed since the scan was added
    this.others = { ...noCounts(0, 0), ...scan.counts, total: plan.total, excluded: plan.excluded }
    this.source = scanSource(scan.id)
  }

  get counts(): ScanCounts {
    const { others, silent } = this
    return { ...others, done: others.done + silent, silent: others.silent + silent }
  }

  /** First what was pending when the scan was stopped, then the rest. */
  *targets(): Generator<ProbeTarget> {
    for (const position of [...this.pending]) {
      const target = this.targetAt(position)
      if (target !== null) yield target
      else this.pending.delete(position)
    }
    while (this.next < this.plan.positions) {
      const position = this.next++
      const target = this.targetAt(position)
      if (target !== null) yield target
    }
  }

  /** `recorded` null: the host was silent. */
  met(host: ObservedHost, recorded: RecordedHost | null): void {
    const position = this.positions.get(host.target)
    if (position === undefined) return
    this.positions.delete(host.target)
    this.pending.delete(position)
    if (recorded === null) this.silent++
    else this.others = withHost(this.others, host, recorded.state)
  }

  progress() {
    return { position: this.next, pending: [...this.pending], counts: this.counts }
  }

  private targetAt(position: number): ProbeTarget | null {
    const address = this.plan.at(position)
    if (address === null) return null
    const target = { address, pollerGroup: this.scan.pollerGroup, source: this.source }
    this.pending.add(position)
    this.positions.set(target, position)
    return target
  }
}

function silent({ target: { address } }: ObservedHost): RecordedHost {
  const why = 'Neither ping nor SNMP answered.'
  return { address, state: 'silent', name: null, sysObjectId: null, candidateId: null, deviceId: null, why }
}
