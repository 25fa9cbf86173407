/** @jsxImportSource #jsx */
import { LostRace, toDomainError } from '../../core/base/errors.ts'
import { BeyondBudget } from '../../core/base/graphs.ts'
import type { Log } from '../../observe/log.ts'
import type { Child, Html } from '../jsx/jsx-runtime.ts'

/** An error shown in place of a page's content. */
export interface Trouble {
  readonly status: number
  readonly title: string
  readonly text: string
  /** Seconds to wait; null: waiting does not help. */
  readonly retryAfterS: number | null
  /** Reference of the log entry; null: there is none. */
  readonly reference: string | null
  /** Whether the page of a refused form can be reloaded. */
  readonly isAgain?: boolean
}

/** The same text for what does not exist and for what is not granted. */
export const NOT_FOUND: Trouble = {
  status: 404,
  title: 'Page not found',
  text: 'This page does not exist, or you have no access to it. Try the search; an administrator can grant access to devices, ports and groups.',
  retryAfterS: null,
  reference: null,
}

/** The text for an error. Unexpected errors are logged with a reference. */
export function troubleOf(thrown: unknown, request: Request, log: Log): Trouble {
  const known = toDomainError(thrown)
  if (known instanceof BeyondBudget) {
    log.warn(
      { method: request.method, path: new URL(request.url).pathname, reason: known.message },
      'request for a graph refused',
    )
    return { status: 503, title: 'The graph takes too long', text: known.message, retryAfterS: 5, reference: null }
  }
  switch (known?.code) {
    case 'not_found':
    case 'absent':
    case 'forbidden':
      return NOT_FOUND
    case 'unavailable':
      // what says itself what was not answered: the process that polls the device, a deadline, a change at the same time
      if (known instanceof LostRace || known.cause === undefined)
        return { status: 503, title: 'Not done in time', text: known.message, retryAfterS: 5, reference: null }
      return {
        status: 503,
        title: 'The database is unavailable',
        text: 'Polling continues, and its values are kept until they can be stored. Try again in a few seconds; if the problem persists, run `portlight doctor` on the server, which says what to do.',
        retryAfterS: 5,
        reference: null,
      }
    case 'throttled':
      return {
        status: 429,
        title: `Wait ${known.retryAfterS ?? 1} s`,
        text: 'Too many wrong passwords or codes from this address or for this user. Wait, then try again. To replace a lost password, use `portlight user reset-password`.',
        retryAfterS: known.retryAfterS ?? 1,
        reference: null,
      }
    case 'invalid':
    case 'unusable':
    case 'conflict':
    case 'silent':
      return { status: 400, title: 'Invalid request', text: known.message, retryAfterS: null, reference: null }
    default: {
      const reference = crypto.randomUUID().slice(0, 8)
      log.error({ err: thrown, method: request.method, path: new URL(request.url).pathname, reference }, 'page failed')
      return {
        status: 500,
        title: 'Internal error',
        text: 'This is a bug in Portlight, not something you did. Try again; if it happens again, look for the reference below in the server log and report the entry.',
        retryAfterS: null,
        reference,
      }
    }
  }
}

/** The header of an error that waiting may mend. */
export const retryHeader = ({ retryAfterS }: Trouble): Readonly<Record<string, string>> =>
  retryAfterS === null ? {} : { 'Retry-After': String(retryAfterS) }

const MAX_TRIED = 120

/** What a request tried, for the page that says that it failed: `You opened /device/7.` */
export function triedBy(request: Request): string {
  const { pathname } = new URL(request.url)
  const path = pathname.length > MAX_TRIED ? `${pathname.slice(0, MAX_TRIED)}…` : pathname
  return request.method === 'GET' ? `You opened ${path}.` : `You sent a form of ${path}.`
}

/** The content of an error page. */
export function TroubleBox({
  trouble,
  tried = null,
  again,
  children,
}: {
  readonly trouble: Trouble
  /** See `triedBy`; null: the address is a secret. */
  readonly tried?: string | null
  /** Address for the button Try again; null: none. */
  readonly again: string | null
  readonly children?: Child
}): Html {
  return (
    <section class="card empty">
      <h1>{trouble.title}</h1>
      {tried === null ? null : (
        <p class="sub" dir="auto">
          {tried}
        </p>
      )}
      <p class="hint">{trouble.text}</p>
      {trouble.reference === null ? null : (
        <p class="sub">
          Reference <code>{trouble.reference}</code>
        </p>
      )}
      <div class="acts">
        {again === null ? null : (
          <a class="btn first" href={again}>
            Try again
          </a>
        )}
        <a class={again === null ? 'btn first' : 'btn'} href="/">
          Overview
        </a>
        {trouble.status === 404 ? (
          <a class="btn" href="/search">
            Search
          </a>
        ) : null}
        {children}
      </div>
    </section>
  )
}
