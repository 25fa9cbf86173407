import type { Network } from './networks.ts'

/** Whether an address, as 4 or 16 octets, is in one of some networks. */
export type NetworkSet = (octets: Uint8Array) => boolean

/** The set of all addresses in the networks. Looking one up takes a step for each distinct prefix length. */
export function createNetworkSet(networks: readonly Network[]): NetworkSet {
  const byLength = new Map<number, Map<number, Set<string>>>()
  for (const { octets, bits } of networks) {
    const byBits = byLength.get(octets.length) ?? new Map<number, Set<string>>()
    byLength.set(octets.length, byBits)
    const known = byBits.get(bits) ?? new Set<string>()
    byBits.set(bits, known.add(prefixOf(octets, bits)))
  }
  return (octets) => {
    for (const [bits, prefixes] of byLength.get(octets.length) ?? []) {
      if (prefixes.has(prefixOf(octets, bits))) return true
    }
    return false
  }
}

/** The first `bits` bits of an address as hex digits; the others are zero. */
function prefixOf(octets: Uint8Array, bits: number): string {
  const kept = octets.slice(0, Math.ceil(bits / 8))
  const rest = bits % 8
  if (rest > 0) kept[kept.length - 1] = (kept.at(-1) ?? 0) & (0xff << (8 - rest))
  return kept.toHex()
}
