import { type ZoneClock, zoneClock } from '../../lib/zone-clock.ts'

/** How long turns of a layer are counted: in hours, days or weeks of the local calendar. */
export const UNITS = ['hour', 'day', 'week'] as const
export type Unit = (typeof UNITS)[number]

/** One rotation of a schedule. */
export interface Layer {
  readonly name: string
  readonly unit: Unit
  /** How many units a turn lasts. */
  readonly length: number
  /** Local time of the first hand-over in the schedule's zone, `YYYY-MM-DD HH:MM`; the others follow from it. */
  readonly begins: string
  /** Local time from which there are no turns; null: never. */
  readonly ends: string | null
  /** ISO weekdays on which it counts, 1 is Monday; null: every day. */
  readonly days: readonly number[] | null
  /**
   * Minutes of the local day between which it counts; `toMinute` at or before `fromMinute` is on the next day, so equal
   * ones mean 24 hours. The weekday is that of the beginning.
   */
  readonly fromMinute: number
  readonly toMinute: number
  /** User ids in the order of their turns; null: nobody, for example because the user is disabled. */
  readonly people: readonly (number | null)[]
}

/** A time in which a person is on call instead of the one of the layers. Epoch ms; `toMs` is not part of it. */
export interface Override {
  readonly id: number
  readonly userId: number | null
  readonly fromMs: number
  readonly toMs: number
}

/** What decides who is on call. */
export interface Rotations {
  /** IANA name of the zone of local times. */
  readonly zone: string
  /** The lowest first; the highest one that has a person at a time counts. */
  readonly layers: readonly Layer[]
  /** In the order in which they were made; of several at a time the last one counts. */
  readonly overrides: readonly Override[]
}

/** A range of time, epoch ms; `toMs` is not part of it. */
export interface Piece {
  readonly fromMs: number
  readonly toMs: number
}

/** A time in which a person is on call. Epoch ms; `toMs` is not part of it. */
export interface Span extends Piece {
  readonly userId: number
  /** Index of the layer; null: an override. */
  readonly layer: number | null
  /** Id of the override; null: a layer. */
  readonly override: number | null
}

/** Longest range that is worked out at once: 100 days. A schedule of hourly turns has 2,400 spans in each layer then. */
export const MAX_RANGE_MS = 100 * 86_400_000

const MINUTE_MS = 60_000
const DAY_MINUTES = 1440
const UNIT_MINUTES: Readonly<Record<Unit, number>> = { hour: 60, day: DAY_MINUTES, week: 7 * DAY_MINUTES }

/** A time on the wall clock as minutes since 1970 as if it were UTC, so that turns can be counted. */
type WallMinutes = number

const LOCAL = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2})$/

/** The minutes of `YYYY-MM-DD HH:MM`; null: there is no such time. Years from 2000 to 2100. */
export function wallMinutes(text: string): WallMinutes | null {
  const [, year, month, day, hour, minute] = (LOCAL.exec(text) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined || hour === undefined || minute === undefined)
    return null
  const at = new Date(Date.UTC(year, month - 1, day, hour, minute))
  const isReal = at.getUTCMonth() === month - 1 && at.getUTCDate() === day && hour < 24 && minute < 60
  return isReal && year >= 2000 && year <= 2100 ? at.getTime() / MINUTE_MS : null
}

/** The instant at which a clock shows a time: of a skipped one an hour later, of one shown twice the first. */
function instantOf(clock: ZoneClock, wall: WallMinutes): number {
  const at = new Date(wall * MINUTE_MS)
  return clock.instant(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate(), at.getUTCHours(), at.getUTCMinutes())
}

/** The instant (epoch ms) of a local time `YYYY-MM-DD HH:MM` in a zone; null: there is no such time. */
export function instantIn(zone: string, text: string): number | null {
  const wall = wallMinutes(text)
  return wall === null ? null : instantOf(zoneClock(zone), wall)
}

function wallOf(clock: ZoneClock, ms: number): WallMinutes {
  const { year, month, day, hour, minute } = clock.wall(ms)
  return Date.UTC(year, month, day, hour, minute) / MINUTE_MS
}

/** Turns of a layer that touch the range, regardless of its hours. */
function turnsOf(layer: Layer, clock: ZoneClock, { fromMs, toMs }: Piece): (Piece & { userId: number })[] {
  const first = wallMinutes(layer.begins)
  const { people } = layer
  const step = layer.length * UNIT_MINUTES[layer.unit]
  if (first === null || people.length === 0 || !(step >= 60)) return []
  const end = layer.ends === null ? null : wallMinutes(layer.ends)
  const lastMs = Math.min(toMs, end === null ? Number.POSITIVE_INFINITY : instantOf(clock, end))
  const beginOf = (turn: number) => instantOf(clock, first + turn * step)
  // the clock may be an hour behind or ahead of what counting minutes gives
  let turn = Math.max(0, Math.floor((wallOf(clock, fromMs) - first) / step) + 1)
  while (turn > 0 && beginOf(turn) > fromMs) turn--
  const turns: (Piece & { userId: number })[] = []
  const lastWall = wallOf(clock, lastMs)
  for (let begin = beginOf(turn); begin < lastMs || first + turn * step < lastWall; turn++) {
    const next = beginOf(turn + 1)
    const userId = people[turn % people.length] ?? null
    const piece = { fromMs: Math.max(begin, fromMs), toMs: Math.min(next, lastMs) }
    // where the clock skips more than a turn, a later one may begin at the same instant, or before: it counts from there
    while ((turns.at(-1)?.fromMs ?? Number.NEGATIVE_INFINITY) >= piece.fromMs && turns.length > 0) turns.pop()
    const last = turns.at(-1)
    if (last !== undefined && last.toMs > piece.fromMs) turns[turns.length - 1] = { ...last, toMs: piece.fromMs }
    if (userId !== null && piece.fromMs < piece.toMs) turns.push({ ...piece, userId })
    begin = next
  }
  return turns
}

/** The times within the range at which a layer counts, in order and apart from each other. */
function hoursOf(layer: Layer, clock: ZoneClock, range: Piece): Piece[] {
  const { days, fromMinute, toMinute } = layer
  if (days === null && fromMinute === toMinute) return [range]
  const lasts = ((toMinute - fromMinute + DAY_MINUTES - 1) % DAY_MINUTES) + 1
  const last = Math.floor(wallOf(clock, range.toMs) / DAY_MINUTES) + 1
  const pieces: { fromMs: number; toMs: number }[] = []
  for (let day = Math.floor(wallOf(clock, range.fromMs) / DAY_MINUTES) - 1; day <= last; day++) {
    // day 0 of 1970 was a Thursday
    if (days !== null && !days.includes(((((day + 3) % 7) + 7) % 7) + 1)) continue
    const opens = day * DAY_MINUTES + fromMinute
    const fromMs = Math.max(range.fromMs, instantOf(clock, opens))
    const toMs = Math.min(range.toMs, instantOf(clock, opens + lasts))
    const before = pieces.at(-1)
    if (fromMs >= toMs) continue
    if (before !== undefined && fromMs <= before.toMs) before.toMs = Math.max(before.toMs, toMs)
    else pieces.push({ fromMs, toMs })
  }
  return pieces
}

/** What `pieces` have in common with `others`; both in order and apart. */
function within<T extends Piece>(pieces: readonly T[], others: readonly Piece[]): T[] {
  const common: T[] = []
  let at = 0
  for (const piece of pieces) {
    while (at > 0 && (others[at]?.toMs ?? Number.POSITIVE_INFINITY) > piece.fromMs) at--
    for (let other = others[at]; other !== undefined && other.fromMs < piece.toMs; other = others[++at]) {
      const fromMs = Math.max(piece.fromMs, other.fromMs)
      const toMs = Math.min(piece.toMs, other.toMs)
      if (fromMs < toMs) common.push({ ...piece, fromMs, toMs })
    }
  }
  return common
}

/** `upper`, and what of `lower` is not covered by it, in order. */
function covered(lower: readonly Span[], upper: readonly Span[]): Span[] {
  if (upper.length === 0) return [...lower]
  const gaps = gapsIn(upper, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
  return [...within(lower, gaps), ...upper].sort((a, b) => a.fromMs - b.fromMs)
}

/** The times in a range without a span; `spans` in order and apart. */
export function gapsIn(spans: readonly Piece[], fromMs: number, toMs: number): Piece[] {
  const gaps: Piece[] = []
  let at = fromMs
  for (const span of spans) {
    if (span.fromMs > at) gaps.push({ fromMs: at, toMs: Math.min(span.fromMs, toMs) })
    at = Math.max(at, span.toMs)
    if (at >= toMs) return gaps
  }
  if (at < toMs) gaps.push({ fromMs: at, toMs })
  return gaps
}

/** Adjacent spans of the same origin and person as one. */
function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = []
  for (const span of spans) {
    const last = all.at(-1)
    const isSame =
      last !== undefined &&
      last.toMs === span.fromMs &&
      last.userId === span.userId &&
      last.layer === span.layer &&
      last.override === span.override
    if (isSame) all[all.length - 1] = { ...last, toMs: span.toMs }
    else all.push(span)
  }
  return all
}

/**
 * Who is on call when between two instants (epoch ms, the second not included), in order; times without a span have
 * nobody. Hand-overs and hours are local times: where the clock skips one it is an hour later, where it shows one twice it
 * is the first. A range longer than MAX_RANGE_MS is worked out up to that length.
 */
export function spansOf({ zone, layers, overrides }: Rotations, fromMs: number, toMs: number): Span[] {
  if (!(fromMs < toMs) || !Number.isFinite(fromMs)) return []
  const range = { fromMs, toMs: Math.min(toMs, fromMs + MAX_RANGE_MS) }
  const clock = zoneClock(zone)
  let spans: Span[] = []
  for (const [layer, declared] of layers.entries()) {
    const own = within(turnsOf(declared, clock, range), hoursOf(declared, clock, range))
    spans = covered(
      spans,
      own.map((piece) => ({ ...piece, layer, override: null })),
    )
  }
  for (const { id, userId, ...piece } of overrides) {
    if (userId === null) continue
    const own = within([{ ...piece, userId, layer: null, override: id }], [range])
    spans = covered(spans, own)
  }
  return joined(spans)
}

/** Who is on call at an instant. */
export interface CurrentSpan extends Omit<Span, keyof Piece> {
  /** Epoch ms; null: more than MAX_RANGE_MS ago. */
  readonly sinceMs: number | null
  /** Epoch ms; null: more than MAX_RANGE_MS ahead. */
  readonly untilMs: number | null
}

/** Who is on call at an instant (epoch ms), without since when and until when; null: nobody. */
export const spanAt = (rotations: Rotations, atMs: number): Span | null => spansOf(rotations, atMs, atMs + 1)[0] ?? null

/** Who is on call at an instant (epoch ms); null: nobody. */
export function onCallAt(rotations: Rotations, atMs: number): CurrentSpan | null {
  const now = spanAt(rotations, atMs)
  if (now === null) return null
  const { userId, layer, override } = now
  let [sinceMs, untilMs]: [number | null, number | null] = [null, null]
  // most turns end within days, and only then is more worked out
  for (const lasts of [MAX_RANGE_MS / 50, MAX_RANGE_MS / 10, MAX_RANGE_MS]) {
    const before: Span | undefined = sinceMs === null ? spansOf(rotations, atMs - lasts, atMs + 1).at(-1) : undefined
    const after: Span | undefined = untilMs === null ? spansOf(rotations, atMs, atMs + lasts)[0] : undefined
    if (before !== undefined && before.fromMs > atMs - lasts) sinceMs = before.fromMs
    if (after !== undefined && after.toMs < atMs + lasts) untilMs = after.toMs
  }
  return { userId, layer, override, sinceMs, untilMs }
}
