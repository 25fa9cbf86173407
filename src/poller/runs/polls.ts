import type { Settings } from '../../config/schema.ts'
import type { RunSummary } from '../../core/base/gateway.ts'
import type { Log } from '../../observe/log.ts'
import type { Clock } from '../clock.ts'
import type { Addresses } from '../devices/addresses.ts'
import { pauseAfter } from '../devices/liveness.ts'
import {
  type DeviceMap,
  isCurrent,
  nameOf,
  type PolledDevice,
  planOf,
  pollIntervalMs,
  usesSnmp,
} from '../devices/polled-device.ts'
import type { JobAnswer, Pool } from '../pool.ts'
import type { PollOutcome } from '../protocol.ts'
import type { Schedule } from '../scheduler.ts'
import type { PollResults } from './poll-results.ts'
import { LOST_RUN, SNMP_OFF_RUN } from './run-summaries.ts'
import type { Stalls } from './stalls.ts'

/** Polls devices: at most one poll or discovery of a device at a time. */
export interface Polls {
  /** Polls a device that is due; `ended` is called when that is over. */
  due(id: number, ended: () => void): void
  /** Polls now, also a device in quarantine; resolves when the samples are in the writer queue. */
  now(id: number): Promise<RunSummary>
}

export interface PollsParts {
  readonly settings: Settings
  readonly log: Log
  readonly clock: Clock
  readonly pool: Pool
  readonly devices: DeviceMap
  readonly schedule: Schedule
  readonly addresses: Addresses
  readonly stalls: Stalls
  readonly results: PollResults
}

export function createPolls(parts: PollsParts): Polls {
  const { settings, log, clock, pool, devices, schedule, addresses, stalls, results } = parts

  function run(id: number, done: (summary: RunSummary) => void, scheduled = false): void {
    const device = devices.get(id)
    if (device === undefined) {
      done(LOST_RUN)
      return
    }
    device.lock.take((release) => {
      const finish = (summary: RunSummary): void => {
        if (isCurrent(devices, device)) schedule.done(id, clock.steady(), pauseAfter(device.failures))
        release()
        done(summary)
      }
      if (!isCurrent(devices, device)) return finish(LOST_RUN)
      if (!usesSnmp(device.stored)) return finish(SNMP_OFF_RUN)
      // the run before this one may have stalled its worker
      if (scheduled && stalls.isHeld(id)) return finish(LOST_RUN)
      addresses.whenLocated(device, () => {
        const { version } = device
        request(device, (outcome) =>
          finish(isCurrent(devices, device) ? results.ended(device, version, outcome) : LOST_RUN),
        )
      })
    })
  }

  function request(device: PolledDevice, done: (outcome: PollOutcome | 'lost') => void): void {
    const { version, id } = device
    if (device.plan === null || device.address === null) {
      const failure = { kind: 'unresolved', hostname: nameOf(device.stored) } as const
      done({ kind: 'failed', at: clock.now(), cost: { tookMs: 0, requests: 0, timeouts: 0 }, failure })
      return
    }
    const deadlineS = settings.get('poller.deadline') || Math.min(120, pollIntervalMs(settings, device) / 1000)
    const known = device.sentVersion === version
    device.sentVersion = version
    const job = {
      kind: 'poll',
      deviceId: id,
      version,
      deadlineMs: deadlineS * 1000,
      quick: device.failures > 0,
      lastTicks: device.since === null || device.since.aheadS === null ? null : device.since.ticks,
    } as const
    pool.run(id, { ...job, plan: known ? null : planOf(device) }, (answer) => {
      if (answer.kind === 'polled' && answer.outcome.kind === 'planless') {
        pool.run(id, { ...job, version: device.version, plan: planOf(device) }, (again) => done(outcomeOf(id, again)))
      } else done(outcomeOf(id, answer))
    })
  }

  function outcomeOf(id: number, answer: JobAnswer): PollOutcome | 'lost' {
    if (answer.kind === 'polled') return answer.outcome
    stalls.ended(id, answer)
    if (answer.kind === 'failed') log.error({ reason: answer.message }, 'poll failed')
    return 'lost'
  }

  return {
    due(id, ended) {
      const device = devices.get(id)
      if (device !== undefined && stalls.isPostponed(schedule, id, pollIntervalMs(settings, device))) ended()
      else run(id, ended, true)
    },
    now: (id) => new Promise((resolve) => run(id, resolve)),
  }
}
