import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
} from 'openid-client'
import type { Settings } from '../../../../config/schema.ts'
import { sendHttp } from '../../../alerts/transports/http.ts'
import { type AddressLookup, SendError } from '../../../alerts/transports/resolve.ts'
import { RETRY_S, TOO_LONG } from './refusal.ts'

/** Tolerated difference between the clocks of provider and server, seconds. */
const TOLERANCE_S = 30
/** Timeout of a request to the provider, seconds; also of reading its metadata, however often that is tried. */
const TIMEOUT_S = 10
/** Time that all requests of one step of a sign-in may take: less than a page may, so that the page tells the reason. */
const STEP_S = 15
/** Time for which the provider's metadata is used before it is requested again. */
const FRESH_MS = 3_600_000
/** Time for which old metadata is used while the provider does not answer. */
const STALE_MS = 86_400_000
/** Maximum size of an answer, bytes. Keys with certificates of large tenants take up to 100 KiB. */
const MAX_OCTETS = 512 * 1024
/** Maximum number of concurrent requests to the provider. */
const AT_ONCE = 20

export interface ProviderDeps {
  readonly settings: Settings
  readonly lookup: AddressLookup
  /** Epoch ms. */
  readonly now: () => number
  /** `steadyNow`. */
  readonly steady: () => number
}

interface Known {
  readonly key: string
  /** The provider's metadata as received. */
  readonly document: string
  readonly readMs: number
  /** A sign-in with it failed. */
  doubted: boolean
}

/**
 * The OpenID Connect provider in the settings. Its metadata (OpenID Connect Discovery 1.0) is read at the first sign-in
 * and once an hour, sooner if a sign-in failed; a failure is remembered for five seconds. Its keys are read at every sign-in, so that new ones work
 * at once.
 */
export function createProvider(deps: ProviderDeps) {
  const { settings, steady } = deps
  const fetching = guardedFetch(deps)
  let known: Known | null = null
  let failed: { readonly key: string; readonly atMs: number; readonly error: unknown } | null = null
  let reading: { readonly key: string; readonly work: Promise<string> } | null = null

  const keyOf = () => JSON.stringify([settings.get('auth.oidc.issuer'), settings.get('auth.oidc.client_id')])

  /** A client configuration from the provider's metadata; `document` null: requests it. */
  async function client(
    document: string | null,
    until: AbortSignal,
  ): Promise<{ config: Configuration; document: string }> {
    const issuer = new URL(settings.get('auth.oidc.issuer'))
    let text = document ?? ''
    const first: CustomFetch = async (url, options) => {
      if (document === null) {
        const answer = await fetching(until)(url, options)
        text = await answer.clone().text()
        return answer
      }
      return new Response(document, { headers: { 'Content-Type': 'application/json' } })
    }
    const config = await discovery(
      issuer,
      settings.get('auth.oidc.client_id'),
      { [clockTolerance]: TOLERANCE_S },
      authentication(settings.get('auth.oidc.client_secret')),
      {
        [customFetch]: first,
        timeout: TIMEOUT_S,
        // the token comes straight from the provider, but checking its signature costs little
        execute: [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])],
      },
    )
    config[customFetch] = fetching(until)
    return { config, document: text }
  }

  async function read(key: string): Promise<string> {
    const until = AbortSignal.timeout(TIMEOUT_S * 1000)
    try {
      const { document } = await client(null, until).catch((error: unknown) => {
        if (mayPass(error) && !until.aborted) return client(null, until)
        throw error
      })
      known = { key, document, readMs: steady(), doubted: false }
      failed = null
      return document
    } catch (error) {
      failed = { key, atMs: steady(), error }
      throw error
    } finally {
      if (reading?.key === key) reading = null
    }
  }

  /** The provider's metadata, at most an hour old, or a day while the provider does not answer. */
  async function described(): Promise<string> {
    const key = keyOf()
    const old = known?.key === key && steady() - known.readMs < STALE_MS ? known : null
    if (old !== null && steady() - old.readMs < (old.doubted ? RETRY_S * 1000 : FRESH_MS)) return old.document
    if (failed?.key === key && steady() - failed.atMs < RETRY_S * 1000) {
      if (old !== null) return old.document
      throw failed.error
    }
    if (reading?.key !== key) reading = { key, work: read(key) }
    return await reading.work.catch((error: unknown) => {
      if (old !== null) return old.document
      throw error
    })
  }

  return {
    /** Client configuration for one sign-in. Rejects when the provider cannot be reached. */
    async configuration(): Promise<Configuration> {
      const until = AbortSignal.timeout(STEP_S * 1000)
      return (await client(await described(), until)).config
    },
    /** A sign-in failed: the provider may have changed its addresses, so the next one reads its metadata again. */
    doubt(): void {
      if (known !== null) known.doubted = true
    },
  }
}

/** OpenID Connect Core 1.0 §9: client_secret_basic, unless the provider states otherwise. */
function authentication(secret: string): ClientAuth {
  if (secret === '') return None()
  return (server, ...rest) => {
    const supported = server.token_endpoint_auth_methods_supported
    const isBasic = supported === undefined || supported.includes('client_secret_basic')
    return (isBasic ? ClientSecretBasic(secret) : ClientSecretPost(secret))(server, ...rest)
  }
}

/** Whether an immediate retry may succeed. */
function mayPass(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof SendError && error.cause.retry
}

/** `fetch` by way of the guarded sender: `outgoing.allow` and `outgoing.private` apply, no redirects, limited size. */
function guardedFetch({ settings, lookup, now }: ProviderDeps): (until: AbortSignal) => CustomFetch {
  let active = 0
  return (until) =>
    async (url, { method, headers, body, signal }) => {
      if (active >= AT_ONCE) throw new SendError('too many sign-ins at once', true)
      if (method !== 'GET' && method !== 'POST') throw new SendError('unexpected HTTP method', false)
      active++
      try {
        const answer = await sendHttp(
          { method, url, headers, body: body == null ? '' : String(body), maxResponse: MAX_OCTETS },
          { settings, lookup, signal: AbortSignal.any([until, signal ?? AbortSignal.timeout(TIMEOUT_S * 1000)]), now },
        )
        if (!answer.isWhole) throw new SendError(TOO_LONG, false)
        return new Response([204, 205, 304].includes(answer.status) ? null : answer.body, {
          status: answer.status,
          headers: flat(answer.headers),
        })
      } finally {
        active--
      }
    }
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const made = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    for (const one of [value ?? []].flat()) if (name !== 'set-cookie') made.append(name, one)
  }
  return made
}
