import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { PrivProtocol } from './key.ts'

/** Parameters of encryption besides the key. */
export interface PrivacyContext {
  readonly protocol: PrivProtocol
  readonly key: Uint8Array
  readonly engineBoots: number
  readonly engineTime: number
}

/** Ciphertext of a scoped PDU; `salt`, eight octets never used before with this key, becomes msgPrivacyParameters. */
export function encrypt(context: PrivacyContext, salt: Uint8Array, plain: Uint8Array): Uint8Array {
  if (context.protocol === 'DES') return desEncrypt(context.key, salt, plain)
  return aesCfb(context.key, aesIv(context, salt), plain, 'encrypt')
}

/** Plaintext of a scoped PDU, including padding; null for impossible lengths. */
export function decrypt(context: PrivacyContext, salt: Uint8Array, cipherText: Uint8Array): Uint8Array | null {
  if (salt.length !== 8) return null
  if (context.protocol !== 'DES') return aesCfb(context.key, aesIv(context, salt), cipherText, 'decrypt')
  if (cipherText.length % 8 !== 0) return null
  const decipher = createDecipheriv('des-cbc', context.key.subarray(0, 8), desIv(context.key, salt))
  decipher.setAutoPadding(false)
  return Buffer.concat([decipher.update(cipherText), decipher.final()])
}

/** Salt of a message (RFC 3414 §8.1.1.1 for DES, RFC 3826 §3.1.2.1 for AES) from a counter that never repeats. */
export function makeSalt(protocol: PrivProtocol, engineBoots: number, counter: bigint): Uint8Array {
  const salt = new Uint8Array(8)
  const view = new DataView(salt.buffer)
  view.setBigUint64(0, BigInt.asUintN(64, counter))
  if (protocol === 'DES') view.setUint32(0, engineBoots)
  return salt
}

function desEncrypt(key: Uint8Array, salt: Uint8Array, plain: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil(plain.length / 8) * 8)
  padded.set(plain)
  const cipher = createCipheriv('des-cbc', key.subarray(0, 8), desIv(key, salt))
  cipher.setAutoPadding(false)
  return Buffer.concat([cipher.update(padded), cipher.final()])
}

/** The last eight octets of the key XOR the salt (RFC 3414 §8.1.1.1). */
function desIv(key: Uint8Array, salt: Uint8Array): Uint8Array {
  return salt.map((octet, i) => octet ^ (key[8 + i] ?? 0))
}

function aesIv(context: PrivacyContext, salt: Uint8Array): Uint8Array {
  const iv = new Uint8Array(16)
  const view = new DataView(iv.buffer)
  view.setUint32(0, context.engineBoots)
  view.setUint32(4, context.engineTime)
  iv.set(salt, 8)
  return iv
}

function aesCfb(key: Uint8Array, iv: Uint8Array, input: Uint8Array, way: 'encrypt' | 'decrypt'): Uint8Array {
  if (key.length === 24) return aes192Cfb(key, iv, input, way)
  const name = key.length === 32 ? 'aes-256-cfb' : 'aes-128-cfb'
  return way === 'encrypt' ? createCipheriv(name, key, iv).update(input) : createDecipheriv(name, key, iv).update(input)
}

/** CFB-128 (NIST SP 800-38A §6.3) from single blocks, because Bun's crypto has no aes-192-cfb. */
function aes192Cfb(key: Uint8Array, iv: Uint8Array, input: Uint8Array, way: 'encrypt' | 'decrypt'): Uint8Array {
  const block = createCipheriv('aes-192-ecb', key, null)
  block.setAutoPadding(false)
  const output = new Uint8Array(input.length)
  let feedback = iv
  for (let at = 0; at < input.length; at += 16) {
    const stream = block.update(feedback)
    const end = Math.min(at + 16, input.length)
    for (let i = at; i < end; i++) output[i] = (input[i] ?? 0) ^ (stream[i - at] ?? 0)
    feedback = (way === 'encrypt' ? output : input).slice(at, end)
  }
  return output
}
