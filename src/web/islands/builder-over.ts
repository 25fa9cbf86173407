import type { Condition } from './builder-model.ts'
import { make } from './dom.ts'

/** Ways of looking at time, in words; '': the value now. */
const KINDS: Readonly<Record<string, string>> = {
  '': 'as it is now',
  held: 'for at least … of the last …',
  average: 'on average over',
  lowest: 'at its lowest within',
  highest: 'at its highest within',
  change: 'as a change over',
  no_data: 'without any value for',
  unusual: 'compared with the usual at this hour, in spreads',
  forecast: 'as forecast in',
  period_end: 'as forecast for the end of its period',
}

/** What a kind begins with: its times and, where it takes only some, its operator. */
const FIRST: Readonly<Record<string, { readonly for?: string; readonly of?: string; readonly operator?: string }>> = {
  held: { for: '10m', of: '15m' },
  average: { of: '1h', operator: 'greater' },
  lowest: { of: '1h', operator: 'greater' },
  highest: { of: '1h', operator: 'less' },
  change: { of: '1d', operator: 'greater' },
  no_data: { of: '30m', operator: 'is_null' },
  unusual: { operator: 'greater' },
  forecast: { of: '7d', operator: 'greater_or_equal' },
  period_end: { operator: 'greater' },
}

/** Operators of a kind; null: any. */
const ORDERS = ['less', 'less_or_equal', 'greater', 'greater_or_equal']
const RANGES = [...ORDERS, 'between', 'not_between']
export function operatorsOver(condition: Condition): readonly string[] | null {
  const kind = overOf(condition)['kind']
  if (kind === undefined || kind === 'held') return null
  if (kind === 'no_data') return ['is_null']
  return kind === 'forecast' || kind === 'period_end' ? ORDERS : RANGES
}

/** Whether a condition looks at time instead of the value now. */
export const isOver = (condition: Condition): boolean => typeof overOf(condition)['kind'] === 'string'

function overOf({ data }: Condition): Readonly<Record<string, unknown>> {
  const over = data?.['over']
  return typeof over === 'object' && over !== null ? (over as Record<string, unknown>) : {}
}

/** The choice of how a condition looks at time, and the fields for its times. */
export function overFields(
  condition: Condition,
  at: string,
  changed: (focus: string) => void,
  typed: () => void,
): HTMLElement {
  const over = overOf(condition)
  const kind = typeof over['kind'] === 'string' ? over['kind'] : ''
  const choice = make('select', { class: 'inp', 'aria-label': 'Looks at time', 'data-at': `${at}-over` })
  const isBill = condition.field.startsWith('bills.')
  for (const [name, label] of Object.entries(KINDS)) {
    // the figures of bills are of their periods, and only theirs are
    if (name !== '' && name !== kind && isBill !== (name === 'period_end')) continue
    const option = make('option', { value: name }, label)
    option.selected = name === kind
    choice.append(option)
  }
  choice.onchange = () => {
    choose(condition, choice.value)
    changed(`${at}-over`)
  }
  const box = make('span', { class: 'over' }, choice)
  for (const name of ['for', 'of'] as const) {
    if (FIRST[kind]?.[name] === undefined) continue
    const label = name === 'for' ? 'For' : kind === 'held' ? 'Of the last' : 'Time'
    const field = make('input', {
      class: 'inp',
      value: String(over[name] ?? ''),
      'aria-label': label,
      placeholder: '15m, 1h, 7d',
      autocomplete: 'off',
      'data-at': `${at}-${name}`,
    })
    field.oninput = () => {
      condition.data = { ...condition.data, over: { ...overOf(condition), [name]: field.value.trim() } }
      typed()
    }
    box.append(field)
  }
  return box
}

/** Makes a condition look at time in this way; '': at the value now. */
function choose(condition: Condition, kind: string): void {
  const first = FIRST[kind]
  if (first === undefined) {
    const { over: _, ...others } = condition.data ?? {}
    if (Object.keys(others).length === 0) delete condition.data
    else condition.data = others
    return
  }
  const { operator, ...times } = first
  condition.data = { ...condition.data, over: { kind, ...times } }
  const allowed = operatorsOver(condition)
  if (operator !== undefined && allowed?.includes(condition.operator) === false) condition.operator = operator
  if (condition.operator === 'is_null') condition.value = null
}
