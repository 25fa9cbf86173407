import { invalid } from '../../../core/base/errors.ts'
import type { LocationValues } from '../../../core/locations/service.ts'
import { members } from '../../body.ts'

/** Length of column locations.location. */
const MAX_NAME = 255

const MISSING = 'Required fields missing (location, lat and lng needed)'

/** Parses the body of add_location; coordinates are optional. Throws 400. */
export function newLocation(json: unknown): LocationValues & { readonly location: string } {
  const { location, ...values } = locationChanges(json)
  if (location === undefined) throw invalid(MISSING)
  return { ...values, location }
}

/** The changes in the body of edit_location. Throws 400 for invalid values. */
export function locationChanges(json: unknown): LocationValues {
  const body = members(json)
  const name = nameOf(body['location'])
  const lat = degrees(body, 'lat', 100)
  const lng = degrees(body, 'lng', 1000)
  const fixed = flag(body['fixed_coordinates'])
  return {
    ...(name !== undefined && { location: name }),
    ...(lat !== undefined && { lat }),
    ...(lng !== undefined && { lng }),
    ...(fixed !== undefined && { fixed_coordinates: fixed }),
  }
}

function nameOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string' && typeof value !== 'number') throw invalid('Invalid location')
  const name = String(value).trim()
  if (name.length > MAX_NAME) throw invalid(`Invalid location: longer than ${MAX_NAME} characters`)
  return name === '' ? undefined : name
}

/** Decimal text within the bound of the column; null for null and empty text, undefined if absent. */
function degrees(body: Readonly<Record<string, unknown>>, name: string, bound: number): string | null | undefined {
  const value = body[name]
  if (value === undefined) return undefined
  if (value === null || value === '') return null
  const number = typeof value === 'number' || isDecimal(value) ? Number(value) : Number.NaN
  // The column keeps 8 decimals, and rounding must not reach the bound.
  if (!(Math.abs(number) < bound - 1e-8)) throw invalid(`Invalid ${name}: ${short(value)}`)
  return number.toFixed(8)
}

function isDecimal(value: unknown): boolean {
  return typeof value === 'string' && /^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$/.test(value)
}

const short = (value: unknown) => JSON.stringify(value).slice(0, 40)

function flag(value: unknown): 0 | 1 | undefined {
  if (value === undefined || value === null) return undefined
  if (value === true || value === 1 || value === '1' || value === 'true') return 1
  if (value === false || value === 0 || value === '0' || value === '' || value === 'false') return 0
  throw invalid(`Invalid fixed_coordinates: ${short(value)}`)
}
