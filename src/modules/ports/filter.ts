import type { Pattern } from '@portlight/pattern/pattern.ts'
import { patternOf } from '../loaded/test.ts'
/** Rules for which interfaces become ports: the settings `good_if` and `bad_if*`, and those of the OS definition. */
export interface PortFilter {
  /** Substrings of ifDescr, case-insensitive. */
  readonly badIf: readonly string[]
  /** Regular expressions on ifDescr, case-insensitive. */
  readonly badIfRegexp: readonly Pattern[]
  /** Regular expressions on ifName and ifAlias, case-insensitive. */
  readonly badIfNameRegexp: readonly Pattern[]
  readonly badIfAliasRegexp: readonly Pattern[]
  /** Values of ifOperStatus. */
  readonly badIfOperStatus: readonly string[]
  /** Substrings of the IANAifType name. */
  readonly badIfType: readonly string[]
  /** Substrings of ifDescr that make an interface a port regardless of the other rules. */
  readonly goodIf: readonly string[]
  /** Interfaces without ifDescr and ifName become ports. */
  readonly nameless: boolean
  /** Tests on ifDescr and ifName; an interface that passes any of them does not become a port. */
  readonly isBad: readonly { readonly of: 'ifDescr' | 'ifName'; test(text: string): boolean }[]
}

/** Interface rules of an OS definition. */
export interface OsPortRules {
  readonly badIf?: readonly string[] | undefined
  readonly badIfRegexp?: readonly string[] | undefined
  readonly badIfType?: readonly string[] | undefined
  readonly goodIf?: readonly string[] | undefined
  readonly badIfOperStatus?: readonly string[] | undefined
  /** Tests on ifDescr and ifName. */
  readonly isBadIf?: ((ifDescr: string) => boolean) | undefined
  readonly isBadIfName?: ((ifName: string) => boolean) | undefined
  readonly nameless?: boolean | undefined
}

/** The filter combined from settings and OS definitions. Expressions that do not compile are ignored. */
export function portFilter(settings: Readonly<Record<string, unknown>>, ...oses: readonly OsPortRules[]): PortFilter {
  const lower = (texts: readonly string[]) => texts.filter((text) => text !== '').map((text) => text.toLowerCase())
  const all = (of: (os: OsPortRules) => readonly string[] | undefined) => oses.flatMap((os) => of(os) ?? [])
  return {
    badIf: lower([...texts(settings['bad_if']), ...all((os) => os.badIf)]),
    badIfRegexp: [...texts(settings['bad_if_regexp']), ...all((os) => os.badIfRegexp)].flatMap(compile),
    badIfNameRegexp: texts(settings['bad_ifname_regexp']).flatMap(compile),
    badIfAliasRegexp: texts(settings['bad_ifalias_regexp']).flatMap(compile),
    badIfOperStatus: lower([...texts(settings['bad_ifoperstatus']), ...all((os) => os.badIfOperStatus)]),
    badIfType: [...texts(settings['bad_iftype']), ...all((os) => os.badIfType)].filter((text) => text !== ''),
    goodIf: lower([...texts(settings['good_if']), ...all((os) => os.goodIf)]),
    nameless: oses.some(({ nameless }) => nameless === true),
    isBad: oses.flatMap(({ isBadIf, isBadIfName }) => [
      ...(isBadIf === undefined ? [] : [{ of: 'ifDescr' as const, test: isBadIf }]),
      ...(isBadIfName === undefined ? [] : [{ of: 'ifName' as const, test: isBadIfName }]),
    ]),
  }
}

/** True if an interface becomes a port. One that is not present (`notPresent`: an empty slot) never does. */
export function isPort(
  filter: PortFilter,
  row: {
    readonly ifDescr: string
    readonly ifName: string
    readonly ifAlias: string
    readonly ifType: string
    readonly ifOperStatus: string | undefined
  },
): boolean {
  if (row.ifOperStatus === 'notPresent') return false
  const descr = row.ifDescr.toLowerCase()
  if (descr === '' && !filter.nameless) return false
  if (filter.goodIf.some((part) => descr.includes(part))) return true
  return !(
    filter.badIf.some((part) => descr.includes(part)) ||
    filter.badIfRegexp.some((expression) => expression.test(descr)) ||
    filter.badIfNameRegexp.some((expression) => expression.test(row.ifName)) ||
    filter.badIfAliasRegexp.some((expression) => expression.test(row.ifAlias)) ||
    filter.badIfOperStatus.includes((row.ifOperStatus ?? '').toLowerCase()) ||
    filter.badIfType.some((part) => row.ifType.includes(part)) ||
    filter.isBad.some(({ of, test }) => test(row[of]))
  )
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** Compiles `ng[0-9]+` and also `/^ng[0-9]+/i`, the form in which other systems store such rules. */
function compile(text: string): readonly Pattern[] {
  const delimited = /^\/(.*)\/[a-z]*$/.exec(text)
  const pattern = patternOf(delimited?.[1] ?? text, 'i')
  return pattern.error() === null ? [pattern] : []
}
