import { notFound } from '../core/base/errors.ts'

/** A row id in an address or a form; 0, which no row has, if the text is not an id. */
export const idOf = (text: string | null | undefined): number => (/^\d{1,9}$/.test(text ?? '') ? Number(text) : 0)

/**
 * Ids in the names of fields, `port-17` for box `port`: of the boxes ticked in a form. `digits`: of the largest id, 9 in
 * columns of 32 bits.
 */
export const tickedIds = (fields: Iterable<string>, box: string, digits: 9 | 15 = 9): number[] =>
  [...fields].flatMap((field) => {
    const id = field.startsWith(`${box}-`) ? field.slice(box.length + 1) : ''
    return /^\d+$/.test(id) && id.length <= digits ? [Number(id)] : []
  })

/** A row that was looked up for a page. Throws `notFound` for null. */
export function found<T>(row: T | null, what: string): T {
  if (row === null) throw notFound(`no such ${what}`)
  return row
}
