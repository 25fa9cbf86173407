import { and, asc, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import {
  apiTokens,
  modelHasRoles,
  permissions,
  roleHasPermissions,
  roles,
  secondFactors,
  users,
} from '../../../db/schema/index.ts'
import type { Store } from '../database/client.ts'
import { prepared } from '../database/prepared.ts'

/** A token and its user, for authentication. */
export interface TokenOwner {
  readonly token_id: number
  readonly disabled: number
  readonly dialect: 'documented' | 'librenms' | null
  readonly scope: 'read' | 'write'
  /** null: never. */
  readonly expires_at: Date | null
  readonly user_id: number
  readonly username: string
  readonly enabled: number
  readonly roles: readonly string[]
  readonly permissions: readonly string[]
}

const ownerQuery = prepared((db) =>
  db
    .select({
      token_id: apiTokens.id,
      disabled: apiTokens.disabled,
      dialect: apiTokens.dialect,
      scope: apiTokens.scope,
      expires_at: apiTokens.expires_at,
      user_id: users.user_id,
      username: users.username,
      enabled: users.enabled,
      roles: sql<string[]>`array(${db
        .select({ name: roles.name })
        .from(modelHasRoles)
        .innerJoin(roles, eq(roles.id, modelHasRoles.role_id))
        .where(eq(modelHasRoles.model_id, users.user_id))})`,
      permissions: sql<string[]>`array(${db
        .select({ name: lowerCase(permissions.name) })
        .from(modelHasRoles)
        .innerJoin(roleHasPermissions, eq(roleHasPermissions.role_id, modelHasRoles.role_id))
        .innerJoin(permissions, eq(permissions.id, roleHasPermissions.permission_id))
        .where(eq(modelHasRoles.model_id, users.user_id))})`,
    })
    .from(apiTokens)
    .innerJoin(users, eq(users.user_id, apiTokens.user_id))
    .where(eq(apiTokens.token_hash, sql.placeholder('hash')))
    .prepare('token_owner'),
)

/** The owner of the token with this SHA-256 hash (hex); null: unknown token. */
export async function tokenOwner({ db }: Store, tokenHash: string): Promise<TokenOwner | null> {
  const [owner] = await ownerQuery(db).execute({ hash: tokenHash })
  return owner ?? null
}

/** SHA-256 hashes (hex) of all enabled tokens that have not expired. */
export async function tokenHashes({ sql: query }: Store): Promise<ReadonlySet<string>> {
  const rows = await query<{ token_hash: string }[]>`
      select token_hash from api_tokens where disabled = 0 and (expires_at is null or expires_at > now())`
  return new Set(rows.map((row) => row.token_hash))
}

/** An API token without its secret. */
export interface TokenRecord {
  readonly id: number
  readonly username: string
  readonly description: string
  readonly disabled: number
  readonly dialect: 'documented' | 'librenms' | null
  readonly scope: 'read' | 'write'
  /** null: never. */
  readonly expires_at: Date | null
  readonly created_at: Date
  readonly last_used_at: Date | null
}

/** Tokens by id; `userId` limits the list to one user. */
export async function listTokens({ db }: Store, userId?: number): Promise<TokenRecord[]> {
  return await db
    .select({
      id: apiTokens.id,
      username: users.username,
      description: apiTokens.description,
      disabled: apiTokens.disabled,
      dialect: apiTokens.dialect,
      scope: apiTokens.scope,
      expires_at: apiTokens.expires_at,
      created_at: apiTokens.created_at,
      last_used_at: apiTokens.last_used_at,
    })
    .from(apiTokens)
    .innerJoin(users, eq(users.user_id, apiTokens.user_id))
    .where(userId === undefined ? undefined : eq(users.user_id, userId))
    .orderBy(asc(apiTokens.id))
}

/** A user without the password. */
export interface UserRecord {
  readonly user_id: number
  readonly username: string
  readonly realname: string
  readonly email: string
  readonly descr: string
  readonly enabled: number
  readonly created_at: Date
  /** How the user signs in: `local` by password; others come from imports (`ldap`, `mysql`). */
  readonly auth_type: string | null
  /** Whether a second factor is asked for after the password. */
  readonly second_factor: boolean
  readonly roles: readonly string[]
}

/** Whether there is any user. */
export async function hasUsers({ sql }: Store): Promise<boolean> {
  return (await sql`select from users limit 1`).length > 0
}

/**
 * Users by name; `only` limits the list to a name, case-insensitive, or an id. Several users share a name if they sign
 * in in different ways.
 */
export async function listUsers({ db }: Store, only?: string | number): Promise<UserRecord[]> {
  return await db
    .select({
      user_id: users.user_id,
      username: users.username,
      realname: users.realname,
      email: users.email,
      descr: users.descr,
      enabled: users.enabled,
      created_at: users.created_at,
      auth_type: users.auth_type,
      second_factor: sql<boolean>`exists (${db
        .select({ one: sql`1` })
        .from(secondFactors)
        .where(and(eq(secondFactors.user_id, users.user_id), isNotNull(secondFactors.confirmed_at)))})`,
      roles: sql<string[]>`array(${db
        .select({ name: roles.name })
        .from(modelHasRoles)
        .innerJoin(roles, eq(roles.id, modelHasRoles.role_id))
        .where(eq(modelHasRoles.model_id, users.user_id))
        .orderBy(asc(roles.name))})`,
    })
    .from(users)
    .where(only === undefined ? undefined : typeof only === 'number' ? eq(users.user_id, only) : isNamed(only))
    .orderBy(lowerCase(users.username), asc(users.user_id))
}

/** Name, roles and permissions (lower case) of a user; null: there is none. */
export async function userAccess(
  { sql: query }: Store,
  userId: number,
): Promise<{
  readonly username: string
  readonly roles: readonly string[]
  readonly permissions: readonly string[]
} | null> {
  const [row] = await query<{ username: string; roles: string[]; permissions: string[] }[]>`
      select u.username,
        array(select r.name from model_has_roles m join roles r on r.id = m.role_id where m.model_id = u.user_id) as roles,
        array(select lower(p.name) from model_has_roles m join role_has_permissions h on h.role_id = m.role_id
          join permissions p on p.id = h.permission_id where m.model_id = u.user_id) as permissions
      from users u where u.user_id = ${userId}`
  return row ?? null
}

/** argon2id hash of a user's password; null: no such user, or no password set. */
export async function passwordHash({ db }: Store, username: string): Promise<string | null> {
  const [row] = await db
    .select({ password: users.password })
    .from(users)
    .where(and(isNamed(username), eq(users.auth_type, 'local')))
  return row?.password ?? null
}

const isNamed = (username: string): SQL => sql`lower(${users.username}) = lower(${username})`
const lowerCase = (column: AnyPgColumn): SQL<string> => sql<string>`lower(${column})`
