import type { SendingLimits } from './limits.ts'

/** The notifications of one alert that wait for a transport, and belong to no message yet. Times in epoch ms. */
export interface WaitingAlert {
  /** Ids of the notifications, ascending; at least one. */
  readonly ids: readonly number[]
  /** When the first of them was stored; the first that does not say that something ended, if there is one. */
  readonly oldest: number
  /** All of them say that something ended. */
  readonly ending: boolean
  /** The message that notified the alert; null: none, or it was about this alert only. */
  readonly group: TellingGroup | null
}

/** A message about several alerts. */
export interface TellingGroup {
  readonly id: number
  /** One of its alerts has not ended yet. */
  readonly ongoing: boolean
}

/** What a transport did lately. Times in epoch ms. */
export interface RecentMessages {
  /** When its messages of the last PAUSE_SPAN_MS were formed, ascending. */
  readonly formed: readonly number[]
  /** When the attempts of the last minute ended, ascending; those under way count as ending now. */
  readonly attempts: readonly number[]
}

/** Why notifications left later than they could have. */
export type HeldWhy = 'many' | 'rate' | 'failing'

export interface Held {
  readonly why: HeldWhy
  /** Seconds for which the oldest of them was held back. */
  readonly seconds: number
}

export type Plan =
  | { readonly do: 'form'; readonly alerts: readonly WaitingAlert[]; readonly held: Held | null }
  /** `at`: when to look again, epoch ms; null: when there is something new. */
  | { readonly do: 'wait'; readonly at: number | null }

/**
 * A message leaves when no alert was added for this long, and at the latest GATHER_MS after its first notification. Few
 * alerts leave sooner: where many began, more are to be expected.
 */
export const quietMs = (alerts: number): number => (alerts < MANY_ALERTS ? 300 : 3000)
const MANY_ALERTS = 5
export const GATHER_MS = 10_000
/** Period in which messages are counted for the pause between them. */
export const PAUSE_SPAN_MS = 300_000
/** That many messages leave without a pause. */
export const FREE_MESSAGES = 3
const FIRST_PAUSE_MS = 10_000
const MAX_PAUSE_MS = 300_000
const MINUTE_MS = 60_000
/** A notification that waited longer than this beyond its time was held back. */
export const HELD_MS = 5000

/**
 * Pause after the last of `count` messages within PAUSE_SPAN_MS, ms: none after the first ones, then doubling, so that
 * storms become digests.
 */
export function pauseAfter(count: number): number {
  if (count < FREE_MESSAGES) return 0
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(20, count - FREE_MESSAGES))
}

/** When the rate allows another attempt, epoch ms; at most `now` if it does now. */
export function rateFreeAt(attempts: readonly number[], perMinute: number, now: number): number {
  if (perMinute <= 0) return now
  const counted = attempts.filter((at) => at > now - MINUTE_MS)
  if (counted.length < perMinute) return now
  return (counted.at(-perMinute) ?? now) + MINUTE_MS
}

/**
 * What to do for a transport that groups. `newestAt`: when the newest notification was seen.
 *
 * A problem waits for others: for the window, or without one until it is quiet. What ended waits for the rest of the
 * group that it was notified in. Then the pause and the rate apply, and all that may leave is one message.
 */
export function planMessage(
  waiting: readonly WaitingAlert[],
  newestAt: number,
  recent: RecentMessages,
  limits: SendingLimits,
  now: number,
): Plan {
  const ends = groupEnds(waiting, newestAt, limits)
  const endsOf = (alert: WaitingAlert) =>
    alert.ending && alert.group !== null ? (ends.get(alert.group.id) ?? null) : null
  const grouped = waiting.filter((alert) => endsOf(alert) !== null)
  const others = waiting.filter((alert) => endsOf(alert) === null)
  const gates = grouped.map((alert) => endsOf(alert) ?? 0)
  const gathered = gatherEnd(others, newestAt, limits)
  const ready = [
    ...grouped.filter((_, i) => (gates[i] ?? 0) <= now),
    ...(gathered !== null && gathered <= now ? others : []),
  ]
  const first = minOf(gathered === null ? gates : [gathered, ...gates])
  if (first === null) return { do: 'wait', at: null }
  const at = Math.max(first, mayLeaveAt(recent, limits, now))
  if (ready.length === 0 || at > now) return { do: 'wait', at: Math.max(at, now + 1) }
  return { do: 'form', alerts: byId(ready), held: heldOf(first, recent, limits, now) }
}

/** When the pause and the rate allow a message, epoch ms; at most `now` if they do now. */
export function mayLeaveAt({ formed, attempts }: RecentMessages, { perMinute }: SendingLimits, now: number): number {
  return Math.max(pausedUntil(formed, now), rateFreeAt(attempts, perMinute, now))
}

/** When the pause after the latest messages is over, epoch ms; -Infinity: there is none. */
function pausedUntil(formed: readonly number[], now: number): number {
  const pause = pauseAfter(formed.filter((at) => at > now - PAUSE_SPAN_MS).length)
  return pause === 0 ? Number.NEGATIVE_INFINITY : (formed.at(-1) ?? 0) + pause
}

/** For each group with recoveries: when they may leave, epoch ms. Those of a group that ended as a whole may at once. */
function groupEnds(
  waiting: readonly WaitingAlert[],
  newestAt: number,
  { recoveryMs }: SendingLimits,
): ReadonlyMap<number, number> {
  const ends = new Map<number, number>()
  for (const { ending, group, oldest } of waiting) {
    if (!ending || group === null) continue
    const at = group.ongoing ? Math.min(oldest, newestAt) + recoveryMs : newestAt
    ends.set(group.id, Math.min(ends.get(group.id) ?? Number.POSITIVE_INFINITY, at))
  }
  return ends
}

function gatherEnd(alerts: readonly WaitingAlert[], newestAt: number, { windowMs }: SendingLimits): number | null {
  const first = minOf(alerts.map((alert) => alert.oldest))
  if (first === null) return null
  // later than it was seen: the clock was set back since
  const oldest = Math.min(first, newestAt)
  return windowMs > 0 ? oldest + windowMs : Math.min(newestAt + quietMs(alerts.length), oldest + GATHER_MS)
}

/** Whether what could have left at `first` was held back, and why. */
function heldOf(
  first: number,
  { formed, attempts }: RecentMessages,
  { perMinute }: SendingLimits,
  now: number,
): Held | null {
  if (now - first < HELD_MS) return null
  const seconds = Math.round((now - first) / 1000)
  const rate = perMinute > 0 && attempts.length >= perMinute && (attempts.at(-perMinute) ?? 0) + MINUTE_MS > first
  if (rate) return { why: 'rate', seconds }
  return { why: pausedUntil(formed, now) > first ? 'many' : 'failing', seconds }
}

function minOf(values: readonly number[]): number | null {
  let least: number | null = null
  for (const value of values) if (least === null || value < least) least = value
  return least
}

const byId = (alerts: readonly WaitingAlert[]) => alerts.toSorted((a, b) => (a.ids[0] ?? 0) - (b.ids[0] ?? 0))
