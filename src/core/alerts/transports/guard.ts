import { addressOctets, inNetwork, type Network, parseNetwork } from '@portlight/addresses/networks.ts'

/** Which addresses notifications may be sent to. */
export interface AddressRules {
  /** Always allowed. */
  readonly allow: readonly Network[]
  /** Whether private addresses are allowed: RFC 1918, RFC 6598, RFC 4193. */
  readonly private: boolean
}

const networks = (...texts: readonly string[]): Network[] =>
  texts.map(parseNetwork).filter((network) => network !== null)

/** Refused networks by name: IANA's special-purpose registries (RFC 6890) and cloud metadata services. */
const REFUSED: readonly (readonly [name: string, networks: readonly Network[]])[] = [
  ['loopback', networks('127.0.0.0/8', '::1')],
  ['unspecified', networks('0.0.0.0/8', '::')],
  [
    'metadata',
    networks(
      '169.254.169.254',
      '100.100.100.200',
      '168.63.129.16',
      '192.0.0.192',
      'fd00:ec2::/32',
      'fd20:ce::254',
      'fd00:c1::a9fe:a9fe',
    ),
  ],
  ['link-local', networks('169.254.0.0/16', 'fe80::/10')],
  ['multicast', networks('224.0.0.0/4', 'ff00::/8')],
  ['reserved', networks('192.0.0.0/24', '240.0.0.0/4', 'fec0::/10', '100::/64')],
]

const PRIVATE = networks('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7')

/** IPv6 networks whose addresses contain an IPv4 address, and the octet where it begins. */
const EMBEDDING: readonly (readonly [network: Network | undefined, at: number])[] = [
  [networks('::ffff:0:0/96')[0], 12], // IPv4-mapped, RFC 4291
  [networks('::ffff:0:0:0/96')[0], 12], // IPv4-translated, RFC 2765
  [networks('::/96')[0], 12], // IPv4-compatible, RFC 4291
  [networks('64:ff9b::/96')[0], 12], // NAT64, RFC 6052
  [networks('64:ff9b:1::/48')[0], 12], // NAT64 with a local prefix, RFC 8215
  [networks('2002::/16')[0], 2], // 6to4, RFC 3056
]
/** Teredo (RFC 4380) embeds the address of a server and the inverted address of a client; no receiver has one. */
const TEREDO = networks('2001::/32')

/**
 * Why notifications must not be sent to an address; null if they may. An IPv4 address embedded in an IPv6 address is
 * treated like the IPv4 address.
 */
export function addressRefusal(address: string, rules: AddressRules): string | null {
  const octets = addressOctets(address)
  if (octets === null) return 'not an IP address'
  return refusal(octets, rules)
}

function refusal(octets: Uint8Array, rules: AddressRules): string | null {
  if (rules.allow.some((network) => inNetwork(octets, network))) return null
  const [name] = REFUSED.find(([, list]) => list.some((network) => inNetwork(octets, network))) ?? []
  if (name !== undefined) return name
  const [, at] = EMBEDDING.find(([network]) => network !== undefined && inNetwork(octets, network)) ?? []
  if (at !== undefined) return refusal(octets.subarray(at, at + 4), rules)
  if (TEREDO.some((network) => inNetwork(octets, network))) return 'Teredo'
  if (!rules.private && PRIVATE.some((network) => inNetwork(octets, network))) return 'private'
  return null
}

/** The rules from settings `outgoing.allow` and `outgoing.private`. */
export function addressRules(allow: readonly string[], privateToo: boolean): AddressRules {
  return { allow: networks(...allow), private: privateToo }
}
