import { createDecipheriv, createECDH, createPublicKey, hkdfSync, verify } from 'node:crypto'
import type { Subscription } from '../../../../src/core/alerts/push/subscription.ts'

const base64url = (octets: Uint8Array) => octets.toBase64({ alphabet: 'base64url', omitPadding: true })
const octetsOf = (text: string) => Uint8Array.fromBase64(text, { alphabet: 'base64url' })
const utf8 = (text: string) => new TextEncoder().encode(text)
const joined = (...parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts))

/** What a browser does: makes keys, and decrypts messages (RFC 8291, aes128gcm of RFC 8188). */
export function startBrowser(endpoint: string) {
  const pair = createECDH('prime256v1')
  const own = new Uint8Array(pair.generateKeys())
  const auth = crypto.getRandomValues(new Uint8Array(16))
  const subscription: Subscription = { endpoint, keys: { p256dh: base64url(own), auth: base64url(auth) } }
  return {
    subscription,
    decrypt(body: Uint8Array): string {
      const salt = body.subarray(0, 16)
      const idLength = body[20] ?? 0
      const sender = body.subarray(21, 21 + idLength)
      const secret = new Uint8Array(pair.computeSecret(sender))
      const info = joined(utf8('WebPush: info\0'), own, sender)
      const ikm = new Uint8Array(hkdfSync('sha256', secret, auth, info, 32))
      const key = new Uint8Array(hkdfSync('sha256', ikm, salt, utf8('Content-Encoding: aes128gcm\0'), 16))
      const nonce = new Uint8Array(hkdfSync('sha256', ikm, salt, utf8('Content-Encoding: nonce\0'), 12))
      const sealed = body.subarray(21 + idLength)
      const cipher = createDecipheriv('aes-128-gcm', key, nonce)
      cipher.setAuthTag(sealed.subarray(-16))
      const plain = joined(cipher.update(sealed.subarray(0, -16)), cipher.final())
      // the last record ends with a delimiter of 2, and zeros
      return new TextDecoder().decode(plain.subarray(0, plain.lastIndexOf(2)))
    },
  }
}

/** The claims of a VAPID header (RFC 8292), whose signature is checked; null: it does not fit the key. */
export function vapidClaims(header: string, publicKey: string): Readonly<Record<string, unknown>> | null {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(\S+)$/.exec(header) ?? []
  if (key !== publicKey) return null
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = octetsOf(key)
  const jwk = { kty: 'EC', crv: 'P-256', x: base64url(point.subarray(1, 33)), y: base64url(point.subarray(33)) }
  const isOwn = verify(
    'sha256',
    utf8(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    octetsOf(signature),
  )
  return isOwn ? (JSON.parse(new TextDecoder().decode(octetsOf(claims))) as Record<string, unknown>) : null
}
