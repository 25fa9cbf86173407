/** @jsxImportSource #jsx */

import { clientOfRequest, isOwnOrigin, viewAsCookie, viewedUser } from '../../api/client-of-request.ts'
import { type AnyElysia, Elysia } from '../../api/elysia.ts'
import type { Services } from '../../core/services.ts'
import { loadAssets } from '../assets/assets.ts'
import { type PageRequest, redirect } from '../page.ts'
import { htmlAnswer } from './answer.ts'
import { retryHeader, type Trouble, TroubleBox, triedBy, troubleOf } from './errors.tsx'
import { ownPath, readForm } from './form.ts'
import { Document } from './layout.tsx'
import { createSessionReader, themeOf } from './session.ts'
import { createSignInForms, type SignInTrouble } from './sign-in-forms.tsx'

/** After a form of a session that has ended. */
const LOST: SignInTrouble = {
  problem: 'You were signed out before the form arrived, and nothing was changed. Sign in, then send it again.',
  waitS: null,
  status: 200,
}

/** A signed-in user. */
interface Entry {
  readonly visit: Omit<PageRequest, 'services' | 'params' | 'sent' | 'streams'>
  /** Cookie to send with the answer; null: the browser already has it. */
  readonly setCookie: string | null
}

/** Signing in and out, and finding out who made a request. */
export function createSessionGate(services: Services) {
  const { sessions, oidc, log } = services
  const reader = createSessionReader(services)
  const { cookieFor, sessionOf } = reader
  const { signInPage, signIn, signInCode, oidcSignIn } = createSignInForms(services, reader)

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
          <TroubleBox trouble={trouble} tried={triedBy(request)} again={ownPath(new URL(request.url).pathname)} />
        </main>
      ),
    })
    return htmlAnswer(request, document, trouble.status, retryHeader(trouble))
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

  const routes: AnyElysia = new Elysia({ name: 'web.door', detail: { hide: true } })
    .get(
      '/sign-in',
      guarded(async (request) => {
        const to = ownPath(new URL(request.url).searchParams.get('to'))
        const found = await sessionOf(request)
        if (found?.session.stage === 'open') return redirect(to)
        const isLost = new URL(request.url).searchParams.has('lost')
        return await signInPage(request, { step: 'password', to, ...(isLost && { trouble: LOST }) })
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
        const to = ownPath(url.pathname + url.search)
        const query = new URLSearchParams(to === '/' ? {} : { to })
        if (request.method !== 'GET') query.set('lost', 'lost')
        return redirect(query.size === 0 ? '/sign-in' : `/sign-in?${query}`)
      }
      const actor = await sessions.seenAs(found.session, viewedUser(request))
      return {
        visit: {
          session: found.session,
          actor,
          viewer: actor === found.session.actor ? null : found.session.actor.username,
          url,
          origin: clientOfRequest(request).origin,
          query: queryOf(url),
          address: clientOfRequest(request).address,
          theme: themeOf(request),
          nowMs: Date.now(),
        },
        setCookie: found.fresh ? cookieFor(request, found.secret) : null,
      }
    },
  }
}

/** The parameters of an address without NUL, which no text in the database can have; forms are read the same way. */
function queryOf({ search, searchParams }: URL): URLSearchParams {
  if (!search.includes('%00')) return searchParams
  const without = (text: string) => text.replaceAll('\0', '')
  const query = new URLSearchParams()
  for (const [name, value] of searchParams) query.append(without(name), without(value))
  return query
}
