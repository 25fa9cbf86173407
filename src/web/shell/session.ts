import {
  clientOfRequest,
  cookie,
  isUsable,
  proxyUser,
  sessionCookie,
  sessionSecret,
} from '../../api/client-of-request.ts'
import type { SignInSession, Visitor } from '../../core/access/sign-in/sessions.ts'
import type { Services } from '../../core/services.ts'

/** The session of a request. */
export interface FoundSession {
  readonly session: SignInSession
  readonly secret: string
  /** Made for this request, so that the browser does not have its cookie yet. */
  readonly fresh: boolean
}

/** Where a request comes from, for the list of sessions. */
export const visitorFor = (request: Request): Visitor => ({
  address: clientOfRequest(request).address,
  agent: request.headers.get('user-agent') ?? '',
})

/** The theme that the user has chosen; null: none. */
export function themeOf(request: Request): 'light' | 'dark' | null {
  const theme = cookie(request.headers.get('cookie') ?? '', 'theme')
  return theme === 'light' || theme === 'dark' ? theme : null
}

/** Reads the session of a request, and writes its cookie. */
export function createSessionReader({ sessions, config }: Pick<Services, 'sessions' | 'config'>) {
  return {
    /** The session cookie. `secret` '' deletes it. */
    cookieFor(request: Request, secret: string): string {
      const { origin } = clientOfRequest(request)
      const age = secret === '' ? 0 : config.get('auth.session_age')
      const secure = origin.startsWith('https:') ? '; Secure' : ''
      return `${sessionCookie(origin)}=${secret}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${age}${secure}`
    },

    /** Null: nobody is signed in. A user whom the proxy names gets a session. */
    async sessionOf(request: Request): Promise<FoundSession | null> {
      const { address } = clientOfRequest(request)
      const secret = sessionSecret(request)
      const named = proxyUser(request, config.get('auth.proxy_header'))
      const session = secret === '' ? null : await sessions.find(secret, address)
      if (session !== null && isUsable(session, named)) return { session, secret, fresh: false }
      if (named === '') return null
      const made = await sessions.signInByProxy(named, visitorFor(request))
      const found = made === null ? null : await sessions.find(made, address)
      return made === null || found === null ? null : { session: found, secret: made, fresh: true }
    },
  }
}

export type SessionReader = ReturnType<typeof createSessionReader>
