import { type AlertState, isAcknowledged, isOpen } from '../base/alert-states.ts'

/** The state that the engine keeps for an alert. */
export interface AlertStatus {
  readonly state: AlertState
  /** The last change has not been notified yet. */
  readonly open: boolean
  /** The state last notified; 0: none, or the recovery. */
  readonly alerted: AlertState
  /** Digest of the set of faults; null: unknown, as after an import. */
  readonly digest: string | null
  /** Faults by key, with the epoch seconds at which each began. At most MAX_KEYS. */
  readonly faults: Readonly<Record<string, number>>
  /** Epoch ms of the last change of state. */
  readonly changedAt: number
  /** Epoch ms at which the problem began; null: there is no problem, or the time is unknown. */
  readonly beganAt: number | null
  /** Epoch seconds at which the alert last began, ascending. */
  readonly begins: readonly number[]
  /** Number of notifications of this problem, not counting changes. */
  readonly notified: number
  /** Epoch ms. */
  readonly notifiedAt: number | null
  /** Whether an acknowledgement lasts until the alert clears; false: only until the faults change. */
  readonly untilClear: boolean
}

/** The faults of a device at one evaluation. */
export interface FoundFaults {
  /** Ascending; at most MAX_KEYS. */
  readonly keys: readonly string[]
  /** Number of all faults. */
  readonly count: number
  /** `count:hash`, equal for equal sets. */
  readonly digest: string
}

/** Maximum number of keys kept for an alert. Beyond it, a change is judged by the number of faults. */
export const MAX_KEYS = 5000
/** Number of begin times kept for an alert. */
export const MAX_BEGINS = 20

/** Result of an evaluation for one alert. */
export interface Transition {
  readonly after: AlertStatus
  /** `state`: the state changed. `faults`: only the kept faults changed. `none`: nothing to store. */
  readonly change: 'state' | 'faults' | 'none'
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

const NEW: AlertStatus = {
  state: 0,
  open: false,
  alerted: 0,
  digest: null,
  faults: {},
  changedAt: 0,
  beganAt: null,
  begins: [],
  notified: 0,
  notifiedAt: null,
  untilClear: true,
}

/**
 * The state that follows from an evaluation at `now` (epoch ms). `found` null: the rule has no fault on the device.
 * Inverted rules have one fault and never get worse or better.
 */
export function nextStatus(
  stored: AlertStatus | null,
  found: FoundFaults | null,
  now: number,
  { inverted = false }: { readonly inverted?: boolean } = {},
): Transition {
  const before = stored ?? NEW
  if (found === null) {
    return isOpen(before.state) ? recovered(before, now) : none(before)
  }
  if (!isOpen(before.state)) return begun(before, found, now)
  if (before.digest === found.digest) return none(before)
  const { added, removed } = difference(before, found)
  const faults = faultsSince(before, found, now)
  const refreshed = { ...before, faults, digest: found.digest }
  const adopted = before.digest === null
  const quiet = adopted || inverted || before.open || (isAcknowledged(before.state) && before.untilClear)
  if (quiet) return { after: refreshed, change: 'faults', added, removed }
  const state = compared(before, found, added.length, removed.length)
  return { after: { ...refreshed, state, open: true, changedAt: now }, change: 'state', added, removed }
}

/** The alert after it ended without a notification, because its rule no longer applies to the device. */
export function ended(before: AlertStatus, now: number): AlertStatus {
  return { ...recovered(before, now).after, open: false, alerted: 0 }
}

const none = (status: AlertStatus): Transition => ({ after: status, change: 'none', added: [], removed: [] })

function begun(before: AlertStatus, found: FoundFaults, now: number): Transition {
  // if the recovery was never sent, receivers still believe that the problem persists
  const known = isOpen(before.alerted) && !isAcknowledged(before.alerted)
  const begins = [...before.begins, Math.floor(now / 1000)].slice(-MAX_BEGINS)
  const after: AlertStatus = {
    state: 1,
    open: !known,
    alerted: known ? before.alerted : 0,
    digest: found.digest,
    faults: faultsSince(NEW, found, now),
    changedAt: now,
    beganAt: now,
    begins,
    notified: known ? before.notified : 0,
    notifiedAt: known ? before.notifiedAt : null,
    untilClear: true,
  }
  return { after, change: 'state', added: found.keys, removed: [] }
}

function recovered(before: AlertStatus, now: number): Transition {
  const after: AlertStatus = {
    ...before,
    state: 0,
    open: true,
    digest: null,
    faults: {},
    changedAt: now,
    untilClear: true,
  }
  return { after, change: 'state', added: [], removed: Object.keys(before.faults) }
}

function difference({ faults }: AlertStatus, { keys }: FoundFaults) {
  const now = new Set(keys)
  return {
    added: keys.filter((key) => !Object.hasOwn(faults, key)),
    removed: Object.keys(faults).filter((key) => !now.has(key)),
  }
}

function faultsSince(before: AlertStatus, { keys }: FoundFaults, now: number): Record<string, number> {
  const since = Math.floor(now / 1000)
  const faults: Record<string, number> = {}
  for (const key of keys) faults[key] = Object.hasOwn(before.faults, key) ? (before.faults[key] ?? since) : since
  return faults
}

/** State 3, 4 or 5. Truncated sets are compared by their size. */
function compared(before: AlertStatus, found: FoundFaults, added: number, removed: number): 3 | 4 | 5 {
  const count = Number(before.digest?.split(':')[0] ?? 0)
  const cut = found.count > found.keys.length || count > Object.keys(before.faults).length
  if (cut) return found.count > count ? 3 : found.count < count ? 4 : 5
  if (added > 0 && removed === 0) return 3
  return added === 0 && removed > 0 ? 4 : 5
}
