import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** A certificate with its key, PEM. */
interface Certificate {
  readonly cert: string
  readonly key: string
}

const TAG = { integer: 0x02, bits: 0x03, oid: 0x06, utf8: 0x0c, utcTime: 0x17, sequence: 0x30, set: 0x31 } as const
/** Explicitly tagged version of a TBSCertificate (RFC 5280 §4.1.2.1). */
const VERSION = 0xa0
const V3 = 2
/** Object identifiers as DER contents. */
const COMMON_NAME = Uint8Array.of(0x55, 4, 3)
const ECDSA_WITH_SHA256 = Uint8Array.of(0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2)
const SERIAL_OCTETS = 8
const DAY_MS = 86_400_000

/**
 * A self-signed certificate (RFC 5280) with a new P-256 key. Times are Unix ms, before 2050 because they are written as
 * UTCTime.
 */
export function selfSigned(name: string, fromMs: number, toMs: number): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const who = sequence(der(TAG.set, sequence(der(TAG.oid, COMMON_NAME), der(TAG.utf8, new TextEncoder().encode(name)))))
  const algorithm = sequence(der(TAG.oid, ECDSA_WITH_SHA256))
  const serial = crypto.getRandomValues(new Uint8Array(SERIAL_OCTETS))
  // positive, and without a leading zero
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40
  const body = sequence(
    der(VERSION, der(TAG.integer, Uint8Array.of(V3))),
    der(TAG.integer, serial),
    algorithm,
    who,
    sequence(utcTime(fromMs), utcTime(toMs)),
    who,
    new Uint8Array(publicKey.export({ type: 'spki', format: 'der' })),
  )
  return { cert: pem('CERTIFICATE', sequence(body, algorithm, signature(body, privateKey))), key: keyPem(privateKey) }
}

/** When the demo's certificate ends, Unix ms: at the fifth midnight (UTC) from now on. */
export const endOf = (nowMs: number): number => (Math.floor(nowMs / DAY_MS) + 5) * DAY_MS

function signature(body: Uint8Array, key: KeyObject): Uint8Array {
  const octets = new Uint8Array(sign('sha256', body, key))
  // no unused bits
  return der(TAG.bits, Uint8Array.of(0), octets)
}

const keyPem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString()

function pem(label: string, octets: Uint8Array): string {
  const lines = octets.toBase64().match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}

const sequence = (...parts: readonly Uint8Array[]): Uint8Array => der(TAG.sequence, ...parts)

/** `YYMMDDhhmmssZ`. */
function utcTime(ms: number): Uint8Array {
  const digits = new Date(ms).toISOString().replaceAll(/\D/g, '').slice(2, 14)
  return der(TAG.utcTime, new TextEncoder().encode(`${digits}Z`))
}

/** Tag, length and contents (X.690); contents below 64 KiB. */
function der(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const head =
    length < 0x80 ? [tag, length] : length < 0x100 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 0xff]
  const octets = new Uint8Array(head.length + length)
  octets.set(head)
  let at = head.length
  for (const part of parts) {
    octets.set(part, at)
    at += part.length
  }
  return octets
}
