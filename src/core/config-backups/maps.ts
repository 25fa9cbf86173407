import { Pattern } from '@portlight/pattern/pattern.ts'

/** A rule of a map: if a column equals a text or matches an expression, a member gets the value. */
export interface MapRule {
  /** Member of the target: hostname, os, ip, group, ... */
  readonly member: string
  /** Column of the device, or `location`. */
  readonly column: string
  readonly matches: (text: string) => boolean
  readonly value: string
}

/** Operating systems that Oxidized knows under another name. Source: contract BEHAVIOUR.md 16. */
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
 * Rules of setting `oxidized.maps`, `{member: {column: [{match or regex, value}]}}`, in order, followed by the OS names
 * that Oxidized knows. The setting's validator has checked the format.
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
  // LibreNMS uses /expression/flags; a bare expression is accepted as well
  const [, inner = regex, flags = ''] = /^\/(.*)\/([imsu]*)$/s.exec(regex) ?? []
  const compiled = new Pattern(inner, flags)
  return compiled.error() === null ? (text) => compiled.test(text) : null
}

function entries(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
}
