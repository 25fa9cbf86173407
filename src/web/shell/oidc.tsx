/** @jsxImportSource #jsx */
import { clientOfRequest, cookie, flowCookie } from '../../api/client-of-request.ts'
import { FLOW_S, type OidcRefusal, type OidcService } from '../../core/access/sign-in/oidc/service.ts'
import type { Visitor } from '../../core/access/sign-in/sessions.ts'
import { redirect } from '../page.ts'
import { htmlAnswer } from './answer.ts'
import { ownPath } from './form.ts'
import { Document, DoorCard, type Frame } from './layout.tsx'

/** Where the provider sends the browser back to. */
const CALLBACK = '/sign-in/oidc/callback'

export interface OidcDoorDeps {
  readonly oidc: OidcService
  readonly visitorFor: (request: Request) => Visitor
  /** The session cookie. */
  readonly cookieFor: (request: Request, secret: string) => string
  readonly frameOf: (request: Request) => Promise<Frame>
  /** The sign-in page, shown again with the reason. */
  readonly refused: (
    request: Request,
    to: string,
    trouble: { problem: string; waitS: number | null; status: number; isAboutAccount: boolean },
  ) => Promise<Response>
}

/**
 * Signing in and out through an identity provider. A sign-in starts with a link, because the content security policy of
 * the pages does not let a form lead to another host.
 */
export function createOidcSignIn({ oidc, visitorFor, cookieFor, frameOf, refused }: OidcDoorDeps) {
  /**
   * `value` '' deletes the cookie. SameSite is Lax, because the provider's answer arrives as a link from another site.
   */
  function flowCookieFor(request: Request, value: string): string {
    const { origin } = clientOfRequest(request)
    const secure = origin.startsWith('https:') ? '; Secure' : ''
    const age = value === '' ? 0 : FLOW_S
    return `${flowCookie(origin)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${age}${secure}`
  }

  const asked = (request: Request, to: string, { text, waitS, status, isAboutAccount }: OidcRefusal) =>
    refused(request, to, { problem: text, waitS, status, isAboutAccount })

  return {
    /** Sends the browser to the provider. */
    async begin(request: Request): Promise<Response> {
      const { searchParams } = new URL(request.url)
      const to = ownPath(searchParams.get('to'))
      const callback = `${clientOfRequest(request).origin}${CALLBACK}`
      const begun = await oidc.begin(callback, to, searchParams.get('other') === '1')
      if (begun.kind === 'refused') return await asked(request, to, begun.refusal)
      const answer = redirect(begun.url)
      answer.headers.append('Set-Cookie', flowCookieFor(request, begun.flow))
      return answer
    },

    /** Handles the provider's answer. */
    async finish(request: Request): Promise<Response> {
      const { origin } = clientOfRequest(request)
      const kept = cookie(request.headers.get('cookie') ?? '', flowCookie(origin))
      const answered = new URL(`${origin}${CALLBACK}${new URL(request.url).search}`)
      const outcome = await oidc.finish(answered, kept, visitorFor(request))
      const answer =
        outcome.kind === 'refused' ? await asked(request, '/', outcome.refusal) : redirect(ownPath(outcome.to))
      if (outcome.kind === 'open') answer.headers.append('Set-Cookie', cookieFor(request, outcome.secret))
      const isOther = outcome.kind === 'refused' && outcome.isOther === true
      if (!isOther) answer.headers.append('Set-Cookie', flowCookieFor(request, ''))
      return answer
    },

    /** Shows that the session here has ended, and redirects to the provider to end the session there. */
    async signedOut(request: Request, there: string): Promise<Response> {
      const document = Document({
        frame: await frameOf(request),
        title: 'Signed out',
        refresh: there,
        children: (
          <DoorCard>
            <p>You are signed out of Portlight. You are being redirected to the identity provider to sign out there.</p>
            <a class="btn first" href={there}>
              Continue
            </a>
          </DoorCard>
        ),
      })
      return htmlAnswer(request, document)
    },
  }
}
