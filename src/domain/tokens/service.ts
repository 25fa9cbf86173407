import type { Store } from '../../store/client.ts'
import { listTokens, listUsers, type TokenRecord } from '../../store/readers/access.ts'
import { deleteToken, insertToken, notifyAccess, updateTokenDisabled } from '../../store/writers/access.ts'
import { insertAuthEntries } from '../../store/writers/logs.ts'
import type { Dialect } from '../actor.ts'
import { invalid, notFound } from '../errors.ts'

export type { TokenRecord }

/** How many random octets a token has; it is written as twice as many hex digits. */
const TOKEN_OCTETS = 16
const MAX_DESCRIPTION = 255

/** SHA-256 of a token in hex: what is stored of it. */
export function hashToken(token: string): string {
  return new Bun.CryptoHasher('sha256').update(token).digest('hex')
}

/** The verbs on API tokens. `changed` is called after every change, so that nothing stays remembered. */
export function createTokenService({ store, changed }: { readonly store: Store; readonly changed: () => void }) {
  async function tell(): Promise<void> {
    changed()
    await notifyAccess(store)
  }

  return {
    /**
     * Makes a token of 32 lower-case hex digits. It is shown here and never again. `dialect` null: the installation's.
     * Throws `not_found` for an unknown user, `invalid` for a description above 255 characters.
     */
    async create(request: {
      readonly username: string
      readonly description: string
      readonly dialect: Dialect | null
    }): Promise<{ id: number; token: string }> {
      if (request.description.length > MAX_DESCRIPTION) {
        throw invalid(`A description has at most ${MAX_DESCRIPTION} characters`)
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
      return { id, token }
    },

    /** Tokens by id, without their secrets; `username` narrows to one user's. */
    async list(username?: string): Promise<TokenRecord[]> {
      return await listTokens(store, username)
    },

    /** Removes a token for good. Throws `not_found`. */
    async revoke(tokenId: number): Promise<void> {
      if (!(await deleteToken(store, tokenId))) throw notFound(`Token ${tokenId} does not exist`)
      await tell()
    },

    /** Switches a token off, or on again. Throws `not_found`. */
    async setDisabled(tokenId: number, disabled: boolean): Promise<void> {
      if (!(await updateTokenDisabled(store, tokenId, disabled))) throw notFound(`Token ${tokenId} does not exist`)
      await tell()
    },
  }
}

export type TokenService = ReturnType<typeof createTokenService>
