import type { Store } from '../client.ts'

/** A token and its user, as authentication needs them. */
export interface TokenOwner {
  readonly token_id: number
  readonly disabled: number
  readonly dialect: 'documented' | 'librenms' | null
  readonly user_id: number
  readonly username: string
  readonly enabled: number
  readonly roles: readonly string[]
  readonly permissions: readonly string[]
}

/** Owner of the token whose SHA-256 in hex is given; null: no such token. */
export async function tokenOwner({ sql }: Store, tokenHash: string): Promise<TokenOwner | null> {
  const [row] = await sql<TokenOwner[]>`
    select t.id as token_id, t.disabled, t.dialect, u.user_id, u.username, u.enabled,
      array(select r.name from model_has_roles m join roles r on r.id = m.role_id where m.model_id = u.user_id) as roles,
      array(select lower(p.name) from model_has_roles m
        join role_has_permissions h on h.role_id = m.role_id
        join permissions p on p.id = h.permission_id where m.model_id = u.user_id) as permissions
    from api_tokens t join users u on u.user_id = t.user_id
    where t.token_hash = ${tokenHash}`
  return row ?? null
}

/** An API token without its secret. */
export interface TokenRecord {
  readonly id: number
  readonly username: string
  readonly description: string
  readonly disabled: number
  readonly dialect: 'documented' | 'librenms' | null
  readonly created_at: Date
  readonly last_used_at: Date | null
}

/** Tokens by id; `username` narrows to one user's. */
export async function listTokens({ sql }: Store, username?: string): Promise<TokenRecord[]> {
  return await sql<TokenRecord[]>`
    select t.id, u.username, t.description, t.disabled, t.dialect, t.created_at, t.last_used_at
    from api_tokens t join users u on u.user_id = t.user_id
    where ${username === undefined ? sql`true` : sql`lower(u.username) = lower(${username})`}
    order by t.id`
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
  readonly roles: readonly string[]
}

/** Users by name; `username` narrows to one, whatever its case. */
export async function listUsers({ sql }: Store, username?: string): Promise<UserRecord[]> {
  return await sql<UserRecord[]>`
    select u.user_id, u.username, u.realname, u.email, u.descr, u.enabled, u.created_at,
      array(select r.name from model_has_roles m join roles r on r.id = m.role_id
        where m.model_id = u.user_id order by r.name) as roles
    from users u
    where ${username === undefined ? sql`true` : sql`lower(u.username) = lower(${username})`}
    order by lower(u.username)`
}

/** argon2id hash of a user's password; null: no such user, or one without a password. */
export async function passwordHash({ sql }: Store, username: string): Promise<string | null> {
  const [row] = await sql<{ password: string | null }[]>`
    select password from users where lower(username) = lower(${username}) and auth_type = 'local'`
  return row?.password ?? null
}
