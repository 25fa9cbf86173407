import { formOf, measureText } from '../../../lib/measure.ts'
import { partsOf } from '../../rules/in-words.ts'
import { type Over, spanWords } from '../../rules/over/over.ts'
import { numberOf } from './amounts.ts'
import { subjectOf, valueWords } from './generic.ts'
import type { Held, RowView } from './row-view.ts'
import { type FaultWords, words } from './words.ts'

/** A fault of a condition that looks at time; null: the rule has none. `now`: epoch ms. */
export function timeWords(view: RowView, tables: readonly string[], now: number): FaultWords | null {
  const [held] = view.overTime
  if (held?.over === undefined) return null
  const amount = amountOf(view, held, now)
  const [label] = partsOf(held.field)
  // without the subject, which the sentence has already
  const what = label.replace(/^[^:]{1,60}: /, '').replace(/, (such as|in the unit) .*$/, '')
  const also = held.over.kind === 'no_data' || held.over.kind === 'period_end' ? '' : amount(held.actual)
  return words(subjectOf(view, tables, held.field), `${what} ${predicate(view, held, held.over, amount)}`, {
    also: also === '' ? [] : [`now ${also}`],
  })
}

type Amount = (value: unknown) => string

/** Values of a field with their unit; sensors have that of their class. '': unknown. */
function amountOf(view: RowView, { field }: Held, now: number): Amount {
  const [table = ''] = field.split('.')
  const unit = partsOf(field)[1]
  if (table !== 'sensors' && table !== 'wireless_sensors') return (value) => valueWords(numberOf(value), unit, now)
  const form = formOf(table === 'sensors' ? 'sensor' : 'wireless', view.text(`${table}.sensor_class`, 40))
  return (value) => {
    const number = numberOf(value)
    return number === null ? '' : measureText(form, number)
  }
}

const or = (text: string): string => (text === '' ? 'unknown' : text)

function predicate(view: RowView, held: Held, over: Over, amount: Amount): string {
  const column = held.field.split('.')[1] ?? held.field
  const past = (name: string) => numberOf(view.past(`${column}_${name}`))
  const limits = held.with.map(amount).filter((one) => one !== '')
  const limit = limits.length === 0 ? '' : ` (${limits.length === 1 ? 'limit' : 'limits'} ${limits.join(' and ')})`
  const actual = numberOf(held.actual)
  switch (over.kind) {
    case 'held':
      return `has been ${SIDES[held.operator] ?? 'as the rule says, compared with'} ${limits.join(' and ')} for ${spanWords(over.forS)} of the last ${spanWords(over.ofS)}`
    case 'average':
      return `is ${or(amount(past('average')))} on average over ${spanWords(over.ofS)}${limit}`
    case 'lowest':
    case 'highest':
      return `was ${or(amount(past(over.kind)))} at its ${over.kind} within ${spanWords(over.ofS)}${limit}`
    case 'change': {
      const before = past('before')
      const by = actual === null || before === null ? '' : amount(Math.abs(actual - before))
      const way = actual !== null && before !== null && actual < before ? 'fallen' : 'risen'
      return `has ${way} by ${or(by)} within ${spanWords(over.ofS)}${limit}`
    }
    case 'no_data':
      return `has not been read for ${spanWords(over.ofS)}`
    case 'unusual':
      return `is ${or(amount(past('average')))} on average in the last hour, where ${or(amount(past('usual')))} is usual`
    case 'forecast': {
      const each = past('per_day')
      const then = actual === null || each === null ? null : actual + (each * over.ofS) / 86_400
      return `is forecast to be ${or(amount(then))} in ${spanWords(over.ofS)}${limit}`
    }
    case 'period_end':
      return `is forecast to be ${or(amount(past('at_end')))} at the end of the period${limit}`
  }
}

/** Comparisons as sides of a limit. */
const SIDES: Readonly<Partial<Record<Held['operator'], string>>> = {
  greater: 'above',
  greater_or_equal: 'at least',
  less: 'below',
  less_or_equal: 'at most',
  equal: 'at',
  not_equal: 'other than',
  between: 'between',
  not_between: 'outside of',
}
