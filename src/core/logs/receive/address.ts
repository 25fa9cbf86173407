import { isIPv6 } from 'node:net'

/**
 * An address in the one form that is compared: IPv6 compressed as in RFC 5952, without the interface of a link-local
 * address; an IPv4-mapped one, as IPv6 sockets report for IPv4 senders, as IPv4. Any other text in lower case.
 */
export function plainAddress(text: string): string {
  const address = text.toLowerCase().replace(/%.*$/, '')
  if (!isIPv6(address)) return text.toLowerCase()
  const plain = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(plain)
  if (mapped === null) return plain
  const [high, low] = [Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
