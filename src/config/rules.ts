import { isIP } from 'node:net'
import { Pattern } from '@portlight/pattern/pattern.ts'
import { phpPatternError } from './php-pattern.ts'
import type { SettingName } from './schema.ts'
import { isOwnedSwitches, isSwitches } from './trees.ts'

/** A check beyond the type. Returns the allowed values if the value fails it. */
type Rule = (value: unknown) => string | undefined

/** Checks for individual settings beyond type and range. */
export const RULES: Partial<Record<SettingName, Rule>> = {
  listen: (value) => (isHost(value) ? undefined : 'an IP address or a host name'),
  database_listen: (value) => (value === '' || isHostPort(value) ? undefined : 'HOST:PORT, for example 127.0.0.1:5432'),
  database_url: (value) =>
    value === '' || isDatabaseUrl(value) ? undefined : 'a URL: postgres://USER:PASSWORD@HOST:PORT/DATABASE',
  database_read_url: (value) =>
    value === '' || isDatabaseUrl(value) ? undefined : 'a URL: postgres://USER:PASSWORD@HOST:PORT/DATABASE',
  'api.trusted_proxies': addressesOrNetworks,
  nets: addressesOrNetworks,
  'autodiscovery.nets-exclude': addressesOrNetworks,
  'autodiscovery.xdp_exclude.sysname_regexp': phpPatterns,
  'autodiscovery.xdp_exclude.sysdescr_regexp': phpPatterns,
  'autodiscovery.cdp_exclude.platform_regexp': phpPatterns,
  mydomain: (value) =>
    value === '' ||
    (typeof value === 'string' &&
      /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/i.test(value))
      ? undefined
      : 'a domain without a leading dot, for example example.net',
  'autodiscovery.networks': (value) => (isScannedNetworks(value) ? undefined : SCANNED_NETWORKS),
  'outgoing.allow': addressesOrNetworks,
  'alert.script_dirs': (value) => (eachText(value, (dir) => dir.startsWith('/')) ? undefined : 'absolute paths'),
  'auth.oidc.issuer': (value) =>
    value === '' || isIssuer(value)
      ? undefined
      : 'the URL of an issuer: https://HOST/PATH without /.well-known, http only on loopback',
  'auth.oidc.scopes': (value) =>
    String(value).split(' ').includes('openid') ? undefined : 'scopes separated by spaces, including openid',
  'auth.oidc.username_claim': (value) => (value === '' ? 'the name of a claim' : undefined),
  'auth.oidc.roles': (value) =>
    isRoleMap(value) ? undefined : 'a JSON object: {"VALUE": "ROLE"} or {"VALUE": ["ROLE", "ROLE"]}',
  role: rolesProblem,
  'poller.groups': (value) =>
    eachText(value, (id) => /^\d{1,9}$/.test(id)) ? undefined : 'ids of poller groups: comma-separated numbers',
  'snmp.version': (value) => oneOrMoreOf(value, ['v1', 'v2c', 'v3']),
  'snmp.transports': (value) => oneOrMoreOf(value, ['udp', 'udp6', 'tcp', 'tcp6']),
  'snmp.community': (value) => (eachText(value, (c) => c !== '') ? undefined : 'non-empty communities'),
  'snmp.v3': credentialSets,
  'graphing.availability': (value) =>
    Array.isArray(value) && value.every((w) => Number.isSafeInteger(w) && w > 0)
      ? undefined
      : 'a JSON array of seconds, each above 0',
  discovery_modules: (value) => (isSwitches(value) ? undefined : SWITCHES),
  poller_modules: (value) => (isSwitches(value) ? undefined : SWITCHES),
  os: (value) => (isOwnedSwitches(value) ? undefined : OWNED_SWITCHES),
  device_group: (value) => (isOwnedSwitches(value) ? undefined : OWNED_SWITCHES),
  'oxidized.url': (value) => (value === '' || isHttpUrl(value) ? undefined : 'a URL: http://HOST:PORT'),
  'oxidized.maps': (value) =>
    isMaps(value) ? undefined : 'a JSON object {member: {column: [{match or regex: text, value: text}]}}',
  'syslog.udp': optionalHostPort,
  'syslog.tcp': optionalHostPort,
  'syslog.tls': optionalHostPort,
  'traps.udp': optionalHostPort,
  'syslog.relays': addressesOrNetworks,
  'traps.relays': addressesOrNetworks,
  'traps.v3': credentialSets,
  syslog_xlate: (value) => (isTexts(value) ? undefined : 'a JSON object of strings'),
  bad_if_regexp: (value) => (eachText(value, isRegex) ? undefined : 'regular expressions in RE2 syntax'),
  bad_ifname_regexp: (value) => (eachText(value, isRegex) ? undefined : 'regular expressions in RE2 syntax'),
  bad_ifalias_regexp: (value) => (eachText(value, isRegex) ? undefined : 'regular expressions in RE2 syntax'),
}

/** The first pattern that does not compile, and why. */
function phpPatterns(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'regular expressions'
  for (const item of value) {
    const problem = phpPatternError(String(item))
    if (problem !== null)
      return `regular expressions that match in linear time; ${JSON.stringify(item)} is none: ${problem}`
  }
  return value.length > MAX_PATTERNS ? `at most ${MAX_PATTERNS} regular expressions` : undefined
}

const MAX_PATTERNS = 200

/** A remote poller has no database, which all other roles need. */
function rolesProblem(value: unknown): string | undefined {
  if (Array.isArray(value) && value.length === 1 && value[0] === 'remote-poller') return undefined
  return (
    oneOrMoreOf(value, ['all', 'api', 'poller', 'ingest']) &&
    'all, one or more of api, poller and ingest, or only remote-poller'
  )
}

function optionalHostPort(value: unknown): string | undefined {
  return value === '' || isHostPort(value) ? undefined : 'HOST:PORT, for example 0.0.0.0:514'
}

function addressesOrNetworks(value: unknown): string | undefined {
  return eachText(value, isAddressOrNetwork) ? undefined : 'IP addresses or networks'
}

function credentialSets(value: unknown): string | undefined {
  const fits = Array.isArray(value) && value.every(isCredentialSet)
  return fits ? undefined : `a JSON array of objects with string members ${CREDENTIALS.join(', ')}`
}

const SWITCHES = 'a JSON object {"MODULE": true or false}'
const OWNED_SWITCHES = 'a JSON object {"NAME": {"discovery_modules" or "poller_modules": {"MODULE": true or false}}}'

const SCANNED_NETWORKS =
  'a JSON object {"NETWORK": {"rate": 1 to 20000, "poller_group": an id, "every_hours": 1 to 8760, "port": 1 to 65535}}'

function isScannedNetworks(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const between = (number: unknown, min: number, max: number): boolean =>
    number === undefined || (Number.isSafeInteger(number) && Number(number) >= min && Number(number) <= max)
  return Object.entries(value).every(([network, options]) => {
    if (!isAddressOrNetwork(network) || typeof options !== 'object' || options === null) return false
    const { rate, poller_group, every_hours, port, ...others } = options as Record<string, unknown>
    const known = Object.keys(others).length === 0 && between(port, 1, 65_535)
    return known && between(rate, 1, 20_000) && between(poller_group, 0, 2_147_483_647) && between(every_hours, 1, 8760)
  })
}

const CREDENTIALS = ['authlevel', 'authname', 'authpass', 'authalgo', 'cryptopass', 'cryptoalgo']

function eachText(value: unknown, test: (text: string) => boolean): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && test(item))
}

function oneOrMoreOf(value: unknown, allowed: readonly string[]): string | undefined {
  const fits = Array.isArray(value) && value.length > 0 && value.every((item) => allowed.includes(item))
  return fits ? undefined : `one or more of ${allowed.join(', ')}`
}

function isHost(value: unknown): boolean {
  return typeof value === 'string' && (isIP(value) > 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value))
}

function isHostPort(value: unknown): boolean {
  const parts = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(String(value))
  return parts !== null && isHost(parts[1] ?? parts[2]) && Number(parts[3]) <= 65_535
}

function isDatabaseUrl(value: unknown): boolean {
  const url = URL.parse(String(value))
  return url !== null && (url.protocol === 'postgres:' || url.protocol === 'postgresql:')
}

function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

function isCredentialSet(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.entries(value).every(([name, text]) => CREDENTIALS.includes(name) && typeof text === 'string')
}

function isHttpUrl(value: unknown): boolean {
  const url = URL.parse(String(value))
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:')
}

/** OpenID Connect Discovery 1.0, section 2: https, no query, no fragment. On loopback http is allowed as well. */
function isIssuer(value: unknown): boolean {
  const url = URL.parse(String(value))
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') return false
  if (url.pathname.includes('/.well-known/')) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'))
}

function isRoleMap(value: unknown): boolean {
  if (!isObject(value) || Object.keys(value).length > MAX_MAPPED) return false
  return Object.values(value).every(
    (roles: unknown) => typeof roles === 'string' || (Array.isArray(roles) && eachText(roles, (role) => role !== '')),
  )
}

/** Maximum number of values of the roles claim that can be mapped. */
const MAX_MAPPED = 1000

function isMaps(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((columns) => isObject(columns) && eachRule(columns))
}

function eachRule(columns: object): boolean {
  return Object.values(columns).every(
    (rules: unknown) => Array.isArray(rules) && rules.every((rule: unknown) => isObject(rule) && isRule(rule)),
  )
}

function isRule(rule: object): boolean {
  const { match, regex, value } = rule as Readonly<Record<string, unknown>>
  if (typeof value !== 'string') return false
  if (typeof match === 'string') return regex === undefined
  return typeof regex === 'string' && isRegex(regex.replace(/^\/(.*)\/[imsu]*$/s, '$1'))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isTexts(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every((text) => typeof text === 'string')
}

function isRegex(text: string): boolean {
  return new Pattern(text).error() === null
}
