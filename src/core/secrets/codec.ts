import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** A key that encrypts secrets at rest. */
export interface SecretKey {
  /** 8 hexadecimal digits derived from the key, which reveal nothing about it. */
  readonly id: string
  readonly key: Uint8Array
}

/** Why keys cannot be used, in a sentence that does not contain the key. */
export class SecretKeyError extends Error {
  override readonly name = 'SecretKeyError'
}

const KEY_OCTETS = 32
const NONCE_OCTETS = 12
const TAG_OCTETS = 16
/** `enc:1:KEYID:` and the Base64 (RFC 4648 §5) of nonce, ciphertext and tag of AES-256-GCM. */
const TOKEN = /^enc:1:([0-9a-f]{8}):([\w-]{38,})$/

/** Whether a stored text looks encrypted. */
export function isToken(text: string): boolean {
  return TOKEN.test(text)
}

/** Id of the key that a stored text is encrypted with; null: it is plain. */
export function keyIdOf(text: string): string | null {
  return TOKEN.exec(text)?.[1] ?? null
}

/**
 * One key per line: 32 bytes in Base64 or hexadecimal. Ignores empty lines, and text after #. Throws SecretKeyError.
 */
export function parseKeys(text: string, source: string): SecretKey[] {
  const lines = text.split(/[\n,]/).map((line) => line.replace(/#.*/, '').trim())
  return lines.flatMap((line, i) => {
    if (line === '') return []
    const octets = Buffer.from(line, /^[0-9a-fA-F]{64}$/.test(line) ? 'hex' : 'base64')
    if (octets.length !== KEY_OCTETS || !/^[\w+/=-]+$/.test(line))
      throw new SecretKeyError(`${source}, line ${i + 1}: expected a key of 32 bytes in Base64 or hexadecimal`)
    return [keyOf(octets)]
  })
}

function keyOf(octets: Uint8Array): SecretKey {
  const derived = (what: string) => new Uint8Array(hkdfSync('sha256', octets, '', `portlight ${what} 1`, KEY_OCTETS))
  const id = createHash('sha256').update(derived('key id')).digest('hex').slice(0, 8)
  return { id, key: derived('secrets at rest') }
}

/** A new key, as a line of a key file. */
export function newKeyText(): string {
  return randomBytes(KEY_OCTETS).toString('base64')
}

/** Encrypts a text for one place (`devices.community`); it cannot be decrypted for any other. */
export function sealText({ id, key }: SecretKey, place: string, text: string): string {
  const nonce = randomBytes(NONCE_OCTETS)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(`${id} ${place}`))
  const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `enc:1:${id}:${sealed.toString('base64url')}`
}

/** Decrypts a text of that place; null: its key is not among these, or it was tampered with. */
export function openText(keys: readonly SecretKey[], place: string, token: string): string | null {
  const [, id, text = ''] = TOKEN.exec(token) ?? []
  const found = keys.find((candidate) => candidate.id === id)
  if (found === undefined) return null
  const octets = Buffer.from(text, 'base64url')
  try {
    const decipher = createDecipheriv('aes-256-gcm', found.key, octets.subarray(0, NONCE_OCTETS))
    decipher.setAAD(Buffer.from(`${found.id} ${place}`))
    decipher.setAuthTag(octets.subarray(-TAG_OCTETS))
    const body = octets.subarray(NONCE_OCTETS, -TAG_OCTETS)
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
