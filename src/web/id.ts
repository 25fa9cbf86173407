import { notFound } from '../core/base/errors.ts'

/** A row id in an address or a form; 0, which no row has, if the text is not an id. */
export const idOf = (text: string | null | undefined): number => (/^\d{1,9}$/.test(text ?? '') ? Number(text) : 0)

/** A row that was looked up for a page. Throws `notFound` for null. */
export function found<T>(row: T | null, what: string): T {
  if (row === null) throw notFound(`no such ${what}`)
  return row
}
