/** @jsxImportSource #jsx */
import { clientOfRequest, isOwnOrigin, sessionSecret } from '../../api/client-of-request.ts'
import { DomainError } from '../../core/base/errors.ts'
import type { Services } from '../../core/services.ts'
import { loadAssets } from '../assets/assets.ts'
import { useSprite } from '../components/icon.tsx'
import { redirect } from '../page.ts'
import { htmlAnswer } from './answer.ts'
import { ownPath, readForm } from './form.ts'
import { createOidcSignIn } from './oidc.tsx'
import { type SessionReader, themeOf, visitorFor } from './session.ts'
import { SignIn } from './sign-in.tsx'

/** Why signing in failed, for the sign-in page that is shown again. */
export interface SignInTrouble {
  readonly problem: string
  /** Seconds to wait; null: waiting does not help. */
  readonly waitS: number | null
  readonly status: number
  /** Another account at the identity provider may help. */
  readonly isAboutAccount?: boolean
}

const MAX_NAME = 255

const NO_PASSWORDS: SignInTrouble = {
  problem: 'Password sign-in is disabled. Sign in with the identity provider.',
  waitS: null,
  status: 403,
}

/** The sign-in page and its forms: password, second factor, identity provider. */
export function createSignInForms({ sessions, oidc }: Services, { cookieFor }: SessionReader) {
  async function signInPage(
    request: Request,
    o: {
      step: 'password' | 'factor'
      to: string
      username?: string
      trouble?: SignInTrouble
    },
  ): Promise<Response> {
    const assets = await loadAssets()
    useSprite(assets.url('icons.svg'))
    const document = SignIn({
      frame: { assets, scripts: [], theme: themeOf(request) },
      host: new URL(clientOfRequest(request).origin).host,
      step: o.step,
      to: o.to,
      username: o.username ?? '',
      problem: o.trouble?.problem ?? null,
      waitS: o.trouble?.waitS ?? null,
      provider: oidc.isOn()
        ? { label: oidc.label(), only: oidc.isOnly(), other: o.trouble?.isAboutAccount === true }
        : null,
    })
    const wait = o.trouble?.waitS
    const headers: Record<string, string> = wait == null ? {} : { 'Retry-After': String(wait) }
    return htmlAnswer(request, document, o.trouble?.status ?? 200, headers)
  }

  /** The text for a refused sign-in; rethrows other errors. */
  function refusal(error: unknown) {
    if (!(error instanceof DomainError) || error.code !== 'throttled') throw error
    return { problem: 'Too many failed attempts.', waitS: error.retryAfterS ?? 1, status: 429 }
  }

  async function signIn(request: Request): Promise<Response> {
    const form = await readForm(request)
    const to = ownPath(form?.get('to') ?? null)
    if (form === null || !isOwnOrigin(request)) {
      return await signInPage(request, {
        step: 'password',
        to,
        trouble: { problem: 'This form came from another site. Try again here.', waitS: null, status: 403 },
      })
    }
    if (oidc.isOnly()) return await signInPage(request, { step: 'password', to, trouble: NO_PASSWORDS })
    const username = (form.get('username') ?? '').trim().slice(0, MAX_NAME)
    try {
      const opened = await sessions.signIn(username, form.get('password') ?? '', visitorFor(request))
      if (opened === null) {
        const problem = 'Wrong username or password.'
        return await signInPage(request, {
          step: 'password',
          to,
          username,
          trouble: { problem, waitS: null, status: 401 },
        })
      }
      const next = opened.stage === 'open' ? to : `/sign-in/code?to=${encodeURIComponent(to)}`
      const answer = redirect(next)
      answer.headers.append('Set-Cookie', cookieFor(request, opened.secret))
      return answer
    } catch (error) {
      return await signInPage(request, { step: 'password', to, username, trouble: refusal(error) })
    }
  }

  async function signInCode(request: Request): Promise<Response> {
    const form = await readForm(request)
    const to = ownPath(form?.get('to') ?? null)
    const secret = sessionSecret(request)
    const session = secret === '' ? null : await sessions.find(secret, clientOfRequest(request).address)
    if (form === null || !isOwnOrigin(request) || session?.stage !== 'factor' || oidc.isOnly())
      return redirect('/sign-in')
    try {
      const opened = await sessions.signInFactor(session, secret, form.get('code') ?? '', visitorFor(request))
      if (opened === null) {
        const problem = 'This code is wrong or has already been used.'
        return await signInPage(request, { step: 'factor', to, trouble: { problem, waitS: null, status: 401 } })
      }
      const answer = redirect(to)
      answer.headers.append('Set-Cookie', cookieFor(request, opened))
      return answer
    } catch (error) {
      return await signInPage(request, { step: 'factor', to, trouble: refusal(error) })
    }
  }

  const oidcSignIn = createOidcSignIn({
    oidc,
    visitorFor,
    cookieFor,
    frameOf: async (request) => ({ assets: await loadAssets(), scripts: [], theme: themeOf(request) }),
    refused: (request, to, trouble) => signInPage(request, { step: 'password', to, trouble }),
  })

  return { signInPage, signIn, signInCode, oidcSignIn }
}
