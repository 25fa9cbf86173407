import type { Store } from '../database/client.ts'
import { keyIdOf, openText, type SecretKey, sealText } from './codec.ts'
import { SECRET_COLUMNS, type SecretColumn } from './columns.ts'
import { secretKeys } from './ring.ts'

/** How the values of one column are stored. */
export interface SecretCount {
  /** `table.column`. */
  readonly column: string
  /** Id of the key; null: plain. */
  readonly keyId: string | null
  readonly values: number
}

/** A value that cannot be decrypted with the keys of this process. */
export interface UnreadableSecret {
  readonly column: string
  readonly row: string
  readonly keyId: string
}

const BATCH = 500

/** SQL for the stored text: in a JSON column, the encrypted string, or the JSON itself while it is plain. */
const storedText = ({ column, type }: SecretColumn): string =>
  type === 'text'
    ? `"${column}"`
    : `case when jsonb_typeof("${column}") = 'string' and "${column}" #>> '{}' ~ '^enc:1:[0-9a-f]{8}:[A-Za-z0-9_-]{38,}$' then "${column}" #>> '{}' else "${column}"::text end`

const filled = ({ column, where = 'true' }: SecretColumn): string => `${where} and "${column}" is not null`

/** Counts the values of every secret column by key. Throws StoreError. */
export async function countSecrets({ sql }: Store): Promise<SecretCount[]> {
  const counts: SecretCount[] = []
  for (const column of SECRET_COLUMNS) {
    const rows = await sql.unsafe<{ keyId: string | null; values: number }[]>(
      `select substring(${storedText(column)} from '^enc:1:([0-9a-f]{8}):[A-Za-z0-9_-]+$') as "keyId", count(*)::int as values
         from ${column.table} where ${filled(column)} group by 1 order by 1 nulls first`,
    )
    counts.push(...rows.map((row) => ({ column: column.name, ...row })))
  }
  return counts
}

interface Value {
  readonly row: string
  readonly stored: string
}

/** Values of a column that are not stored as wanted, by key, in batches. */
async function* values({ sql }: Store, column: SecretColumn, target: string | null): AsyncGenerator<readonly Value[]> {
  const { table, key, keyType } = column
  const text = storedText(column)
  const other = target === null ? `${text} like 'enc:1:%'` : `${text} not like 'enc:1:${target}:%'`
  for (let after: string | null = null; ; ) {
    const from: string | null = after
    const rows: readonly Value[] = await sql.unsafe<Value[]>(
      `select "${key}"::text as row, ${text} as stored from ${table}
         where ${filled(column)} and ${other} and ($1::text is null or "${key}" > $1::text::${keyType})
         order by "${key}" limit ${BATCH}`,
      [from],
    )
    if (rows.length > 0) yield rows
    if (rows.length < BATCH) return
    after = rows.at(-1)?.row ?? null
  }
}

/** Every value that this process cannot decrypt, at most `limit`. Throws StoreError. */
export async function unreadableSecrets(store: Store, limit: number): Promise<UnreadableSecret[]> {
  const found: UnreadableSecret[] = []
  for (const column of SECRET_COLUMNS) {
    for await (const rows of values(store, column, null)) {
      for (const { row, stored } of rows) {
        const keyId = keyIdOf(stored)
        if (keyId === null || openText(secretKeys(), placeOf(column, row), stored) !== null) continue
        found.push({ column: column.name, row, keyId })
        if (found.length >= limit) return found
      }
    }
  }
  return found
}

const placeOf = ({ name, bound }: SecretColumn, row: string): string => (bound ? `${name} ${row}` : name)

/** What a pass over all secrets did. */
export interface Recrypted {
  readonly changed: number
  readonly unreadable: readonly UnreadableSecret[]
}

/**
 * Encrypts every value with the key, or decrypts all (null). Each batch is one statement that changes a value only if
 * it is still what was read, so values written meanwhile are not lost, and an interrupted run keeps what it has done.
 * Values that cannot be decrypted stay unchanged. Throws StoreError.
 */
export async function recrypt(
  store: Store,
  target: SecretKey | null,
  progress: (changed: number) => void,
): Promise<Recrypted> {
  let changed = 0
  const unreadable: UnreadableSecret[] = []
  for (const column of SECRET_COLUMNS) {
    for await (const rows of values(store, column, target?.id ?? null)) {
      const changes = rows.flatMap((value) => {
        const next = converted(column, value, target)
        if (next !== null) return [{ ...value, next }]
        unreadable.push({
          column: column.name,
          row: value.row,
          keyId: keyIdOf(value.stored) ?? '',
        })
        return []
      })
      changed += await write(store, column, changes)
      progress(changed)
    }
  }
  return { changed, unreadable }
}

/** The text to store; null: the value cannot be decrypted. */
function converted(column: SecretColumn, { row, stored }: Value, target: SecretKey | null): string | null {
  const place = placeOf(column, row)
  const plain = keyIdOf(stored) === null ? stored : openText(secretKeys(), place, stored)
  if (plain === null) return null
  if (target === null) return plain
  const sealed = sealText(target, place, plain)
  return column.type === 'json' ? JSON.stringify(sealed) : sealed
}

async function write(
  { sql }: Store,
  column: SecretColumn,
  changes: readonly (Value & { readonly next: string })[],
): Promise<number> {
  if (changes.length === 0) return 0
  const { table, key, keyType, type } = column
  const next = type === 'json' ? 'x.next::jsonb' : 'x.next'
  const result = await sql.unsafe(
    `update ${table} set "${column.column}" = ${next}
       from jsonb_to_recordset($1::text::jsonb) as x(row text, stored text, next text)
       where "${key}" = x.row::${keyType} and ${storedText(column)} = x.stored`,
    [JSON.stringify(changes)],
  )
  return result.count
}
