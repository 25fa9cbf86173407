import { invalid, notFound } from '../../core/base/errors.ts'
import { isId } from '../../core/base/ids.ts'

/** The id in a path. Throws `not_found`. */
export function idOf(text: string): number {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (!isId(id)) throw notFound(`${text} not found`)
  return id
}

/** Texts of a query by name. */
export type QueryTexts = Readonly<Partial<Record<string, string>>>

/** A whole number of a query; null: absent. Throws `invalid` for others. */
export function numberOf(query: QueryTexts, name: string, most: number, least = 0): number | null {
  const text = query[name]
  if (text === undefined || text === '') return null
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= least && value <= most)) throw invalid(`'${name}' is not a whole number from ${least} to ${most}`)
  return value
}

/** A text among the attributes of a body; undefined: absent or null. Throws `invalid` for others. */
export function textOf(given: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const { [name]: value } = given
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw invalid(`'${name}' is not a text`)
  return value
}
