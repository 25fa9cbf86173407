/** @jsxImportSource #jsx */
import type { HealthValue } from '../../domain/fleet/service.ts'
import { SENSOR_CLASSES } from '../../lib/sensor-classes.ts'
import { readable } from '../../lib/si.ts'
import { isWirelessClass, WIRELESS_UNITS } from '../../lib/wireless-classes.ts'
import type { Child } from '../jsx/jsx-runtime.ts'
import type { ChartLimit } from './chart.tsx'
import type { Tone } from './icon.tsx'
import { amount, plain, Unknown } from './values.tsx'

/** The part of a health value that these functions need. */
export type Limited = Omit<HealthValue, 'kind' | 'id' | 'descr'>

const PERCENT = new Set(['processor', 'memory', 'storage'])

const WORDS: Readonly<Record<string, string>> = {
  processor: 'Processors',
  memory: 'Memory',
  storage: 'File systems',
  state: 'States',
  dbm: 'Optical power',
  fanspeed: 'Fans',
  'ap-count': 'Access points',
}
/** Heading for a class of values. */
export const classWord = (name: string) =>
  WORDS[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll(/[_-]/g, ' ')}`

const STATE_TONES: readonly Tone[] = ['ok', 'warn', 'bad', 'off']

/** Colour of a value, determined by its limits. */
export function toneOf({ value, low, low_warn, high_warn, high, state_kind }: Limited): Tone {
  if (state_kind !== null) return STATE_TONES[state_kind] ?? 'off'
  if (value === null) return 'off'
  if ((high !== null && value > high) || (low !== null && value < low)) return 'bad'
  if ((high_warn !== null && value > high_warn) || (low_warn !== null && value < low_warn)) return 'warn'
  return 'ok'
}

/** What the colour of a value means. */
export const TONE_WORDS: Readonly<Record<Tone, string>> = {
  ok: 'Within its limits',
  warn: 'Near a limit',
  bad: 'Beyond a limit',
  ack: 'Seen',
  off: 'Unknown',
}

/** Units that take prefixes: 6.5 mA. */
const PREFIXED = new Set(['A', 'V', 'W', 'Hz', 'bps', 's', 'VA'])

const shown = (value: number) => String(Math.round(value * 100) / 100).replace('-', '−')

/** Unit of a class of sensors, wireless sensors or percentages. */
export const unitOf = (name: string): string =>
  PERCENT.has(name) ? '%' : (SENSOR_CLASSES[name]?.[0] ?? (isWirelessClass(name) ? WIRELESS_UNITS[name] : ''))

const withUnit = (name: string, value: number): string => {
  const unit = unitOf(name)
  return (PREFIXED.has(unit) ? readable(value, unit, 'all').replace('-', '−') : `${shown(value)} ${unit}`).trimEnd()
}

/** A value with its unit. */
export function valueText(row: Limited): Child {
  if (row.state !== null) return plain(row.state)
  return row.value === null ? <Unknown /> : withUnit(row.class, row.value)
}

/** Limits of a class of sensors in words, with their unit: `5 to 3000 min`, `at most 75 %`; '' without limits. */
export function betweenText(name: string, low: number | null, high: number | null): string {
  if (low === null && high === null) return ''
  if (low === null) return `at most ${withUnit(name, high ?? 0)}`
  if (high === null) return `at least ${withUnit(name, low)}`
  const [from = '', unit = ''] = withUnit(name, low).split(' ')
  const to = withUnit(name, high)
  // 0 has no prefix, so it fits whatever prefix the other limit has.
  return (to.split(' ')[1] ?? '') === unit || low === 0 ? `${from} to ${to}` : `${from} ${unit} to ${to}`
}

/** The limits in words; for memory and file systems, the space in use. */
export function limitsOf({ class: name, low, high, high_warn, used, size }: Limited): string {
  if (used !== null && size !== null && size > 0) return `${amount(used, 'B')} of ${amount(size, 'B')}`
  return betweenText(name, low, high ?? high_warn)
}

const LIMITS = [
  ['high', 'high', true],
  ['high_warn', 'high warning', false],
  ['low_warn', 'low warning', false],
  ['low', 'low', true],
] as const

/** Limits that all values have in common, as lines in their chart. */
export function limitsAlike(values: readonly Limited[]): readonly ChartLimit[] {
  return LIMITS.flatMap(([name, label, severe]) => {
    const value = values[0]?.[name] ?? null
    return value !== null && values.every((one) => one[name] === value) ? [{ label, value, severe }] : []
  })
}
