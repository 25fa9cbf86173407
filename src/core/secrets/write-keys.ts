import type { Store } from '../database/client.ts'
import { SecretKeyError } from './codec.ts'
import { secretKeys } from './ring.ts'
import { countSecrets } from './write-recrypted.ts'

/** State of a key: see table secret_keys. */
export interface StoredKey {
  readonly key_id: string
  readonly state: 'active' | 'old' | 'offered'
}

export async function storedKeys({ sql }: Pick<Store, 'sql'>): Promise<StoredKey[]> {
  return await sql<StoredKey[]>`select key_id, state from secret_keys order by state, key_id`
}

/**
 * Records which keys a starting server has. Throws SecretKeyError when the database has secrets that none of them
 * decrypts.
 */
export async function offerKeys(store: Store): Promise<void> {
  const ids = secretKeys().map(({ id }) => id)
  const known = await storedKeys(store)
  const needed = known.filter(({ state, key_id }) => state !== 'offered' && !ids.includes(key_id))
  if (needed.length > 0) {
    const used = new Set((await countSecrets(store)).map(({ keyId }) => keyId))
    const missing = needed.filter(({ key_id, state }) => state === 'active' || used.has(key_id))
    const names = missing.map(({ key_id }) => key_id).join(' and ')
    if (missing.length > 0)
      throw new SecretKeyError(
        ids.length === 0
          ? `the secrets in this database are encrypted with key ${names}, and no key is given (secrets.key_file)`
          : `the secrets in this database are encrypted with key ${names}, which is not the one given (${ids.join(', ')})`,
      )
  }
  if (ids.length === 0 && known.length === 0) return
  const { sql } = store
  await sql`delete from secret_keys where state = 'offered' and key_id <> all(${ids}::text[])`
  for (const id of ids)
    await sql`insert into secret_keys (key_id, state) values (${id}, 'offered') on conflict (key_id) do nothing`
}

/** Puts a key in force (null: none); the previous one is kept, because values may still need it. */
export async function putInForce({ sql }: Store, keyId: string | null): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`update secret_keys set state = 'old', changed_at = now()
        where state = 'active' and key_id is distinct from ${keyId}::text`
    if (keyId !== null)
      await tx`insert into secret_keys (key_id, state) values (${keyId}, 'active')
          on conflict (key_id) do update set state = 'active', changed_at = now()`
  })
}

/** Deletes the records of old keys that no value needs. Returns the ids of old keys that are still needed. */
export async function forgetOldKeys(store: Store): Promise<string[]> {
  const used = new Set((await countSecrets(store)).map(({ keyId }) => keyId))
  const old = (await storedKeys(store)).filter(({ state }) => state === 'old').map(({ key_id }) => key_id)
  for (const id of old) {
    if (!used.has(id)) await store.sql`delete from secret_keys where key_id = ${id} and state = 'old'`
  }
  return old.filter((id) => used.has(id))
}
