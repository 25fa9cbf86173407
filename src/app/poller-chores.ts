import type { Settings } from '../config/schema.ts'
import type { Store } from '../core/database/client.ts'
import { writePollerReport, writeQueueReport } from '../core/pollers/write.ts'
import type { Log } from '../observe/log.ts'
import type { Poller } from '../poller/poller.ts'
import type { PollerStats } from '../poller/poller-stats.ts'
import type { Member } from './cluster/member.ts'
import { doEvery } from './periodic.ts'

export interface PollerChoresDeps {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  readonly poller: Poller
  readonly member: Pick<Member, 'id' | 'name'>
}

/** The periodic work of every poller: its own record, and devices whose change notifications were missed. */
export function doPollerChores({ store, settings, log, poller, member }: PollerChoresDeps): { stop(): Promise<void> } {
  let before: PollerStats | null = null

  async function report(): Promise<void> {
    const now = poller.stats()
    const seconds = now.runs.tookS - (before?.runs.tookS ?? 0)
    await writePollerReport(store, { name: member.name, devices: now.polls.devices, seconds })
    await writeQueueReport(store, member.id, {
      poller_type: 'poller',
      depth: now.polls.waiting,
      devices: now.runs.polls - (before?.runs.polls ?? 0),
      worker_seconds: seconds,
      workers: now.pool.workers,
      frequency: settings.get('poller.interval'),
    })
    const late = now.polls.late - (before?.polls.late ?? 0)
    const skipped = now.polls.skipped - (before?.polls.skipped ?? 0)
    if (late > 0 || skipped > 0)
      log.warn({ late, skipped, waiting: now.polls.waiting, lagMs: Math.round(now.polls.lagMs) }, 'polls are late')
    before = now
  }

  return doEvery(
    [
      ['report', 1, report],
      ['resync', 10, () => poller.resync()],
    ],
    log,
  )
}

/** What a poller publishes about itself. */
export function pollerFigures({ polls, runs, writer, fenced }: PollerStats): Readonly<Record<string, number>> {
  return {
    devices: polls.devices,
    running: polls.running,
    waiting: polls.waiting,
    late: polls.late,
    lag_ms: Math.round(polls.lagMs),
    polls: runs.polls,
    seconds: Math.round(runs.tookS),
    buffered: writer.waiting,
    fenced: fenced.samples,
  }
}
