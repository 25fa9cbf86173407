import { type Circumstances, type Hold, held, type NotificationKind } from '../due.ts'
import type { EngineFault } from './evolve.ts'
import { UNTIL_CLEAR } from './fault.ts'

/** How often the problem of an alert was notified. */
export interface NotifiedSoFar {
  /** Number of notifications of kind alert and repeat. */
  readonly notified: number
  /** Epoch ms; null: never. */
  readonly notifiedAt: number | null
}

/** What decides whether a fault is notified, besides the fault itself. */
export interface FaultCircumstances extends Circumstances {
  /** Behaviour of the window that the port or sensor is in by itself; null: none. */
  readonly partMaintenance: (fault: EngineFault) => 1 | 2 | 3 | null
}

/** The notification about the faults of an alert that is due now, and what is known after it. */
export interface DueNotification extends NotifiedSoFar {
  /** null: none is due. */
  readonly kind: NotificationKind | null
  /** The faults that it reports as begun, and as over. */
  readonly began: readonly EngineFault[]
  readonly ended: readonly EngineFault[]
  /** All faults, after it was notified. */
  readonly faults: readonly EngineFault[]
  /** When to decide again, epoch ms; null: at the next change. */
  readonly nextAt: number | null
  /** Why something is held back; null: nothing is. */
  readonly held: Hold | null
}

/** Whether receivers were notified of a fault, and not of its recovery yet. */
export const isKnown = ({ state, toldAt, mustNotify }: EngineFault): boolean =>
  toldAt !== null && (state !== 0 || mustNotify)

/**
 * Decides what to notify about the faults of an alert: those that began and are not held back, the recovery of those that
 * were notified, or a reminder. Each beginning and each recovery is notified once (docs/adr/0036-alert-engine.md).
 */
export function dueNotification(
  faults: readonly EngineFault[],
  told: NotifiedSoFar,
  c: FaultCircumstances,
): DueNotification {
  const { extra, now } = c
  if (extra.mute || extra.count === 0) return nothingDue(faults, told, c)
  const waits: Wait[] = []
  const free = (fault: EngineFault): boolean => {
    const wait = waitOf(fault, c)
    if (wait !== null) waits.push(wait)
    return wait === null
  }
  const known = faults.filter(isKnown)
  const began = faults.filter((fault) => fault.state === 1 && fault.mustNotify && free(fault))
  const ended = faults.filter((fault) => fault.state === 0 && fault.mustNotify && free(fault))
  const news = began.filter(({ toldAt }) => toldAt === null).length
  const left = known.length - ended.length + news
  const kind = kindOf({ known: known.length, news, began: began.length, ended: ended.length, left })
  if (kind === 'recovery' && !extra.recovery) return dueNotification(withoutNotifying(faults, new Set(ended)), told, c)
  if (kind === null) return reminder(faults, told, c, waits)
  const reported = new Set([...began, ...ended])
  const counts = kind === 'alert'
  const after: NotifiedSoFar = {
    notified: counts ? (known.length === 0 ? 1 : told.notified + 1) : told.notified,
    notifiedAt: now,
  }
  const marked = faults.map((fault) => (reported.has(fault) ? markNotified(fault, now) : fault))
  return { ...after, kind, began, ended, faults: marked, ...next(marked, after, c, waits), held: null }
}

/** `known`: faults that receivers know of; `left`: after this. `news`: faults that begin and were not notified before. */
function kindOf(n: {
  readonly known: number
  readonly news: number
  readonly began: number
  readonly ended: number
  readonly left: number
}): NotificationKind | null {
  if (n.began > 0) {
    if (n.ended > 0) return 'changed'
    return n.known > 0 && n.news > 0 ? 'worse' : 'alert'
  }
  if (n.ended === 0) return null
  return n.left === 0 ? 'recovery' : 'better'
}

interface Wait {
  readonly why: Hold | null
  readonly at: number
}

/** Why a fault may not be notified now, and when to look again; null: it may. */
function waitOf(fault: EngineFault, c: FaultCircumstances): Wait | null {
  const { now } = c
  const begins = fault.state !== 0
  if (begins && isMuted(fault, now)) return { why: null, at: fault.mutedUntil ?? now }
  if (begins && fault.toldAt === null) {
    const due = fault.beganAt + c.extra.delay * 1000
    if (now < due - c.toleranceS * 1000) return { why: 'delay', at: due }
  }
  const parts = [c.maintenance, c.partMaintenance(fault)].filter((behavior) => behavior !== null)
  const maintenance = parts.includes(1) ? 1 : parts.includes(2) ? 2 : null
  const changed = { begins: fault.begins, changedAt: fault.endedAt ?? fault.beganAt }
  const wait = held(changed, { ...c, maintenance }, { parents: begins })
  return wait === null ? null : { why: wait.why, at: wait.at }
}

const isMuted = ({ mutedUntil }: EngineFault, now: number): boolean => mutedUntil !== null && mutedUntil > now

/**
 * Why reminders are held back, and until when they are (epoch ms); null: at least one fault may be reminded of, or there
 * is none.
 */
export function reminderHold(
  faults: readonly EngineFault[],
  c: FaultCircumstances,
): { readonly why: Hold | null; readonly at: number } | null {
  const waits = faults.filter((fault) => isReminded(fault, c.now)).map((fault) => waitOf(fault, c))
  const at = waits.every((wait) => wait !== null) ? earliest(waits.map((wait) => wait.at)) : null
  return at === null ? null : { why: heldOf(waits.filter((wait) => wait !== null)), at }
}

/** A reminder if one is due; otherwise nothing. */
function reminder(
  faults: readonly EngineFault[],
  told: NotifiedSoFar,
  c: FaultCircumstances,
  waits: readonly Wait[],
): DueNotification {
  const none = { ...told, kind: null, began: [], ended: [], faults, held: heldOf(waits) } as const
  const at = reminderAt(faults, told, c)
  if (at === null || c.now < at - c.toleranceS * 1000) return { ...none, ...next(faults, told, c, waits) }
  const remind = faults.filter((fault) => isReminded(fault, c.now)).map((fault) => waitOf(fault, c))
  if (remind.every((wait) => wait !== null)) {
    const later: readonly Wait[] = [...waits, ...remind]
    return {
      ...none,
      held: heldOf(later),
      nextAt: earliest([...later.map((wait) => wait.at), ...changesOf(faults, c)]),
    }
  }
  const after: NotifiedSoFar = { notified: told.notified + 1, notifiedAt: c.now }
  return { ...none, ...after, kind: 'repeat', ...next(faults, after, c, waits), held: null }
}

/** Faults that a reminder is about. */
export const isReminded = (fault: EngineFault, now: number): boolean =>
  fault.state === 1 && fault.toldAt !== null && !fault.mustNotify && !isMuted(fault, now)

/** When the next reminder is due, epoch ms; null: never. */
function reminderAt(
  faults: readonly EngineFault[],
  { notified, notifiedAt }: NotifiedSoFar,
  { extra, now }: FaultCircumstances,
): number | null {
  if (extra.interval <= 0 || notifiedAt === null || (extra.count >= 0 && notified >= extra.count)) return null
  return faults.some((fault) => isReminded(fault, now)) ? notifiedAt + extra.interval * 1000 : null
}

/** Nothing is notified, and nothing of this will be. */
function nothingDue(faults: readonly EngineFault[], told: NotifiedSoFar, c: FaultCircumstances): DueNotification {
  const after = withoutNotifying(faults, new Set(faults))
  return { ...told, kind: null, began: [], ended: [], faults: after, nextAt: earliest(changesOf(after, c)), held: null }
}

const withoutNotifying = (faults: readonly EngineFault[], these: ReadonlySet<EngineFault>): EngineFault[] =>
  faults.map((fault) => (fault.mustNotify && these.has(fault) ? { ...fault, mustNotify: false } : fault))

const markNotified = (fault: EngineFault, now: number): EngineFault =>
  fault.state === 0
    ? { ...fault, mustNotify: false, recoveryToldAt: now }
    : { ...fault, mustNotify: false, toldAt: now }

function next(faults: readonly EngineFault[], told: NotifiedSoFar, c: FaultCircumstances, waits: readonly Wait[]) {
  const at = reminderAt(faults, told, c)
  return { nextAt: earliest([...waits.map((wait) => wait.at), ...changesOf(faults, c), ...(at === null ? [] : [at])]) }
}

/** Times at which acknowledgements and mutes end by themselves. */
const changesOf = (faults: readonly EngineFault[], { now }: FaultCircumstances): number[] =>
  faults.flatMap(({ state, acknowledged, mutedUntil }) => {
    const until = state === 2 && acknowledged?.until === 'time' ? acknowledged.untilAt : null
    return [
      ...(until === null ? [] : [until]),
      ...(state !== 0 && mutedUntil !== null && mutedUntil > now ? [mutedUntil] : []),
    ]
  })

/** The earliest of these times; those at the end of time never come. */
function earliest(times: readonly number[]): number | null {
  let first: number | null = null
  for (const at of times) if (at < UNTIL_CLEAR.getTime() && (first === null || at < first)) first = at
  return first
}

/** The reason that is shown: of those that are held back, the one that ends last. */
function heldOf(waits: readonly Wait[]): Hold | null {
  let last: Wait | null = null
  for (const wait of waits) if (wait.why !== null && (last === null || wait.at > last.at)) last = wait
  return last?.why ?? null
}
