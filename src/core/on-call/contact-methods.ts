import { zoneClock } from '../../lib/zone-clock.ts'

/** Severities of rules, the mildest first. */
export const SEVERITIES = ['ok', 'warning', 'critical'] as const

/** The mildest severity that gets through quiet hours. */
export const LETS = [...SEVERITIES, 'nothing'] as const
export type Lets = (typeof LETS)[number]

/** Hours in which a contact method is used for serious problems only. */
export interface QuietHours {
  /** Weekdays on which they begin, 1 Monday to 7 Sunday, in order; null: every day. */
  readonly days: readonly number[] | null
  /** Minutes of the local day; `toMinute` at or before `fromMinute` is on the next day, so equal ones mean a whole day. */
  readonly fromMinute: number
  readonly toMinute: number
  readonly lets: Lets
}

/** A transport by which a person is reached. */
export interface ContactMethod {
  readonly transportId: number
  readonly transport: string
  /** From 1: the method is used from this notification of a problem on. */
  readonly attempt: number
  /** IANA name of the zone of quiet hours. */
  readonly zone: string
  /** At a time that several contain, the strictest counts: the one that lets the least through. */
  readonly quiet: readonly QuietHours[]
}

/** Whether hours contain a minute of a day, 1 Monday to 7 Sunday, by the clock of the zone. */
function contain({ days, fromMinute, toMinute }: QuietHours, weekday: number, minute: number): boolean {
  const beginsOn = (day: number) => days === null || days.includes(day)
  const dayBefore = weekday === 1 ? 7 : weekday - 1
  if (fromMinute < toMinute) return minute >= fromMinute && minute < toMinute && beginsOn(weekday)
  return (minute >= fromMinute && beginsOn(weekday)) || (minute < toMinute && beginsOn(dayBefore))
}

/**
 * Whether a contact method is used at an instant (epoch ms) for a problem. Unknown severities are taken to be `critical`. Quiet hours
 * are those of the clock on the wall: hours that it skips are never quiet, those that it shows twice are both.
 */
export function isOpen(
  { quiet, zone }: Pick<ContactMethod, 'quiet' | 'zone'>,
  atMs: number,
  severity: string,
): boolean {
  if (quiet.length === 0) return true
  const { hour, minute, weekday } = zoneClock(zone).wall(atMs)
  const now = quiet.filter((one) => contain(one, weekday === 0 ? 7 : weekday, hour * 60 + minute))
  const rank = (LETS as readonly string[]).indexOf(severity)
  return now.every(({ lets }) => (rank < 0 ? SEVERITIES.length - 1 : rank) >= LETS.indexOf(lets))
}

/**
 * The contact methods to use at an instant (epoch ms) for the `attempt`th notification of a problem, in order: those open then whose
 * number is not above it. If all of them are quiet, those with the next number that has one open, so that quiet hours of
 * the first method do not keep a notification from a person. Absent attempt: all that are open.
 */
export function contactMethodsFor(
  methods: readonly ContactMethod[],
  atMs: number,
  severity: string,
  attempt = Number.POSITIVE_INFINITY,
): readonly ContactMethod[] {
  const open = methods
    .filter((method) => isOpen(method, atMs, severity))
    .toSorted((a, b) => a.attempt - b.attempt || a.transportId - b.transportId)
  const most = Math.max(Number.isNaN(attempt) ? 1 : attempt, open[0]?.attempt ?? 1)
  return open.filter((method) => method.attempt <= most)
}
