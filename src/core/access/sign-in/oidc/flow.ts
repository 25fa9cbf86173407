/** The state that a browser keeps between the start of a sign-in and the provider's answer. */
export interface Flow {
  readonly state: string
  readonly nonce: string
  /** PKCE code verifier (RFC 7636). */
  readonly verifier: string
  /** Epoch ms. */
  readonly begunMs: number
  /** Path to go to after the sign-in. The reader has to check it. */
  readonly to: string
}

/** Time allowed for signing in at the provider, seconds. */
export const FLOW_S = 900
/** Longer paths are left out, because the cookie must not exceed 4096 bytes. */
const MAX_PATH = 1500
const PART = /^[\w-]{16,128}$/

/** The flow as the value of a cookie. */
export function flowText({ state, nonce, verifier, begunMs, to }: Flow): string {
  const path = Buffer.from(to.length > MAX_PATH ? '/' : to).toString('base64url')
  return [state, nonce, verifier, begunMs, path].join('.')
}

/** The flow in a cookie; null: there is none, it is malformed, or it began too long ago. */
export function readFlow(text: string, nowMs: number): Flow | null {
  if (text.length > 4096) return null
  const [state = '', nonce = '', verifier = '', begun = '', path = '', ...rest] = text.split('.')
  if (![state, nonce, verifier].every((part) => PART.test(part)) || !/^\d{1,15}$/.test(begun) || rest.length > 0)
    return null
  const begunMs = Number(begun)
  if (nowMs - begunMs > FLOW_S * 1000) return null
  return { state, nonce, verifier, begunMs, to: Buffer.from(path, 'base64url').toString('utf8') }
}
