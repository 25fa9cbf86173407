import type { Circumstances, Decision, Hold } from '../../../src/core/alerts/due.ts'
import type { RuleExtra } from '../../../src/core/alerts/rules/extra.ts'
import type { AlertStatus, FoundFaults, Transition } from '../../../src/core/alerts/state.ts'
import { isAcknowledged, isOpen } from '../../../src/core/base/alert-states.ts'

// The alert as it was kept before faults were kept by themselves: nextStatus, ended, decide and decided as they were in
// commit b5c96c21. Its states and log rows must not change.

/** Number of begin times kept for an alert. */
const MAX_BEGINS = 20

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

/** Interval at which held notifications are reconsidered, ms. */
const LOOK_AGAIN_MS = { maintenance: 60_000, parents: 15_000, asking: 1000 } as const

/** Decides what to do about an alert now (contract BEHAVIOUR.md 9; docs/adr/0036-alert-engine.md). */
export function decide(alert: AlertStatus, c: Circumstances): Decision {
  const { extra } = c
  const heard = alert.alerted !== 0
  if (!isOpen(alert.state)) {
    if (!alert.open) return { do: 'rest', at: null }
    if (!heard || extra.mute || !extra.recovery) return { do: 'settle' }
    return held(alert, c, { parents: false }) ?? { do: 'send', kind: 'recovery' }
  }
  if (isAcknowledged(alert.state)) {
    if (!alert.open) return { do: 'rest', at: null }
    return heard && !extra.mute && extra.acknowledgement ? { do: 'send', kind: 'ack' } : { do: 'settle' }
  }
  if (extra.mute || extra.count === 0) return alert.open ? { do: 'settle' } : { do: 'rest', at: null }
  if (!heard) {
    // the alert was settled while its rule was muted
    if (!alert.open) return { do: 'rest', at: null }
    const due = (alert.beganAt ?? alert.changedAt) + extra.delay * 1000
    if (c.now < due - c.toleranceS * 1000) return { do: 'hold', why: 'delay', at: due }
    return held(alert, c, { parents: true }) ?? { do: 'send', kind: 'alert' }
  }
  if (alert.open) return held(alert, c, { parents: true }) ?? { do: 'send', kind: CHANGES[alert.state] }
  const at = nextRepeat(alert, extra)
  if (at === null || c.now < at - c.toleranceS * 1000) return { do: 'rest', at }
  return held(alert, c, { parents: true }) ?? { do: 'send', kind: 'repeat' }
}

const CHANGES = { 1: 'alert', 3: 'worse', 4: 'better', 5: 'changed' } as const

/** Time at which the notification is repeated, epoch ms; null: never. */
function nextRepeat({ notified, notifiedAt }: AlertStatus, { interval, count }: RuleExtra): number | null {
  if (interval <= 0 || notifiedAt === null || (count >= 0 && notified >= count)) return null
  return notifiedAt + interval * 1000
}

/** The alert after a decision, and when to decide again (epoch ms; null: at its next change). */
export function decided(
  alert: AlertStatus,
  decision: Decision,
  { now, extra }: Pick<Circumstances, 'now' | 'extra'>,
): { readonly alert: AlertStatus; readonly nextAt: number | null; readonly held: Hold | null } {
  switch (decision.do) {
    case 'hold':
      return { alert, nextAt: decision.at, held: decision.why }
    case 'rest':
      return { alert, nextAt: decision.at, held: null }
    case 'settle': {
      const settled = { ...alert, open: false, alerted: isOpen(alert.state) ? alert.alerted : 0 }
      return { alert: settled, nextAt: null, held: null }
    }
    case 'send': {
      const counts = decision.kind === 'alert' || decision.kind === 'repeat'
      const sent: AlertStatus = {
        ...alert,
        open: false,
        alerted: alert.state,
        notified: alert.notified + (counts ? 1 : 0),
        notifiedAt: now,
      }
      const repeats = isOpen(sent.state) && !isAcknowledged(sent.state)
      return { alert: sent, nextAt: repeats ? nextRepeat(sent, extra) : null, held: null }
    }
  }
}

function held(alert: AlertStatus, c: Circumstances, { parents }: { readonly parents: boolean }): Decision | null {
  if (c.maintenance === 1 || c.maintenance === 2) return hold('maintenance', c.now + LOOK_AGAIN_MS.maintenance)
  if (parents && c.parentsDown) return hold('parents', c.now + LOOK_AGAIN_MS.parents)
  if (parents && c.openUntil !== null && c.now < c.openUntil)
    return hold('asking', Math.min(c.openUntil, c.now + LOOK_AGAIN_MS.asking))
  const calmAt = alert.changedAt + c.damping.holdS * 1000
  if (isFlapping(alert, c) && c.now < calmAt) return hold('flapping', calmAt)
  return null
}

const hold = (why: Hold, at: number): Decision => ({ do: 'hold', why, at })

/** Whether the alert began too often within the window. */
function isFlapping({ begins }: AlertStatus, { now, damping }: Pick<Circumstances, 'now' | 'damping'>): boolean {
  if (damping.count <= 0) return false
  const since = now / 1000 - damping.windowS
  return begins.filter((at) => at >= since).length >= damping.count
}
