import { inNetwork, type Network, networkText, parseNetwork } from '@portlight/addresses/networks.ts'
import { invalid } from '../base/errors.ts'
import { hostCount, MAX_NETWORKS, MIN_PREFIX_4, MIN_PREFIX_6, overlaps } from './scan-plan.ts'

/** Networks as asked for. */
export interface CheckedNetworks {
  /** CIDR, inside of the own networks at least partly. */
  readonly inside: readonly string[]
  /** Wholly outside. */
  readonly outside: readonly string[]
}

/**
 * The networks to scan: those given, else all of the own ones. Throws `invalid`: a text that is no network, none to scan,
 * or one too large.
 */
export function checkNetworks(given: readonly string[], own: readonly string[], large: boolean): CheckedNetworks {
  if (own.length === 0)
    throw invalid(
      `Setting nets is empty, so no address may be asked. List your own networks there first, for example with: portlight config set nets '["10.20.0.0/16"]'`,
    )
  const parsed = own.map(parseNetwork).filter((network) => network !== null)
  // nobody asked for the large IPv6 networks among the own ones, whose devices are found as neighbours
  const asked = given.length === 0 ? parsed.filter((network) => !isTooLong(network)) : given.map(required)
  if (asked.length === 0)
    throw invalid(
      `Setting nets has only IPv6 networks with too many addresses to ask each: they are scanned from /${MIN_PREFIX_6} on. Devices in them are found as neighbours of those that are monitored`,
    )
  if (asked.length > MAX_NETWORKS)
    throw invalid(`A scan has at most ${MAX_NETWORKS} networks; ${asked.length} are given`)
  const inside: string[] = []
  const outside: string[] = []
  for (const network of asked) {
    const isInside = parsed.some((other) => overlaps(network, other))
    ;(isInside ? inside : outside).push(networkText(network))
    // of a larger network only what is in nets is asked
    if (isInside) for (const part of commonOf(network, parsed)) requireSize(part, large)
  }
  return { inside: [...new Set(inside)], outside }
}

/** The sentence for networks outside of setting nets. */
export function outsideText(networks: readonly string[]): string {
  const some = networks.slice(0, 10).join(', ')
  const are = networks.length === 1 ? 'is' : 'are'
  return `${some} ${are} not in setting nets, so no address there is asked: only your own networks are. Add it to setting nets if it is yours`
}

function required(text: string): Network {
  const network = parseNetwork(text)
  if (network === null) throw invalid(`${text.slice(0, 100)} is not a network such as 10.20.0.0/16, nor an address`)
  return network
}

function commonOf(network: Network, own: readonly Network[]): Network[] {
  if (own.some(({ octets, bits }) => bits <= network.bits && inNetwork(network.octets, { octets, bits })))
    return [network]
  return own.filter((other) => overlaps(network, other))
}

const isTooLong = ({ octets, bits }: Network): boolean => octets.length === 16 && bits < MIN_PREFIX_6

function requireSize(network: Network, large: boolean): void {
  const text = networkText(network)
  if (isTooLong(network))
    throw invalid(
      `${text} has too many addresses to ask each: IPv6 networks are scanned from /${MIN_PREFIX_6} on. Devices in it are found as neighbours of those that are monitored`,
    )
  if (network.octets.length === 4 && network.bits < MIN_PREFIX_4 && !large)
    throw invalid(
      `${text} has ${hostCount(network).toLocaleString('en')} addresses, which takes many hours. Give the parts that are in use, or ask for large networks explicitly (--large, "large": true)`,
    )
}
