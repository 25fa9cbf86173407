import { SECRET_ATTRIBUTE } from '../base/secret-attributes.ts'
import type { Store } from '../database/client.ts'
import { SECRET_COLUMNS } from './columns.ts'
import { openJson, openSecret } from './values.ts'

/** Shorter parts of a path are words such as `services` and `api`. */
const MIN_SEGMENT = 10

/**
 * Every secret stored in readable form, without duplicates, so that texts can be searched for them. Throws StoreError.
 */
export async function storedSecretTexts({ sql }: Store): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const { name, table, column, key, type, bound, where = 'true' } of SECRET_COLUMNS) {
    const rows = await sql.unsafe<{ value: unknown; row: string }[]>(
      `select distinct on ("${column}"::text) "${column}" as value, "${key}"::text as row from ${table} where ${where} and "${column}" is not null`,
    )
    for (const { value, row } of rows) {
      const of = bound ? row : undefined
      addTexts(found, type === 'json' ? openJson(name, value, of) : openSecret(name, String(value), of))
    }
  }
  const attributes = await sql<{ value: string }[]>`
      select distinct attrib_value as value from devices_attribs where attrib_type ~* ${SECRET_ATTRIBUTE}`
  for (const { value } of attributes) addTexts(found, value)
  const keys = await sql<{ key: Uint8Array }[]>`select key from signing_keys`
  for (const { key } of keys) found.add(Buffer.from(key).toString('hex')).add(Buffer.from(key).toString('base64'))
  return found
}

/** Adds every text in a value, at any depth. */
function addTexts(found: Set<string>, value: unknown): void {
  if (typeof value === 'string') for (const part of [value, ...partsOfUrl(value)]) found.add(part)
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) addTexts(found, part)
}

/** Webhook URLs contain their secret in the path or in a parameter, and logs may quote it without the rest. */
function partsOfUrl(text: string): string[] {
  const url = /^[a-z]+:\/\//i.test(text) ? URL.parse(text) : null
  if (url === null) return []
  const segments = url.pathname.split('/').filter((segment) => segment.length >= MIN_SEGMENT)
  return [url.password, ...segments, ...url.searchParams.values()]
}
