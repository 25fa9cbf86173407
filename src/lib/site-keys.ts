import { createPrivateKey, createPublicKey, diffieHellman, generateKeyPairSync, type KeyObject } from 'node:crypto'

/** X25519 key pair (RFC 7748) of one end: a remote poller or the centre. */
export interface SiteKey {
  readonly privateKey: KeyObject
  /** The public key in the form in which it is copied: `plk1_` and 32 octets in base64url. */
  readonly publicText: string
}

const PUBLIC_PREFIX = 'plk1_'
/** A public key as SubjectPublicKeyInfo consists of these octets and the 32 of the key (RFC 8410 §4). */
const SPKI_PREFIX = Buffer.from('302a300506032b656e032100', 'hex')

/** A key that cannot be used. `message` contains no key. */
export class SiteKeyError extends Error {
  override readonly name = 'SiteKeyError'
}

export function generateSiteKey(): SiteKey {
  return siteKeyOf(generateKeyPairSync('x25519').privateKey)
}

function siteKeyOf(privateKey: KeyObject): SiteKey {
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  return { privateKey, publicText: PUBLIC_PREFIX + spki.subarray(SPKI_PREFIX.length).toString('base64url') }
}

/** The private key as PEM (PKCS #8), for a file or column that only Portlight reads. */
export function privateText(key: SiteKey): string {
  return String(key.privateKey.export({ format: 'pem', type: 'pkcs8' }))
}

/** The key pair of a private key. Throws SiteKeyError. */
export function parsePrivateKey(pem: string): SiteKey {
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyType === 'x25519') return siteKeyOf(key)
  } catch {
    // the error may quote the key
  }
  throw new SiteKeyError('the private key is not an X25519 key in PEM')
}

/** Parses a public key in the form of `publicText`. Throws SiteKeyError. */
export function parsePublicKey(text: string): KeyObject {
  const octets = text.startsWith(PUBLIC_PREFIX) ? Buffer.from(text.slice(PUBLIC_PREFIX.length), 'base64url') : null
  if (octets === null || octets.length !== 32 || !/^[\w-]{43}$/.test(text.slice(PUBLIC_PREFIX.length)))
    throw new SiteKeyError('a public key is plk1_ followed by 43 letters, digits, - and _')
  return createPublicKey({ key: Buffer.concat([SPKI_PREFIX, octets]), format: 'der', type: 'spki' })
}

/** The secret that only the two ends can compute. Throws SiteKeyError for weak keys, with which anybody could. */
export function sharedSecret(own: SiteKey, peer: string): Buffer {
  const publicKey = parsePublicKey(peer)
  try {
    return diffieHellman({ privateKey: own.privateKey, publicKey })
  } catch {
    throw new SiteKeyError('the public key is weak and is refused')
  }
}

/** Names of remote pollers that are safe in subjects, streams, buckets and file names. */
const POLLER_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/

/** What is wrong with the name of a remote poller, as the end of a sentence; null: the name is valid. */
export function nameProblem(name: string): string | null {
  return POLLER_NAME.test(name) ? null : 'must be 1 to 32 letters, digits, - and _, beginning with a letter or digit'
}
