import { placeFrom } from '../../../dependencies/place.ts'
import type { SiteLoad } from '../read.ts'
import { isRecord, isTime } from './checks.ts'
import type { SiteStatus } from './requests.ts'

/** The work of a remote poller since its start. */
export interface SiteWork {
  /** Number of polls, and the seconds that they took in total. */
  readonly polls: number
  readonly seconds: number
  /** Number of devices due for a poll, and how long the first has been waiting, ms. */
  readonly due: number
  readonly lagMs: number
  /** Worker threads. */
  readonly workers: number
  /** Seconds between polls. */
  readonly intervalS: number
}

const MAX_VERSION = 50

/** Validates the state that a poller reported; null if it is invalid. */
export function statusOf(value: unknown): SiteStatus | null {
  if (!isRecord(value)) return null
  const { version, devices, late, published, refused, rows, at, work, scans, place } = value
  if (typeof version !== 'string' || version.length > MAX_VERSION) return null
  if (!isCount(devices) || !isCount(late) || !isCount(published) || !isCount(refused) || !isCount(rows)) return null
  if (!isTime(at)) return null
  return { version, devices, late, published, refused, rows, at, work, scans: scans === true, place: placeFrom(place) }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < 2 ** 53
}

/** Validates the work that a poller reported; null if it is invalid or missing, as in earlier versions. */
export function workOf(value: unknown): SiteWork | null {
  if (!isRecord(value)) return null
  const { polls, seconds, due, lagMs, workers, intervalS } = value
  if (!isCount(polls) || !isCount(seconds) || !isCount(due)) return null
  if (!isCount(lagMs) || !isCount(workers) || !isCount(intervalS)) return null
  return { polls, seconds, due, lagMs, workers, intervalS }
}

/** The work per minute between two answers. `before` null: this is the first answer, and the rates are 0. */
export function loadBetween(
  before: { readonly at: number; readonly work: SiteWork } | null,
  now: { readonly at: number; readonly work: SiteWork },
): SiteLoad {
  const minutes = before === null ? 0 : (now.at - before.at) / 60_000
  // the poller was restarted meanwhile, or there is no earlier answer
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
