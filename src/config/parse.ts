import { BOOLEANS } from './booleans.ts'
import { RULES } from './rules.ts'
import { SETTINGS, type Setting, type SettingName } from './schema.ts'

/** `allowed` completes the sentence "expected ...". */
export type ParsedSetting = { kind: 'valid'; value: unknown } | { kind: 'invalid'; allowed: string }

/**
 * Parses a setting from a file, the environment, a flag or the database: either text, or a value that already has the
 * right type. A list is comma-separated text or a JSON array.
 */
export function parseSetting(name: SettingName, raw: unknown): ParsedSetting {
  const setting: Setting = SETTINGS[name]
  const value = convert(setting, raw)
  if (value === undefined) return { kind: 'invalid', allowed: allowedValues(name) }
  const broken = RULES[name]?.(value)
  return broken === undefined ? { kind: 'valid', value } : { kind: 'invalid', allowed: broken }
}

/** The allowed values in words: `an integer from 5 to 86400`. */
export function allowedValues(name: SettingName): string {
  const setting: Setting = SETTINGS[name]
  switch (setting.type) {
    case 'text':
      return 'text'
    case 'integer':
    case 'number': {
      const kind = setting.type === 'integer' ? 'an integer' : 'a number'
      if (setting.min !== undefined && setting.max !== undefined) return `${kind} from ${setting.min} to ${setting.max}`
      return setting.min === undefined ? kind : `${kind} of at least ${setting.min}`
    }
    case 'bool':
      return 'true or false'
    case 'choice':
      return `one of ${setting.choices.join(', ')}`
    case 'list':
      return 'a comma-separated list or a JSON array of strings'
    case 'json':
      return 'JSON'
  }
}

/** Converts to the setting's type; undefined if that is not possible. */
function convert(setting: Setting, raw: unknown): unknown {
  switch (setting.type) {
    case 'text':
      return typeof raw === 'string' ? raw : undefined
    case 'integer':
    case 'number':
      return inRange(setting, typeof raw === 'string' ? toNumber(raw) : raw)
    case 'bool':
      return typeof raw === 'boolean' ? raw : BOOLEANS.get(String(raw).trim().toLowerCase())
    case 'choice':
      return typeof raw === 'string' ? setting.choices.find((c) => c.toLowerCase() === raw.toLowerCase()) : undefined
    case 'list':
      return toList(raw)
    case 'json':
      return typeof raw === 'string' ? parseJson(raw) : (raw ?? undefined)
  }
}

function toNumber(text: string): number {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : Number.NaN
}

function inRange(setting: Extract<Setting, { type: 'integer' | 'number' }>, value: unknown): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  if (setting.type === 'integer' && !Number.isSafeInteger(value)) return undefined
  if (value < (setting.min ?? value) || value > (setting.max ?? value)) return undefined
  return value
}

function toList(raw: unknown): readonly string[] | undefined {
  if (typeof raw !== 'string') return isListOfText(raw) ? raw : undefined
  if (raw.trimStart().startsWith('[')) {
    const parsed = parseJson(raw)
    return isListOfText(parsed) ? parsed : undefined
  }
  return raw
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function isListOfText(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // not JSON: the caller reports what is allowed
  }
}
