import { BuilderError } from '../errors.ts'
import type { Operator } from '../operators.ts'

/**
 * How a condition looks at time instead of at the value now; times in seconds.
 *
 * - `held`: the comparison was true for `forS` of the last `ofS`.
 * - `average`, `lowest`, `highest`: of the values of the last `ofS`.
 * - `change`: the value now minus the one `ofS` ago.
 * - `no_data`: no value has been read for `ofS`.
 * - `unusual`: the average of the last hour minus what is usual at that hour of the week, in spreads.
 * - `forecast`: the value in `ofS`, if it goes on changing as in the last weeks.
 * - `period_end`: of a bill, what its period will end with, if the rest of it is like the last week.
 */
export type Over =
  | { readonly kind: 'held'; readonly forS: number; readonly ofS: number }
  | { readonly kind: 'average' | 'lowest' | 'highest' | 'change' | 'no_data' | 'forecast'; readonly ofS: number }
  | { readonly kind: 'unusual' }
  | { readonly kind: 'period_end' }

export type OverKind = Over['kind']

const MINUTE_S = 60
const HOUR_S = 3600
const DAY_S = 86_400

/** Least and greatest time of each kind, seconds: bounded by what a rule may read whenever it is evaluated. */
const LIMITS: Readonly<Record<Exclude<OverKind, 'unusual' | 'period_end'>, readonly [least: number, most: number]>> = {
  held: [MINUTE_S, DAY_S],
  average: [MINUTE_S, 31 * DAY_S],
  lowest: [MINUTE_S, 31 * DAY_S],
  highest: [MINUTE_S, 31 * DAY_S],
  change: [MINUTE_S, 92 * DAY_S],
  no_data: [MINUTE_S, DAY_S],
  forecast: [HOUR_S, 366 * DAY_S],
}

const UNITS = { s: 1, m: MINUTE_S, h: HOUR_S, d: DAY_S } as const

/**
 * The member `over` of a condition's `data`: `{"kind": "held", "for": "10m", "of": "15m"}`. null: there is none, and the
 * condition compares the value now. `data` is where the editor that LibreNMS uses keeps what it does not know. Throws
 * BuilderError.
 */
export function parseOver(data: unknown, operator: Operator): Over | null {
  if (typeof data !== 'object' || data === null || !('over' in data)) return null
  const { over } = data
  if (over === null || over === undefined) return null
  if (typeof over !== 'object') throw new BuilderError('The member over of a condition is an object with a kind')
  const { kind, for: held, of } = over as Readonly<Record<string, unknown>>
  if (kind === 'unusual' || kind === 'period_end') {
    refuseOperator(kind, operator)
    return { kind }
  }
  if (typeof kind !== 'string' || !isTimed(kind))
    throw new BuilderError(`The kind of over is one of ${[...Object.keys(LIMITS), 'unusual', 'period_end'].join(', ')}`)
  refuseOperator(kind, operator)
  const ofS = seconds('of', of, kind)
  if (kind !== 'held') return { kind, ofS }
  const forS = seconds('for', held, kind)
  if (forS > ofS) throw new BuilderError(`A condition cannot hold for ${spanText(forS)} of ${spanText(ofS)}`)
  return { kind, forS, ofS }
}

const isTimed = (kind: string): kind is keyof typeof LIMITS => Object.hasOwn(LIMITS, kind)

const ORDERS: readonly Operator[] = ['less', 'less_or_equal', 'greater', 'greater_or_equal']
const RANGES: readonly Operator[] = [...ORDERS, 'between', 'not_between']

/** Operators that a kind takes; null: any. */
export function operatorsOver(kind: OverKind): readonly Operator[] | null {
  if (kind === 'held') return null
  if (kind === 'no_data') return ['is_null']
  return kind === 'forecast' || kind === 'period_end' ? ORDERS : RANGES
}

function refuseOperator(kind: OverKind, operator: Operator): void {
  const allowed = operatorsOver(kind)
  if (allowed !== null && !allowed.includes(operator))
    throw new BuilderError(`${kind} takes ${allowed.join(', ')}, not ${operator}`)
}

/** A number of seconds, or a number with s, m, h or d. Throws BuilderError. */
function seconds(name: 'for' | 'of', given: unknown, kind: keyof typeof LIMITS): number {
  const text = typeof given === 'number' || typeof given === 'string' ? String(given).trim() : ''
  const match = /^(\d{1,9})\s*([smhd]?)$/.exec(text)
  const [least, most] = LIMITS[kind]
  const value = match === null ? Number.NaN : Number(match[1]) * UNITS[(match[2] || 's') as keyof typeof UNITS]
  if (!(value >= least && value <= most))
    throw new BuilderError(
      `The member ${name} of ${kind} is a time from ${spanText(least)} to ${spanText(most)}, such as 15m, 1h or 7d`,
    )
  return value
}

/** `15m`, `1h`, `7d`: as it is stored. */
export function spanText(value: number): string {
  for (const unit of ['d', 'h', 'm'] as const)
    if (value > 0 && value % UNITS[unit] === 0) return `${value / UNITS[unit]}${unit}`
  return `${value}s`
}

const NAMES = { d: 'day', h: 'hour', m: 'minute', s: 'second' } as const

/** `15 minutes`, `1 hour`, `7 days`. */
export function spanWords(value: number): string {
  const text = spanText(value)
  const unit = NAMES[text.slice(-1) as keyof typeof NAMES]
  const amount = text.slice(0, -1)
  return `${amount} ${unit}${amount === '1' ? '' : 's'}`
}

/** The rule's text of a condition over time, in which `#` stands for its comparison and `@` for its field. */
export function overText(over: Over): string {
  if (over.kind === 'held') return `@ # FOR ${spanText(over.forS)} OF ${spanText(over.ofS)}`
  if (over.kind === 'no_data') return `NO DATA(@, ${spanText(over.ofS)})`
  if (over.kind === 'unusual') return 'UNUSUAL(@) #'
  if (over.kind === 'period_end') return 'PERIOD END(@) #'
  return `${over.kind.toUpperCase()}(@, ${spanText(over.ofS)}) #`
}

/** The same as people say it. */
export function overWords(over: Over): string {
  const of = 'ofS' in over ? spanWords(over.ofS) : ''
  switch (over.kind) {
    case 'held':
      return `@ # for ${spanWords(over.forS)} of the last ${of}`
    case 'change':
      return `change of @ within ${of} #`
    case 'no_data':
      return `no value of @ has been read for ${of}`
    case 'forecast':
      return `@ in ${of}, if it goes on as in the last weeks, #`
    case 'period_end':
      return '@ at the end of the period, if the rest of it is like the last week, #'
    case 'unusual':
      return '@, compared with what is usual at this hour of the week, # times the usual spread'
    default:
      return `${over.kind === 'average' ? 'average' : `${over.kind} value`} of @ over ${of} #`
  }
}
