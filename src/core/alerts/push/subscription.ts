import { createPublicKey } from 'node:crypto'

/** A browser's subscription at its push service, as `PushSubscription.toJSON()` has it. */
export interface Subscription {
  /** URL of the push service at which the browser is reached; whoever knows it and the keys can send to the browser. */
  readonly endpoint: string
  readonly keys: {
    /** Public key of the browser, P-256, uncompressed (65 octets), Base64url. */
    readonly p256dh: string
    /** Secret of 16 octets for authentication (RFC 8291 §3.2), Base64url. */
    readonly auth: string
  }
}

const MAX_ENDPOINT = 2048
/** Characters of JSON that are looked at. */
const MAX_JSON = 8192

/**
 * The subscription in text from a browser; a string says why there is none. Push services are reached by HTTPS (RFC 8030
 * §2); which addresses they may have is checked when something is sent.
 */
export function readSubscription(text: string): Subscription | string {
  if (text.length > MAX_JSON) return 'The subscription of the browser is too long'
  const given = parsed(text)
  const keys = membersOf(given['keys'])
  const { endpoint } = given
  if (typeof endpoint !== 'string' || endpoint.length > MAX_ENDPOINT || URL.parse(endpoint)?.protocol !== 'https:')
    return 'The subscription of the browser has no https URL of a push service'
  const p256dh = octetsOf(keys['p256dh'])
  const auth = octetsOf(keys['auth'])
  if (p256dh === null || !isPoint(p256dh) || auth?.length !== 16)
    return 'The subscription of the browser has no keys with which messages can be encrypted'
  const url = new URL(endpoint)
  if (url.username !== '' || url.password !== '') return 'The URL of the push service contains a password'
  return { endpoint: url.href, keys: { p256dh: encoded(p256dh), auth: encoded(auth) } }
}

/** Whether these octets are a point of the curve P-256, uncompressed (SEC 1, section 2.3.3); to others nothing can be encrypted. */
function isPoint(octets: Uint8Array): boolean {
  if (octets.length !== 65 || octets[0] !== 4) return false
  const [x, y] = [encoded(octets.subarray(1, 33)), encoded(octets.subarray(33))]
  try {
    createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
    return true
  } catch {
    return false
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return membersOf(JSON.parse(text))
  } catch {
    return {}
  }
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

/** Octets of Base64url text with or without padding; null if it is none. */
function octetsOf(value: unknown): Uint8Array | null {
  if (typeof value !== 'string' || !/^[\w+/-]{1,200}={0,2}$/.test(value)) return null
  try {
    return Uint8Array.fromBase64(value.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_'), {
      alphabet: 'base64url',
    })
  } catch {
    return null
  }
}

const encoded = (octets: Uint8Array): string => octets.toBase64({ alphabet: 'base64url', omitPadding: true })
