import { listTokens, listUsers, type TokenRecord } from '../../store/access/read.ts'
import { deleteToken, insertToken, notifyAccess, updateTokenDisabled } from '../../store/access/write.ts'
import type { Store } from '../../store/client.ts'
import { insertAuthEntries } from '../../store/logs/write.ts'
import type { Dialect } from '../actor.ts'
import { invalid, notFound } from '../errors.ts'

export type { TokenRecord }

/** Random octets of a token, written as twice as many hex digits. */
const TOKEN_OCTETS = 16
const MAX_DESCRIPTION = 255

/** SHA-256 of a token in hex, the form that is stored. */
export function hashToken(token: string): string {
  return new Bun.CryptoHasher('sha256').update(token).digest('hex')
}

/** Operations on API tokens. `changed` is called after every change to empty caches. */
export function createTokenService({ store, changed }: { readonly store: Store; readonly changed: () => void }) {
  async function announce(): Promise<void> {
    changed()
    await notifyAccess(store)
  }

  return {
    /**
     * Creates a token of 32 lower-case hex digits, which is shown only here. `dialect` null: as the setting says.
     * Throws `not_found` for an unknown user, `invalid` for a description above 255 characters.
     */
    async create(request: {
      readonly username: string
      readonly description: string
      readonly dialect: Dialect | null
    }): Promise<{ id: number; token: string }> {
      if (request.description.length > MAX_DESCRIPTION) {
        throw invalid(`A description must not exceed ${MAX_DESCRIPTION} characters`)
      }
      const [user] = await listUsers(store, request.username)
      if (!user) throw notFound(`User ${request.username} does not exist`)
      const token = crypto.getRandomValues(new Uint8Array(TOKEN_OCTETS)).toHex()
      const id = await insertToken(store, {
        userId: user.user_id,
        hash: hashToken(token),
        description: request.description,
        dialect: request.dialect,
      })
      await insertAuthEntries(store, [{ user: user.username, address: '', result: `API token ${id} created` }])
      await announce()
      return { id, token }
    },

    /** Tokens by id, without their secrets; `username` limits the list to one user. */
    async list(username?: string): Promise<TokenRecord[]> {
      return await listTokens(store, username)
    },

    /** Deletes a token. Throws `not_found`. */
    async revoke(tokenId: number): Promise<void> {
      if (!(await deleteToken(store, tokenId))) throw notFound(`Token ${tokenId} does not exist`)
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
