import type { Dialect } from '../../base/actor.ts'
import { invalid, notFound } from '../../base/errors.ts'
import { insertAuthEntries } from '../../base/write-events.ts'
import type { Store } from '../../database/client.ts'
import { listTokens, type TokenRecord } from '../read.ts'
import { findUser } from '../users/find.ts'
import { deleteToken, insertToken, notifyAccess, updateToken, updateTokenDisabled } from '../write.ts'

export type { TokenRecord }

/** Random bytes in a token, which is written as twice as many hex digits. */
const TOKEN_OCTETS = 16
const MAX_DESCRIPTION = 255

/** Scopes of a token: `read` allows only operations that change nothing, `write` everything its user may do. */
export const TOKEN_SCOPES = ['read', 'write'] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]

/** The members of a token that can be changed. */
export interface TokenTerms {
  readonly scope: TokenScope
  /** null: it does not expire. */
  readonly expiresAt: Date | null
  /** null: that of the setting. */
  readonly dialect: Dialect | null
}

interface NewToken extends Partial<Omit<TokenTerms, 'dialect'>> {
  readonly dialect: Dialect | null
  /** Name or id of the user. */
  readonly username: string
  readonly description: string
}

/** SHA-256 of a token in hex, as stored. */
export function hashToken(token: string): string {
  return new Bun.CryptoHasher('sha256').update(token).digest('hex')
}

/** Operations on API tokens. `changed` is called after every change, to empty caches. */
export function createTokenService({ store, changed }: { readonly store: Store; readonly changed: () => void }) {
  async function announce(): Promise<void> {
    changed()
    await notifyAccess(store)
  }

  return {
    /**
     * Creates a token of 32 lower-case hex digits, which is returned only here. Without `scope` it may write; without
     * `expiresAt` it does not expire. Throws `not_found` for an unknown user, `invalid` for a description of more than
     * 255 characters.
     */
    async create(request: NewToken): Promise<{ id: number; token: string; username: string }> {
      if (request.description.length > MAX_DESCRIPTION) {
        throw invalid(`A description must not exceed ${MAX_DESCRIPTION} characters`)
      }
      const user = await findUser(store, request.username)
      const token = crypto.getRandomValues(new Uint8Array(TOKEN_OCTETS)).toHex()
      const id = await insertToken(store, {
        userId: user.user_id,
        hash: hashToken(token),
        description: request.description,
        dialect: request.dialect,
        scope: request.scope ?? 'write',
        expiresAt: request.expiresAt ?? null,
      })
      await insertAuthEntries(store, [{ user: user.username, address: '', result: `API token ${id} created` }])
      await announce()
      return { id, token, username: user.username }
    },

    /**
     * Tokens in order of id, without their secrets; `user`, a name or id, limits the list to one user. Throws
     * `not_found`, `conflict`.
     */
    async list(user?: string): Promise<TokenRecord[]> {
      return await listTokens(store, user === undefined ? undefined : (await findUser(store, user)).user_id)
    },

    /** Deletes a token. Throws `not_found`. */
    async revoke(tokenId: number): Promise<void> {
      if (!(await deleteToken(store, tokenId))) throw notFound(`Token ${tokenId} does not exist`)
      await announce()
    },

    /** Changes the terms of a token. Throws `not_found`. */
    async change(tokenId: number, { expiresAt, ...terms }: Partial<TokenTerms>): Promise<void> {
      const changes = { ...terms, ...(expiresAt !== undefined && { expires_at: expiresAt }) }
      if (Object.keys(changes).length > 0 && !(await updateToken(store, tokenId, changes)))
        throw notFound(`Token ${tokenId} does not exist`)
      await announce()
    },

    /** Disables or enables a token. Throws `not_found`. */
    async setDisabled(tokenId: number, disabled: boolean): Promise<void> {
      if (!(await updateTokenDisabled(store, tokenId, disabled))) throw notFound(`Token ${tokenId} does not exist`)
      await announce()
    },
  }
}

export type TokenService = ReturnType<typeof createTokenService>
