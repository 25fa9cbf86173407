import { createHash } from 'node:crypto'
import { SnmpError } from '../errors.ts'

/**
 * Hash and truncated digest length (RFC 3414 §6, RFC 7860 §4) of each authentication protocol, by the names in
 * `SnmpTarget.authalgo`.
 */
export const AUTH_PROTOCOLS = {
  MD5: { hash: 'md5', digestOctets: 12 },
  SHA: { hash: 'sha1', digestOctets: 12 },
  'SHA-224': { hash: 'sha224', digestOctets: 16 },
  'SHA-256': { hash: 'sha256', digestOctets: 24 },
  'SHA-384': { hash: 'sha384', digestOctets: 32 },
  'SHA-512': { hash: 'sha512', digestOctets: 48 },
} as const
export type AuthProtocol = keyof typeof AUTH_PROTOCOLS

/** Key length of each privacy protocol, by the names in `SnmpTarget.cryptoalgo`, and how a short key is extended. */
export const PRIV_PROTOCOLS = {
  DES: { keyOctets: 16, extension: 'blumenthal' },
  AES: { keyOctets: 16, extension: 'blumenthal' },
  'AES-192': { keyOctets: 24, extension: 'blumenthal' },
  'AES-256': { keyOctets: 32, extension: 'blumenthal' },
  'AES-192-C': { keyOctets: 24, extension: 'reeder' },
  'AES-256-C': { keyOctets: 32, extension: 'reeder' },
} as const
export type PrivProtocol = keyof typeof PRIV_PROTOCOLS

/** The protocol with a stored name; throws SnmpError `unsupported`. */
export function authProtocol(name: string): AuthProtocol {
  if (Object.hasOwn(AUTH_PROTOCOLS, name)) return name as AuthProtocol
  throw new SnmpError('unsupported', `unknown authentication protocol ${name}`)
}

/** The protocol with a stored name; throws SnmpError `unsupported`. */
export function privProtocol(name: string): PrivProtocol {
  if (Object.hasOwn(PRIV_PROTOCOLS, name)) return name as PrivProtocol
  throw new SnmpError('unsupported', `unknown privacy protocol ${name}`)
}

const MEBIOCTET = 1 << 20

/** Ku of a password (RFC 3414 §A.2): the hash of the password repeated to a mebibyte. Takes a millisecond or more. */
export function passwordToKey(protocol: AuthProtocol, password: Uint8Array): Uint8Array {
  if (password.length === 0) throw new SnmpError('invalid', 'empty password')
  return createHash(AUTH_PROTOCOLS[protocol].hash).update(Buffer.alloc(MEBIOCTET, password)).digest()
}

/** Kul, the key localised for an engine (RFC 3414 §2.6). */
export function localizeKey(protocol: AuthProtocol, key: Uint8Array, engineID: Uint8Array): Uint8Array {
  return createHash(AUTH_PROTOCOLS[protocol].hash).update(key).update(engineID).update(key).digest()
}

/**
 * Kul extended to the cipher's key length by draft-blumenthal-aes-usm-04 §3.1.2.1, or by
 * draft-reeder-snmpv3-usm-3desede-00 §2.1 as Cisco does.
 */
export function extendKey(
  auth: AuthProtocol,
  priv: PrivProtocol,
  localized: Uint8Array,
  engineID: Uint8Array,
): Uint8Array {
  const { keyOctets, extension } = PRIV_PROTOCOLS[priv]
  let key = Buffer.from(localized)
  let segment = localized
  while (key.length < keyOctets) {
    segment =
      extension === 'reeder'
        ? localizeKey(auth, passwordToKey(auth, segment), engineID)
        : createHash(AUTH_PROTOCOLS[auth].hash).update(key).digest()
    key = Buffer.concat([key, segment])
  }
  return new Uint8Array(key.subarray(0, keyOctets))
}

/** Maximum number of cached keys; the oldest are dropped. */
const CACHE_ENTRIES = 20_000

/** Cache of derived keys: a password used for a whole fleet is hashed once, and polls derive nothing. */
export class KeyCache {
  private readonly keys = new Map<string, Uint8Array>()

  authKey(protocol: AuthProtocol, password: string, engineID: Uint8Array): Uint8Array {
    return this.remember(`a ${protocol} ${engineID.toHex()} ${password}`, () =>
      localizeKey(protocol, this.master(protocol, password), engineID),
    )
  }

  privKey(auth: AuthProtocol, priv: PrivProtocol, password: string, engineID: Uint8Array): Uint8Array {
    return this.remember(`p ${auth} ${priv} ${engineID.toHex()} ${password}`, () =>
      extendKey(auth, priv, localizeKey(auth, this.master(auth, password), engineID), engineID),
    )
  }

  private master(protocol: AuthProtocol, password: string): Uint8Array {
    return this.remember(`u ${protocol} ${password}`, () => passwordToKey(protocol, new TextEncoder().encode(password)))
  }

  private remember(name: string, make: () => Uint8Array): Uint8Array {
    const known = this.keys.get(name)
    if (known !== undefined) return known
    const key = make()
    if (this.keys.size >= CACHE_ENTRIES) {
      const [oldest] = this.keys.keys()
      if (oldest !== undefined) this.keys.delete(oldest)
    }
    this.keys.set(name, key)
    return key
  }
}
