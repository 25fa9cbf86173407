import type { Store } from '../../database/client.ts'
import { openJson, sealer } from '../../secrets/values.ts'
import type { Subscription } from './subscription.ts'

/** A browser in which a user turned on notifications. */
export interface Browser {
  readonly id: number
  /** User-Agent of the browser. */
  readonly agent: string
  /** SHA-256 of its endpoint in hex, by which a browser recognises itself. */
  readonly endpoint_hash: string
  readonly created_at: Date
  /** The last notification that its push service accepted; null: none yet. */
  readonly sent_at: Date | null
}

/** Browsers of a user, the newest first. */
export async function listBrowsers({ sql }: Store, userId: number): Promise<Browser[]> {
  return await sql<Browser[]>`
      select id::float8 as id, agent, endpoint_hash, created_at, sent_at from push_subscriptions where user_id = ${userId}
      order by id desc`
}

/**
 * Stores a browser for a user, also if it was another user's. Of more than `most` browsers of the user the oldest are
 * forgotten.
 */
export async function putBrowser(
  store: Store,
  userId: number,
  subscription: Subscription,
  agent: string,
  most: number,
): Promise<number> {
  const hash = new Bun.CryptoHasher('sha256').update(subscription.endpoint).digest('hex')
  const stored = (await sealer(store)).json('push_subscriptions.subscription', subscription)
  return await store.sql.begin(async (tx) => {
    const [row] = await tx<{ id: number }[]>`
        insert into push_subscriptions as s (user_id, endpoint_hash, subscription, agent)
        values (${userId}, ${hash}, ${JSON.stringify(stored)}::text::jsonb, ${agent})
        on conflict (endpoint_hash) do update set user_id = excluded.user_id, subscription = excluded.subscription,
          agent = excluded.agent, created_at = now(), sent_at = null
        returning id::float8 as id`
    await tx`
        delete from push_subscriptions where id in (
          select id from push_subscriptions where user_id = ${userId}
          order by created_at desc, id desc offset ${most})`
    return row?.id ?? 0
  })
}

/** Forgets a browser; `userId` null: whoever it belongs to. Returns whether there was one. */
export async function deleteBrowser({ sql }: Store, id: number, userId: number | null): Promise<boolean> {
  const rows = await sql`
      delete from push_subscriptions where id = ${id} and (${userId}::int is null or user_id = ${userId}) returning 1`
  return rows.length > 0
}

/** Records that the push service of a browser accepted a notification. */
export async function noteSent({ sql }: Store, id: number): Promise<void> {
  await sql`update push_subscriptions set sent_at = now() where id = ${id}`
}

/** A browser to send to. */
export interface Reached {
  readonly id: number
  readonly username: string
  readonly subscription: Subscription
}

/** Browsers of users who may sign in, by user name regardless of case, and the names that nobody has. */
export async function browsersOf(
  { sql }: Store,
  names: readonly string[],
): Promise<{ readonly browsers: readonly Reached[]; readonly unknown: readonly string[] }> {
  const wanted = JSON.stringify(names.map((name) => name.toLowerCase()))
  const rows = await sql<{ username: string; id: number | null; subscription: unknown }[]>`
      select lower(u.username) as username, s.id::float8 as id, s.subscription
      from users u left join push_subscriptions s using (user_id)
      where u.enabled = 1 and lower(u.username) in (select jsonb_array_elements_text(${wanted}::text::jsonb))
      order by s.id`
  const known = new Set(rows.map(({ username }) => username))
  return {
    unknown: names.filter((name) => !known.has(name.toLowerCase())),
    browsers: rows.flatMap(({ id, username, subscription }) => {
      const opened = openJson('push_subscriptions.subscription', subscription)
      // stored by this program, as Subscription
      return id === null || typeof opened !== 'object' || opened === null
        ? []
        : [{ id, username, subscription: opened as Subscription }]
    }),
  }
}
