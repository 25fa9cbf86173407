/** @jsxImportSource #jsx */
import type { HealthValue } from '../../core/lists/service.ts'
import { formOf, octetsText } from '../../lib/measure.ts'
import type { Child } from '../jsx/jsx-runtime.ts'
import type { ChartLimit } from './chart.tsx'
import type { Tone } from './icon.tsx'
import { measuredText, plain, Unknown } from './values.tsx'

/** The part of a health value that these functions need. */
export type Limited = Omit<HealthValue, 'kind' | 'id' | 'descr'>

/** A value whose unit is that of its kind and class. */
type Measurable = Limited & { readonly kind: string }

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

/** Colour of a value, determined by its limits; none for one that is no longer current. */
export function toneOf({ value, low, low_warn, high_warn, high, state_kind, old_since }: Limited): Tone {
  if (old_since !== null) return 'off'
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

const withUnit = (kind: string, name: string, value: number): string => measuredText(formOf(kind, name), value)

/** A value with its unit. */
export function valueText(row: Measurable): Child {
  if (row.state !== null) return plain(row.state)
  return row.value === null ? <Unknown /> : withUnit(row.kind, row.class, row.value)
}

/**
 * Limits of a kind and class of values in words, with their unit: `5 to 3000 min`, `at most 75 %`; '' without limits.
 */
export function betweenText(kind: string, name: string, low: number | null, high: number | null): string {
  if (low === null && high === null) return ''
  if (low === null) return `at most ${withUnit(kind, name, high ?? 0)}`
  if (high === null) return `at least ${withUnit(kind, name, low)}`
  const [from = '', unit = ''] = withUnit(kind, name, low).split(' ')
  const to = withUnit(kind, name, high)
  // 0 has no prefix, so it fits whatever prefix the other limit has.
  return (to.split(' ')[1] ?? '') === unit || low === 0 ? `${from} to ${to}` : `${from} ${unit} to ${to}`
}

/** The limits in words; for memory and file systems, the space in use. */
export function limitsOf({ kind, class: name, low, high, high_warn, used, size }: Measurable): string {
  if (used !== null && size !== null && size > 0) return `${octetsText(used)} of ${octetsText(size)}`
  return betweenText(kind, name, low, high ?? high_warn)
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
