import { Resolver } from 'node:dns/promises'
import type { Settings } from '../../config/schema.ts'
import { dropOldSessions } from '../../core/access/write-sessions.ts'
import { dropOldFaults } from '../../core/alerts/faults/write-people.ts'
import { learnForRules } from '../../core/alerts/learned/learning.ts'
import { dropOldMessages } from '../../core/alerts/messages/write-messages.ts'
import { dropOldOutbox } from '../../core/alerts/write-outbox.ts'
import { openOutagesAfterMaintenance, updateAvailability } from '../../core/availability/write.ts'
import { runBilling } from '../../core/bills/calculate.ts'
import { dropOldCandidates } from '../../core/candidates/write-candidates.ts'
import type { Store } from '../../core/database/client.ts'
import { dropOldClaims } from '../../core/database/write-claims.ts'
import { dropGone, type GoneLimits } from '../../core/inventory/write-gone.ts'
import { dropOldLogs, keepLogs, type LogRetention } from '../../core/logs/write-retention.ts'
import { indexPorts, indexSyslog } from '../../core/logs/write-search-index.ts'
import { type MaintenanceFailure, maintain, type Retention, withoutNumbers } from '../../core/series/write-roll-ups.ts'
import { dropOldSightings } from '../../core/sightings/write-retention.ts'
import { dropLeftovers, type LeftoverLimits } from '../../core/system/read-leftovers.ts'
import { readStorage } from '../../core/system/read-storage.ts'
import { noteSize, trackPacking } from '../../core/system/write-storage.ts'
import { correctTimesAhead } from '../../core/system/write-times-ahead.ts'
import type { Log } from '../../observe/log.ts'
import type { RetentionClass } from '../../series/kind.ts'
import { type Chore, doEvery } from '../periodic.ts'
import { nameAses } from './as-names.ts'
import { packingLog } from './packing-log.ts'

export interface HouseDeps {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  /** Whether the clock may be trusted with what cannot be undone. */
  readonly clockSettled: () => boolean
}

/** How long notifications are kept after they were sent or abandoned. */
const OUTBOX_DAYS = { sentDays: 7, deadDays: 90 } as const
const DNS_TIMEOUT_MS = 3000

/**
 * Runs the periodic work that one process does for all: roll-ups, partitions and retention of the series, availability,
 * bills.
 */
export function keepHouse({ store, settings, log, clockSettled }: HouseDeps): { stop(): Promise<void> } {
  // a clock that was set months ahead by mistake must not cost months of data
  const whenSettled = (work: () => Promise<unknown>) => async () => (clockSettled() ? await work() : undefined)
  const chores: readonly Chore[] = [
    ['times ahead', 1, () => correctTimesAhead(store)],
    ['series', 1, keepSeries],
    ['outages', 1, outages],
    ['availability', 5, availability],
    ['logs', 1, () => keepLogs(store, logRetentionOf(settings))],
    ['old logs', 10, whenSettled(() => dropOldLogs(store, logRetentionOf(settings)))],
    ['search index', 10, searchIndex],
    ['outbox', 10, whenSettled(() => dropOldOutbox(store, OUTBOX_DAYS))],
    ['messages', 10, whenSettled(() => dropOldMessages(store, OUTBOX_DAYS.deadDays))],
    [
      'sessions',
      10,
      whenSettled(() => dropOldSessions(store, settings.get('auth.session_idle'), settings.get('auth.session_age'))),
    ],
    ['AS names', 10, nameAutonomousSystems],
    ['bills', 1, bills],
    ['what is usual', 1, () => learnForRules(store)],
    ['gone objects', 1, whenSettled(() => dropGone(store, goneLimitsOf(settings)).then(() => undefined))],
    ['sightings', 10, whenSettled(() => dropOldSightings(store, settings.get('sightings_purge')))],
    ['faults', 10, whenSettled(() => dropOldFaults(store, settings.get('alert.faults_purge')).then(() => undefined))],
    ['storage', 10, storage],
    ['leftovers', 60, whenSettled(() => dropLeftovers(store, leftoverLimitsOf(settings)))],
    ['found devices', 60, whenSettled(() => dropOldCandidates(store, settings.get('candidates_purge')))],
    ['claims', 60, whenSettled(() => dropOldClaims(store))],
  ]

  const logFailures = failureLog(log)
  async function keepSeries(): Promise<void> {
    logFailures((await maintain(store, clockSettled() ? retentionOf(settings) : null)).failures)
  }

  const logPacking = packingLog(log)
  async function storage(): Promise<void> {
    const { packing } = await readStorage(store, null)
    logPacking(await trackPacking(store, packing), packing, Date.now())
    await noteSize(store)
  }

  let noIndex: string | null = null
  async function searchIndex(): Promise<void> {
    await indexPorts(store)
    if (!settings.get('syslog.search_index')) return
    const made = await indexSyslog(store)
    const reason = made.kind === 'missing' ? made.reason : null
    if (reason !== null && reason !== noIndex)
      log.warn({ reason }, 'no search index: syslog searches read every message')
    noIndex = reason
  }

  async function nameAutonomousSystems(): Promise<void> {
    if (!settings.get('bgp.as_names')) return
    const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 })
    await nameAses(store, (name) => resolver.resolveTxt(name))
  }

  async function outages(): Promise<void> {
    if (settings.get('graphing.availability_consider_maintenance')) await openOutagesAfterMaintenance(store, Date.now())
  }

  async function availability(): Promise<void> {
    await updateAvailability(store, settings.get('graphing.availability') as number[], {
      withoutUnreachable: settings.get('graphing.availability_consider_unreachable'),
    })
  }

  async function bills(): Promise<void> {
    await runBilling(store, {
      intervalS: settings.get('poller.interval'),
      keepDays: settings.get('series.traffic.keep_days') || settings.get('series.keep_days'),
      closeHours: settings.get('billing.close_hours'),
    })
  }

  return doEvery(chores, log)
}

/** Logs a maintenance failure when it begins or changes, and once when it is over. */
function failureLog(log: Log): (failures: readonly MaintenanceFailure[]) => void {
  let before = new Map<string, string>()
  return (failures) => {
    const now = new Map(failures.map(({ step, rel, reason }) => [`${step} of ${rel}`, reason]))
    for (const [what, reason] of now) {
      if (withoutNumbers(before.get(what) ?? '') !== withoutNumbers(reason))
        log.error({ what, reason }, 'series maintenance failed, will retry')
    }
    for (const what of before.keys()) if (!now.has(what)) log.info({ what }, 'series maintenance succeeded again')
    before = now
  }
}

/** Retention of all kinds; a class may have its own days. */
export function retentionOf(settings: Settings): Retention {
  const samplesDays = settings.get('series.keep_days')
  const hourlyDays = settings.get('series.keep_1h_days')
  const dailyDays = settings.get('series.keep_1d_days')
  const classDays = (name: RetentionClass) => ({
    samplesDays: settings.get(`series.${name}.keep_days`) || samplesDays,
    hourlyDays: settings.get(`series.${name}.keep_1h_days`) || hourlyDays,
    dailyDays: settings.get(`series.${name}.keep_1d_days`) || dailyDays,
  })
  const classes = { traffic: classDays('traffic'), health: classDays('health'), polls: classDays('polls') }
  return { samplesDays, hourlyDays, dailyDays, classes }
}

const goneLimitsOf = (settings: Settings): GoneLimits => ({
  days: settings.get('discovery.keep_gone_days'),
  perDevice: settings.get('discovery.max_gone'),
})

const leftoverLimitsOf = (settings: Settings): LeftoverLimits => ({
  outageDays: settings.get('device_outages_purge'),
  eventDays: settings.get('eventlog_purge'),
})

function logRetentionOf(settings: Settings): LogRetention {
  return {
    eventlogDays: settings.get('eventlog_purge'),
    syslogDays: settings.get('syslog_purge'),
    alertlogDays: settings.get('alert_log_purge'),
    authlogDays: settings.get('authlog_purge'),
  }
}
