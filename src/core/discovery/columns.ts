/** SQL types of columns that the inventory writer fills. `limit`: maximum number of characters in the API's record. */
export type ColumnType =
  | { readonly sql: 'text'; readonly limit: number }
  | { readonly sql: 'int2' | 'int4' | 'int8' | 'float8' }

/** Columns to write, by name. */
export type Columns = Readonly<Record<string, ColumnType>>

/** A value of a column; null: known to be absent. */
export type Value = string | number | null
export type Values = Readonly<Record<string, Value>>

export const text = (limit: number) => ({ sql: 'text', limit }) as const
export const int2 = { sql: 'int2' } as const
export const int4 = { sql: 'int4' } as const
export const int8 = { sql: 'int8' } as const
export const float8 = { sql: 'float8' } as const

const BOUNDS = { int2: 2 ** 15 - 1, int4: 2 ** 31 - 1, int8: Number.MAX_SAFE_INTEGER } as const

/** Counts values that had to be changed or dropped to fit their column. */
export interface AdjustedValues {
  count: number
}

/**
 * The value in a form that its column accepts. Text loses NUL and unpaired surrogates, which PostgreSQL rejects, and is
 * truncated at the limit. Invalid and out-of-range numbers become null. Agents send all of these, and one must not fail
 * a whole discovery.
 */
export function clean(type: ColumnType, value: unknown, adjusted: AdjustedValues): Value {
  if (value === null || value === undefined) return null
  if (type.sql === 'text') {
    const sent = String(value)
    const fit = cut(sent.replaceAll('\0', '').toWellFormed(), type.limit)
    if (fit !== sent) adjusted.count++
    return fit
  }
  const number = typeof value === 'number' ? value : Number(value)
  const whole = type.sql === 'float8' ? number : Math.round(number)
  const fits = Number.isFinite(whole) && (type.sql === 'float8' || Math.abs(whole) <= BOUNDS[type.sql])
  if (!fits) adjusted.count++
  return fits ? whole : null
}

/** Truncates to `limit` characters as the database counts them, without splitting a surrogate pair. */
function cut(sent: string, limit: number): string {
  if (sent.length <= limit) return sent
  const characters = [...sent]
  return characters.length <= limit ? sent : characters.slice(0, limit).join('')
}
