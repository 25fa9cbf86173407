import { sql } from 'drizzle-orm'
import { secondFactors, sessions } from '../../../db/schema/index.ts'
import type { Store } from '../database/client.ts'
import { StoreError } from '../database/errors.ts'
import { isUnreadable, openSecret, sealer } from '../secrets/values.ts'

/** How a session began. */
export type SessionMethod = 'password' | 'proxy' | 'oidc'

/** A session and its user, for authentication. */
export interface SessionOwner {
  readonly session_id: number
  readonly stage: 'open' | 'factor'
  readonly method: SessionMethod
  /** Epoch milliseconds. */
  readonly created_ms: number
  readonly seen_ms: number
  readonly user_id: number
  readonly username: string
  readonly enabled: number
  readonly roles: readonly string[]
  readonly permissions: readonly string[]
}

/** The owner of the session with this SHA-256 hash (hex); null: none. Ignores the age. */
export async function sessionOwner({ sql: query }: Store, secretHash: string): Promise<SessionOwner | null> {
  const [owner] = await query<SessionOwner[]>`
      select s.id as session_id, s.stage, s.method, u.user_id, u.username, u.enabled,
        (extract(epoch from s.created_at) * 1000)::float8 as created_ms,
        (extract(epoch from s.seen_at) * 1000)::float8 as seen_ms,
        array(select r.name from model_has_roles m join roles r on r.id = m.role_id where m.model_id = u.user_id) as roles,
        array(select lower(p.name) from model_has_roles m join role_has_permissions h on h.role_id = m.role_id
          join permissions p on p.id = h.permission_id where m.model_id = u.user_id) as permissions
      from sessions s join users u on u.user_id = s.user_id where s.secret_hash = ${secretHash}`
  return owner ?? null
}

/** A session to store. */
export interface NewSession {
  readonly user_id: number
  readonly secret_hash: string
  readonly stage: 'open' | 'factor'
  readonly method: SessionMethod
  readonly address: string
  readonly agent: string
  /** Of the OpenID Connect provider; null: none. */
  readonly id_token: string | null
}

/** Maximum sessions of a user; beyond that, the least recently used are deleted. */
const MAX_SESSIONS = 100

/** Stores a session; returns its id. */
export async function insertSession(store: Store, session: NewSession): Promise<number> {
  const { db, sql: query } = store
  const id_token = session.id_token === null ? null : (await sealer(store)).text('sessions.id_token', session.id_token)
  const [row] = await db
    .insert(sessions)
    .values({ ...session, id_token })
    .returning({ id: sessions.id })
  await query`delete from sessions where id in (
      select id from sessions where user_id = ${session.user_id} order by seen_at desc, id desc offset ${MAX_SESSIONS})`
  return row?.id ?? 0
}

/** The ID token of the session with this SHA-256 hash (hex); null: none. */
export async function sessionIdToken({ sql: query }: Store, secretHash: string): Promise<string | null> {
  const [row] = await query<
    { id_token: string | null }[]
  >`select id_token from sessions where secret_hash = ${secretHash}`
  return openSecret('sessions.id_token', row?.id_token ?? null)
}

/** Notes the use of a session. */
export async function touchSession({ sql: query }: Store, id: number, address: string): Promise<void> {
  await query`update sessions set seen_at = now(), created_at = least(created_at, now()), address = ${address} where id = ${id}`
}

/** Deletes the session with this secret. */
export async function deleteSessionOf({ sql: query }: Store, secretHash: string): Promise<void> {
  await query`delete from sessions where secret_hash = ${secretHash}`
}

/** Deletes a session of a user; false: there is none. */
export async function deleteSession({ sql: query }: Store, userId: number, id: number): Promise<boolean> {
  const gone = await query`delete from sessions where user_id = ${userId} and id = ${id} returning id`
  return gone.length > 0
}

/** Deletes all sessions of a user but one (null: all of them). */
export async function deleteOtherSessions({ sql: query }: Store, userId: number, keep: number | null): Promise<void> {
  await query`delete from sessions where user_id = ${userId} and id is distinct from ${keep}::bigint`
}

/** Deletes sessions unused for `idleS` seconds or older than `ageS`. */
export async function dropOldSessions({ sql: query }: Store, idleS: number, ageS: number): Promise<void> {
  await query`delete from sessions where seen_at < now() - make_interval(secs => ${idleS})
      or created_at < now() - make_interval(secs => ${ageS})`
}

/** A session as its user sees it. */
export interface SessionRecord {
  readonly id: number
  readonly method: SessionMethod
  readonly created_at: Date
  readonly seen_at: Date
  readonly address: string
  readonly agent: string
}

/** Open sessions of a user, the last used first. */
export async function listSessions({ sql: query }: Store, userId: number): Promise<SessionRecord[]> {
  return await query<SessionRecord[]>`
      select id, method, created_at, seen_at, address, agent from sessions
      where user_id = ${userId} and stage = 'open' order by seen_at desc, id`
}

/** Addresses from which users of this name (case-insensitive) use open sessions. */
export async function sessionAddresses({ sql: query }: Store, username: string): Promise<string[]> {
  const rows = await query<{ address: string }[]>`
      select distinct s.address from sessions s join users u on u.user_id = s.user_id
      where lower(u.username) = lower(${username}) and s.stage = 'open'`
  return rows.map(({ address }) => address)
}

/** The second factor of a user. */
export type SecondFactor = Readonly<typeof secondFactors.$inferSelect>

/** The second factor of a user, confirmed or not; null: none. */
export async function secondFactor({ db }: Store, userId: number): Promise<SecondFactor | null> {
  const [row] = await db.select().from(secondFactors).where(sql`${secondFactors.user_id} = ${userId}`)
  if (row === undefined) return null
  // a lost key must not let the user in without the second factor
  if (isUnreadable('second_factors.secret', row.secret, userId))
    throw new StoreError('unavailable', 'the second factor cannot be decrypted', false, null)
  return { ...row, secret: openSecret('second_factors.secret', row.secret, userId) ?? '' }
}

/** Stores a new secret that is not in force yet. Leaves a confirmed one as it is; false then. */
export async function putSecret(store: Store, userId: number, plain: string): Promise<boolean> {
  const { sql: query } = store
  const secret = (await sealer(store)).text('second_factors.secret', plain, userId)
  const rows = await query`insert into second_factors (user_id, secret) values (${userId}, ${secret})
      on conflict (user_id) do update set secret = excluded.secret where second_factors.confirmed_at is null
      returning user_id`
  return rows.length > 0
}

/** Puts the secret in force. `recovery`: hashes of the recovery codes. */
export async function confirmSecret(
  { sql: query }: Store,
  userId: number,
  step: number,
  recovery: readonly string[],
): Promise<void> {
  await query`update second_factors set confirmed_at = now(), last_step = ${step}, recovery = ${[...recovery]}
      where user_id = ${userId}`
}

/** Uses up the code of a step; false: it, or a later one, was used before. */
export async function useStep({ sql: query }: Store, userId: number, step: number): Promise<boolean> {
  const rows =
    await query`update second_factors set last_step = ${step} where user_id = ${userId} and last_step < ${step}
      returning user_id`
  return rows.length > 0
}

/** Uses up a recovery code; false: there is none with this hash. */
export async function useRecovery({ sql: query }: Store, userId: number, hash: string): Promise<boolean> {
  const rows = await query`update second_factors set recovery = array_remove(recovery, ${hash})
      where user_id = ${userId} and ${hash} = any(recovery) returning user_id`
  return rows.length > 0
}

/** Removes the second factor of a user; false: there was none in force. */
export async function deleteSecondFactor({ sql: query }: Store, userId: number): Promise<boolean> {
  const gone = await query<{ confirmed_at: Date | null }[]>`
      delete from second_factors where user_id = ${userId} returning confirmed_at`
  return gone[0]?.confirmed_at != null
}
