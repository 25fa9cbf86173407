import { sql } from 'drizzle-orm'
import { userIdentities, users } from '../../../db/schema/index.ts'
import type { Store } from '../database/client.ts'
import { addUser, type NewUser } from './write.ts'

/** An account at an OpenID Connect provider: claims `iss` and `sub`. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
}

/** Whether it can be stored. OpenID Connect Core 1.0 §2 allows 255 ASCII characters; other letters do no harm. */
export const isSubject = (subject: string): boolean => /^\P{C}{1,255}$/u.test(subject)

/** The user that an identity signs in. */
export interface IdentityUser {
  readonly user_id: number
  readonly username: string
  readonly enabled: number
  readonly roles: readonly string[]
}

/** The user of an identity; null: it is not linked. */
export async function identityUser({ sql: query }: Store, { issuer, subject }: Identity): Promise<IdentityUser | null> {
  const [user] = await query<IdentityUser[]>`
      select u.user_id, u.username, u.enabled, array(select r.name from model_has_roles m
        join roles r on r.id = m.role_id where m.model_id = u.user_id order by r.name) as roles
      from user_identities i join users u on u.user_id = i.user_id
      where i.issuer = ${issuer} and i.subject = ${subject}`
  return user ?? null
}

/**
 * Creates a user together with its identity; null: a user of this name exists, whatever its kind, or the identity was
 * linked meanwhile.
 */
export async function insertIdentityUser({ db }: Store, user: NewUser, identity: Identity): Promise<number | null> {
  return await db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${users} in share row exclusive mode`)
    const same = sql`lower(${users.username}) = lower(${user.username})`
    if ((await tx.select({ id: users.user_id }).from(users).where(same).limit(1)).length > 0) return null
    const linked = sql`${userIdentities.issuer} = ${identity.issuer} and ${userIdentities.subject} = ${identity.subject}`
    if ((await tx.select({ id: userIdentities.user_id }).from(userIdentities).where(linked)).length > 0) return null
    const user_id = await addUser(tx, user)
    await tx.insert(userIdentities).values({ ...identity, user_id })
    return user_id
  })
}

/** Links an identity to a user; false: it is linked already. */
export async function insertIdentity({ db }: Store, userId: number, identity: Identity): Promise<boolean> {
  const made = await db
    .insert(userIdentities)
    .values({ ...identity, user_id: userId })
    .onConflictDoNothing()
    .returning({ id: userIdentities.user_id })
  return made.length > 0
}

/** Removes the identities of a user; returns how many there were. */
export async function deleteIdentities({ sql: query }: Store, userId: number): Promise<number> {
  const { count } = await query`delete from user_identities where user_id = ${userId}`
  return count
}

/** Notes a sign-in. */
export async function touchIdentity({ sql: query }: Store, { issuer, subject }: Identity): Promise<void> {
  await query`update user_identities set seen_at = now() where issuer = ${issuer} and subject = ${subject}`
}

/** An identity of a user. */
export interface IdentityRecord extends Identity {
  /** The last sign-in; null: none yet. */
  readonly seen_at: Date | null
}

/** Identities of a user. */
export async function listIdentities({ sql: query }: Store, userId: number): Promise<IdentityRecord[]> {
  return await query<IdentityRecord[]>`
      select issuer, subject, seen_at from user_identities where user_id = ${userId} order by issuer, subject`
}

/** Users without an identity of this issuer that have the name, or the mail address; at most two. */
export async function linkableUsers(
  { sql: query }: Store,
  issuer: string,
  by: { readonly username: string } | { readonly email: string },
): Promise<{ readonly user_id: number }[]> {
  const same =
    'username' in by
      ? query`lower(u.username) = lower(${by.username})`
      : query`u.email <> '' and lower(u.email) = lower(${by.email})`
  return await query<{ user_id: number }[]>`
      select u.user_id from users u where ${same}
        and not exists (select from user_identities i where i.user_id = u.user_id and i.issuer = ${issuer}) limit 2`
}
