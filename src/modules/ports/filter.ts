import { Pattern } from '../../lib/pattern.ts'
/** Rules for interfaces that do not become ports: settings `good_if` and `bad_if*`, and those of the OS definition. */
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
  /** Substrings of ifDescr that make a port regardless of the other rules. */
  readonly goodIf: readonly string[]
  /** Interfaces without ifDescr and ifName become ports. */
  readonly nameless: boolean
}

/** Interface rules of an OS definition. */
export interface OsPortRules {
  readonly badIf?: readonly string[] | undefined
  readonly badIfRegexp?: readonly string[] | undefined
  readonly badIfType?: readonly string[] | undefined
  readonly goodIf?: readonly string[] | undefined
  readonly nameless?: boolean | undefined
}

/** The filter from settings and OS definition together. Expressions that do not compile are ignored. */
export function portFilter(settings: Readonly<Record<string, unknown>>, os: OsPortRules): PortFilter {
  const lower = (texts: readonly string[]) => texts.filter((text) => text !== '').map((text) => text.toLowerCase())
  return {
    badIf: lower([...texts(settings['bad_if']), ...(os.badIf ?? [])]),
    badIfRegexp: [...texts(settings['bad_if_regexp']), ...(os.badIfRegexp ?? [])].flatMap(compile),
    badIfNameRegexp: texts(settings['bad_ifname_regexp']).flatMap(compile),
    badIfAliasRegexp: texts(settings['bad_ifalias_regexp']).flatMap(compile),
    badIfOperStatus: lower(texts(settings['bad_ifoperstatus'])),
    badIfType: [...texts(settings['bad_iftype']), ...(os.badIfType ?? [])].filter((text) => text !== ''),
    goodIf: lower([...texts(settings['good_if']), ...(os.goodIf ?? [])]),
    nameless: os.nameless ?? false,
  }
}

/** True if an interface becomes a port. One that is not there (`notPresent`: an empty slot) never does. */
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
    filter.badIfType.some((part) => row.ifType.includes(part))
  )
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** Accepts `ng[0-9]+` and also `/^ng[0-9]+/i`, the form in which other systems store such rules. */
function compile(text: string): Pattern[] {
  const delimited = /^\/(.*)\/[a-z]*$/.exec(text)
  const compiled = new Pattern(delimited?.[1] ?? text)
  return compiled.error() === null ? [compiled] : []
}
