import { and, eq, inArray, sql } from 'drizzle-orm'
import { apiTokens, modelHasRoles, roles, users, usersPrefs } from '../../../db/schema/index.ts'
import type { DbTx, Store } from '../database/client.ts'
import { Undone } from '../database/errors.ts'
import { notify } from '../database/listen.ts'

export interface NewUser {
  readonly username: string
  /** argon2id hash; null: no login by password. */
  readonly password: string | null
  readonly realname: string
  readonly email: string
  readonly descr: string
  readonly roles: readonly string[]
}

/** Creates a user; returns the id. Throws a unique violation (23505) when the name is taken. */
export async function insertUser({ db }: Store, user: NewUser): Promise<number> {
  return await db.transaction((tx) => addUser(tx, user))
}

/** Creates the user only if there are no users at all; null: there are. Safe when several processes start at once. */
export async function insertFirstUser({ db }: Store, user: NewUser): Promise<number | null> {
  return await db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${users} in share row exclusive mode`)
    const any = await tx.select({ id: users.user_id }).from(users).limit(1)
    return any.length > 0 ? null : await addUser(tx, user)
  })
}

/** Creates a user within a transaction; returns the id. Throws 23505 when the name is taken. */
export async function addUser(tx: DbTx, { roles: names, ...user }: NewUser): Promise<number> {
  const [row] = await tx
    .insert(users)
    .values({ auth_type: 'local', ...user })
    .returning({ id: users.user_id })
  if (!row) throw new Error('insert returned no row')
  await setRoles(tx, row.id, names)
  return row.id
}

async function setRoles(tx: DbTx, userId: number, names: readonly string[]): Promise<void> {
  await tx.delete(modelHasRoles).where(eq(modelHasRoles.model_id, userId))
  const wanted = [...new Set(names)]
  if (wanted.length === 0) return
  await tx
    .insert(roles)
    .values(wanted.map((name) => ({ name })))
    .onConflictDoNothing()
  const found = await tx.select({ id: roles.id }).from(roles).where(inArray(roles.name, wanted))
  await tx.insert(modelHasRoles).values(found.map(({ id }) => ({ role_id: id, model_id: userId })))
}

/** Replaces the roles of a user. Returns false and changes nothing when no enabled administrator would be left. */
export function replaceRoles(store: Store, userId: number, names: readonly string[]): Promise<boolean> {
  return keepingAdmin(store, (tx) => setRoles(tx, userId, names))
}

/**
 * Changes users or their roles. Returns false and changes nothing when no enabled administrator would be left. Such
 * changes run one at a time: two concurrent ones could otherwise each rely on the other's administrator.
 */
async function keepingAdmin({ db }: Store, change: (tx: DbTx) => Promise<unknown>): Promise<boolean> {
  try {
    await db.transaction(async (tx) => {
      await tx.execute(sql`lock table ${users} in share row exclusive mode`)
      const before = await hasAdmin(tx)
      await change(tx)
      if (before && !(await hasAdmin(tx))) throw new Undone()
    })
    return true
  } catch (error) {
    if (error instanceof Undone) return false
    throw error
  }
}

async function hasAdmin(tx: DbTx): Promise<boolean> {
  const found = await tx
    .select({ id: users.user_id })
    .from(users)
    .innerJoin(modelHasRoles, eq(modelHasRoles.model_id, users.user_id))
    .innerJoin(roles, eq(roles.id, modelHasRoles.role_id))
    .where(and(eq(roles.name, 'admin'), eq(users.enabled, 1)))
    .limit(1)
  return found.length > 0
}

/** Stores a new password hash (argon2id). */
export function updatePassword(store: Store, userId: number, password: string): Promise<void> {
  return updateUser(store, userId, { password })
}

/** Replaces a hash with another one of the same password, unless the password was changed meanwhile. */
export async function replacePassword({ db }: Store, userId: number, before: string, after: string): Promise<void> {
  await db
    .update(users)
    .set({ password: after })
    .where(and(eq(users.user_id, userId), eq(users.password, before)))
}

/** Enables or disables a user. Returns false and changes nothing when no enabled administrator would be left. */
export function updateEnabled(store: Store, userId: number, enabled: boolean): Promise<boolean> {
  return keepingAdmin(store, (tx) =>
    tx
      .update(users)
      .set(touched({ enabled: enabled ? 1 : 0 }))
      .where(eq(users.user_id, userId)),
  )
}

/** Stores a user's preference; null removes it. */
export async function updatePreference(
  { db }: Store,
  user_id: number,
  pref: string,
  value: string | null,
): Promise<void> {
  const key = and(eq(usersPrefs.user_id, user_id), eq(usersPrefs.pref, pref))
  if (value === null) await db.delete(usersPrefs).where(key)
  else {
    await db
      .insert(usersPrefs)
      .values({ user_id, pref, value })
      .onConflictDoUpdate({ target: [usersPrefs.user_id, usersPrefs.pref], set: { value } })
  }
}

const touched = (changes: Partial<typeof users.$inferInsert>) => ({ ...changes, updated_at: sql`now()` })

async function updateUser({ db }: Store, userId: number, changes: Partial<typeof users.$inferInsert>): Promise<void> {
  await db.update(users).set(touched(changes)).where(eq(users.user_id, userId))
}

/**
 * Deletes a user with tokens, roles and grants. Returns false and changes nothing when no enabled administrator would
 * be left.
 */
export function deleteUser(store: Store, userId: number): Promise<boolean> {
  return keepingAdmin(store, (tx) => tx.delete(users).where(eq(users.user_id, userId)))
}

/** Stores a token as a hash; returns its id. */
export async function insertToken(
  { db }: Store,
  token: {
    readonly userId: number
    readonly hash: string
    readonly description: string
    readonly dialect: 'documented' | 'librenms' | null
    readonly scope: 'read' | 'write'
    readonly expiresAt: Date | null
  },
): Promise<number> {
  const [row] = await db
    .insert(apiTokens)
    .values({
      user_id: token.userId,
      token_hash: token.hash,
      description: token.description,
      dialect: token.dialect,
      scope: token.scope,
      expires_at: token.expiresAt,
    })
    .returning({ id: apiTokens.id })
  if (!row) throw new Error('insert returned no row')
  return row.id
}

/** Deletes a token. Returns false when the id does not exist. */
export async function deleteToken({ db }: Store, tokenId: number): Promise<boolean> {
  const gone = await db.delete(apiTokens).where(eq(apiTokens.id, tokenId)).returning({ id: apiTokens.id })
  return gone.length > 0
}

/** Disables or enables a token. Returns false when the id does not exist. */
export async function updateTokenDisabled({ db }: Store, tokenId: number, disabled: boolean): Promise<boolean> {
  const changed = await db
    .update(apiTokens)
    .set({ disabled: disabled ? 1 : 0 })
    .where(eq(apiTokens.id, tokenId))
    .returning({ id: apiTokens.id })
  return changed.length > 0
}

/** Changes a token. Returns false when the id does not exist. */
export async function updateToken(
  { db }: Store,
  tokenId: number,
  changes: Partial<Pick<typeof apiTokens.$inferInsert, 'scope' | 'expires_at' | 'dialect' | 'description'>>,
): Promise<boolean> {
  const changed = await db
    .update(apiTokens)
    .set(changes)
    .where(eq(apiTokens.id, tokenId))
    .returning({ id: apiTokens.id })
  return changed.length > 0
}

/** Records that tokens were used just now. */
export async function touchTokens({ db }: Store, tokenIds: readonly number[]): Promise<void> {
  await db
    .update(apiTokens)
    .set({ last_used_at: sql`now()` })
    .where(inArray(apiTokens.id, [...tokenIds]))
}

/** Notifies every process that users, roles or tokens changed. */
export function notifyAccess(store: Store): Promise<void> {
  return notify(store, ACCESS_CHANNEL)
}

/** NOTIFY channel for changes of users, roles and tokens. */
export const ACCESS_CHANNEL = 'portlight_access'
