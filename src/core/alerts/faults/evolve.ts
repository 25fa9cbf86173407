import { MAX_BEGINS, MAX_KEYS } from '../state.ts'
import type { AcknowledgedUntil, FaultState, Severity } from './fault.ts'
import { UNTIL_CLEAR } from './fault.ts'
import type { FaultSubject } from './subject.ts'

/** The acknowledgement of a fault, as the engine needs it. */
export interface EngineAcknowledgement {
  readonly until: AcknowledgedUntil
  /** Epoch ms; null unless `until` is `time`. */
  readonly untilAt: number | null
  /** How many faults the alert had, and how severe it was; null: not known. */
  readonly count: number | null
  readonly severity: Severity | null
}

/** A fault as the engine keeps it. Times in epoch ms. */
export interface EngineFault {
  /** null: it is not stored yet. */
  readonly id: number | null
  readonly key: string
  readonly subject: FaultSubject
  readonly state: FaultState
  readonly severity: Severity
  readonly message: string
  readonly beganAt: number
  readonly endedAt: number | null
  readonly endedHow: 'recovered' | 'gone' | null
  /** null: not acknowledged; one that is over keeps it. */
  readonly acknowledged: EngineAcknowledgement | null
  /** Epoch ms; that of UNTIL_CLEAR: until it is over. null: not muted. */
  readonly mutedUntil: number | null
  /** It has to be notified: its beginning while it is open, then its recovery. Column `speaks`. */
  readonly mustNotify: boolean
  /** When it was last notified; null: it was not. */
  readonly toldAt: number | null
  readonly recoveryToldAt: number | null
  /** Epoch seconds of the latest beginnings of the same thing, ascending. */
  readonly begins: readonly number[]
  /** The engine still needs it: it is open or has to be notified, or its mute or flapping applies to the next one. */
  readonly live: boolean
}

/** The faults that an evaluation found. */
export interface FoundKeys {
  readonly keys: readonly string[]
  /** There are more than these. */
  readonly cut: boolean
  /** What a fault that begins is about, in words too. */
  readonly describe: (key: string) => Pick<EngineFault, 'subject' | 'message'>
}

export interface EvolveOptions {
  /** Epoch ms. */
  readonly now: number
  /** Of the rule, now. */
  readonly severity: Severity
  /** Seconds over which beginnings are counted; null: flapping is not damped. */
  readonly flapWindowS: number | null
  /**
   * The faults of an open alert are found for the first time, as after an import: what was notified of the alert was
   * notified of them.
   */
  readonly adopt: boolean
}

/** The faults of an alert after an evaluation; those that begin have no id. */
export function evolved(
  before: readonly EngineFault[],
  found: FoundKeys,
  { now, severity, flapWindowS, adopt }: EvolveOptions,
): EngineFault[] {
  const over = new Map(before.filter(({ state }) => state === 0).map((fault) => [fault.key, fault]))
  const open = new Map(before.filter(({ state }) => state !== 0).map((fault) => [fault.key, fault]))
  const model = adopt ? [...open.values()][0] : undefined
  const keys = new Set(found.keys)
  const after: EngineFault[] = []
  let room = MAX_KEYS
  for (const [key, fault] of open) {
    const stays = keys.has(key) || (found.cut && model === undefined)
    if (stays) room--
    if (stays) after.push(fault.severity === severity ? fault : { ...fault, severity })
    else if (model === undefined || keys.size === 0) after.push(overNow(fault, now, 'recovered'))
    // it stood for those that are found now
    else if (fault.id !== null) after.push(silently(overNow(fault, now, 'gone')))
  }
  // a rule may find the same thing twice
  for (const key of keys) {
    if (open.has(key)) continue
    if (room-- <= 0) break
    const previous = over.get(key)
    const first = { ...begun(key, previous, now, flapWindowS), ...found.describe(key), severity }
    after.push(model === undefined ? first : { ...first, ...heardLike(model) })
    if (previous !== undefined) over.set(key, { ...previous, mustNotify: false, mutedUntil: null, live: false })
  }
  after.push(...over.values())
  return after.map((fault) => keptLive(fault, now, flapWindowS))
}

/** The faults of an alert that ends because its rule no longer applies: their recovery is not notified. */
export const withdrawn = (before: readonly EngineFault[], now: number): EngineFault[] =>
  before.map((fault) => ({
    ...silently(fault.state === 0 ? fault : overNow(fault, now, 'gone')),
    mutedUntil: null,
    live: false,
  }))

const RANKS: Readonly<Record<Severity, number>> = { ok: 0, warning: 1, critical: 2 }

/** A fault whose acknowledgement ended by itself, and why. */
export interface EndedAcknowledgement {
  readonly fault: EngineFault
  readonly why: string
}

/**
 * Ends acknowledgements that were given until a time or until things get worse. `reopened`: the alert is no longer
 * acknowledged because its faults changed. Those faults are notified again.
 */
export function withoutPassedAcknowledgements(
  faults: readonly EngineFault[],
  { now, reopened }: { readonly now: number; readonly reopened: boolean },
): { readonly faults: EngineFault[]; readonly ended: readonly EndedAcknowledgement[] } {
  const count = faults.filter(({ state }) => state !== 0).length
  const ended: EndedAcknowledgement[] = []
  const after = faults.map((fault) => {
    const why = fault.state === 2 && fault.acknowledged !== null ? passed(fault, fault.acknowledged) : null
    if (why === null) return fault
    const active: EngineFault = { ...fault, state: 1, acknowledged: null, mustNotify: true }
    ended.push({ fault: active, why })
    return active
  })
  return { faults: after, ended }

  function passed({ severity }: EngineFault, given: EngineAcknowledgement): string | null {
    if (given.until === 'time') return given.untilAt !== null && given.untilAt <= now ? 'its time is over' : null
    if (given.until !== 'worse') return null
    if (given.severity !== null && RANKS[severity] > RANKS[given.severity]) return `the rule is ${severity} now`
    if (given.count !== null && count > given.count) return `the alert has ${count} faults instead of ${given.count}`
    return reopened ? 'the faults of the alert changed' : null
  }
}

const silently = (fault: EngineFault): EngineFault => ({ ...fault, mustNotify: false })

function overNow(fault: EngineFault, now: number, how: 'recovered' | 'gone'): EngineFault {
  const { toldAt, mutedUntil } = fault
  return {
    ...fault,
    state: 0,
    endedAt: now,
    endedHow: how,
    // nobody needs the recovery of a fault that was not notified
    mustNotify: toldAt !== null,
    mutedUntil: mutedUntil === UNTIL_CLEAR.getTime() ? null : mutedUntil,
  }
}

function begun(key: string, previous: EngineFault | undefined, now: number, flapWindowS: number | null) {
  const second = Math.floor(now / 1000)
  const earlier = flapWindowS === null ? [] : (previous?.begins ?? []).filter((at) => at >= second - flapWindowS)
  // if its recovery was never sent, receivers still believe that it persists
  const known = previous?.mustNotify === true && previous.toldAt !== null
  return {
    id: null,
    key,
    state: 1,
    beganAt: now,
    endedAt: null,
    endedHow: null,
    acknowledged: null,
    mutedUntil: (previous?.mutedUntil ?? 0) > now ? (previous?.mutedUntil ?? null) : null,
    mustNotify: !known || previous.acknowledged !== null,
    toldAt: known ? previous.toldAt : null,
    recoveryToldAt: null,
    begins: [...earlier, second].slice(-MAX_BEGINS),
    live: true,
  } as const
}

const heardLike = ({ state, acknowledged, mustNotify, toldAt, beganAt }: EngineFault) => ({
  state,
  acknowledged,
  mustNotify,
  toldAt,
  beganAt,
})

function keptLive(fault: EngineFault, now: number, flapWindowS: number | null): EngineFault {
  const { state, mustNotify, mutedUntil, endedAt } = fault
  const live =
    state !== 0 ||
    mustNotify ||
    (fault.live && mutedUntil !== null && mutedUntil > now) ||
    (fault.live && flapWindowS !== null && (endedAt ?? 0) > now - flapWindowS * 1000)
  return live === fault.live ? fault : { ...fault, live }
}
