import { createHmac, timingSafeEqual } from 'node:crypto'
import { AUTH_PROTOCOLS, type AuthProtocol } from './key.ts'

/** msgAuthenticationParameters for a whole message in which they are still zero (RFC 3414 §6.3.1, RFC 7860 §4.2). */
export function digest(protocol: AuthProtocol, key: Uint8Array, message: Uint8Array): Uint8Array {
  const { hash, digestOctets } = AUTH_PROTOCOLS[protocol]
  return createHmac(hash, key).update(message).digest().subarray(0, digestOctets)
}

/**
 * True when `message[start, end)` is the digest of the message with zeros in its place. Leaves the message unchanged.
 */
export function verifyDigest(
  protocol: AuthProtocol,
  key: Uint8Array,
  message: Uint8Array,
  start: number,
  end: number,
): boolean {
  if (end - start !== AUTH_PROTOCOLS[protocol].digestOctets) return false
  const received = message.slice(start, end)
  message.fill(0, start, end)
  const computed = digest(protocol, key, message)
  message.set(received, start)
  return timingSafeEqual(computed, received)
}
