import { createSlots } from '@portlight/limit/limit.ts'
import type { Settings } from '../../config/schema.ts'
import type { RunSummary } from '../../core/base/gateway.ts'
import type { Log } from '../../observe/log.ts'
import type { Clock } from '../clock.ts'
import type { Addresses } from '../devices/addresses.ts'
import type { Repeats } from '../devices/discovery-retries.ts'
import {
  type DeviceMap,
  factsOf,
  isCurrent,
  nameOf,
  type PolledDevice,
  targetOf,
  usesSnmp,
} from '../devices/polled-device.ts'
import { skippedModules, switchesOf } from '../module-toggles.ts'
import type { JobAnswer, NewJob, Pool } from '../pool.ts'
import type { Schedule } from '../scheduler.ts'
import type { DiscoveryResults } from './discovery-results.ts'
import { failedRun, LOST_RUN, SNMP_OFF_RUN } from './run-summaries.ts'
import type { Stalls } from './stalls.ts'

/** Discovers what devices have: at most one poll or discovery of a device at a time. */
export interface Discoveries {
  /** Discovers a device that is due. */
  due(id: number): void
  /** Discovers now, also a device in quarantine; resolves when the result is stored. */
  now(id: number): Promise<RunSummary>
  stats(): {
    readonly lost: number
    /** Large discoveries waiting for their turn. */
    readonly largeWaiting: number
  }
}

export interface DiscoveriesParts {
  readonly settings: Settings
  readonly log: Log
  readonly clock: Clock
  readonly pool: Pool
  readonly devices: DeviceMap
  readonly schedule: Schedule
  readonly addresses: Addresses
  readonly stalls: Stalls
  readonly repeats: Repeats
  readonly results: DiscoveryResults
}

type DiscoverJob = Extract<NewJob, { kind: 'discover' }>
type Done = (summary: RunSummary) => void

export function createDiscoveries(parts: DiscoveriesParts): Discoveries {
  const { settings, log, clock, pool, devices, schedule, addresses, stalls, repeats, results } = parts
  const turns = createSlots(() => settings.get('discovery.large_at_once'))
  let lost = 0

  function run(id: number, done: Done): void {
    const device = devices.get(id)
    if (device === undefined) {
      done(LOST_RUN)
      return
    }
    device.lock.take((release) => {
      const finish: Done = (summary) => {
        if (isCurrent(devices, device)) schedule.done(id, clock.steady())
        release()
        done(summary)
      }
      if (!isCurrent(devices, device)) return finish(LOST_RUN)
      if (!usesSnmp(device.stored)) return finish(SNMP_OFF_RUN)
      addresses.whenLocated(device, () => {
        const job = jobOf(device)
        if (job === null) finish(failedRun({ kind: 'unresolved', hostname: nameOf(device.stored) }))
        else request(device, job, release, done)
      })
    })
  }

  /** null: the device has no address. */
  function jobOf({ plan, stored, address, id, settings: facts }: PolledDevice): DiscoverJob | null {
    if (plan === null || address === null) return null
    return {
      kind: 'discover',
      target: targetOf(stored, address),
      facts: factsOf(stored, facts),
      skip: skippedModules(switchesOf(stored, settings)),
      unfinished: repeats.unfinished(id),
      deadlineMs: settings.get('discovery.deadline') * 1000,
    }
  }

  /** `first`: releases the lock of the device. */
  function request(device: PolledDevice, job: DiscoverJob, first: () => void, done: Done): void {
    const { id } = device
    let release = first
    let leave: (() => void) | null = null
    let over = false
    const conclude = (): void => {
      if (isCurrent(devices, device)) schedule.done(id, clock.steady())
      release()
    }
    const answered = (answer: JobAnswer): void => {
      over = true
      // the walks of an entry that was replaced were ended, so its tables are truncated
      if (answer.kind !== 'discovered' || !isCurrent(devices, device)) {
        leave?.()
        unanswered(id, answer)
        conclude()
        done(LOST_RUN)
        return
      }
      // polls continue while the database is unavailable; the discovery's results wait in their own queue
      conclude()
      void results
        .ended(device, answer.outcome, job)
        .finally(() => {
          if (leave === null) return
          // free the memory of a large discovery before the next one starts
          Bun.gc(true)
          leave()
        })
        .then(done)
    }
    pool.run(id, job, answered, (go) => {
      // the discovery sends no requests until its turn, so polls may run meanwhile
      release()
      leave = turns.enter(() => {
        const entry = devices.get(id)
        if (entry === undefined) return go()
        entry.lock.take((again) => {
          // its worker may have died in the meantime
          if (over) return again()
          release = again
          go()
        })
      })
    })
  }

  function unanswered(id: number, answer: JobAnswer): void {
    if (answer.kind === 'failed') log.error({ deviceId: id, reason: answer.message }, 'discovery failed')
    stalls.ended(id, answer)
    if (answer.kind !== 'lost' || answer.stalledBy === id) return
    lost++
    setTimeout(() => schedule.hasten(id, clock.steady()), 0)
  }

  return {
    due(id) {
      const intervalMs = settings.get('discovery.interval') * 1000
      if (!stalls.isPostponed(schedule, id, intervalMs)) run(id, () => undefined)
    },
    now: (id) => new Promise((resolve) => run(id, resolve)),
    stats: () => ({ lost, largeWaiting: turns.waiting }),
  }
}
