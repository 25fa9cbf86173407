/** Rules which interfaces become no port: settings `good_if` and `bad_if*`, and what the OS's definition adds. */
export interface PortFilter {
  /** Parts of ifDescr, in any case. */
  readonly badIf: readonly string[]
  /** Regular expressions on ifDescr, in any case. */
  readonly badIfRegexp: readonly RegExp[]
  /** Regular expressions on ifName and on ifAlias, in any case. */
  readonly badIfNameRegexp: readonly RegExp[]
  readonly badIfAliasRegexp: readonly RegExp[]
  /** Values of ifOperStatus. */
  readonly badIfOperStatus: readonly string[]
  /** Parts of the IANAifType name. */
  readonly badIfType: readonly string[]
  /** Parts of ifDescr that make a port whatever the other rules say. */
  readonly goodIf: readonly string[]
  /** Interfaces without ifDescr and ifName become ports. */
  readonly nameless: boolean
}

/** What an OS definition says about its interfaces. */
export interface OsPortRules {
  readonly badIf?: readonly string[] | undefined
  readonly badIfRegexp?: readonly string[] | undefined
  readonly badIfType?: readonly string[] | undefined
  readonly goodIf?: readonly string[] | undefined
  readonly nameless?: boolean | undefined
}

/** The filter that settings and OS make together. An expression that does not compile is no rule. */
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

/** True when an interface becomes a port. An interface that is not there (`notPresent`: an empty slot) never does. */
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

/** Accepts `ng[0-9]+` as well as `/^ng[0-9]+/i`, the form in which other systems keep such rules. */
function compile(text: string): RegExp[] {
  const delimited = /^\/(.*)\/[a-z]*$/.exec(text)
  try {
    return [new RegExp(delimited?.[1] ?? text, 'i')]
  } catch {
    return []
  }
}
