import type { Log } from '../../../observe/log.ts'
import { DomainError, throttled } from '../../base/errors.ts'
import { insertAuthEntries } from '../../base/write-events.ts'
import type { Store } from '../../database/client.ts'
import { listUsers } from '../read.ts'
import { localOf } from '../users/passwords.ts'
import type { UserService } from '../users/service.ts'
import { deleteSessionOf, insertSession, type SessionMethod, secondFactor } from '../write-sessions.ts'
import type { createSecondFactors } from './second-factor.ts'
import type { SignInSession } from './session-lookup.ts'
import { hashOf, newSecret } from './session-secret.ts'
import { createSignInThrottle, type ThrottleExchange } from './throttle.ts'

/** Wrong codes allowed per minute and user. */
const WRONG_CODES = 5

/** Origin of a request. */
export interface Visitor {
  readonly address: string
  readonly agent: string
}

export interface SessionOpeningDeps {
  readonly store: Store
  readonly log: Log
  readonly users: Pick<UserService, 'checkPassword'>
  readonly factors: Pick<ReturnType<typeof createSecondFactors>, 'accept'>
  readonly throttle: ThrottleExchange
  /** `steadyNow`. */
  readonly steady: () => number
  /** Called after a session was replaced. */
  readonly forget: () => void
}

/** Writes what a user did to the log of sign-ins, without waiting for it. */
export type Journal = (user: string, address: string, result: string) => void

export function createJournal(store: Store, log: Log): Journal {
  return (user, address, result) => {
    insertAuthEntries(store, [{ user, address, result }]).catch((error: unknown) =>
      log.debug({ err: error }, 'login not recorded'),
    )
  }
}

/** The ways to sign in; each opens a session and returns its secret. */
export function createSessionOpening(
  { store, log, users, factors, throttle, steady, forget }: SessionOpeningDeps,
  journal: Journal,
) {
  const codes = createSignInThrottle(
    () => WRONG_CODES,
    steady,
    (heard) => throttle.open('code', heard),
  )

  async function begin(
    userId: number,
    stage: 'open' | 'factor',
    method: SessionMethod,
    { address, agent }: Visitor,
    idToken: string | null = null,
  ): Promise<string> {
    const secret = newSecret()
    const row = { user_id: userId, secret_hash: hashOf(secret), stage, method, id_token: idToken }
    await insertSession(store, { ...row, address: address.slice(0, 64), agent: agent.slice(0, 255).toWellFormed() })
    return secret
  }

  /** The enabled user who signs in by password under this name. */
  async function localUser(username: string) {
    const user = localOf(await listUsers(store, username))
    return user?.enabled === 1 ? user : null
  }

  /** The only enabled user of this name, however it signs in. */
  async function onlyUser(username: string) {
    const named = (await listUsers(store, username)).filter(({ enabled }) => enabled === 1)
    if (named.length > 1)
      log.warn({ user: username, ids: named.map(({ user_id }) => user_id) }, 'the proxy names a user that exists twice')
    return named.length === 1 ? (named[0] ?? null) : null
  }

  return {
    /**
     * Signs in. Returns the new session's secret, and whether a second factor is still required. Null: wrong name or
     * password. Throws `throttled`.
     */
    async signIn(
      username: string,
      password: string,
      visitor: Visitor,
    ): Promise<{ readonly secret: string; readonly stage: 'open' | 'factor' } | null> {
      if (!(await users.checkPassword(username, password, visitor.address))) {
        journal(username.slice(0, 255).toWellFormed(), visitor.address, 'Sign-in refused')
        return null
      }
      const user = await localUser(username)
      if (user === null) return null
      const factor = await secondFactor(store, user.user_id)
      const stage = factor?.confirmed_at == null ? 'open' : 'factor'
      const secret = await begin(user.user_id, stage, 'password', visitor)
      if (stage === 'open') journal(user.username, visitor.address, 'Signed in')
      return { secret, stage }
    },

    /**
     * The second step of signing in, with a code from the authenticator or a recovery code. Returns the secret of an
     * open session, which replaces the given one; null: wrong code. Throws `throttled`.
     */
    async signInFactor(session: SignInSession, secret: string, code: string, visitor: Visitor): Promise<string | null> {
      const { userId, username } = session.actor
      if (userId === null || session.stage !== 'factor') throw new DomainError('unauthenticated', 'Sign in first')
      if (!codes.take(String(userId))) throw throttled(codes.waitS(String(userId)))
      if (!(await factors.accept(userId, code))) {
        journal(username, visitor.address, 'Second factor refused')
        return null
      }
      codes.giveBack(String(userId))
      await deleteSessionOf(store, hashOf(secret))
      forget()
      journal(username, visitor.address, 'Signed in with a second factor')
      return await begin(userId, 'open', 'password', visitor)
    },

    /** Opens a session for the user named by an authenticating proxy; null: no such enabled user, or several. */
    async signInByProxy(username: string, visitor: Visitor): Promise<string | null> {
      const user = await onlyUser(username)
      if (user === null) return null
      journal(user.username, visitor.address, 'Signed in by the proxy')
      return await begin(user.user_id, 'open', 'proxy', visitor)
    },

    /**
     * Opens a session for the user authenticated by an OpenID Connect provider. A second factor is left to the
     * provider. `idToken`: kept for signing out there; null: not needed.
     */
    async signInByProvider(
      user: { readonly user_id: number; readonly username: string },
      visitor: Visitor,
      idToken: string | null,
    ): Promise<string> {
      journal(user.username, visitor.address, 'Signed in by OpenID Connect')
      return await begin(user.user_id, 'open', 'oidc', visitor, idToken)
    },

    /** Records that a sign-in by OpenID Connect was refused. `reason` must not contain a secret. */
    refusedByProvider(username: string, address: string, reason: string): void {
      journal(username.slice(0, 255).toWellFormed(), address, `OpenID Connect refused: ${reason}`.slice(0, 255))
    },
  }
}
