import { isAcknowledged, isOpen } from '../base/alert-states.ts'
import type { RuleExtra } from './rules/extra.ts'
import type { AlertStatus } from './state.ts'

/** What a notification reports. `test`: sent at a user's request. */
export type NotificationKind = 'alert' | 'recovery' | 'repeat' | 'ack' | 'worse' | 'better' | 'changed' | 'test'

/** The reason a notification is held back. */
export type Hold = 'delay' | 'maintenance' | 'parents' | 'asking' | 'flapping'

/**
 * An alert flaps when it began `count` times within `windowS`; a state is then notified only after it has lasted
 * `holdS`.
 */
export interface Damping {
  /** 0: off. */
  readonly count: number
  readonly windowS: number
  readonly holdS: number
}

/** What decides, besides the alert itself, whether a notification is sent. */
export interface Circumstances {
  /** Epoch ms. */
  readonly now: number
  readonly extra: RuleExtra
  /** Seconds by which a notification may be early. */
  readonly toleranceS: number
  /** Behaviour of the maintenance window that the device is in: 1 and 2 hold notifications back; null: none. */
  readonly maintenance: 1 | 2 | 3 | null
  /** The device cannot be reached, because every way to it is down. */
  readonly parentsDown: boolean
  /** Until when it is not known whether that is so (epoch ms): its parents are being asked. null: it is known. */
  readonly openUntil: number | null
  readonly damping: Damping
}

/**
 * `send`: notify now. `settle`: the change needs no notification. `hold`: decide again at `at` (epoch ms). `rest`:
 * nothing is due before `at`; null: before the next change.
 */
export type Decision =
  | { readonly do: 'send'; readonly kind: NotificationKind }
  | { readonly do: 'settle' }
  | { readonly do: 'hold'; readonly why: Hold; readonly at: number }
  | { readonly do: 'rest'; readonly at: number | null }

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

/** Why a change is held back, and when to look again (epoch ms); null: it is not. Recoveries do not wait for parents. */
export function held(
  alert: Pick<AlertStatus, 'begins' | 'changedAt'>,
  c: Omit<Circumstances, 'extra' | 'toleranceS'>,
  { parents }: { readonly parents: boolean },
): Extract<Decision, { do: 'hold' }> | null {
  if (c.maintenance === 1 || c.maintenance === 2) return hold('maintenance', c.now + LOOK_AGAIN_MS.maintenance)
  if (parents && c.parentsDown) return hold('parents', c.now + LOOK_AGAIN_MS.parents)
  if (parents && c.openUntil !== null && c.now < c.openUntil)
    return hold('asking', Math.min(c.openUntil, c.now + LOOK_AGAIN_MS.asking))
  const calmAt = alert.changedAt + c.damping.holdS * 1000
  if (isFlapping(alert, c) && c.now < calmAt) return hold('flapping', calmAt)
  return null
}

const hold = (why: Hold, at: number) => ({ do: 'hold', why, at }) as const

/** Whether the alert began too often within the window. */
export function isFlapping(
  { begins }: Pick<AlertStatus, 'begins'>,
  { now, damping }: Pick<Circumstances, 'now' | 'damping'>,
): boolean {
  if (damping.count <= 0) return false
  const since = now / 1000 - damping.windowS
  return begins.filter((at) => at >= since).length >= damping.count
}
