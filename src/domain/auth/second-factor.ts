import { Secret, TOTP } from 'otpauth'
import {
  confirmSecret,
  deleteSecondFactor,
  putSecret,
  secondFactor,
  useRecovery,
  useStep,
} from '../../store/access/sessions.ts'
import type { Store } from '../../store/client.ts'
import { conflict, invalid } from '../errors.ts'

const ISSUER = 'Portlight'
const STEP_S = 30
/** Codes of the steps before and after now are accepted, for clocks that are off. */
const WINDOW = 1
const RECOVERY_CODES = 10
const RECOVERY_OCTETS = 8

const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')

const totpOf = (secret: string, username = '') =>
  new TOTP({ issuer: ISSUER, label: username, secret: Secret.fromBase32(secret), period: STEP_S, digits: 6 })

/** One-time passwords of authenticator programs (RFC 6238: SHA-1, 6 digits, 30 s) and recovery codes. */
export function createSecondFactors({ store, now }: { readonly store: Store; readonly now: () => number }) {
  /** The step of the code; null: wrong. */
  function stepOf(secret: string, code: string): number | null {
    const digits = code.replaceAll(/\s/g, '')
    if (!/^\d{6}$/.test(digits)) return null
    const delta = totpOf(secret).validate({ token: digits, timestamp: now(), window: WINDOW })
    return delta === null ? null : Math.floor(now() / 1000 / STEP_S) + delta
  }

  return {
    /** Whether the user has a second factor in force, and how many recovery codes are left. */
    async state(userId: number): Promise<{ readonly on: boolean; readonly recovery: number }> {
      const factor = await secondFactor(store, userId)
      return { on: factor?.confirmed_at != null, recovery: factor?.recovery.length ?? 0 }
    },

    /**
     * Makes a secret, which `confirm` puts in force. Returns it in Base32 and as otpauth URL for authenticator programs.
     * Throws `conflict` if one is in force.
     */
    async begin(userId: number, username: string): Promise<{ readonly secret: string; readonly url: string }> {
      const known = await secondFactor(store, userId)
      const secret = known?.confirmed_at === null ? known.secret : new Secret({ size: 20 }).base32
      if (!(await putSecret(store, userId, secret))) throw conflict('A second factor is already in force')
      return { secret, url: totpOf(secret, username).toString() }
    },

    /** Puts the secret in force; returns the recovery codes, which are shown only here. Throws `invalid` for a wrong code. */
    async confirm(userId: number, code: string): Promise<readonly string[]> {
      const factor = await secondFactor(store, userId)
      if (factor === null) throw invalid('No second factor has been begun')
      if (factor.confirmed_at !== null) throw conflict('A second factor is already in force')
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

    /** Whether the code is right. It is used up. */
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
