/**
 * An IPv4 address in dotted decimal as a number (0 … 2^32-1), or null when the text is not exactly four decimal octets.
 * Leading zeros are refused, because programs disagree on whether they mean octal.
 */
export function parseIpv4(text: string): number | null {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)
  if (match === null) return null
  let number = 0
  for (let i = 1; i <= 4; i++) {
    const part = match[i] ?? ''
    const octet = Number(part)
    if (octet > 255 || (part.length > 1 && part.startsWith('0'))) return null
    number = number * 256 + octet
  }
  return number
}

/** Dotted decimal of a number 0 … 2^32-1. */
export function formatIpv4(number: number): string {
  return `${(number >>> 24) & 255}.${(number >>> 16) & 255}.${(number >>> 8) & 255}.${number & 255}`
}

/** Prefix length of a mask in dotted decimal, or null when its one bits are not contiguous. */
export function prefixOfMask(mask: string): number | null {
  const number = parseIpv4(mask)
  if (number === null) return null
  const length = Math.clz32(~number)
  return (length === 0 ? 0 : (-1 << (32 - length)) >>> 0) === number ? length : null
}

/** The class A, B or C prefix length of an address (RFC 791 §3.2), else 32. For agents that report no mask. */
export function classfulPrefix(address: number): number {
  const first = address >>> 24
  if (first < 128) return 8
  if (first < 192) return 16
  return first < 224 ? 24 : 32
}

/** Network of an IPv4 address as CIDR text, for example `10.1.2.0/24`. `prefixLen` is 0 … 32. */
export function ipv4Network(address: number, prefixLen: number): string {
  const mask = prefixLen === 0 ? 0 : (-1 << (32 - prefixLen)) >>> 0
  return `${formatIpv4((address & mask) >>> 0)}/${prefixLen}`
}

/** The 16 octets of an IPv6 address in any form of RFC 4291 §2.2, or null. A zone (`%eth0`) is refused. */
export function parseIpv6(text: string): Uint8Array | null {
  const halves = text.split('::')
  if (halves.length > 2) return null
  const head = groupsOf(halves[0] ?? '', halves.length === 1)
  const tail = halves.length === 2 ? groupsOf(halves[1] ?? '', true) : []
  if (head === null || tail === null) return null
  const missing = 8 - head.length - tail.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null
  const groups = [...head, ...new Array<number>(halves.length === 2 ? missing : 0).fill(0), ...tail]
  const bytes = new Uint8Array(16)
  groups.forEach((group, i) => {
    bytes[i * 2] = group >> 8
    bytes[i * 2 + 1] = group & 255
  })
  return bytes
}

/** Groups on one side of `::`; a dotted quad counts as two, but only at the end of the address. */
function groupsOf(text: string, isEnd: boolean): number[] | null {
  if (text === '') return []
  const groups: number[] = []
  const parts = text.split(':')
  for (const [i, part] of parts.entries()) {
    if (part.includes('.')) {
      const quad = isEnd && i === parts.length - 1 ? parseIpv4(part) : null
      if (quad === null) return null
      groups.push(quad >>> 16, quad & 0xffff)
    } else if (/^[0-9a-f]{1,4}$/i.test(part)) {
      groups.push(Number.parseInt(part, 16))
    } else {
      return null
    }
  }
  return groups
}

/** An IPv6 address (16 octets) as eight groups of four lower-case digits: `2001:0db8:0000:…`. */
export function expandIpv6(bytes: Uint8Array): string {
  return (bytes.toHex().match(/.{4}/g) ?? []).join(':')
}

/**
 * An IPv6 address (16 octets) as RFC 5952 text: lower case, no leading zeros, the longest run of two or more zero
 * groups (the first of equally long ones) as `::`.
 */
export function formatIpv6(bytes: Uint8Array): string {
  const groups: number[] = []
  for (let i = 0; i < 16; i += 2) groups.push(((bytes[i] ?? 0) << 8) | (bytes[i + 1] ?? 0))
  let best = -1
  let bestLength = 1
  for (let i = 0; i < 8; i++) {
    let length = 0
    while (i + length < 8 && groups[i + length] === 0) length++
    if (length > bestLength) {
      best = i
      bestLength = length
    }
    i += length
  }
  const hex = groups.map((group) => group.toString(16))
  if (best < 0) return hex.join(':')
  return `${hex.slice(0, best).join(':')}::${hex.slice(best + bestLength).join(':')}`
}

/** An IPv4 or IPv6 address of 4 or 16 octets as text; null for other lengths. */
export function formatIp(octets: Uint8Array | undefined): string | null {
  if (octets?.length === 4) return octets.join('.')
  return octets?.length === 16 ? formatIpv6(octets) : null
}

/** Network of an IPv6 address as CIDR text in RFC 5952 form. Takes 16 octets and a prefix of 0 … 128. */
export function ipv6Network(bytes: Uint8Array, prefixLen: number): string {
  const network = bytes.map((octet, i) => {
    const bits = Math.min(8, Math.max(0, prefixLen - i * 8))
    return octet & (0xff << (8 - bits))
  })
  return `${formatIpv6(network)}/${prefixLen}`
}

/** True for fe80::/10, which is meaningful only on its link (RFC 4291 §2.5.6). */
export function isIpv6LinkLocal(bytes: Uint8Array): boolean {
  return bytes[0] === 0xfe && ((bytes[1] ?? 0) & 0xc0) === 0x80
}
