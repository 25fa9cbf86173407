import type { SensorRow } from '../observation.ts'
import type { HookInput } from './hook-input.ts'

/** Values of cmcIIIVarType that are set points, and the limit that each sets. */
const SET_POINTS = {
  '3': 'sensor_limit',
  '4': 'sensor_limit_warn',
  '5': 'sensor_limit_low',
  '9': 'sensor_limit_low_warn',
} as const

type Limit = (typeof SET_POINTS)[keyof typeof SET_POINTS]

/** A set point with the unit and scale of its number. */
interface SetPoint {
  readonly value: number
  readonly unit: string | undefined
  readonly scale: string | undefined
}

type ByGroup = ReadonlyMap<string, Partial<Readonly<Record<Limit, SetPoint>>>>

/** Set points by device and group of variables, cached per table read. */
const known = new WeakMap<object, ByGroup>()

/**
 * RITTAL-CMC-III-MIB: limits are variables in the same group as the value (`Temperature.Value`,
 * `Temperature.SetPtHighAlarm`). Limits whose unit or scale differs from the value's are left out.
 */
export function withSetPoints(row: SensorRow, input: HookInput): SensorRow {
  return { ...row, ...limitsOf(input) }
}

function limitsOf({ index, lookup, read, factor }: HookInput): Partial<Record<Limit, number>> {
  const rows = read.tables['vars']?.rows
  if (rows === undefined || index === null) return {}
  const groups = known.get(rows) ?? setPointsOf(rows)
  known.set(rows, groups)
  const own = groups.get(groupOf(index, lookup('cmcIIIVarName'))) ?? {}
  const limits: Partial<Record<Limit, number>> = {}
  for (const limit of Object.values(SET_POINTS)) {
    const point = own[limit]
    if (point === undefined || point.unit !== lookup('cmcIIIVarUnit') || point.scale !== lookup('cmcIIIVarScale'))
      continue
    limits[limit] = Number((point.value * factor).toPrecision(14))
  }
  return limits
}

function setPointsOf(rows: ReadonlyMap<string, Readonly<Record<string, unknown>>>): ByGroup {
  const groups = new Map<string, Partial<Record<Limit, SetPoint>>>()
  const text = (cell: unknown) => (cell === undefined ? undefined : String(cell))
  for (const [index, row] of rows) {
    const type = text(row['cmcIIIVarType']) ?? ''
    const value = Number(row['cmcIIIVarValueInt'] ?? Number.NaN)
    if (!isSetPoint(type) || !Number.isFinite(value)) continue
    const group = groupOf(index, text(row['cmcIIIVarName']))
    const own = groups.get(group) ?? {}
    own[SET_POINTS[type]] = { value, unit: text(row['cmcIIIVarUnit']), scale: text(row['cmcIIIVarScale']) }
    groups.set(group, own)
  }
  return groups
}

function isSetPoint(type: string): type is keyof typeof SET_POINTS {
  return Object.hasOwn(SET_POINTS, type)
}

/** Device and the name without its last part. */
function groupOf(index: string, name = ''): string {
  return `${index.split('.')[0]} ${name.slice(0, Math.max(0, name.lastIndexOf('.')))}`
}
