import type { Clock } from './clock.ts'
import { utcOf } from './clock.ts'
import { type Cell, cellText } from './source.ts'
import type { JsonValue, TargetColumn } from './write-tables.ts'

const BOUNDS: Readonly<Record<string, number>> = {
  int2: 2 ** 15 - 1,
  int4: 2 ** 31 - 1,
  int8: Number.MAX_SAFE_INTEGER,
}
/**
 * Longest text that is kept, in characters. Columns of an installation hold at most 64 KiB, or 16 MiB where texts are
 * much shorter in practice.
 */
const MAX_TEXT = 4_194_304

/** Number of values that had to be changed to fit. */
export interface AdjustedValues {
  count: number
}

/**
 * A cell converted to the type of its column here. null: no value, or it does not fit. Text loses NUL and unpaired
 * surrogates; dates that mean "never" become null.
 */
export function storedValue(cell: Cell, { type }: TargetColumn, clock: Clock, adjusted: AdjustedValues): JsonValue {
  if (cell === null) return null
  const text = cellText(cell)
  switch (type) {
    case 'int2':
    case 'int4':
    case 'int8': {
      const number = text === '' ? Number.NaN : Math.round(Number(text))
      const fits = Math.abs(number) <= (BOUNDS[type] ?? 0)
      if (!fits) adjusted.count++
      return fits ? number : null
    }
    case 'float4':
    case 'float8':
    case 'numeric': {
      const number = text === '' ? Number.NaN : Number(text)
      return Number.isFinite(number) ? (type === 'numeric' ? text : number) : null
    }
    case 'bool':
      return text === '1' || text === 'true'
    case 'timestamptz': {
      const ms = clock.instant(text)
      return Number.isNaN(ms) ? null : new Date(ms).toISOString()
    }
    case 'inet':
      return typeof cell === 'string' ? cell : addressOf(cell)
    case 'jsonb':
      return jsonOf(text)
    default: {
      const clean = text.replaceAll('\0', '').toWellFormed().slice(0, MAX_TEXT)
      if (clean !== text) adjusted.count++
      return clean
    }
  }
}

/** The value of a JSON text; null: it is not JSON. */
export function jsonOf(text: string): JsonValue {
  try {
    return JSON.parse(text.replaceAll('\\u0000', '')) as JsonValue
  } catch {
    return null
  }
}

/** An address of 4 or 16 octets in network byte order, as text; null: any other length. */
export function addressOf(octets: Uint8Array): string | null {
  if (octets.length === 4) return octets.join('.')
  if (octets.length !== 16) return null
  const parts = Array.from({ length: 8 }, (_, i) =>
    (((octets[2 * i] as number) << 8) | (octets[2 * i + 1] as number)).toString(16),
  )
  return parts.join(':')
}

/** A UTC date of the installation in ISO form; null: "never". */
export function isoOf(text: string): string | null {
  const ms = utcOf(text)
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}
