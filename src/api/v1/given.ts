import { invalid, notFound } from '../../core/base/errors.ts'
import { isId } from '../../core/base/ids.ts'

/** The id in a path. Throws `not_found`. */
export function idOf(text: string): number {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (!isId(id)) throw notFound(`${text} not found`)
  return id
}

/** A text among the attributes of a body; undefined: absent or null. Throws `invalid` for others. */
export function textOf(given: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const { [name]: value } = given
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw invalid(`'${name}' is not a text`)
  return value
}
