import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { Identity } from '../../read-identities.ts'
import { type Claims, claimAt } from './claims.ts'
import type { Flow } from './flow.ts'
import { createProvider, type ProviderDeps } from './provider.ts'

export { refusalOf } from './failures.ts'

/** Longer ID tokens are not kept, because they would not fit in a sign-out URL. */
const MAX_ID_TOKEN = 4096

type Secrets = Pick<Flow, 'state' | 'nonce' | 'verifier'>

/** An identity proven by the provider. */
interface Proven {
  readonly identity: Identity
  readonly claims: Claims
  /** For signing out at the provider; null: the provider has no sign-out URL, or the token is too long. */
  readonly idToken: string | null
}

/** Requests to the provider. Loaded at the first sign-in, because its libraries are large. All functions may reject. */
export function createClient(deps: ProviderDeps) {
  const { settings } = deps
  const provider = createProvider(deps)

  /** Claims of the ID token, and those of the userinfo endpoint if the token lacks one named in the settings. */
  async function claimsOf(config: Configuration, idToken: Claims, accessToken: string, subject: string) {
    const named = [settings.get('auth.oidc.username_claim'), settings.get('auth.oidc.roles_claim')]
    const isComplete = named.every((name) => name === '' || claimAt(idToken, name) !== undefined)
    if (isComplete || config.serverMetadata().userinfo_endpoint === undefined) return idToken
    const more: Claims = await fetchUserInfo(config, accessToken, subject)
    return { ...more, ...idToken }
  }

  /** Does a step of a sign-in with the provider's metadata, which are in doubt if it fails. */
  async function withProvider<T>(step: (config: Configuration) => Promise<T>): Promise<T> {
    const config = await provider.configuration()
    try {
      return await step(config)
    } catch (error) {
      provider.doubt()
      throw error
    }
  }

  return {
    /**
     * The sign-in URL, and the secrets needed when the browser returns. `other`: the provider asks for the account
     * again.
     */
    async signIn(callback: string, other: boolean): Promise<{ readonly url: string; readonly secrets: Secrets }> {
      const secrets = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
      return await withProvider(async (config) => {
        const url = buildAuthorizationUrl(config, {
          redirect_uri: callback,
          scope: settings.get('auth.oidc.scopes'),
          state: secrets.state,
          nonce: secrets.nonce,
          code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
          code_challenge_method: 'S256',
          ...(other && { prompt: 'login' }),
        })
        return { url: url.href, secrets }
      })
    },

    /**
     * Exchanges the code in the provider's answer for an ID token and checks its issuer, audience, times, nonce,
     * signature.
     */
    async exchange(answer: URL, { state, nonce, verifier }: Secrets): Promise<Proven> {
      return await withProvider(async (config) => {
        const tokens = await authorizationCodeGrant(config, answer, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const idToken = tokens.claims()
        if (idToken === undefined) throw new Error('no ID token')
        const claims = await claimsOf(config, { ...idToken }, tokens.access_token, idToken.sub)
        const text = tokens.id_token ?? ''
        const isKept = config.serverMetadata().end_session_endpoint !== undefined && text.length <= MAX_ID_TOKEN
        return { identity: { issuer: idToken.iss, subject: idToken.sub }, claims, idToken: isKept ? text : null }
      })
    },

    /** URL at which the browser ends its session at the provider; null: the provider has none. */
    async signOut(back: string, hint: string | null): Promise<string | null> {
      const config = await provider.configuration()
      if (config.serverMetadata().end_session_endpoint === undefined) return null
      return buildEndSessionUrl(config, {
        post_logout_redirect_uri: back,
        ...(hint !== null && { id_token_hint: hint }),
      }).href
    },
  }
}
