/** @jsxImportSource #jsx */

import {
  clientOfRequest,
  cookie,
  isOwnOrigin,
  isUsable,
  proxyUser,
  sessionCookie,
  sessionSecret,
  viewAsCookie,
  viewedUser,
} from '../../api/client-of-request.ts'
import { type AnyElysia, Elysia } from '../../api/elysia.ts'
import type { SignInSession } from '../../core/access/sign-in/sessions.ts'
import { DomainError } from '../../core/base/errors.ts'
import type { Services } from '../../core/services.ts'
import { loadAssets } from '../assets/assets.ts'
import { useSprite } from '../components/icon.tsx'
import { type PageRequest, redirect } from '../page.ts'
import { htmlAnswer } from './answer.ts'
import { type Trouble, TroubleBox, troubleOf } from './errors.tsx'
import { ownPath, readForm } from './form.ts'
import { Document } from './layout.tsx'
import { createOidcSignIn } from './oidc.tsx'
import { SignIn } from './sign-in.tsx'

/** A signed-in user. */
interface Entry {
  readonly visit: Omit<PageRequest, 'services' | 'params' | 'sent' | 'streams'>
  /** Cookie to send with the answer; null: the browser already has it. */
  readonly setCookie: string | null
}

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

/** Signing in and out, and finding out who made a request. */
export function createSessionGate(services: Services) {
  const { sessions, oidc, config, log } = services

  const agentOf = (request: Request) => request.headers.get('user-agent') ?? ''
  const visitorFor = (request: Request) => ({ address: clientOfRequest(request).address, agent: agentOf(request) })

  /** `secret` '' deletes the cookie. */
  function cookieFor(request: Request, secret: string): string {
    const { origin } = clientOfRequest(request)
    const age = secret === '' ? 0 : config.get('auth.session_age')
    const secure = origin.startsWith('https:') ? '; Secure' : ''
    return `${sessionCookie(origin)}=${secret}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${age}${secure}`
  }

  function themeOf(request: Request): 'light' | 'dark' | null {
    const theme = cookie(request.headers.get('cookie') ?? '', 'theme')
    return theme === 'light' || theme === 'dark' ? theme : null
  }

  async function sessionOf(
    request: Request,
  ): Promise<{ session: SignInSession; secret: string; fresh: boolean } | null> {
    const { address } = clientOfRequest(request)
    const secret = sessionSecret(request)
    const named = proxyUser(request, config.get('auth.proxy_header'))
    const session = secret === '' ? null : await sessions.find(secret, address)
    if (session !== null && isUsable(session, named)) return { session, secret, fresh: false }
    if (named === '') return null
    const made = await sessions.signInByProxy(named, visitorFor(request))
    const found = made === null ? null : await sessions.find(made, address)
    return made === null || found === null ? null : { session: found, secret: made, fresh: true }
  }

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

  async function signOut(request: Request): Promise<Response> {
    const form = await readForm(request)
    const found = await sessionOf(request)
    if (found !== null && isOwnOrigin(request) && form?.get('csrf') === found.session.csrf) {
      const { origin } = clientOfRequest(request)
      const there = found.session.method === 'oidc' ? await oidc.signOutUrl(found.secret, `${origin}/sign-in`) : null
      await sessions.signOut(found.secret)
      const answer = there === null ? redirect('/sign-in') : await oidcSignIn.signedOut(request, there)
      answer.headers.append('Set-Cookie', cookieFor(request, ''))
      // whoever signs in next in this browser sees with their own eyes
      answer.headers.append('Set-Cookie', viewAsCookie(request, null))
      return answer
    }
    return redirect('/')
  }

  /** Ends viewing the pages as another user. */
  async function endView(request: Request): Promise<Response> {
    const form = await readForm(request)
    const found = await sessionOf(request)
    const isOwn = found !== null && isOwnOrigin(request) && form?.get('csrf') === found.session.csrf
    const answer = redirect(isOwn ? '/settings/users' : '/')
    if (isOwn) answer.headers.append('Set-Cookie', viewAsCookie(request, null))
    return answer
  }

  async function broken(request: Request, trouble: Trouble): Promise<Response> {
    const assets = await loadAssets()
    const document = Document({
      frame: { assets, scripts: [], theme: themeOf(request) },
      title: trouble.title,
      children: (
        <main class="door" id="main">
          <TroubleBox trouble={trouble} again={ownPath(new URL(request.url).pathname)} />
        </main>
      ),
    })
    return htmlAnswer(request, document, trouble.status)
  }

  const guarded =
    (work: (request: Request) => Promise<Response>) =>
    async ({ request }: { readonly request: Request }) => {
      try {
        return await work(request)
      } catch (error) {
        return await broken(request, troubleOf(error, request, log))
      }
    }

  const oidcSignIn = createOidcSignIn({
    oidc,
    visitorFor,
    cookieFor,
    frameOf: async (request) => ({ assets: await loadAssets(), scripts: [], theme: themeOf(request) }),
    refused: (request, to, trouble) => signInPage(request, { step: 'password', to, trouble }),
  })

  const routes: AnyElysia = new Elysia({ name: 'web.door', detail: { hide: true } })
    .get(
      '/sign-in',
      guarded(async (request) => {
        const to = ownPath(new URL(request.url).searchParams.get('to'))
        const found = await sessionOf(request)
        return found?.session.stage === 'open' ? redirect(to) : await signInPage(request, { step: 'password', to })
      }),
    )
    .get(
      '/sign-in/code',
      guarded((request) => {
        const to = ownPath(new URL(request.url).searchParams.get('to'))
        return signInPage(request, { step: 'factor', to })
      }),
    )
    .get('/sign-in/oidc', guarded(oidcSignIn.begin))
    .get('/sign-in/oidc/callback', guarded(oidcSignIn.finish))
    .post('/sign-in', guarded(signIn), { parse: 'none' })
    .post('/sign-in/code', guarded(signInCode), { parse: 'none' })
    .post('/sign-out', guarded(signOut), { parse: 'none' })
    .post('/view-as/end', guarded(endView), { parse: 'none' })

  return {
    routes,
    broken,
    /** The user who made a request, or a redirect to the sign-in page. */
    async enter(request: Request): Promise<Entry | Response> {
      const url = new URL(request.url)
      const found = await sessionOf(request)
      if (found === null || found.session.stage !== 'open') {
        const to = request.method === 'GET' ? ownPath(url.pathname + url.search) : '/'
        return redirect(to === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(to)}`)
      }
      const actor = await sessions.seenAs(found.session, viewedUser(request))
      return {
        visit: {
          session: found.session,
          actor,
          viewer: actor === found.session.actor ? null : found.session.actor.username,
          url,
          origin: clientOfRequest(request).origin,
          query: url.searchParams,
          address: clientOfRequest(request).address,
          theme: themeOf(request),
          nowMs: Date.now(),
        },
        setCookie: found.fresh ? cookieFor(request, found.secret) : null,
      }
    },
  }
}

const NO_PASSWORDS: SignInTrouble = {
  problem: 'Password sign-in is disabled. Sign in with the identity provider.',
  waitS: null,
  status: 403,
}
