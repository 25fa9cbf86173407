import type { Store } from '../client.ts'
import type { Tx } from './audit.ts'

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
export async function insertUser({ sql }: Store, user: NewUser): Promise<number> {
  return await sql.begin((tx) => addUser(tx, user))
}

/** Creates the user if there is none at all; null: there are users. Safe when several processes start at once. */
export async function insertFirstUser({ sql }: Store, user: NewUser): Promise<number | null> {
  return await sql.begin(async (tx) => {
    await tx`lock table users in share row exclusive mode`
    const [any] = await tx`select 1 from users limit 1`
    return any ? null : await addUser(tx, user)
  })
}

async function addUser(tx: Tx, user: NewUser): Promise<number> {
  const [row] = await tx<{ user_id: number }[]>`
    insert into users (auth_type, username, password, realname, email, descr)
    values ('local', ${user.username}, ${user.password}, ${user.realname}, ${user.email}, ${user.descr})
    returning user_id`
  if (!row) throw new Error('insert returned no row')
  await setRoles(tx, row.user_id, user.roles)
  return row.user_id
}

async function setRoles(tx: Tx, userId: number, roles: readonly string[]): Promise<void> {
  await tx`delete from model_has_roles where model_id = ${userId}`
  for (const role of new Set(roles)) {
    await tx`insert into roles (name) values (${role}) on conflict (name) do nothing`
    await tx`insert into model_has_roles (role_id, model_id) select id, ${userId} from roles where name = ${role}`
  }
}

/** Replaces the roles of a user. */
export async function replaceRoles({ sql }: Store, userId: number, roles: readonly string[]): Promise<void> {
  await sql.begin((tx) => setRoles(tx, userId, roles))
}

/** Stores a new password hash (argon2id). */
export async function updatePassword({ sql }: Store, userId: number, password: string): Promise<void> {
  await sql`update users set password = ${password}, updated_at = now() where user_id = ${userId}`
}

/** Lets a user in or locks it out. */
export async function updateEnabled({ sql }: Store, userId: number, enabled: boolean): Promise<void> {
  await sql`update users set enabled = ${enabled ? 1 : 0}, updated_at = now() where user_id = ${userId}`
}

/** Removes a user; tokens, roles and grants go along. */
export async function deleteUser({ sql }: Store, userId: number): Promise<void> {
  await sql`delete from users where user_id = ${userId}`
}

/** Grants objects to a user of role `user`; granting twice is no error. */
export async function insertGrants(
  { sql }: Store,
  userId: number,
  grants: { readonly deviceIds: readonly number[]; readonly portIds: readonly number[] },
): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`insert into devices_perms (user_id, device_id)
      select ${userId}, unnest(${grants.deviceIds as number[]}::int[]) on conflict do nothing`
    await tx`insert into ports_perms (user_id, port_id)
      select ${userId}, unnest(${grants.portIds as number[]}::int[]) on conflict do nothing`
  })
}

/** Stores a token by its hash; returns the id. */
export async function insertToken(
  { sql }: Store,
  token: {
    readonly userId: number
    readonly hash: string
    readonly description: string
    readonly dialect: 'documented' | 'librenms' | null
  },
): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    insert into api_tokens (user_id, token_hash, description, dialect)
    values (${token.userId}, ${token.hash}, ${token.description}, ${token.dialect}) returning id`
  if (!row) throw new Error('insert returned no row')
  return row.id
}

/** Removes a token. Returns false when there is none with the id. */
export async function deleteToken({ sql }: Store, tokenId: number): Promise<boolean> {
  return (await sql`delete from api_tokens where id = ${tokenId}`).count > 0
}

/** Switches a token off or on. Returns false when there is none with the id. */
export async function updateTokenDisabled({ sql }: Store, tokenId: number, disabled: boolean): Promise<boolean> {
  return (await sql`update api_tokens set disabled = ${disabled ? 1 : 0} where id = ${tokenId}`).count > 0
}

/** Notes that tokens were used now. */
export async function touchTokens({ sql }: Store, tokenIds: readonly number[]): Promise<void> {
  await sql`update api_tokens set last_used_at = now() where id = any(${tokenIds as number[]}::int[])`
}

/** Tells every process that users, roles or tokens changed. */
export async function notifyAccess({ sql }: Store): Promise<void> {
  await sql.notify(ACCESS_CHANNEL, '')
}

/** NOTIFY channel of changed users, roles and tokens. */
export const ACCESS_CHANNEL = 'portlight_access'
