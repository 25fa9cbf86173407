/** The octets of an IPv4 or IPv6 address; null for any other text. A zone (`%eth0`) is not supported. */
export function addressOctets(address: string): Uint8Array | null {
  return address.includes(':') ? ipv6Octets(address) : ipv4Octets(address)
}

function ipv4Octets(address: string): Uint8Array | null {
  const parts = address.split('.')
  if (parts.length !== 4 || !parts.every((p) => /^\d{1,3}$/.test(p) && Number(p) < 256)) return null
  return Uint8Array.from(parts, Number)
}

function ipv6Octets(address: string): Uint8Array | null {
  // the URL parser accepts every notation and returns RFC 5952 form
  const host = /^[0-9a-f:.]+$/i.test(address) ? URL.parse(`http://[${address}]/`)?.hostname : undefined
  if (host === undefined) return null
  const [head = '', tail] = host.slice(1, -1).split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups = [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right]
  return Uint8Array.from(groups.flatMap((g) => [Number.parseInt(g, 16) >> 8, Number.parseInt(g, 16) & 255]))
}
