/** When the segments of an operation count: while the problem lasts, when it ended, when it was acknowledged or changed. */
export const PHASES = ['problem', 'recovery', 'update'] as const
export type Phase = (typeof PHASES)[number]

/** Whom a segment notifies: a transport, a group of transports, or whoever is on call by a schedule. */
export const TARGET_TYPES = ['single', 'group', 'on_call'] as const
export interface Target {
  readonly type: (typeof TARGET_TYPES)[number]
  /** Of the transport, group or schedule. */
  readonly id: number
}

/** A part of an operation (contract OPERATIONS.md). Steps count from 1, times are in seconds. */
export interface Segment {
  readonly phase: Phase
  readonly from: number
  /** The last step; null: no end. */
  readonly to: number | null
  /** Time from the end of the steps before it to its first step. */
  readonly startS: number
  /** Time that each step takes; 0: that of the operation. */
  readonly durationS: number
  readonly targets: readonly Target[]
}

/** Who is notified of the alerts of a rule, and when. */
export interface Operation {
  readonly name: string
  /** Time that a step takes if its segment does not say so; null: setting alert.step_duration. */
  readonly stepDurationS: number | null
  /** Nobody is notified. */
  readonly suppressed: boolean
  /** In order of position. */
  readonly segments: readonly Segment[]
}

export const MAX_NAME = 255
/** Maximum number of segments of an operation, and of targets of a segment. */
export const MAX_SEGMENTS = 50
export const MAX_TARGETS = 50
/** Ten years: longer than any useful time, and short enough for exact sums. */
export const MAX_TIME_S = 10 * 365 * 86_400
export const MAX_STEP = 100_000

/** What is wrong with an operation, in words; empty: nothing. Whether its targets exist is not checked. */
export function problemsOf({ name, stepDurationS, segments }: Operation): readonly string[] {
  const problems: string[] = []
  if (name.trim() === '' || name.length > MAX_NAME || /\p{Cc}/u.test(name))
    problems.push(`a name has 1 to ${MAX_NAME} characters`)
  if (stepDurationS !== null && !isWhole(stepDurationS, 1, MAX_TIME_S))
    problems.push(`the duration of a step is 1 to ${MAX_TIME_S} seconds`)
  if (segments.length > MAX_SEGMENTS) problems.push(`an operation has at most ${MAX_SEGMENTS} segments`)
  for (const [i, segment] of segments.slice(0, MAX_SEGMENTS).entries()) {
    for (const problem of segmentProblems(segment)) problems.push(`segment ${i + 1}: ${problem}`)
  }
  return problems
}

function segmentProblems({ from, to, startS, durationS, targets }: Segment): readonly string[] {
  const problems: string[] = []
  if (!isWhole(from, 1, MAX_STEP)) problems.push(`the first step is a whole number from 1 to ${MAX_STEP}`)
  if (to !== null && !isWhole(to, 1, MAX_STEP))
    problems.push(`the last step is a whole number up to ${MAX_STEP}, or empty for no end`)
  if (to !== null && to < from) problems.push(`it ends with step ${to}, before its first step ${from}`)
  if (!isWhole(startS, 0, MAX_TIME_S)) problems.push(`it starts after 0 to ${MAX_TIME_S} seconds`)
  if (!isWhole(durationS, 0, MAX_TIME_S)) problems.push(`a step takes 0 to ${MAX_TIME_S} seconds`)
  if (targets.length === 0) problems.push('it notifies nobody: name a transport, a group or a schedule')
  if (targets.length > MAX_TARGETS) problems.push(`it notifies at most ${MAX_TARGETS} transports, groups and schedules`)
  return problems
}

const isWhole = (value: number, least: number, most: number) =>
  Number.isSafeInteger(value) && value >= least && value <= most

/** A target as text, as API v0 writes it: `3` a transport, `g2` a group, `s4` a schedule. */
export const targetText = ({ type, id }: Target): string => `${LETTERS[type]}${id}`
const LETTERS = { single: '', group: 'g', on_call: 's' } as const

/** The target in such a text or number; null: it is none. */
export function parseTarget(value: unknown): Target | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const [, letter, digits] = /^\s*([gs]?)(\d{1,10})\s*$/i.exec(String(value)) ?? []
  const id = Number(digits ?? 0)
  if (letter === undefined || id < 1 || id > 2_147_483_647) return null
  const type = ({ '': 'single', g: 'group', s: 'on_call' } as const)[letter.toLowerCase() as '' | 'g' | 's']
  return { type, id }
}

/** An operation as it is stored. */
export interface StoredOperation extends Operation {
  readonly id: number
  readonly segments: readonly (Segment & { readonly id: number; readonly position: number })[]
}

/**
 * An operation from its JSON text or the object in it, within the limits: other programs may have written it. null: it
 * is none.
 */
export function storedOperation(value: unknown): StoredOperation | null {
  if (typeof value !== 'object' || value === null) return null
  const row = value as Readonly<Record<string, unknown>>
  const listed = Array.isArray(row['segments']) ? row['segments'].slice(0, MAX_SEGMENTS) : []
  return {
    id: whole(row['id'], 0, 0, 2_147_483_647),
    name: String(row['name'] ?? ''),
    stepDurationS: row['step'] === null || row['step'] === 0 ? null : whole(row['step'], 1, 1, MAX_TIME_S),
    suppressed: row['suppressed'] === true,
    segments: listed.flatMap((one: unknown) => {
      if (typeof one !== 'object' || one === null) return []
      const given = one as Readonly<Record<string, unknown>>
      const from = whole(given['from'], 1, 1, MAX_STEP)
      return [
        {
          id: whole(given['id'], 0, 0, 2_147_483_647),
          position: whole(given['position'], 0, -32_768, 32_767),
          phase: PHASES.find((phase) => phase === given['phase']) ?? 'problem',
          from,
          to: given['to'] === null || given['to'] === undefined ? null : whole(given['to'], from, from, MAX_STEP),
          startS: whole(given['start'], 0, 0, MAX_TIME_S),
          durationS: whole(given['duration'], 0, 0, MAX_TIME_S),
          targets: targetsOf(given['targets']),
        },
      ]
    }),
  }
}

function targetsOf(value: unknown): readonly Target[] {
  const listed: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_TARGETS) : []
  return listed.flatMap((one) => {
    if (typeof one !== 'object' || one === null) return []
    const given = one as Readonly<Record<string, unknown>>
    const type = TARGET_TYPES.find((known) => known === given['type'])
    return type === undefined ? [] : [{ type, id: whole(given['id'], 0, 0, 2_147_483_647) }]
  })
}

/** A whole number within limits; what is no number is `absent`. */
function whole(value: unknown, absent: number, least: number, most: number): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return absent
  return Math.min(most, Math.max(least, Math.trunc(value)))
}
