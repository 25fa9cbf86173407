import type { Store } from '../../database/client.ts'
import type { Capacities } from '../write-outbox.ts'
import { limitsOf, type SendingDefaults, type SendingLimits } from './limits.ts'
import { HELD_MS, type Held, mayLeaveAt, planMessage, quietMs, rateFreeAt } from './plan.ts'
import { type SendingTransport, sendingTransports, type UnsentMessage, waitingAlerts } from './read-waiting.ts'
import { type ClaimedMessage, claimMessage, formMessage } from './write-messages.ts'

export interface GrouperDeps {
  readonly store: Store
  readonly defaults: () => SendingDefaults
  /** Epoch ms; null: the database's clock. */
  readonly now: () => number | null
}

/** What may be sent now. */
export interface Claims {
  readonly messages: readonly ClaimedMessage[]
  /** For the notifications of transports that do not group. */
  readonly capacities: Capacities
  /** ms until there may be something to send although nothing was added; null: not known. */
  readonly waitMs: number | null
  /** Whether the rate of a transport held back a notification that was stored `ageMs` ago, and for how long. */
  heldByRate(transportId: number, ageMs: number): Held | null
}

/** What is known about the waiting notifications of a transport. Times in epoch ms. */
interface Look {
  /** The newest of them, and when it was first seen. */
  readonly newest: number
  readonly at: number
  /** Changes with the messages that were formed and sent. */
  readonly key: string
  /** Nothing can be due before. */
  lookAt: number
  /** When they were last read. */
  readAt: number
}

/** Makes messages of notifications, and keeps to the rates of transports. */
export interface Grouper {
  /** `taken`: claimed notifications by transport. `capacity`: how many a transport may have. */
  claim(taken: ReadonlyMap<number, number>, capacity: number): Promise<Claims>
}

/** Maximum number of alerts in a message. */
const MAX_ALERTS = 5000
/** A message that failed this often no longer holds up those of other alerts. */
const PATIENT_ATTEMPTS = 4
/** Maximum number of messages of a transport that were not sent yet: a receiver that is back gets no more at once. */
const MAX_UNSENT = 5
/** Settings are looked at this often, ms. */
const LOOK_AGAIN_MS = 10_000
/** While notifications keep coming, what waits is read this often, ms. */
const READ_EVERY_MS = 3000

export function createGrouper({ store, defaults, now: clock }: GrouperDeps): Grouper {
  /** By transport. */
  const seen = new Map<number, Look>()

  /** By transport: when its rate last allowed nothing although something waited, epoch ms. */
  const fullAt = new Map<number, number>()

  async function claim(taken: ReadonlyMap<number, number>, capacity: number): Promise<Claims> {
    const { now, transports } = await sendingTransports(store, clock())
    const common = defaults()
    const messages: ClaimedMessage[] = []
    const [ids, capacities, counted]: [number[], number[], number[]] = [[], [], []]
    const waits: number[] = []
    for (const one of transports) {
      const id = one.transport_id
      const limits = limitsOf(one.transport_type, one, common)
      const left = limits.perMinute > 0 ? Math.max(0, limits.perMinute - one.attempts.length) : Number.POSITIVE_INFINITY
      const message = await messageOf(one, limits, left, now, (at) => waits.push(at))
      if (message !== null) messages.push(message)
      const own = Math.min(capacity - (taken.get(id) ?? 0), left - (message === null ? 0 : 1))
      if (limits.perMinute > 0) {
        counted.push(id)
        if (one.oldest !== null && left === 0) {
          fullAt.set(id, now)
          waits.push(rateFreeAt(one.attempts, limits.perMinute, now))
        }
      }
      ids.push(id)
      capacities.push(limits.grouped ? 0 : Math.max(0, own))
    }
    const known = new Set(transports.map((one) => one.transport_id))
    for (const id of [...seen.keys(), ...fullAt.keys()])
      if (!known.has(id)) {
        seen.delete(id)
        fullAt.delete(id)
      }
    const first = waits.length === 0 ? null : Math.min(...waits)
    return {
      messages,
      capacities: { ids, capacities, others: 0, counted },
      waitMs: first === null ? null : Math.max(0, first - now),
      heldByRate(id, ageMs) {
        const isHeld = ageMs >= HELD_MS && (fullAt.get(id) ?? Number.NEGATIVE_INFINITY) > now - ageMs
        return isHeld ? { why: 'rate', seconds: Math.round(ageMs / 1000) } : null
      },
    }
  }

  /** The next message of a transport, at most one at a time; null: none may be sent now. */
  async function messageOf(
    one: SendingTransport,
    limits: SendingLimits,
    left: number,
    now: number,
    wait: (at: number) => void,
  ): Promise<ClaimedMessage | null> {
    if (one.unsent.some(({ claimed }) => claimed)) return null
    const counted = limits.perMinute > 0
    const [next] = one.unsent
    if (next !== undefined && next.at <= now && left > 0) return await claimMessage(store, next.id, counted, now)
    if (next !== undefined) wait(Math.max(next.at, rateFreeAt(one.attempts, limits.perMinute, now)))
    if (!limits.grouped || one.oldest === null || one.newest_id === null || isBlocked(one.unsent)) return null
    const look = lookedAt(one, one.newest_id, now)
    // while notifications keep coming, they are not read again for each of them
    const calm = limits.windowMs > 0 || now - look.readAt > READ_EVERY_MS ? now : look.at + quietMs(1)
    const at = Math.max(look.lookAt, calm, mayLeaveAt(one, limits, now))
    if (now < at) {
      wait(at)
      return null
    }
    look.readAt = now
    const waiting = await waitingAlerts(store, one.transport_id)
    const plan = planMessage(waiting, look.at, one, limits, now)
    if (plan.do === 'wait') {
      look.lookAt = Math.min(plan.at ?? Number.POSITIVE_INFINITY, now + LOOK_AGAIN_MS)
      wait(look.lookAt)
      return null
    }
    seen.delete(one.transport_id)
    const alerts = plan.alerts.slice(0, MAX_ALERTS)
    return await formMessage(store, {
      transportId: one.transport_id,
      ids: alerts.flatMap((alert) => alert.ids),
      alerts: alerts.length,
      held: plan.held,
      counted,
      now,
    })
  }

  function lookedAt({ transport_id: id, unsent, formed }: SendingTransport, newest: number, now: number): Look {
    const key = `${unsent.map((message) => message.id).join()}/${formed.length}`
    const known = seen.get(id)
    // what was seen later than now was seen before the clock was set back
    const before = known === undefined || Math.max(known.at, known.readAt) > now ? undefined : known
    if (before?.newest === newest && before.key === key) return before
    const at = before?.newest === newest ? before.at : now
    const look: Look = { newest, at, key, lookAt: 0, readAt: before?.readAt ?? Number.NEGATIVE_INFINITY }
    seen.set(id, look)
    return look
  }

  return { claim }
}

/** Whether messages that could not be sent hold up the forming of another one. */
const isBlocked = (unsent: readonly UnsentMessage[]): boolean =>
  unsent.length >= MAX_UNSENT || unsent.some(({ attempts }) => attempts < PATIENT_ATTEMPTS)
