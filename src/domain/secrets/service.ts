import type { Store } from '../../store/client.ts'
import { isServed } from '../../store/cluster/exclusive.ts'
import type { SecretKey } from '../../store/secrets/codec.ts'
import { forgetOldKeys, putInForce, type StoredKey, storedKeys } from '../../store/secrets/keys.ts'
import {
  countSecrets,
  type Recrypted,
  recrypt,
  type SecretCount,
  type UnreadableSecret,
  unreadableSecrets,
} from '../../store/secrets/recrypt.ts'
import { secretKeys } from '../../store/secrets/ring.ts'
import { DomainError } from '../errors.ts'

export interface SecretsStatus {
  /** Ids of the keys that this process was given, the one to encrypt with first. */
  readonly given: readonly string[]
  readonly stored: readonly StoredKey[]
  readonly counts: readonly SecretCount[]
  readonly unreadable: readonly UnreadableSecret[]
}

/** What enable, rotate or disable did. */
export interface SecretsChange extends Recrypted {
  /** Id of the key in force now; null: values are stored as they are. */
  readonly keyId: string | null
  /** Ids of keys that some value still needs. */
  readonly needed: readonly string[]
}

/** Unreadable values that are named. */
const MAX_NAMED = 20

/** Operations on secrets at rest, for the operator alone. Each may be stopped at any time and run again. */
export function createSecretsService({ store }: { readonly store: Store }) {
  async function change(wanted: SecretKey | null, progress: (changed: number) => void): Promise<SecretsChange> {
    const known = await storedKeys(store)
    // A server without the key could store nothing, and reads what is encrypted as missing.
    if (wanted !== null && (await isServed(store)) && !known.some(({ key_id }) => key_id === wanted.id))
      throw refusal(`the running server does not have key ${wanted.id}: give it the key and start it again first`)
    await putInForce(store, wanted?.id ?? null)
    let done = await recrypt(store, wanted, progress)
    // a value that was written while the key changed
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

    /** Encrypts what is stored in plain text. Throws `conflict` when another key is in force. */
    async enable(progress: (changed: number) => void): Promise<SecretsChange> {
      const key = first()
      const before = await active()
      if (before !== null && before !== key.id)
        throw refusal(`key ${before} is in force and the first key given is ${key.id}: use rotate to change it`)
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

    /** Encrypts what was stored in bulk, if a key is in force. Throws `conflict` when it is not given. */
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
