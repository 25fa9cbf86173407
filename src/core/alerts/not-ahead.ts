import type { EngineFault } from './faults/evolve.ts'
import { type Run, storedRuns } from './operations/plan.ts'
import type { AlertRow, AlertSubject } from './read-subjects.ts'

/** Clocks of processes differ by less than this, ms. */
const CLOCKS_MS = 5000

/**
 * An alert and its faults without times later than `now` (epoch ms), which were stored while the clock was ahead: delays,
 * reminders and steps that count from them would wait as long. The same object if there are none. Until when something is
 * muted or acknowledged is what people chose, and stays.
 */
export function notAhead(subject: AlertSubject, now: number): AlertSubject {
  const isAhead = (at: number | null): boolean => at !== null && at > now + CLOCKS_MS
  const clip = <T extends number | null>(at: T): T | number => (isAhead(at) ? now : at)
  const nowS = Math.floor(now / 1000)
  const clipAll = (all: readonly number[]): readonly number[] => all.map((at) => (isAhead(at * 1000) ? nowS : at))

  function alertOf(row: AlertRow): AlertRow {
    const runs = storedRuns(row.steps)
    const run = (one: Run | null): boolean => isAhead(one?.since ?? null)
    const times = [row.changed_at, row.began_at, row.notified_at, (row.begins.at(-1) ?? 0) * 1000]
    const since = Object.values(row.faults).some((at) => isAhead(at * 1000))
    if (!times.some(isAhead) && !since && !run(runs?.problem ?? null) && !run(runs?.other ?? null)) return row
    const steps = runs && {
      problem: runs.problem && { ...runs.problem, since: clip(runs.problem.since) },
      other: runs.other && { ...runs.other, since: clip(runs.other.since) },
    }
    return {
      ...row,
      changed_at: clip(row.changed_at),
      began_at: clip(row.began_at),
      notified_at: clip(row.notified_at),
      begins: clipAll(row.begins),
      faults: Object.fromEntries(Object.entries(row.faults).map(([key, at]) => [key, Math.min(at, nowS)])),
      steps,
    }
  }

  function faultOf(fault: EngineFault): EngineFault {
    const { beganAt, endedAt, toldAt, recoveryToldAt, begins } = fault
    if (![beganAt, endedAt, toldAt, recoveryToldAt, (begins.at(-1) ?? 0) * 1000].some(isAhead)) return fault
    return {
      ...fault,
      beganAt: clip(beganAt),
      endedAt: clip(endedAt),
      toldAt: clip(toldAt),
      recoveryToldAt: clip(recoveryToldAt),
      begins: clipAll(begins),
    }
  }

  const alert = subject.alert === null ? null : alertOf(subject.alert)
  const faults = subject.faults.map(faultOf)
  if (alert === subject.alert && faults.every((fault, i) => fault === subject.faults[i])) return subject
  return { ...subject, alert, faults }
}
