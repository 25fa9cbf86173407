import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Each direction has its own key, so that a message cannot be replayed to its sender. */
export type Direction = 'to-centre' | 'to-poller'

/**
 * Encrypts and authenticates messages between one poller and the centre with AES-256-GCM. Key and nonce of each
 * message are derived with HKDF (RFC 5869) from the shared secret and a random salt, so they never repeat. Only the two
 * ends can open or create messages, even if others can read or write the streams.
 */
export interface Seal {
  /** `purpose` identifies the message and its place; the message can be opened only with the same purpose. */
  close(direction: Direction, purpose: string, plain: Uint8Array): Uint8Array
  /** Null if it was altered, or not sealed by the other end for this purpose. */
  open(direction: Direction, purpose: string, sealed: Uint8Array): Uint8Array | null
}

const SALT = 32
const TAG = 16
/** Bytes that sealing adds. */
export const SEAL_OVERHEAD = SALT + TAG

export function createSeal(secret: Uint8Array, poller: string): Seal {
  const derive = (direction: Direction, salt: Uint8Array): { key: Uint8Array; nonce: Uint8Array } => {
    const octets = new Uint8Array(hkdfSync('sha256', secret, salt, `portlight site 1 ${direction} ${poller}`, 44))
    return { key: octets.subarray(0, 32), nonce: octets.subarray(32) }
  }
  return {
    close(direction, purpose, plain) {
      const salt = randomBytes(SALT)
      const { key, nonce } = derive(direction, salt)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      cipher.setAAD(Buffer.from(purpose))
      return Buffer.concat([salt, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    },
    open(direction, purpose, sealed) {
      if (sealed.length < SEAL_OVERHEAD) return null
      const { key, nonce } = derive(direction, sealed.subarray(0, SALT))
      const decipher = createDecipheriv('aes-256-gcm', key, nonce)
      decipher.setAAD(Buffer.from(purpose))
      decipher.setAuthTag(sealed.subarray(sealed.length - TAG))
      try {
        return Buffer.concat([decipher.update(sealed.subarray(SALT, sealed.length - TAG)), decipher.final()])
      } catch {
        return null
      }
    },
  }
}
