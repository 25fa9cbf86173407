import type { SiteLoad } from '../store/remote-pollers/read.ts'
import { isRecord, isTime } from './checks.ts'
import type { SiteStatus } from './requests.ts'

/** What a remote poller does, as it counts it: since its start. */
export interface SiteWork {
  /** Polls, and the seconds that they took. */
  readonly polls: number
  readonly seconds: number
  /** Devices that are due and wait for their poll, and how long the first has waited, ms. */
  readonly due: number
  readonly lagMs: number
  /** Worker threads. */
  readonly workers: number
  /** Seconds between polls. */
  readonly intervalS: number
}

const MAX_VERSION = 50

/** What a poller said about itself; null: nonsense. */
export function statusOf(value: unknown): SiteStatus | null {
  if (!isRecord(value)) return null
  const { version, devices, late, published, refused, rows, at, work } = value
  if (typeof version !== 'string' || version.length > MAX_VERSION) return null
  if (!isCount(devices) || !isCount(late) || !isCount(published) || !isCount(refused) || !isCount(rows)) return null
  return isTime(at) ? { version, devices, late, published, refused, rows, at, work } : null
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < 2 ** 53
}

/** What the poller said of its work; null: it said nothing of it, as pollers of earlier versions, or nonsense. */
export function workOf(value: unknown): SiteWork | null {
  if (!isRecord(value)) return null
  const { polls, seconds, due, lagMs, workers, intervalS } = value
  if (!isCount(polls) || !isCount(seconds) || !isCount(due)) return null
  if (!isCount(lagMs) || !isCount(workers) || !isCount(intervalS)) return null
  return { polls, seconds, due, lagMs, workers, intervalS }
}

/** The work of a minute, from two answers; null before the second one. */
export function loadBetween(
  before: { readonly at: number; readonly work: SiteWork } | null,
  now: { readonly at: number; readonly work: SiteWork },
): SiteLoad {
  const minutes = before === null ? 0 : (now.at - before.at) / 60_000
  // it was started again meanwhile
  const again = before === null || now.work.polls < before.work.polls || minutes <= 0
  const aMinute = (count: (work: SiteWork) => number): number =>
    again ? 0 : (count(now.work) - count(before.work)) / minutes
  return {
    pollsAMinute: Math.round(aMinute(({ polls }) => polls)),
    secondsAMinute: Math.round(aMinute(({ seconds }) => seconds) * 100) / 100,
    due: now.work.due,
    lagS: now.work.lagMs / 1000,
    workers: now.work.workers,
    intervalS: now.work.intervalS,
  }
}
