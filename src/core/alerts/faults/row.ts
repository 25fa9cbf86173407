import { RULE_TABLES } from '../../rules/read-tables.ts'
import { NAMES } from '../context.ts'
import type { KeptRow } from './fault.ts'

/** Bounds of a row that is kept with a fault: columns, and characters of a text. */
const MAX_COLUMNS = 80
const MAX_TEXT = 300

/**
 * Chooses what is kept of a matched row: the columns that name the thing and those that the rule compares, first, then
 * the others of its own tables; of the device only what the rule compares. `tables`: of the rule; `compared`: its
 * columns, `table.column`.
 */
export function keptRows(tables: readonly string[], compared: readonly string[]) {
  const first = new Set(compared.map((field) => field.split('.')[1] ?? ''))
  const own = new Set(
    tables.flatMap((name) => (name === 'devices' ? [] : [...(RULE_TABLES.get(name)?.columns.keys() ?? [])])),
  )
  const isFirst = (name: string) => first.has(name) || NAMES.test(name)
  return (row: KeptRow): KeptRow => {
    const names = Object.keys(row)
    const chosen = [...names.filter(isFirst), ...names.filter((name) => !isFirst(name) && own.has(name))]
    return Object.fromEntries(chosen.slice(0, MAX_COLUMNS).map((name) => [name, bounded(row[name])]))
  }
}

function bounded(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT).toWellFormed()
  if (typeof value === 'object' && value !== null) return JSON.stringify(value).slice(0, MAX_TEXT).toWellFormed()
  return value
}
