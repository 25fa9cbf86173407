import type { Store } from '../database/client.ts'
import { StoreError } from '../database/errors.ts'
import { isToken, keyIdOf, openText, sealText } from './codec.ts'
import type { SecretName } from './columns.ts'
import { secretKeys } from './ring.ts'

/** The part of a table that the functions here need. */
type SqlStore = Pick<Store, 'sql'>

/** Converts a secret to its stored form; null stays null. `row`: the key of its row, for columns bound to it. */
export interface Sealer {
  text<T extends string | null>(name: SecretName, value: T, row?: string | number): T | string
  /** A JSON value: itself, or the text to store in its place. */
  json(name: SecretName, value: unknown, row?: string | number): unknown
}

const place = (name: SecretName, row: string | number | undefined): string =>
  row === undefined ? name : `${name} ${row}`

/**
 * Encrypts with the key that the database names; without keys, and while none is in force, values stay as they are.
 * Queries the database each time, so that a change takes effect at once. The sealer throws StoreError when this process
 * does not have the key.
 */
export async function sealer(store: SqlStore): Promise<Sealer> {
  const keys = secretKeys()
  const active = keys.length === 0 ? null : await activeKeyId(store)
  const key = keys.find(({ id }) => id === active)
  if (active !== null && key === undefined) {
    const message = `secrets are encrypted with key ${active}, which this process does not have: nothing was stored`
    throw new StoreError('unavailable', message, false, null)
  }
  const sealed = (name: SecretName, text: string, row: string | number | undefined): string => {
    if (key !== undefined) return sealText(key, place(name, row), text)
    if (isToken(text)) throw new StoreError('invalid', 'a secret cannot look like an encrypted one', false, null)
    return text
  }
  return {
    text: (name, value, row) => (value === null ? value : sealed(name, value, row)),
    json: (name, value, row) => (key === undefined ? value : sealed(name, JSON.stringify(value), row)),
  }
}

/** Id of the key in force; null: none, values are stored as they are. Throws StoreError. */
export async function activeKeyId({ sql }: SqlStore): Promise<string | null> {
  const [row] = await sql<{ key_id: string }[]>`select key_id from secret_keys where state = 'active'`
  return row?.key_id ?? null
}

/** Whether a stored value is encrypted and cannot be decrypted here. */
export function isUnreadable(name: SecretName, stored: string | null, row?: string | number): boolean {
  return stored !== null && keyIdOf(stored) !== null && openText(secretKeys(), place(name, row), stored) === null
}

/** The secret of a stored text; null: there is none, or it cannot be decrypted. */
export function openSecret(name: SecretName, stored: string | null, row?: string | number): string | null {
  return stored === null || !isToken(stored) ? stored : openText(secretKeys(), place(name, row), stored)
}

/** The JSON value that `Sealer.json` converted; undefined: it cannot be decrypted. */
export function openJson(name: SecretName, stored: unknown, row?: string | number): unknown {
  if (typeof stored !== 'string' || !isToken(stored)) return stored
  const text = openText(secretKeys(), place(name, row), stored)
  return text === null ? undefined : JSON.parse(text)
}

/** Credentials of a device as stored. */
interface Credentials {
  readonly community: string | null
  readonly authpass: string | null
  readonly cryptopass: string | null
}

/** A row with the credentials of a device in plain text; `unreadable`: one could not be decrypted and is null. */
export function withCredentials<R extends Credentials>(row: R): R & { readonly unreadable: boolean } {
  const { community, authpass, cryptopass } = row
  const unreadable =
    isUnreadable('devices.community', community) ||
    isUnreadable('devices.authpass', authpass) ||
    isUnreadable('devices.cryptopass', cryptopass)
  return {
    ...row,
    community: openSecret('devices.community', community),
    authpass: openSecret('devices.authpass', authpass),
    cryptopass: openSecret('devices.cryptopass', cryptopass),
    unreadable,
  }
}

/**
 * Matches encrypted members in JSON made by PostgreSQL. Quotes inside a JSON string are escaped, so text from devices
 * and people cannot look like a member.
 */
const MEMBER = /([{,]"(community|authpass|cryptopass)":)"(enc:1:[0-9a-f]{8}:[\w-]+)"/g

/** The JSON text of device records with their credentials in plain text; null for those that cannot be decrypted. */
export function openRecords(json: string): string {
  if (!json.includes('"enc:1:')) return json
  return json.replaceAll(MEMBER, (_, member: string, column: keyof Credentials, token: string) => {
    return member + JSON.stringify(openSecret(`devices.${column}`, token))
  })
}
