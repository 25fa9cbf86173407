import { failureText } from '@portlight/snmp/failure.ts'
import type { Settings } from '../../config/schema.ts'
import type { RunSummary } from '../../core/base/gateway.ts'
import type { Upstream } from '../../core/pollers/upstream.ts'
import { isStored } from '../../modules/observation.ts'
import type { Log } from '../../observe/log.ts'
import type { Clock } from '../clock.ts'
import type { DeviceChanges } from '../devices/device-changes.ts'
import type { DeviceStatus } from '../devices/device-status.ts'
import { afterPoll } from '../devices/failures.ts'
import { type PolledDevice, pollIntervalMs } from '../devices/polled-device.ts'
import type { Schedules } from '../devices/schedules.ts'
import type { UnstoredDiscoveries } from '../devices/unstored.ts'
import type { Durations } from '../durations.ts'
import type { DeviceEvents } from '../events/device-events.ts'
import type { PollOutcome } from '../protocol.ts'
import type { WriterQueue } from '../samples/writer-queue.ts'
import type { FoundRows } from './found-rows.ts'
import { ingest } from './ingest.ts'
import { LOST_RUN } from './run-summaries.ts'
import type { Stalls } from './stalls.ts'

/** What follows from the outcome of a poll: samples, the device's status, and a discovery if its interfaces changed. */
export interface PollResults {
  /** `version`: that of the plan by which the device was polled. */
  ended(device: PolledDevice, version: number, outcome: PollOutcome | 'lost'): RunSummary
  stats(): PollCounts
}

/** Polls since the start. */
export interface PollCounts {
  readonly polls: number
  /** Polls without a response. */
  readonly silent: number
  readonly incomplete: number
  readonly lost: number
  /** Total duration, seconds. */
  readonly tookS: number
  /** Pairs of counter readings without a valid delta, by reason. */
  readonly refused: Readonly<Record<string, number>>
}

export interface PollResultsParts {
  readonly upstream: Upstream
  readonly settings: Settings
  readonly log: Log
  readonly clock: Clock
  readonly schedules: Schedules
  readonly writer: WriterQueue
  readonly changes: DeviceChanges
  readonly status: DeviceStatus
  readonly stalls: Stalls
  readonly found: FoundRows
  readonly events: DeviceEvents
  readonly durations: Durations
  readonly unstored: UnstoredDiscoveries
}

type Answered = Extract<PollOutcome, { kind: 'answered' }>
type Failed = Extract<PollOutcome, { kind: 'failed' }>

/** Minimum time between discoveries triggered by a changed interface list, ms. */
const STALE_PAUSE_MS = 600_000

export function createPollResults(parts: PollResultsParts): PollResults {
  const { log, clock, schedules, writer, status, stalls, events, durations } = parts
  const counts = { polls: 0, silent: 0, incomplete: 0, lost: 0, tookS: 0 }
  const refused: Record<string, number> = {}

  /** Repeats a lost poll, because the device is not the cause; deferred because this run still counts as running. */
  function repeatSoon(device: PolledDevice): void {
    setTimeout(() => schedules.polls.hasten(device.id, clock.steady()), 0)
  }

  function failed(device: PolledDevice, { at, cost, failure }: Failed): RunSummary {
    counts.silent++
    const { tookMs, requests, timeouts } = cost
    const poll = { deviceId: device.id, time: at, tookMs, requests, timeouts, answered: false, uptimeS: null }
    writer.batch().under(device.claim).addDevice(poll)
    writer.filled()
    status.ran(device, at, false, { failure, cleanPolls: 0 })
    log.debug({ deviceId: device.id, reason: failureText(failure), failures: device.failures, ...cost }, 'poll failed')
    return { outcome: 'unreachable', tookMs, failure, modules: [] }
  }

  return {
    ended(device, version, outcome) {
      counts.polls++
      if (outcome === 'lost' || outcome.kind === 'planless') {
        counts.lost++
        device.sentVersion = null
        if (!stalls.isHeld(device.id)) repeatSoon(device)
        return LOST_RUN
      }
      counts.tookS += outcome.cost.tookMs / 1000
      durations.poll(device, outcome)
      if (outcome.kind === 'failed') return failed(device, outcome)
      if (outcome.failure !== null) {
        counts.incomplete++
        log.debug({ deviceId: device.id, reason: failureText(outcome.failure), ...outcome.cost }, 'poll incomplete')
      }
      // if the plan has been replaced since, its rows may be in another order
      if (version !== device.version) repeatSoon(device)
      else {
        const pairs = store(device, outcome, parts)
        for (const [reason, n] of Object.entries(pairs)) refused[reason] = (refused[reason] ?? 0) + n
      }
      status.ran(device, outcome.at, true, afterPoll(device, outcome.failure))
      events.polled(device.id, outcome.bulk)
      return summaryOf(device, outcome)
    },
    stats: () => ({ ...counts, refused: { ...refused } }),
  }
}

/** Stores the samples of a poll. Returns the number of counter readings without a valid delta, by reason. */
function store(device: PolledDevice, outcome: Answered, parts: PollResultsParts): Readonly<Record<string, number>> {
  const { upstream, writer, changes, found, settings } = parts
  const result = ingest(device, outcome, writer.batch().under(device.claim), pollIntervalMs(settings, device))
  writer.filled()
  const { portChanges, rebootAfterS } = result
  if (portChanges.length > 0) changes.write(device, 'ports', () => upstream.portChanges(device.id, portChanges))
  if (rebootAfterS !== null)
    void changes.push('reboot', device.id, () => upstream.reboot(device.id, rebootAfterS, outcome.at))
  const observations = outcome.observations.filter(isStored)
  if (observations.length > 0) void found.store(device, observations)
  discoverIfNeeded(device, result.stale, parts)
  return result.refused
}

/** Makes a discovery due if there was none yet, or the interfaces are others than the last one found (`stale`). */
function discoverIfNeeded(device: PolledDevice, stale: boolean, parts: PollResultsParts): void {
  const { schedules, unstored, clock } = parts
  const now = clock.steady()
  if (device.stored.last_discovered === null) {
    const heldMs = unstored.untilMs(device.id, device.stored.unstored)
    if (!device.storing && heldMs <= now) schedules.discoveries.hasten(device.id, now)
  } else if (stale && now - device.staleAt > STALE_PAUSE_MS) {
    device.staleAt = now
    schedules.discoveries.hasten(device.id, now)
  }
}

function summaryOf(device: PolledDevice, { failure, cost: { tookMs, requests } }: Answered): RunSummary {
  const rows = device.ports.length + device.gauges.length
  return {
    outcome: failure === null ? 'ok' : 'partial',
    tookMs,
    failure,
    modules: [{ name: 'poll', rows, requests, tookMs, note: '' }],
  }
}
