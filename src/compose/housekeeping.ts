import { Resolver } from 'node:dns/promises'
import type { Settings } from '../config/schema.ts'
import { runBilling } from '../domain/billing/calculate.ts'
import type { Log } from '../observe/log.ts'
import type { Poller, PollerStats } from '../poller/poller.ts'
import type { Store } from '../store/client.ts'
import { maintain, type Retention } from '../store/maintenance.ts'
import { dropOldLogs, type LogRetention } from '../store/writers/logs.ts'
import { forgetCluster, writeClusterReport, writePollerReport } from '../store/writers/pollers.ts'
import { updateAvailability } from '../store/writers/status.ts'
import { nameAses } from './as-names.ts'

export interface HouseDeps {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  readonly poller: Poller
  /** Of this poller, in the API. */
  readonly name: string
  readonly version: string
}

const MINUTE_MS = 60_000
const DNS_TIMEOUT_MS = 3000

/**
 * What has to be done from time to time: roll-ups, partitions and retention of the series, availability, bills, the
 * poller's own record, and devices that other processes changed while no one listened. One thing after the other.
 */
export function keepHouse({ store, settings, log, poller, name, version }: HouseDeps): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve()
  let stopped = false
  let before: PollerStats | null = null
  const chores: readonly (readonly [name: string, everyMinutes: number, work: () => Promise<unknown>])[] = [
    ['series', 1, () => maintain(store, retentionOf(settings))],
    ['report', 1, report],
    ['availability', 5, () => updateAvailability(store, settings.get('graphing.availability') as number[])],
    ['logs', 10, () => dropOldLogs(store, logRetentionOf(settings))],
    ['AS names', 10, nameAutonomousSystems],
    ['bills', 5, () => runBilling(store, settings.get('poller.interval'))],
    ['resync', 10, () => poller.resync()],
  ]

  async function nameAutonomousSystems(): Promise<void> {
    if (!settings.get('bgp.as_names')) return
    const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 })
    await nameAses(store, (name) => resolver.resolveTxt(name))
  }

  async function report(): Promise<void> {
    const now = poller.stats()
    await writePollerReport(store, {
      name,
      devices: now.polls.devices,
      seconds: now.runs.tookS - (before?.runs.tookS ?? 0),
    })
    if (settings.get('distributed_poller')) {
      const queue = {
        poller_type: 'poller',
        depth: now.polls.waiting,
        devices: now.runs.polls - (before?.runs.polls ?? 0),
        worker_seconds: now.runs.tookS - (before?.runs.tookS ?? 0),
        workers: now.pool.workers,
        frequency: settings.get('poller.interval'),
      } as const
      await writeClusterReport(store, { name, version }, [queue])
    } else await forgetCluster(store)
    const late = now.polls.late - (before?.polls.late ?? 0)
    const skipped = now.polls.skipped - (before?.polls.skipped ?? 0)
    // overload is shown, not hidden
    if (late > 0 || skipped > 0)
      log.warn({ late, skipped, waiting: now.polls.waiting, lagMs: Math.round(now.polls.lagMs) }, 'polls are late')
    before = now
  }

  async function doChores(minute: number): Promise<void> {
    for (const [chore, every, work] of chores) {
      if (stopped || minute % every !== 0) continue
      try {
        await work()
      } catch (error) {
        log.error({ err: error, chore }, 'housekeeping failed, it is tried again')
      }
    }
  }

  let minute = 0
  const timer = setInterval(() => {
    minute++
    const due = minute
    running = running.then(() => doChores(due))
  }, MINUTE_MS)
  running = doChores(0)
  return {
    async stop() {
      stopped = true
      clearInterval(timer)
      await Promise.race([running, Bun.sleep(500)])
    },
  }
}

function retentionOf(settings: Settings): Retention {
  return {
    samplesDays: settings.get('series.keep_days'),
    hourlyDays: settings.get('series.keep_1h_days'),
    dailyDays: settings.get('series.keep_1d_days'),
  }
}

function logRetentionOf(settings: Settings): LogRetention {
  return {
    eventlogDays: settings.get('eventlog_purge'),
    syslogDays: settings.get('syslog_purge'),
    alertlogDays: settings.get('alert_log_purge'),
    authlogDays: settings.get('authlog_purge'),
  }
}
