import { DomainError } from '../base/errors.ts'
import { isServed } from '../cluster/exclusive.ts'
import type { Store } from '../database/client.ts'
import type { SecretKey } from './codec.ts'
import { secretKeys } from './ring.ts'
import { forgetOldKeys, putInForce, type StoredKey, storedKeys } from './write-keys.ts'
import {
  countSecrets,
  type Recrypted,
  recrypt,
  type SecretCount,
  type UnreadableSecret,
  unreadableSecrets,
} from './write-recrypted.ts'

export interface SecretsStatus {
  /** Ids of the keys that this process was given; the first is the one to encrypt with. */
  readonly given: readonly string[]
  readonly stored: readonly StoredKey[]
  readonly counts: readonly SecretCount[]
  readonly unreadable: readonly UnreadableSecret[]
}

/** Result of enable, rotate or disable. */
export interface SecretsChange extends Recrypted {
  /** Id of the key now in force; null: values are stored in plain text. */
  readonly keyId: string | null
  /** Ids of keys that are still needed for some value. */
  readonly needed: readonly string[]
}

/** Maximum number of unreadable values listed. */
const MAX_NAMED = 20

/** Operations on secrets at rest, for the operator only. Each may be interrupted at any time and run again. */
export function createSecretsService({ store }: { readonly store: Store }) {
  async function change(wanted: SecretKey | null, progress: (changed: number) => void): Promise<SecretsChange> {
    const known = await storedKeys(store)
    // a running server without the key could not store secrets, and would read encrypted ones as missing
    if (wanted !== null && (await isServed(store)) && !known.some(({ key_id }) => key_id === wanted.id))
      throw refusal(`the running server does not have key ${wanted.id}: give it the key and restart it first`)
    await putInForce(store, wanted?.id ?? null)
    let done = await recrypt(store, wanted, progress)
    // a second pass for values that were written while the key changed
    const again = await recrypt(store, wanted, () => undefined)
    done = { changed: done.changed + again.changed, unreadable: again.unreadable }
    return { ...done, keyId: wanted?.id ?? null, needed: await forgetOldKeys(store) }
  }

  function first(): SecretKey {
    const [key] = secretKeys()
    if (key === undefined) throw refusal('no key is given: see setting secrets.key_file, and `portlight secrets key`')
    return key
  }

  const active = async () => (await storedKeys(store)).find(({ state }) => state === 'active')?.key_id ?? null

  return {
    async status(): Promise<SecretsStatus> {
      return {
        given: secretKeys().map(({ id }) => id),
        stored: await storedKeys(store),
        counts: await countSecrets(store),
        unreadable: await unreadableSecrets(store, MAX_NAMED),
      }
    },

    /** Encrypts everything stored in plain text. Throws `conflict` when another key is in force. */
    async enable(progress: (changed: number) => void): Promise<SecretsChange> {
      const key = first()
      const before = await active()
      if (before !== null && before !== key.id)
        throw refusal(`key ${before} is in force and the first key given is ${key.id}: use rotate to change the key`)
      return await change(key, progress)
    },

    /** Encrypts everything with the first key given. Throws `conflict` when nothing is encrypted yet. */
    async rotate(progress: (changed: number) => void): Promise<SecretsChange> {
      const key = first()
      const before = await active()
      if (before === null) throw refusal('no key is in force: use enable')
      const old = (await storedKeys(store)).some(({ state }) => state === 'old')
      if (before === key.id && !old)
        throw refusal(`the first key given, ${key.id}, is in force: put a new one before it`)
      if (!secretKeys().some(({ id }) => id === before))
        throw refusal(`key ${before} is in force and not given: it is needed as well`)
      return await change(key, progress)
    },

    /** Encrypts values that were stored in bulk, if a key is in force. Throws `conflict` when this key is not given. */
    async complete(): Promise<void> {
      const before = await active()
      const key = secretKeys().find(({ id }) => id === before)
      if (before !== null && key === undefined) throw refusal(`key ${before} is in force and not given`)
      if (key !== undefined) await recrypt(store, key, () => undefined)
    },

    /** Decrypts everything. */
    async disable(progress: (changed: number) => void): Promise<SecretsChange> {
      return await change(null, progress)
    },
  }
}

export type SecretsService = ReturnType<typeof createSecretsService>

const refusal = (message: string): DomainError => new DomainError('conflict', message)
