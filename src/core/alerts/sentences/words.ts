import { type MeasureForm, measureText } from '../../../lib/measure.ts'
import { amountWords, numberOf } from './amounts.ts'
import type { Held, RowView } from './row-view.ts'

/** A fault in the parts of its sentence, which begins with the device's name. */
export interface FaultWords {
  /** What follows the device's name: ` Gi1/0/17`, `: Output Status`, or '' for the device itself. */
  readonly subject: string
  /** The predicate: `is down`, `is 71 °C (limit 65 °C)`. */
  readonly what: string
  /** In parentheses after the time: `was up for 41 days`; '': nothing. */
  readonly aside: string
  /** What else helps: `alias: Uplink to rack 5`. */
  readonly also: readonly string[]
  /** A state that lasts; false: something that happened at one time, such as a message. */
  readonly lasts: boolean
}

/** The parts of a sentence, absent ones empty. */
export const words = (
  subject: string,
  what: string,
  { aside = '', also = [], lasts = true }: Partial<Pick<FaultWords, 'aside' | 'also' | 'lasts'>> = {},
): FaultWords => ({ subject, what, aside, also: also.filter((part) => part !== ''), lasts })

/** `alias: Uplink`; '' without a value. */
export const labelled = (label: string, value: string): string => (value === '' ? '' : `${label}: ${value}`)

/** Whether a condition that holds compares one of these fields. */
export const compares = (view: RowView, ...fields: readonly string[]): boolean =>
  view.held.some(({ field }) => fields.includes(field))

const UPPER: ReadonlySet<Held['operator']> = new Set(['greater', 'greater_or_equal'])
const LOWER: ReadonlySet<Held['operator']> = new Set(['less', 'less_or_equal'])

/** A bound that the value has crossed. */
export interface Limit {
  readonly value: number
  readonly lower: boolean
}

/** The limits that held conditions compare these fields with; of several in one direction, the nearest to the value. */
export function limitsOn(view: RowView, fields: readonly string[]): Limit[] {
  const found: Limit[] = []
  for (const { field, operator, with: right } of view.held) {
    const bounds = right.map(numberOf)
    const [first = null, second = null] = bounds
    if (fields.includes(field)) {
      if (UPPER.has(operator) && first !== null) found.push({ value: first, lower: false })
      if (LOWER.has(operator) && first !== null) found.push({ value: first, lower: true })
      if (operator === 'not_between' && first !== null && second !== null) {
        const actual = view.number(field)
        const lower = actual !== null && actual < first
        found.push({ value: lower ? first : second, lower })
      }
    }
  }
  const [uppers, lowers] = [found.filter(({ lower }) => !lower), found.filter(({ lower }) => lower)]
  const upper = uppers.toSorted((a, b) => b.value - a.value)[0]
  const lower = lowers.toSorted((a, b) => a.value - b.value)[0]
  return [...(upper === undefined ? [] : [upper]), ...(lower === undefined ? [] : [lower])]
}

/** ` (limit 65 °C)`, ` (lower limit 4 V)`; '' without limits. */
export function limitWords(view: RowView, fields: readonly string[], format: (value: number) => string): string {
  const parts = limitsOn(view, fields).map(({ value, lower }) => `${lower ? 'lower limit' : 'limit'} ${format(value)}`)
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

export const percentWords = (value: number): string => amountWords(value, '%')
export const inForm = (form: MeasureForm) => (value: number) => measureText(form, value)

/** The first of the texts that is known; '': none. */
export function firstOf(view: RowView, fields: readonly string[], most?: number): string {
  for (const field of fields) {
    const text = view.text(field, most)
    if (text !== '') return text
  }
  return ''
}
