import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { codeOf, SendError } from '../../../alerts/transports/resolve.ts'
import { type OidcRefusal, RETRY_S, refusal, refusedAccount, TOO_LONG } from './refusal.ts'

const AGAIN = 'Begin again; if this persists, an administrator can find the reason in the server log.'
const TOO_LONG_TEXT = `The identity provider cannot be used: ${TOO_LONG}. An administrator has to shorten it there, for example by sending only the groups that matter here.`

/** Explains a failed request to the provider, or a bad answer, to the user. Uses no texts from the provider. */
export function refusalOf(error: unknown): OidcRefusal {
  const chain = causes(error)
  const refused = chain.find((one) => one instanceof AuthorizationResponseError)
  if (refused !== undefined) {
    const code = word(refused.error)
    return refusedAccount(`the provider answered ${code}`, `The identity provider refused the sign-in (${code}).`)
  }
  const answered = chain.find((one) => one instanceof ResponseBodyError)
  if (answered !== undefined) return byCode(word(answered.error))
  // this is how a client that authenticates with Basic is refused (RFC 6749 §5.2)
  const challenged = chain.find((one) => one instanceof WWWAuthenticateChallengeError)
  if (challenged?.cause.some(({ scheme }) => scheme === 'basic')) return byCode('invalid_client')
  const unsent = chain.find((one) => one instanceof SendError)
  if (unsent?.message === TOO_LONG) return refusal(502, TOO_LONG, TOO_LONG_TEXT)
  if (unsent !== undefined) return unsent.retry ? unreachable(unsent.message) : unusable(unsent.message)
  const client = chain.find((one) => one instanceof ClientError)
  const claim = chain.map((one) => claimOf(one)).find((name) => name !== '')
  const code = [client?.code ?? '', ...chain.map(codeOf)].find((text) => /^[A-Z_]{4,80}$/.test(text)) ?? 'no code'
  if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT') return unreachable('no answer in time')
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' || code === 'OAUTH_RESPONSE_IS_NOT_JSON') {
    return unreachable('its answer was an error or not the expected document')
  }
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED' && claim === 'issuer') {
    const text =
      'The issuer name of the identity provider differs from setting auth.oidc.issuer. An administrator has to set it exactly as the provider does, including or omitting the trailing slash.'
    return refusal(502, 'the issuer differs from auth.oidc.issuer', text)
  }
  const what = claim === undefined ? code : `${code}, ${claim}`
  return refusal(502, what, `The answer of the identity provider was not accepted (${what}). ${AGAIN}`)
}

function byCode(code: string): OidcRefusal {
  if (code === 'invalid_grant') {
    const text =
      'The identity provider did not accept the code of this sign-in: it was used before or has expired. Begin again.'
    return refusal(400, code, text)
  }
  if (code === 'invalid_client' || code === 'unauthorized_client') {
    const text =
      'The identity provider does not accept this server. An administrator has to check settings auth.oidc.client_id and auth.oidc.client_secret.'
    return refusal(502, code, text)
  }
  return refusal(502, code, `The identity provider answered with an error (${code}). ${AGAIN}`)
}

/** For failures that would recur. */
const unusable = (reason: string): OidcRefusal =>
  refusal(
    502,
    `no request is sent to the provider: ${reason}`,
    `Portlight cannot send requests to the identity provider: ${reason}. An administrator has to fix this.`,
  )

const unreachable = (reason: string): OidcRefusal =>
  refusal(
    503,
    `the provider cannot be reached: ${reason}`,
    `The identity provider cannot be reached (${reason}). Try again in a few seconds; if this persists, an administrator has to check the provider and setting auth.oidc.issuer.`,
    RETRY_S,
  )

/** The error and its causes. */
function causes(error: unknown): readonly object[] {
  const chain: object[] = []
  for (let one = error; typeof one === 'object' && one !== null && chain.length < 8; one = causeOf(one)) chain.push(one)
  return chain
}

const causeOf = (error: object): unknown => ('cause' in error ? error.cause : undefined)

/** The claim or member that the error names; '' if it names none. */
function claimOf(error: object): string {
  if ('claim' in error) return word(error.claim)
  return 'attribute' in error ? word(error.attribute) : ''
}

/** An error code or the name of a claim, if it is safe to show on a page. */
const word = (text: unknown): string => (typeof text === 'string' && /^[\w.-]{1,60}$/.test(text) ? text : 'no code')
