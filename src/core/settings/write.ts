import { asc, eq, sql } from 'drizzle-orm'
import { config } from '../../../db/schema/index.ts'
import type { DbTx, Store } from '../database/client.ts'
import { SECRET_SETTINGS } from '../secrets/columns.ts'
import { openJson, sealer } from '../secrets/values.ts'

const SECRETS: ReadonlySet<string> = new Set(SECRET_SETTINGS)

/** NOTIFY channel of changed settings. */
export const SETTINGS_CHANNEL = 'portlight_settings'

/** Stored settings by name, as JSON values; those that cannot be decrypted are omitted. */
export async function storedSettings({ db }: Store): Promise<ReadonlyMap<string, unknown>> {
  const rows = await db.select({ name: config.name, value: config.value }).from(config).orderBy(asc(config.name))
  return new Map(
    rows.flatMap(({ name, value }) => {
      const plain = openJson('config.value', value, name)
      return plain === undefined ? [] : [[name, plain] as const]
    }),
  )
}

/** Stores a setting and notifies every process. The caller has checked name and value. */
export async function storeSetting(store: Store, name: string, plain: unknown): Promise<void> {
  const { db } = store
  const value = SECRETS.has(name) ? (await sealer(store)).json('config.value', plain, name) : plain
  await db.transaction(async (tx) => {
    await tx
      .insert(config)
      .values({ name, value })
      .onConflictDoUpdate({ target: config.name, set: { value, updated_at: sql`now()` } })
    await notifySettings(tx, name)
  })
}

/** Deletes a stored setting and notifies every process. Returns false when it was not stored. */
export async function forgetSetting({ db }: Store, name: string): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const gone = await tx.delete(config).where(eq(config.name, name)).returning({ name: config.name })
    await notifySettings(tx, name)
    return gone.length > 0
  })
}

async function notifySettings(tx: DbTx, name: string): Promise<void> {
  await tx.execute(sql`select pg_notify(${SETTINGS_CHANNEL}, ${name})`)
}
