/** Options of a rule besides its condition, stored as JSON text in `extra`. Times are in seconds. */
export interface RuleExtra {
  readonly mute: boolean
  /** Maximum number of notifications; -1: unlimited. */
  readonly count: number
  /** Time for which the fault must last before the first notification. */
  readonly delay: number
  readonly invert: boolean
  /** Time between repeated notifications; 0: notify once. */
  readonly interval: number
  readonly recovery: boolean
  readonly acknowledgement: boolean
  readonly options: { readonly override_query: boolean }
}

const DEFAULTS: RuleExtra = {
  mute: false,
  count: -1,
  delay: 0,
  invert: false,
  interval: 0,
  recovery: true,
  acknowledgement: true,
  options: { override_query: false },
}

/**
 * Options of a rule from its stored JSON text. Rules may have been written by other programs, so numbers may be text,
 * absent members get their defaults, and unreadable text gives all defaults.
 */
export function ruleExtra(text: string): RuleExtra {
  const given = members(text)
  const options = given['options']
  const override =
    typeof options === 'object' && options !== null && 'override_query' in options ? options.override_query : null
  return {
    mute: flag(given['mute'], DEFAULTS.mute),
    count: whole(given['count']) ?? DEFAULTS.count,
    delay: Math.max(0, whole(given['delay']) ?? DEFAULTS.delay),
    invert: flag(given['invert'], DEFAULTS.invert),
    interval: Math.max(0, whole(given['interval']) ?? DEFAULTS.interval),
    recovery: flag(given['recovery'], DEFAULTS.recovery),
    acknowledgement: flag(given['acknowledgement'], DEFAULTS.acknowledgement),
    options: { override_query: flag(override, false) },
  }
}

function members(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? (parsed as Readonly<Record<string, unknown>>) : {}
  } catch {
    return {}
  }
}

function flag(value: unknown, absent: boolean): boolean {
  if (value === undefined || value === null) return absent
  if (typeof value === 'string') return !['', '0', 'false', 'off', 'no'].includes(value.trim().toLowerCase())
  return value === true || (typeof value === 'number' && value !== 0)
}

function whole(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(Math.trunc(number)) ? Math.trunc(number) : null
}
