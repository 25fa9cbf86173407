import { formatIpv4 } from '@portlight/addresses/ip.ts'
import { addressText, inNetwork, type Network, parseNetwork } from '@portlight/addresses/networks.ts'
import type { Settings } from '../../config/schema.ts'
import { apartOf } from './network-options.ts'

/** Shortest prefix of an IPv4 network that is scanned without being asked for, and of an IPv6 network that is scanned at all. */
export const MIN_PREFIX_4 = 16
export const MIN_PREFIX_6 = 112
/** Maximum number of networks of one scan. */
export const MAX_NETWORKS = 1000

/** Addresses that follow each other. `start` is the last 32 bits of the first one; `prefix` the bits before, empty for IPv4. */
interface Range {
  readonly prefix: Uint8Array
  readonly start: number
  readonly size: number
}

/**
 * Addresses of a scan in a fixed order, so that it can go on from a position. They are spread: the first of each block
 * of 256, then the second of each, and so on, so that no subnet gets all the requests at once.
 */
export interface ScanPlan {
  /** Addresses to ask, and addresses left out because they are outside nets or inside autodiscovery.nets-exclude. */
  readonly total: number
  readonly excluded: number
  /** Positions run from 0 to here; some have no address. */
  readonly positions: number
  at(position: number): string | null
  /** The excluded addresses, one by one up to `most` of them, then by network. */
  excludedAddresses(most: number): string[]
}

/** CIDR texts or addresses. */
export interface PlanInput {
  readonly networks: readonly string[]
  /** Only what is in these is asked. */
  readonly own: readonly string[]
  readonly exclude: readonly string[]
  /** Parts that another scan asks; they are not counted either. */
  readonly apart?: readonly string[]
}

/** The addresses of a scan that may be asked now, by the present settings. */
export function planOf(settings: Settings, networks: readonly string[]): ScanPlan {
  return createScanPlan({
    ...{ networks, own: settings.get('nets'), exclude: settings.get('autodiscovery.nets-exclude') },
    apart: apartOf(settings, networks),
  })
}

/** Texts that are no network are skipped. */
export function createScanPlan({ networks, own, exclude, apart = [] }: PlanInput): ScanPlan {
  const given = distinct(parsed(networks))
  const mine = distinct(parsed(own))
  const inside = distinct(given.flatMap((network) => common(network, mine)))
  const without = distinct(parsed(exclude))
  const others = distinct(parsed(apart))
  const cuts = [...without, ...others]
  const ranges = inside.flatMap((network) => subtract(hostsOf(network), overlapping(cuts, network)))
  const left = leftOut(given, inside, without).flatMap((range) => subtract(range, others))
  const firstBlocks: number[] = []
  let blocks = 0
  for (const { size } of ranges) {
    firstBlocks.push(blocks)
    blocks += Math.ceil(size / BLOCK)
  }
  const rounds = Math.min(
    BLOCK,
    ranges.reduce((most, { size }) => Math.max(most, size), 0),
  )
  return {
    total: sum(ranges),
    excluded: sum(left),
    positions: blocks * rounds,
    at(position) {
      const block = position % blocks
      const which = lastNotAbove(firstBlocks, block)
      const range = ranges[which]
      if (range === undefined) return null
      const offset = (block - (firstBlocks[which] ?? 0)) * BLOCK + Math.floor(position / blocks)
      return offset < range.size ? addressAt(range, offset) : null
    },
    excludedAddresses(most) {
      const texts: string[] = []
      for (const range of left) {
        if (texts.length + range.size > most)
          texts.push(`${addressAt(range, 0)} to ${addressAt(range, range.size - 1)}`)
        else for (let i = 0; i < range.size; i++) texts.push(addressAt(range, i))
        if (texts.length > most) break
      }
      return texts
    },
  }
}

const BLOCK = 256

/** Number of addresses of a network as they would be scanned; Infinity: more than can be counted. */
export function hostCount({ octets, bits }: Network): number {
  return octets.length === 16 && bits < 96 ? Number.POSITIVE_INFINITY : hostsOf({ octets, bits }).size
}

/** Whether some address is in both. */
export function overlaps(a: Network, b: Network): boolean {
  return a.bits >= b.bits ? inNetwork(a.octets, b) : inNetwork(b.octets, a)
}

/**
 * All addresses, but without the network's own and the broadcast address of IPv4 networks, and the anycast address of
 * IPv6 networks (RFC 4291 §2.6.1). Networks of two addresses have two (RFC 3021, RFC 6164).
 */
function hostsOf({ octets, bits }: Network): Range {
  const isV4 = octets.length === 4
  const hostBits = octets.length * 8 - bits
  const size = 2 ** hostBits
  const prefix = octets.slice(0, octets.length - 4)
  const low = lowBits(octets)
  const start = hostBits >= 32 ? 0 : low - (low % size)
  if (hostBits < 2) return { prefix, start, size }
  return { prefix, start: start + 1, size: size - (isV4 ? 2 : 1) }
}

function parsed(texts: readonly string[]): Network[] {
  return texts.map(parseNetwork).filter((network) => network !== null)
}

/** The networks without those inside of others. */
function distinct(networks: readonly Network[]): Network[] {
  const kept: Network[] = []
  for (const network of networks.toSorted((a, b) => a.bits - b.bits))
    if (!kept.some((other) => other.bits <= network.bits && inNetwork(network.octets, other))) kept.push(network)
  return kept
}

function overlapping(networks: readonly Network[], network: Network): Network[] {
  return networks.filter((other) => overlaps(other, network))
}

/** What a network has in common with others. */
function common(network: Network, others: readonly Network[]): Network[] {
  return overlapping(others, network).map((other) => (other.bits > network.bits ? other : network))
}

/** A range without what is in the networks. */
function subtract(range: Range, networks: readonly Network[]): Range[] {
  const cuts = networks.map((network) => wholeOf(network, range.prefix)).filter((cut) => cut !== null)
  return minus(range, cuts)
}

/** A range without others with the same prefix. */
function minus(range: Range, cuts: readonly Range[]): Range[] {
  let rest: Range[] = [range]
  for (const cut of cuts) {
    rest = rest.flatMap((part) => {
      const end = part.start + part.size
      const from = Math.max(part.start, cut.start)
      const to = Math.min(end, cut.start + cut.size)
      if (from >= to) return [part]
      return [
        { ...part, size: from - part.start },
        { ...part, start: to, size: end - to },
      ].filter(({ size }) => size > 0)
    })
  }
  return rest
}

/** The addresses of a network among those with a prefix; null: none. */
function wholeOf({ octets, bits }: Network, prefix: Uint8Array): Range | null {
  if (octets.length !== prefix.length + 4) return null
  const prefixBits = prefix.length * 8
  if (!inNetwork(octets.slice(0, prefix.length), { octets: prefix, bits: Math.min(bits, prefixBits) })) return null
  if (bits <= prefixBits) return { prefix, start: 0, size: 2 ** 32 }
  const size = 2 ** (prefixBits + 32 - bits)
  const low = lowBits(octets)
  return { prefix, start: size === 2 ** 32 ? 0 : low - (low % size), size }
}

/** Addresses of the given networks that are not asked: outside of the own ones, or in those left out. */
function leftOut(given: readonly Network[], inside: readonly Network[], without: readonly Network[]): Range[] {
  return given.flatMap((network) => {
    if (network.octets.length === 16 && network.bits < 96) return []
    const within = overlapping(inside, network)
    const hosts = hostsOf(network)
    return [
      ...subtract(hosts, within),
      ...within.flatMap((other) => {
        const own = hostsOf(other)
        return minus(own, subtract(own, overlapping(without, other)))
      }),
    ]
  })
}

const sum = (ranges: readonly Range[]): number => ranges.reduce((all, { size }) => all + size, 0)

/** Index of the last number that is not above `value`, in ascending order; -1: none. */
function lastNotAbove(numbers: readonly number[], value: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The last 32 bits. */
function lowBits(octets: Uint8Array): number {
  return new DataView(octets.buffer, octets.byteOffset + octets.length - 4, 4).getUint32(0)
}

function addressAt({ prefix, start }: Range, offset: number): string {
  // a scan asks for each of its addresses; buffers for IPv4 would be most of what it leaves to be collected
  if (prefix.length === 0) return formatIpv4(start + offset)
  const octets = new Uint8Array(prefix.length + 4)
  octets.set(prefix)
  new DataView(octets.buffer).setUint32(prefix.length, start + offset)
  return addressText(octets)
}
