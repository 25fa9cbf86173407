/** A setting of a transport. `secret`: shown as ***, never in logs, errors or responses. `was`: the LibreNMS name. */
interface Common {
  readonly about: string
  readonly required?: boolean
  readonly secret?: boolean
  readonly was?: string
}

/** Lists are separated by commas or newlines, and so are pairs of the form `key=value`; both can also be JSON. */
export type Field = Common &
  (
    | { readonly type: 'text'; readonly default?: string; readonly pattern?: RegExp; readonly example?: string }
    | { readonly type: 'url'; readonly default?: string }
    | { readonly type: 'integer'; readonly default: number; readonly min: number; readonly max: number }
    | { readonly type: 'bool'; readonly default: boolean }
    | { readonly type: 'choice'; readonly default: string; readonly choices: readonly string[] }
    | { readonly type: 'list' }
    | { readonly type: 'pairs' }
  )

export type Fields = Readonly<Record<string, Field>>

type ValueOf<F extends Field> = F extends { type: 'text' | 'url' }
  ? string
  : F extends { type: 'integer' }
    ? number
    : F extends { type: 'bool' }
      ? boolean
      : F extends { type: 'choice'; choices: readonly (infer C)[] }
        ? C
        : F extends { type: 'list' }
          ? readonly string[]
          : Readonly<Record<string, string>>

/** Validated settings. Text and URLs that are not set are ''. */
export type ValuesOf<F extends Fields> = { readonly [N in keyof F]: ValueOf<F[N]> }

export type ReadFields<F extends Fields> =
  | { readonly kind: 'ok'; readonly values: ValuesOf<F> }
  /** `problems`: as text, without values. */
  | { readonly kind: 'wrong'; readonly problems: readonly string[] }

const MAX_TEXT = 4096
const MAX_ITEMS = 100

/** Validates settings. A LibreNMS name counts unless our own name is set too; unknown names are ignored. */
export function readFields<F extends Fields>(fields: F, given: Readonly<Record<string, unknown>>): ReadFields<F> {
  const problems: string[] = []
  const values = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const raw = given[name] ?? (field.was === undefined ? undefined : given[field.was])
      const missing = raw === undefined || raw === null || raw === ''
      const value = missing ? defaultOf(field) : converted(field, raw)
      if (value === undefined) problems.push(`${name}: expected ${expected(field)}`)
      else if (field.required === true && isEmpty(value)) problems.push(`${name} is missing`)
      return [name, value]
    }),
  )
  // Safe: every value was converted by its field.
  return problems.length > 0 ? { kind: 'wrong', problems } : { kind: 'ok', values: values as ValuesOf<F> }
}

function defaultOf(field: Field): unknown {
  if (field.type === 'list') return []
  if (field.type === 'pairs') return {}
  return field.default ?? ''
}

const isEmpty = (value: unknown): boolean =>
  value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)

/** The allowed values in words. */
export function expected(field: Field): string {
  switch (field.type) {
    case 'text':
      return field.pattern === undefined ? `text of at most ${MAX_TEXT} characters` : (field.example ?? 'another form')
    case 'url':
      return 'a URL: https://HOST/PATH'
    case 'integer':
      return `an integer from ${field.min} to ${field.max}`
    case 'bool':
      return 'true or false'
    case 'choice':
      return `one of ${field.choices.join(', ')}`
    case 'list':
      return `at most ${MAX_ITEMS} items, separated by commas`
    case 'pairs':
      return `at most ${MAX_ITEMS} pairs KEY=VALUE, separated by commas`
  }
}

const TRUE = new Set(['true', '1', 'yes', 'on'])
const FALSE = new Set(['false', '0', 'no', 'off'])

/** Converts to the field's type; undefined if that is not possible. */
function converted(field: Field, raw: unknown): unknown {
  const text =
    typeof raw === 'string' ? raw.trim() : typeof raw === 'number' || typeof raw === 'boolean' ? `${raw}` : null
  switch (field.type) {
    case 'text':
      if (text === null || text.length > MAX_TEXT || /[\0\r]/.test(text)) return undefined
      return field.pattern === undefined || field.pattern.test(text) ? text : undefined
    case 'url':
      return text !== null && text.length <= MAX_TEXT && isHttpUrl(text) ? text : undefined
    case 'integer': {
      const number = text === null || !/^-?\d{1,15}$/.test(text) ? Number.NaN : Number(text)
      return number >= field.min && number <= field.max ? number : undefined
    }
    case 'bool': {
      const lower = text?.toLowerCase() ?? ''
      return TRUE.has(lower) ? true : FALSE.has(lower) ? false : undefined
    }
    case 'choice':
      return field.choices.find((choice) => choice.toLowerCase() === text?.toLowerCase())
    case 'list':
      return listOf(raw)
    case 'pairs':
      return pairsOf(raw)
  }
}

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== ''
}

function parsedJson(raw: unknown): unknown {
  if (typeof raw !== 'string' || !/^\s*[[{]/.test(raw)) return raw
  try {
    return JSON.parse(raw)
  } catch {
    return raw
  }
}

function listOf(raw: unknown): readonly string[] | undefined {
  const value = parsedJson(raw)
  const items = typeof value === 'string' ? value.split(/[,;\n]/) : value
  if (!Array.isArray(items) || items.length > MAX_ITEMS) return undefined
  if (!items.every((item): item is string => typeof item === 'string' && item.length <= MAX_TEXT)) return undefined
  return items.map((item) => item.trim()).filter((item) => item !== '')
}

function pairsOf(raw: unknown): Readonly<Record<string, string>> | undefined {
  const value = parsedJson(raw)
  if (typeof value === 'string') {
    // LibreNMS stores one pair per line
    const lines = (value.includes('\n') ? value.split('\n') : value.split(',')).map((line) => line.trim())
    const pairs = lines.filter((line) => line !== '').map((line) => /^([^=]+)=(.*)$/s.exec(line))
    if (pairs.length > MAX_ITEMS || pairs.some((pair) => pair === null)) return undefined
    return Object.fromEntries(pairs.map((pair) => [pair?.[1]?.trim() ?? '', pair?.[2]?.trim() ?? '']))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const entries = Object.entries(value)
  const fits = entries.length <= MAX_ITEMS && entries.every(([, v]) => typeof v === 'string' && v.length <= MAX_TEXT)
  return fits ? Object.fromEntries(entries) : undefined
}

const HIDDEN = '***'

/**
 * Settings for display: secrets as ***, only the host of a secret URL, and URLs without passwords and queries. Values
 * of unknown settings are hidden as well.
 */
export function shownSettings(
  fields: Fields | null,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const byName = new Map(
    Object.entries(fields ?? {}).flatMap(([name, field]) =>
      field.was === undefined ? [[name, field] as const] : [[name, field] as const, [field.was, field] as const],
    ),
  )
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const field = byName.get(name)
      return [name, field === undefined ? HIDDEN : shown(field, value)]
    }),
  )
}

function shown(field: Field, value: unknown): unknown {
  if (value === '' || value === null) return value
  const url = field.type === 'url' ? URL.parse(String(value)) : null
  if (field.secret === true) return url === null ? HIDDEN : `${url.protocol}//${url.host}/${HIDDEN}`
  if (url === null) return field.type === 'url' ? HIDDEN : value
  if (url.username === '' && url.password === '' && url.search === '') return value
  return `${url.protocol}//${url.username === '' ? '' : `${HIDDEN}@`}${url.host}${url.pathname}${url.search === '' ? '' : `?${HIDDEN}`}`
}
