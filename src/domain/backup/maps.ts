/** One rule of a map: a column that equals a text, or that an expression matches, gives a member its value. */
export interface MapRule {
  /** Member of the target: hostname, os, ip, group, ... */
  readonly member: string
  /** Column of the device, or `location`. */
  readonly column: string
  readonly matches: (text: string) => boolean
  readonly value: string
}

/** What Oxidized calls the systems that have another name here. Source: contract BEHAVIOUR.md 16. */
const OS_NAMES: readonly (readonly [os: string, model: string])[] = [
  ['airos-af-ltu', 'airfiber'],
  ['airos-af', 'airfiber'],
  ['arista_eos', 'eos'],
  ['ciscosb', 'ciscosmb'],
  ['f5', 'tmos'],
  ['fireware', 'firewareos'],
  ['fortiswitch', 'fortios'],
  ['siklu-mhtg', 'siklumhtg'],
  ['vyos', 'vyatta'],
  ['slms', 'zhoneolt'],
  ['oneaccess', 'oneos'],
]

const USUAL: readonly MapRule[] = OS_NAMES.map(([os, value]) => ({
  member: 'os',
  column: 'os',
  matches: (text) => text === os,
  value,
}))

/**
 * The rules of setting `oxidized.maps`, `{member: {column: [{match or regex, value}]}}`, in order, then those that give
 * systems the names Oxidized knows. The setting's own rule has checked the form.
 */
export function mapRules(maps: unknown): MapRule[] {
  return [...rulesOf(maps), ...USUAL]
}

function rulesOf(maps: unknown): MapRule[] {
  return entries(maps).flatMap(([member, columns]) =>
    entries(columns).flatMap(([column, list]) =>
      (Array.isArray(list) ? list : []).flatMap((item: unknown) => {
        const { match, regex, value } = Object.fromEntries(entries(item)) as Readonly<Record<string, unknown>>
        const matches = condition(match, regex)
        if (matches === null || typeof value !== 'string') return []
        return { member, column, matches, value }
      }),
    ),
  )
}

function condition(match: unknown, regex: unknown): MapRule['matches'] | null {
  if (typeof match === 'string') return (text) => text === match
  if (typeof regex !== 'string') return null
  // LibreNMS writes /expression/flags; the bare expression is as good
  const [, inner = regex, flags = ''] = /^\/(.*)\/([imsu]*)$/s.exec(regex) ?? []
  try {
    const compiled = new RegExp(inner, flags)
    return (text) => compiled.test(text)
  } catch {
    return null // the one thing the constructor throws for
  }
}

function entries(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
}
