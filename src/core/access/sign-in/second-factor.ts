import { Secret, TOTP } from 'otpauth'
import { conflict, invalid } from '../../base/errors.ts'
import type { Store } from '../../database/client.ts'
import { confirmSecret, deleteSecondFactor, putSecret, secondFactor, useRecovery, useStep } from '../write-sessions.ts'

const ISSUER = 'Portlight'
const STEP_S = 30
/** Number of time steps before and after now whose codes are accepted, for clocks that are off. */
const WINDOW = 1
const RECOVERY_CODES = 10
const RECOVERY_OCTETS = 8

const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')

const totpOf = (secret: string, username = '') =>
  new TOTP({ issuer: ISSUER, label: username, secret: Secret.fromBase32(secret), period: STEP_S, digits: 6 })

/** One-time passwords of authenticator apps (RFC 6238: SHA-1, 6 digits, 30 s) and recovery codes. */
export function createSecondFactors({ store, now }: { readonly store: Store; readonly now: () => number }) {
  /** The time step of the code; null: wrong code. */
  function stepOf(secret: string, code: string): number | null {
    const digits = code.replaceAll(/\s/g, '')
    if (!/^\d{6}$/.test(digits)) return null
    const delta = totpOf(secret).validate({ token: digits, timestamp: now(), window: WINDOW })
    return delta === null ? null : Math.floor(now() / 1000 / STEP_S) + delta
  }

  return {
    /** Whether the user's second factor is active, and the number of recovery codes left. */
    async state(userId: number): Promise<{ readonly on: boolean; readonly recovery: number }> {
      const factor = await secondFactor(store, userId)
      return { on: factor?.confirmed_at != null, recovery: factor?.recovery.length ?? 0 }
    },

    /**
     * Creates a secret, which `confirm` activates. Returns it in Base32 and as an otpauth URL for authenticator apps.
     * Throws `conflict` if one is active.
     */
    async begin(userId: number, username: string): Promise<{ readonly secret: string; readonly url: string }> {
      const known = await secondFactor(store, userId)
      const secret = known?.confirmed_at === null ? known.secret : new Secret({ size: 20 }).base32
      if (!(await putSecret(store, userId, secret))) throw conflict('A second factor is already active')
      return { secret, url: totpOf(secret, username).toString() }
    },

    /**
     * Activates the secret; returns the recovery codes, which are shown only once. Throws `invalid` for a wrong code.
     */
    async confirm(userId: number, code: string): Promise<readonly string[]> {
      const factor = await secondFactor(store, userId)
      if (factor === null) throw invalid('Setup of a second factor has not been started')
      if (factor.confirmed_at !== null) throw conflict('A second factor is already active')
      const step = stepOf(factor.secret, code)
      if (step === null) throw invalid('This code is wrong. Check the clock of the authenticator')
      const recovery = Array.from({ length: RECOVERY_CODES }, () =>
        crypto
          .getRandomValues(new Uint8Array(RECOVERY_OCTETS))
          .toHex()
          .replace(/(.{4})(?=.)/g, '$1-'),
      )
      await confirmSecret(store, userId, step, recovery.map(sha256))
      return recovery
    },

    /** Whether the code is right; a right code cannot be used again. */
    async accept(userId: number, code: string): Promise<boolean> {
      const factor = await secondFactor(store, userId)
      if (factor?.confirmed_at == null) return false
      const step = stepOf(factor.secret, code)
      if (step !== null) return await useStep(store, userId, step)
      return await useRecovery(store, userId, sha256(code.trim().toLowerCase()))
    },

    /** Removes the second factor. */
    async remove(userId: number): Promise<void> {
      await deleteSecondFactor(store, userId)
    },
  }
}
