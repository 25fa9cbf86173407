import type { TokenScope, TokenTerms } from '../../../core/access/tokens/service.ts'
import type { Form as FormData } from '../../page.ts'

/** A token that was just created, the only time it can be shown. */
export interface Made {
  readonly id: number
  readonly token: string
  readonly description: string
  readonly dialect: TokenTerms['dialect']
}

/** New tokens by the form that created them, for the page that answers it. */
export const fresh = new WeakMap<FormData, Made>()

/** Scopes in words. */
export const SCOPES: Readonly<Record<TokenScope, string>> = { read: 'read', write: 'read and write' }
