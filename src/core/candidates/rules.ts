import { createNetworkSet } from '@portlight/addresses/network-set.ts'
import { addressOctets, inNetwork, networkText, parseNetwork } from '@portlight/addresses/networks.ts'
import type { Pattern } from '@portlight/pattern/pattern.ts'
import { phpPattern, phpPatternError } from '../../config/php-pattern.ts'
import { invalid } from '../base/errors.ts'
import type { CandidateRule } from './candidate.ts'
import { LIMITS, tidy } from './limits.ts'
import type { SourceKind } from './observed-host.ts'
import { SOURCE_KINDS } from './words.ts'
import type { RuleBody } from './write-rules.ts'

/** What rules compare. */
export interface RuleSubject {
  readonly address: string | null
  readonly os: string
  readonly sysName: string | null
  readonly platform: string | null
  readonly protocol: SourceKind
}

/** The first rule that fits; null: none does. */
export function fittingRule(rules: readonly CandidateRule[], subject: RuleSubject): CandidateRule | null {
  return rules.find((rule) => fits(rule, subject)) ?? null
}

function fits({ network, os, sysName, platform, protocol }: CandidateRule, subject: RuleSubject): boolean {
  if (network !== undefined && !isInside(network, subject.address)) return false
  if (os !== undefined && os !== subject.os) return false
  if (protocol !== undefined && protocol !== subject.protocol) return false
  if (sysName !== undefined && !patternOf(sysName).test(subject.sysName ?? '')) return false
  return platform === undefined || patternOf(platform).test(subject.platform ?? '')
}

/** Compiled patterns of rules, because a scan compares thousands of hosts with the same rules. */
const patterns = new Map<string, Pattern>()

function patternOf(text: string): Pattern {
  const known = patterns.get(text)
  if (known !== undefined) return known
  if (patterns.size >= 2 * LIMITS.rules) patterns.clear()
  const pattern = phpPattern(text)
  patterns.set(text, pattern)
  return pattern
}

function isInside(network: string, address: string | null): boolean {
  const [net, octets] = [parseNetwork(network), address === null ? null : addressOctets(address)]
  return net !== null && octets !== null && inNetwork(octets, net)
}

/** Whether the address is in one of the networks. */
export const isInAny = (networks: readonly string[], address: string): boolean =>
  networks.some((network) => isInside(network, address))

/** The same for many addresses: the networks are read once. */
export function insideOf(networks: readonly string[]): (address: string) => boolean {
  const isInside = createNetworkSet(networks.map(parseNetwork).filter((network) => network !== null))
  return (address) => {
    const octets = addressOctets(address)
    return octets !== null && isInside(octets)
  }
}

/** The rule in words: `ignore: network 10.0.9.0/24, protocol cdp`. */
export function ruleText({ action, network, os, sysName, platform, protocol }: RuleBody): string {
  const parts = [
    network === undefined ? null : `network ${network}`,
    os === undefined ? null : `OS ${os}`,
    sysName === undefined ? null : `name ${sysName}`,
    platform === undefined ? null : `platform ${platform}`,
    protocol === undefined ? null : `found by ${protocol}`,
  ].filter((part) => part !== null)
  return `${action}: ${parts.length === 0 ? 'everything' : parts.join(', ')}`
}

/** The rule in the form that is stored. Throws `invalid` with what is wrong. */
export function checkedRule(given: RuleBody): RuleBody {
  if (given.action !== 'accept' && given.action !== 'ignore') throw invalid("A rule's action is accept or ignore")
  const network = tidy(given.network)
  const protocol = tidy(given.protocol)?.toLowerCase()
  if (protocol !== undefined && !SOURCE_KINDS.some((kind) => kind === protocol))
    throw invalid(`${protocol} is not one of ${SOURCE_KINDS.join(', ')}`)
  for (const [name, pattern] of [
    ['sysName', given.sysName],
    ['platform', given.platform],
  ] as const) {
    const problem = pattern === undefined ? null : pattern.includes('\0') ? 'it has a NUL' : phpPatternError(pattern)
    if (problem !== null)
      throw invalid(`${name}: ${JSON.stringify(pattern)} is not a linear regular expression: ${problem}`)
  }
  return {
    action: given.action,
    network: network === null ? undefined : wholeNetwork(network),
    os: tidy(given.os) ?? undefined,
    sysName: given.sysName,
    platform: given.platform,
    protocol,
  }
}

/** `10.0.9.7/24` becomes `10.0.9.0/24`; an address a network of its own. */
export function wholeNetwork(text: string): string {
  const network = parseNetwork(text)
  if (network === null) throw invalid(`${text} is not a network, such as 10.0.9.0/24`)
  return networkText(network)
}
