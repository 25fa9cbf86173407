import { isServiceType } from './types.ts'
import type { NewServiceRow } from './write.ts'

const TEXT = [
  'service_ip',
  'service_type',
  'service_desc',
  'service_param',
  'service_message',
  'service_ds',
  'service_name',
] as const
const FLAGS = ['service_ignore', 'service_disabled'] as const
/** Integer columns and their maximum values. */
const NUMBERS = {
  device_id: 2_147_483_647,
  service_status: 32_767,
  service_changed: 2_147_483_647,
  service_template_id: 2_147_483_647,
} as const

/**
 * The columns of edit_service_from_host converted to their types: texts also from numbers and JSON, flags from true, 1
 * and text, null as empty text. Null: not a column, or a value that does not fit.
 */
export function serviceColumns(body: Readonly<Record<string, unknown>>): Partial<NewServiceRow> | null {
  const row: Record<string, string | number | null> = {}
  for (const [name, value] of Object.entries(body)) {
    const fit = columnValue(name, value)
    if (fit === undefined) return null
    row[name] = fit
  }
  return row as Partial<NewServiceRow>
}

/** The converted value; undefined: it does not fit. */
function columnValue(name: string, value: unknown): string | number | null | undefined {
  if (isOneOf(TEXT, name)) {
    const text = textOf(value)
    return name === 'service_type' && !isServiceType(text ?? '') ? undefined : text
  }
  if (isOneOf(FLAGS, name)) return flagOf(value)
  const max = Object.hasOwn(NUMBERS, name) ? NUMBERS[name as keyof typeof NUMBERS] : undefined
  if (max === undefined) return undefined
  const number = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : -1
  return Number.isInteger(number) && number >= 0 && number <= max ? number : undefined
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A flag as 0 or 1 from any form sent by clients; undefined: not a flag. */
export function flagOf(value: unknown): 0 | 1 | undefined {
  if (value === null || value === false || value === 0) return 0
  if (value === true || value === 1) return 1
  if (typeof value !== 'string') return undefined
  if (['', '0', 'false', 'no', 'off'].includes(value.toLowerCase())) return 0
  return ['1', 'true', 'yes', 'on'].includes(value.toLowerCase()) ? 1 : undefined
}

function isOneOf<T extends string>(names: readonly T[], name: string): name is T {
  return (names as readonly string[]).includes(name)
}
