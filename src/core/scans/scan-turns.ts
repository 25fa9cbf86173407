import { hostname } from 'node:os'
import { networkText, parseNetwork } from '@portlight/addresses/networks.ts'
import { SYSTEM } from '../base/actor.ts'
import { listen } from '../database/listen.ts'
import { networkOptions } from './network-options.ts'
import { lastScanned, waitingScans } from './read.ts'
import { runScan, type ScanRunDeps } from './run-scan.ts'
import { createScanService } from './service.ts'
import { releaseDead, SCANS_CHANNEL, takeScan, yieldScans } from './write.ts'

/** Runs the scans that wait for their turn. */
export interface ScanTurns {
  stop(): Promise<void>
}

/** Seconds without progress after which the process of a scan is deemed dead. */
export const DEAD_S = 60
/** Milliseconds between looks at what waits, besides notifications. */
const LOOK_MS = 15_000
const HOUR_MS = 3_600_000

/** Name of this process as the runner of a scan; different for every start. */
export const runnerName = (): string => `${hostname()} ${process.pid} ${Bun.randomUUIDv7()}`

/**
 * Begins scans in the order in which they were added, one at a time for each poller group, and goes on with those whose
 * process died. At a stop, running scans keep their place and go on when a server runs again.
 */
export function startScanTurns(deps: ScanRunDeps): ScanTurns {
  const { store, settings, log } = deps
  const runner = runnerName()
  const stopping = new AbortController()
  const running = new Map<number, Promise<void>>()
  const refused = new Map<string, string>()
  let looking: Promise<void> = Promise.resolve()

  async function look(): Promise<void> {
    if (stopping.signal.aborted) return
    await releaseDead(store, DEAD_S)
    await startDue()
    for (const scan of await waitingScans(store)) {
      if (running.has(scan.pollerGroup) || stopping.signal.aborted) continue
      if (!(await takeScan(store, scan.id, runner))) continue
      log.info({ scan: scan.id, networks: scan.networks.length, addresses: scan.counts.total }, 'scan begins')
      const run = runScan(deps, scan, runner, stopping.signal)
        .then(({ counts, isOver }) => {
          if (isOver) log.info({ scan: scan.id, found: counts.found, added: counts.added }, 'scan ended')
        })
        .catch((error: unknown) => log.error({ err: error, scan: scan.id }, 'the scan was interrupted'))
        .finally(() => {
          running.delete(scan.pollerGroup)
          again()
        })
      running.set(scan.pollerGroup, run)
    }
  }

  /** Adds scans of networks whose hours have passed. */
  async function startDue(): Promise<void> {
    const scheduled = networkOptions(settings).flatMap(({ network, everyHours }) => {
      const parsed = parseNetwork(network)
      return everyHours === undefined || parsed === null ? [] : [{ network: networkText(parsed), everyHours }]
    })
    if (scheduled.length === 0) return
    const last = await lastScanned(store)
    const now = Date.now()
    const due = scheduled.filter(({ network, everyHours }) => {
      const at = last.get(network)
      return at === undefined || now - at.getTime() >= everyHours * HOUR_MS
    })
    const scans = createScanService({ store, settings })
    for (const { network } of due) {
      await scans.start(SYSTEM, { networks: [network] }).catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error)
        // the reason is in the settings, which are as they are until somebody changes them
        if (refused.get(network) !== reason) log.warn({ network, reason }, 'the network cannot be scanned')
        refused.set(network, reason)
      })
    }
  }

  function again(): void {
    looking = looking.then(look).catch((error: unknown) => {
      if (!stopping.signal.aborted) log.error({ err: error }, 'scans could not be looked up, will retry')
    })
  }

  const timer = setInterval(again, LOOK_MS)
  const heard = listen(store, SCANS_CHANNEL, again, again, log)
  again()
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await heard.stop()
      await looking
      await Promise.all(running.values())
      // whoever runs next need not wait until this process is deemed dead
      await yieldScans(store, runner)
    },
  }
}
