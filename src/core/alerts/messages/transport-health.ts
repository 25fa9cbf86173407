import type { OutboxResult } from './result.ts'

/** What is known about a transport from its latest attempts. Times in epoch ms. */
export interface TransportHealth {
  /** Attempts that failed one after another. */
  readonly failures: number
  /** When the first of them failed; null: the last attempt did not fail. */
  readonly since: number | null
  readonly lastError: string | null
  /** When the transport counted as failing; null: it works, as far as known. */
  readonly failedAt: number | null
  /** When that was notified through another transport; null: it was not. */
  readonly toldAt: number | null
  /** When a failure of it was last notified; null: never. */
  readonly lastToldAt: number | null
}

/** When a transport counts as failing. */
export interface HealthRules {
  /** Attempts that fail one after another, over at least FAILING_MS; 0: it never does. */
  readonly failures: number
}

export const HEALTHY: TransportHealth = {
  failures: 0,
  since: null,
  lastError: null,
  failedAt: null,
  toldAt: null,
  lastToldAt: null,
}

/** Several notifications are tried at the same time, so a brief outage already means many failures. */
export const FAILING_MS = 20_000
/** A transport that fails again this soon after its failure was notified is notified again only after this time. */
export const TELL_AGAIN_MS = 3_600_000

/** The state after an attempt; the same object if it changes nothing. */
export function afterAttempt(
  health: TransportHealth,
  result: OutboxResult,
  { failures }: HealthRules,
  now: number,
): TransportHealth {
  if (result.kind === 'sent') {
    if (health.since === null && health.failedAt === null) return health
    return { ...HEALTHY, lastToldAt: health.lastToldAt }
  }
  if (!result.countsAgainstTransport) return health
  const since = health.since ?? now
  const count = Math.min(health.failures + 1, 1_000_000_000)
  const fails = failures > 0 && (result.kind === 'dead' || (count >= failures && now - since >= FAILING_MS))
  return {
    ...health,
    failures: count,
    since,
    lastError: result.error,
    failedAt: health.failedAt ?? (fails ? now : null),
  }
}

/** Whether the failure of a transport has to be notified now. */
export function isDueToTell({ failedAt, toldAt, lastToldAt }: TransportHealth, now: number): boolean {
  if (failedAt === null || toldAt !== null) return false
  return lastToldAt === null || now - lastToldAt >= TELL_AGAIN_MS
}

/** A transport that could notify the failure of another one. */
export interface Notifier {
  readonly id: number
  readonly isDefault: boolean
  /** It counts as failing, its last attempt failed, or its kind does not exist. */
  readonly isFailing: boolean
  /** When it last sent something, epoch ms; null: not within the time that is kept, or it is failing. */
  readonly sentAt: number | null
}

const MAX_NOTIFIERS = 3

/**
 * The transports that notify the failure of one: the default ones that work, otherwise the one that sent something last.
 * Empty: there is none.
 */
export function notifiersFor(failing: number, transports: readonly Notifier[]): readonly number[] {
  const working = transports.filter(({ id, isFailing }) => id !== failing && !isFailing)
  const usual = working.filter(({ isDefault }) => isDefault)
  const chosen = usual.length > 0 ? usual.slice(0, MAX_NOTIFIERS) : working.toSorted(byLastSent).slice(0, 1)
  return chosen.map(({ id }) => id)
}

const byLastSent = (a: Notifier, b: Notifier) =>
  (b.sentAt ?? Number.NEGATIVE_INFINITY) - (a.sentAt ?? Number.NEGATIVE_INFINITY) || a.id - b.id || 0

/** What a notification about a transport says. Stored as its context, so without secrets. */
export interface HealthContext {
  /** The stored word for a transport. */
  readonly about: 'path'
  readonly title: string
  readonly works: boolean
  /** Name and kind of the transport. */
  readonly transport: string
  readonly type: string
  readonly transportId: number
  /** When it began to fail, epoch ms. */
  readonly since: number
  readonly error: string
  /** Notifications that wait for it, and those given up since then. */
  readonly waiting: number
  readonly dead: number
  /** Epoch ms. */
  readonly time: number
}

/** What stands for the device and the rule of such a notification. */
export const HEALTH_DEVICE = 'Portlight'
export const HEALTH_RULE = 'Notifications'

export const healthTitle = (transport: string, works: boolean): string =>
  works ? `Notifications by ${transport} are sent again` : `Notifications by ${transport} are not sent`
