import type { Tx } from './client.ts'

/** PostgreSQL settings by name. */
export type LocalSettings = Readonly<Record<string, string | number>>

/**
 * Runs `work` with settings that last until the transaction ends. They cost no round trip of their own: they are sent
 * together with the first statement of `work`, and before it. (The driver sends a statement when it is awaited, so
 * `Promise.all([settings, work(tx)])` would send an async function's first statement before the settings.)
 */
export async function withSettings<T>(tx: Tx, settings: LocalSettings, work: (tx: Tx) => PromiseLike<T>): Promise<T> {
  const names = Object.keys(settings)
  const setting = tx
    .unsafe(
      `select ${names.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, true)`).join()}`,
      names.flatMap((name) => [name, String(settings[name])]),
      { prepare: true },
    )
    .execute()
  const [, result] = await Promise.all([setting, work(tx)])
  return result
}
