import type { NotificationKind } from '../due.ts'
import type { Operation, Phase, Target } from './operation.ts'
import { nextStep, type Step, segmentsOf, type TimedSegment } from './steps.ts'

/** The segments of an operation by phase, with the time that each step takes. */
export type Plan = Readonly<Record<Phase, readonly TimedSegment[]>>

/** `stepDurationS`: that of the installation. */
export function planOf({ segments, stepDurationS: own }: Operation, stepDurationS: number): Plan {
  const of = (phase: Phase) => segmentsOf(segments, phase, [own, stepDurationS])
  return { problem: of('problem'), recovery: of('recovery'), update: of('update') }
}

/** Whether an operation notifies anybody of a problem. */
export const notifies = ({ suppressed, segments }: Operation): boolean =>
  !suppressed && segments.some(({ phase, targets }) => phase === 'problem' && targets.length > 0)

/** How far the steps of a phase are. */
export interface Run {
  /** Epoch ms of its beginning, as its steps count; later than it was if a step had to wait. */
  readonly since: number
  /** Steps up to this time were sent, seconds since then; null: none was. */
  readonly after: number | null
}

/** How far the operation of an alert is, from the first notification of a problem to the last of its recovery. */
export interface Runs {
  /** null: nobody is to be notified further, because all of it is acknowledged, muted or over. */
  readonly problem: Run | null
  /** Steps that are left of the latest update, or of the recovery; null: none are. */
  readonly other: (Run & { readonly phase: 'update' | 'recovery'; readonly kind: NotificationKind }) | null
}

/** What is known of an alert when its operation decides. */
export interface Progress {
  /** null: nothing was sent by an operation since the problem began. */
  readonly runs: Runs | null
  /** What is due about its faults now; null: nothing. */
  readonly kind: NotificationKind | null
  /** Receivers knew of a fault before this. */
  readonly known: boolean
  /** After this there are faults that receivers know of and that nobody acknowledged or muted. */
  readonly active: boolean
  /** Reminders have to wait until this time, epoch ms, because of maintenance and the like; null: they need not. */
  readonly waitUntil: number | null
  /** Epoch ms. */
  readonly now: number
}

/** Who gets a notification. */
export interface Recipients {
  readonly targets: readonly Target[]
  /** The number of this notification among those of the problem's steps, from 1. */
  readonly attempt: number
  /** Also those who have been notified of this problem before. */
  readonly told: boolean
  /** A new problem begins, of which nobody has been notified. */
  readonly fresh: boolean
}

/** Whom an operation notifies now. */
export interface Turn extends Recipients {
  /** null: nobody. */
  readonly kind: NotificationKind | null
  readonly runs: Runs | null
  /** When to decide again, epoch ms; null: the operation has nothing more to say. */
  readonly nextAt: number | null
  /** A step is due and waits. */
  readonly waits: boolean
}

/** A step that is later than this moves those behind it, ms: nobody gets two at once because a server was down. */
const LATE_MS = 5000

/**
 * Decides whom the operation of an alert notifies now: of what its faults have to say, or by the next step (contract
 * OPERATIONS.md). At most one notification; the next is decided at once if it is due.
 */
export function turn(plan: Plan, progress: Progress): Turn {
  const { active, kind, known, now } = progress
  if (kind === 'recovery') return recovered(plan, progress)
  if (kind === null) return stepped(plan, progress)
  const runs = progress.runs ?? started(plan, progress)
  const begins = active && runs.problem === null && kind !== 'ack' && kind !== 'better'
  const first = begins ? firstOf(plan, now) : null
  const isNew = begins && kind === 'alert'
  const update = isNew ? null : phased(plan, 'update', kind, now)
  const problem = begins ? (first?.run ?? null) : active ? runs.problem : null
  const targets = [...(first?.targets ?? []), ...(update?.targets ?? [])]
  const told = update?.told === true
  return {
    kind: targets.length === 0 && !told ? null : kind,
    targets,
    attempt: 1,
    told,
    fresh: kind === 'alert' && !known,
    ...left(plan, { problem, other: update?.other ?? (isNew ? null : runs.other) }, progress),
  }
}

/** The first step of a problem, which is sent now whenever it was due. */
function firstOf(plan: Plan, now: number) {
  const step = nextStep(plan.problem, null)
  return step === null ? null : { run: { since: now - step.atS * 1000, after: step.atS }, targets: step.targets }
}

/** Of a problem that receivers know of although this operation sent nothing, its first step counts as sent. */
function started(plan: Plan, { known, active, now }: Progress): Runs {
  return { problem: known && active ? (firstOf(plan, now)?.run ?? null) : null, other: null }
}

/** A phase that begins. Without segments of its own, it goes to whoever has been notified of the problem. */
function phased(plan: Plan, phase: 'update' | 'recovery', kind: NotificationKind, now: number) {
  const step = nextStep(plan[phase], null)
  if (step === null) return { other: null, targets: [], told: true }
  const isDue = step.atS === 0
  return {
    other: { phase, kind, since: now, after: isDue ? 0 : null },
    targets: isDue ? step.targets : [],
    told: false,
  }
}

function recovered(plan: Plan, progress: Progress): Turn {
  const { other, targets, told } = phased(plan, 'recovery', 'recovery', progress.now)
  // an alert that was notified without the operation also recovers for the targets of its first step
  const missed = told && progress.runs === null ? (nextStep(plan.problem, null)?.targets ?? []) : []
  return {
    kind: targets.length === 0 && !told ? null : 'recovery',
    targets: [...targets, ...missed],
    attempt: 1,
    told,
    fresh: false,
    ...left(plan, { problem: null, other }, progress),
  }
}

const NOBODY = { kind: null, targets: [], attempt: 1, told: false, fresh: false } as const

/** The next step, if it is due. */
function stepped(plan: Plan, progress: Progress): Turn {
  const { active, known, now, waitUntil } = progress
  if (progress.runs === null && !known) return { ...NOBODY, runs: null, nextAt: null, waits: false }
  const { problem: stored, other } = progress.runs ?? { problem: null, other: null }
  const problem = active ? (stored ?? started(plan, { ...progress, known: true }).problem) : null
  const next = dueOf(plan, 'problem', problem)
  if (next !== null && problem !== null && next.at <= now && waitUntil === null) {
    const runs = { problem: moved(problem, next, now), other }
    const { targets, number: attempt } = next.step
    return { ...NOBODY, kind: 'repeat', targets, attempt, ...left(plan, runs, progress) }
  }
  const later = other === null ? null : dueOf(plan, other.phase, other)
  if (later !== null && other !== null && later.at <= now) {
    const runs = { problem, other: { ...other, ...moved(other, later, now) } }
    const { targets, number: attempt } = later.step
    return { ...NOBODY, kind: other.kind, targets, attempt, ...left(plan, runs, progress) }
  }
  return { ...NOBODY, ...left(plan, { problem, other }, progress) }
}

interface Due {
  readonly step: Step
  /** Epoch ms. */
  readonly at: number
}

function dueOf(plan: Plan, phase: Phase, run: Run | null): Due | null {
  const step = run === null ? null : nextStep(plan[phase], run.after)
  return step === null || run === null ? null : { step, at: run.since + step.atS * 1000 }
}

/** A run after a step was sent; one that was late moves those behind it. */
const moved = ({ since }: Run, { step, at }: Due, now: number): Run => ({
  since: now - at > LATE_MS ? now - step.atS * 1000 : since,
  after: step.atS,
})

/** What is left of the runs, and when it is due. */
function left(plan: Plan, { problem, other }: Runs, { kind, known, waitUntil }: Progress) {
  const next = dueOf(plan, 'problem', problem)
  const later = other === null ? null : dueOf(plan, other.phase, other)
  const waits = next !== null && waitUntil !== null && next.at <= waitUntil
  const times = [next === null ? null : waits ? waitUntil : next.at, later?.at ?? null].filter((at) => at !== null)
  const isOver = problem === null && later === null && (kind === 'recovery' || !known)
  return {
    runs: isOver ? null : { problem, other: later === null ? null : other },
    nextAt: times.length === 0 ? null : Math.min(...times),
    waits,
  }
}

/** How far an operation was, as it was stored; null: nothing was sent by one. */
export function storedRuns(value: unknown): Runs | null {
  if (typeof value !== 'object' || value === null) return null
  const { problem, other } = value as Readonly<Record<string, unknown>>
  const run = runOf(problem)
  const rest = runOf(other)
  const given = typeof other === 'object' && other !== null ? (other as Readonly<Record<string, unknown>>) : {}
  const kind = OTHER_KINDS.find((one) => one === given['kind'])
  const phase = given['phase'] === 'recovery' ? 'recovery' : 'update'
  return { problem: run, other: rest === null || kind === undefined ? null : { ...rest, phase, kind } }
}

const OTHER_KINDS = ['alert', 'recovery', 'ack', 'worse', 'better', 'changed'] as const

function runOf(value: unknown): Run | null {
  if (typeof value !== 'object' || value === null) return null
  const { since, after } = value as Readonly<Record<string, unknown>>
  if (typeof since !== 'number' || !Number.isFinite(since)) return null
  return { since, after: typeof after === 'number' && Number.isFinite(after) ? after : null }
}
