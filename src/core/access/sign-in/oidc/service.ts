import type { Settings } from '../../../../config/schema.ts'
import { clocksOf } from '../../../../lib/steady.ts'
import type { Log } from '../../../../observe/log.ts'
import { type AddressLookup, systemLookup } from '../../../alerts/transports/resolve.ts'
import type { SessionService, Visitor } from '../sessions.ts'
import { ALONE, clientKey, createSignInThrottle, type ThrottleExchange } from '../throttle.ts'
import { type AccountDeps, createAccounts } from './accounts.ts'
import { FLOW_S, flowText, readFlow } from './flow.ts'
import { type OidcRefusal, refusal } from './refusal.ts'

export { FLOW_S, type OidcRefusal }

export interface OidcDeps extends Omit<AccountDeps, 'log'> {
  readonly settings: Settings
  readonly log: Log
  readonly sessions: Pick<SessionService, 'signInByProvider' | 'refusedByProvider' | 'idToken'>
  /** Default: the system's resolver. */
  readonly lookup?: AddressLookup
  /** Default: no other process. */
  readonly throttle?: ThrottleExchange
  /** Epoch ms. */
  readonly now?: () => number
}

interface Refused {
  readonly kind: 'refused'
  readonly refusal: OidcRefusal
  /** The browser has begun another sign-in meanwhile, in another window, which can still be finished. */
  readonly isOther?: true
}

/** A sign-in that has begun. */
interface Begun {
  readonly kind: 'begun'
  /** URL to which the browser is sent. */
  readonly url: string
  /** The state that the browser keeps, for at most FLOW_S seconds. */
  readonly flow: string
}

/** A sign-in that has succeeded. */
interface Opened {
  readonly kind: 'open'
  /** Secret of the new session. */
  readonly secret: string
  /** Path that the user wanted to open. The caller has to check it. */
  readonly to: string
}

/**
 * Sign-in by OpenID Connect: authorization code flow with PKCE, state and nonce (OpenID Connect Core 1.0, RFC 6749, RFC
 * 7636, RFC 9700). The browser keeps the flow in a cookie, so any process can finish a sign-in that another one began.
 */
export function createOidcService({
  settings,
  log,
  sessions,
  lookup = systemLookup,
  throttle = ALONE,
  now: given,
  ...deps
}: OidcDeps) {
  const { now, steady } = clocksOf(given)
  const loading = once(async () => {
    const { createClient, refusalOf } = await import('./client.ts')
    return { client: createClient({ settings, lookup, now, steady }), refusalOf }
  })
  const accounts = createAccounts({ ...deps, settings, log })
  const wrong = createSignInThrottle(
    () => settings.get('auth.wrong_passwords'),
    steady,
    (heard) => throttle.open('oidc', heard),
  )

  const isOn = () => settings.get('auth.oidc.issuer') !== '' && settings.get('auth.oidc.client_id') !== ''

  const failed = async (error: unknown): Promise<OidcRefusal> => {
    const known = (await loading()).refusalOf(error)
    log.warn({ reason: known.reason, issuer: settings.get('auth.oidc.issuer') }, 'sign-in by OpenID Connect failed')
    return known
  }

  return {
    /** Whether a provider is configured. */
    isOn,
    /** Whether the pages refuse passwords. */
    isOnly: () => isOn() && settings.get('auth.oidc.only'),
    label: () => settings.get('auth.oidc.label') || 'Single sign-on',

    /**
     * Begins a sign-in. `callback`: our own URL to which the provider sends the browser back. `other`: the provider is
     * to ask for the account again.
     */
    async begin(callback: string, to: string, other: boolean): Promise<Begun | Refused> {
      if (!isOn()) return { kind: 'refused', refusal: OFF }
      try {
        const { url, secrets } = await (await loading()).client.signIn(callback, other)
        return { kind: 'begun', url, flow: flowText({ ...secrets, begunMs: now(), to }) }
      } catch (error) {
        return { kind: 'refused', refusal: await failed(error) }
      }
    },

    /**
     * Completes a sign-in with the provider's answer, our own URL with parameters. `kept`: the flow that `begin`
     * returned.
     */
    async finish(answer: URL, kept: string, visitor: Visitor): Promise<Opened | Refused> {
      if (!isOn()) return { kind: 'refused', refusal: OFF }
      const flow = readFlow(kept, now())
      if (flow === null) return { kind: 'refused', refusal: LOST }
      if (answer.searchParams.get('state') !== flow.state) return { kind: 'refused', refusal: LOST, isOther: true }
      const client = clientKey(visitor.address)
      if (!wrong.take(client)) return { kind: 'refused', refusal: tooMany(wrong.waitS(client)) }
      const { client: provider } = await loading()
      const proven = await provider.exchange(answer, flow).catch(async (error: unknown) => {
        const why = await failed(error)
        sessions.refusedByProvider('', visitor.address, why.reason)
        return why
      })
      if ('reason' in proven) return { kind: 'refused', refusal: proven }
      wrong.giveBack(client)
      const account = await accounts.enter(proven.identity, proven.claims)
      if (account.kind === 'refused') {
        sessions.refusedByProvider(account.username, visitor.address, account.refusal.reason)
        return { kind: 'refused', refusal: account.refusal }
      }
      const secret = await sessions.signInByProvider(account.user, visitor, proven.idToken)
      return { kind: 'open', secret, to: flow.to }
    },

    /**
     * URL at which the browser ends its session at the provider (OpenID Connect RP-Initiated Logout 1.0); null: the
     * provider has none, or does not answer. Call it before ending the session here. `back`: URL to which the browser
     * returns.
     */
    async signOutUrl(secret: string, back: string): Promise<string | null> {
      if (!isOn()) return null
      try {
        return await (await loading()).client.signOut(back, await sessions.idToken(secret))
      } catch (error) {
        await failed(error)
        return null
      }
    },
  }
}

export type OidcService = ReturnType<typeof createOidcService>

const OFF = refusal(
  404,
  'off',
  'Sign-in with an identity provider is not configured here (auth.oidc.issuer and auth.oidc.client_id).',
)

const LOST = refusal(
  400,
  'state differs',
  'This sign-in has expired, or was begun in another browser or window. Begin again.',
)

const tooMany = (waitS: number): OidcRefusal =>
  refusal(429, 'too many failures', 'There were too many failed sign-ins.', waitS)

/** Does the work on the first call, and again only if it failed. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | null = null
  return () => {
    done ??= work().catch((error: unknown) => {
      done = null
      throw error
    })
    return done
  }
}
