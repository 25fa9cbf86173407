import type { Store } from '../client.ts'

/** NOTIFY channel of changed settings. */
export const SETTINGS_CHANNEL = 'portlight_settings'

/** Stored settings by name, as JSON values. */
export async function storedSettings({ sql }: Pick<Store, 'sql'>): Promise<ReadonlyMap<string, unknown>> {
  const rows = await sql<{ name: string; value: unknown }[]>`select name, value from config order by name`
  return new Map(rows.map((row) => [row.name, row.value]))
}

/** Stores a setting and tells every process. The caller has checked name and value. */
export async function storeSetting({ sql }: Store, name: string, value: unknown): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`insert into config (name, value) values (${name}, ${JSON.stringify(value)}::text::jsonb)
      on conflict (name) do update set value = excluded.value, updated_at = now()`
    await tx`select pg_notify(${SETTINGS_CHANNEL}, ${name})`
  })
}

/** Forgets a stored setting and tells every process. Returns false when it was not stored. */
export async function forgetSetting({ sql }: Store, name: string): Promise<boolean> {
  return await sql.begin(async (tx) => {
    const { count } = await tx`delete from config where name = ${name}`
    await tx`select pg_notify(${SETTINGS_CHANNEL}, ${name})`
    return count > 0
  })
}
