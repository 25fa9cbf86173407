import type { Amount, Condition, HealthDefinition, Rowed } from '../../definitions/health.ts'
import { fill, placeText, type Template, type TemplateLookup } from '../../definitions/template.ts'
import type { Read } from '../module.ts'

/** One row that an entry of a definition applies to. */
export interface DefinedRow {
  /** Index of the row in its table; null for scalars. */
  readonly index: string | null
  readonly lookup: TemplateLookup
  /** OID with instance of a column of the row, or of a scalar. */
  oid(name: string): string
  text(template: Template | null): string | null
  amount(amount: Amount | null): number | null
  number(name: string | null): number | null
}

/** Rows of an entry that meet its conditions, in table order. `value` is what the placeholder `value` stands for. */
export function* rowsOf(
  definition: HealthDefinition,
  entry: Rowed,
  value: string | null,
  read: Read,
): Generator<DefinedRow, void, void> {
  const cells = entry.table === null ? [[null, {}] as const] : [...(read.tables[entry.table]?.rows ?? [])]
  let n = 0
  for (const [index, row] of cells) {
    n++
    const lookup = lookupOf(definition, entry, read, { index, row, n, value })
    const holds = (condition: Condition) => satisfies(condition, lookup, definition)
    if (!entry.only.every(holds) || entry.skip.some(holds)) continue
    yield definedRow(definition, entry, index, lookup)
  }
}

function definedRow(
  definition: HealthDefinition,
  entry: Rowed,
  index: string | null,
  lookup: TemplateLookup,
): DefinedRow {
  const text = (template: Template | null) => (template === null ? null : fill(template, lookup, definition.maps))
  return {
    index,
    lookup,
    text,
    oid(name) {
      const source = entry.table === null ? undefined : definition.tables[entry.table]
      const column = source === undefined || source.standard !== null ? undefined : source.columns[name]
      if (source === undefined || source.standard !== null || column === undefined) {
        return definition.scalars[name] ?? ''
      }
      return `${source.entry}.${column.id}.${index}`
    },
    amount(amount) {
      if (amount === null || typeof amount === 'number') return amount
      return numberOf(text(amount) ?? undefined)
    },
    number: (name) => (name === null ? null : numberOf(lookup(name))),
  }
}

interface At {
  readonly index: string | null
  readonly row: Readonly<Record<string, unknown>>
  readonly n: number
  readonly value: string | null
}

function lookupOf(definition: HealthDefinition, entry: Rowed, read: Read, at: At): TemplateLookup {
  const cell = (value: unknown): string | undefined =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined
  const joined = new Map<string, Readonly<Record<string, unknown>> | undefined>()
  const lookup: TemplateLookup = (name) => {
    if (name === 'n') return String(at.n)
    if (name === 'value') return at.value === null ? undefined : lookup(at.value)
    if (name === 'index' || name.startsWith('index.')) return indexPart(at.index ?? '0', name)
    if (name in at.row) return cell(at.row[name])
    const dot = name.indexOf('.')
    if (dot < 0) return cell(read.scalars[name])
    const join = name.slice(0, dot)
    if (!joined.has(join)) {
      const source = entry.with[join]
      const index = source === undefined ? null : fill(source.index, lookup, definition.maps)
      joined.set(join, index === null ? undefined : read.tables[source?.table ?? '']?.rows.get(index))
    }
    return cell(joined.get(join)?.[name.slice(dot + 1)])
  }
  return lookup
}

/** `index`, `index.0` (first sub-identifier), `index.-1` (last), `index.1-` (from the second on). */
function indexPart(index: string, name: string): string | undefined {
  const match = /^index\.(-?\d+)(-?)$/.exec(name)
  if (match === null) return index
  const ids = index.split('.')
  const from = Number(match[1])
  return match[2] === '-' ? ids.slice(from).join('.') : ids.at(from)
}

function satisfies(condition: Condition, lookup: TemplateLookup, definition: HealthDefinition): boolean {
  const text = placeText(condition.of, lookup, definition.maps)
  if (condition.empty !== null && condition.empty !== (text === undefined || text === '')) return false
  if (text === undefined) return condition.empty !== null
  const number = Number(text)
  const same = (other: string) => other === text || (other !== '' && text !== '' && Number(other) === number)
  if (condition.is !== null && !condition.is.some(same)) return false
  if (condition.not?.some(same)) return false
  if (condition.below !== null && !(number < condition.below)) return false
  if (condition.above !== null && !(number > condition.above)) return false
  return condition.match === null || condition.match.test(text)
}

const NUMBER = /^(?:\s*\d+ secs? ?\( *|(?:[^:]*[A-Za-z].*:)?\s*)(?<number>[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)/i
/** Longer texts are not searched for a number, as in polling: the expression takes time by the square of the length. */
const MAX_SEARCHED = 128

const PLAIN = /^[+-]?\d{1,20}(?:\.\d{1,20})?$/

/**
 * The number at the beginning of a text, or after a name or a period of time, as in polling (`23.5 C`, `CPU: 67 C`, `5
 * Secs ( 40.8%)`); null for anything else.
 */
function numberOf(text: string | undefined): number | null {
  if (text === undefined) return null
  // most values are numbers and nothing else
  const found = PLAIN.test(text) ? text : text.length > MAX_SEARCHED ? undefined : NUMBER.exec(text)?.groups?.['number']
  // hundreds of digits are no number
  return found === undefined || !Number.isFinite(Number(found)) ? null : Number(found)
}
