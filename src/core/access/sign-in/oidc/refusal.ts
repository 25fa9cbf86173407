/** A refused sign-in, with texts for page and log. */
export interface OidcRefusal {
  /** HTTP status of the response. */
  readonly status: 400 | 403 | 404 | 429 | 502 | 503
  /** What is wrong and what to do; contains no secret. */
  readonly text: string
  /** For the logs: one line without secrets. */
  readonly reason: string
  /** Seconds to wait; null: waiting does not help. */
  readonly waitS: number | null
  /** Whether another account at the provider may help. */
  readonly isAboutAccount: boolean
}

export const refusal = (
  status: OidcRefusal['status'],
  reason: string,
  text: string,
  waitS: number | null = null,
): OidcRefusal => ({ status, text, reason, waitS, isAboutAccount: false })

/** A refusal because of the account at the provider. */
export const refusedAccount = (reason: string, text: string): OidcRefusal => ({
  status: 403,
  text,
  reason,
  waitS: null,
  isAboutAccount: true,
})

/** Why an answer of the provider was not used. */
export const TOO_LONG = 'its answer is longer than 512 KiB'

/** Seconds until a provider that failed is tried again. */
export const RETRY_S = 5
