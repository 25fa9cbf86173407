/** @jsxImportSource #jsx */
import { toDomainError } from '../../domain/errors.ts'
import type { Log } from '../../observe/log.ts'
import type { Child, Html } from '../jsx/jsx-runtime.ts'

/** What a page says in place of its content. */
export interface Trouble {
  readonly status: number
  readonly title: string
  readonly text: string
  /** Seconds to wait; null: waiting does not help. */
  readonly retryAfterS: number | null
  /** Finds the line of the log; null: there is none. */
  readonly reference: string | null
  /** Whether the page of a refused form can be opened again. */
  readonly isAgain?: boolean
}

/** The same words for what does not exist and for what is not granted. */
export const NOT_FOUND: Trouble = {
  status: 404,
  title: 'There is nothing here for you',
  text: 'This page does not exist, or you have no access to it. Look for it by search; an administrator can grant access to devices, ports and groups.',
  retryAfterS: null,
  reference: null,
}

/** Words for an error. Unexpected ones are logged under a reference. */
export function troubleOf(thrown: unknown, request: Request, log: Log): Trouble {
  const known = toDomainError(thrown)
  switch (known?.code) {
    case 'not_found':
    case 'absent':
    case 'forbidden':
      return NOT_FOUND
    case 'unavailable':
      return {
        status: 503,
        title: 'The database does not answer',
        text: 'Polling goes on and its values are kept until they can be stored. Try again in a few seconds; if it lasts, run `portlight doctor` on the server, which says what to do.',
        retryAfterS: 5,
        reference: null,
      }
    case 'throttled':
      return {
        status: 429,
        title: `Wait ${known.retryAfterS ?? 1} s`,
        text: 'There were too many wrong passwords or codes from this address or for this user. Wait, then try again; a lost password is replaced by `portlight user reset-password`.',
        retryAfterS: known.retryAfterS ?? 1,
        reference: null,
      }
    case 'invalid':
    case 'unusable':
    case 'conflict':
    case 'silent':
      return { status: 400, title: 'This does not work', text: known.message, retryAfterS: null, reference: null }
    default: {
      const reference = crypto.randomUUID().slice(0, 8)
      log.error({ err: thrown, method: request.method, path: new URL(request.url).pathname, reference }, 'page failed')
      return {
        status: 500,
        title: 'This page could not be made',
        text: 'The fault is in Portlight, not in what you did. Try again; if it comes again, look for the reference below in the log of the server and report what stands there.',
        retryAfterS: null,
        reference,
      }
    }
  }
}

/** The content of an error's page. */
export function TroubleBox({
  trouble,
  again,
  children,
}: {
  readonly trouble: Trouble
  /** Address that may work when it is opened again; null: none. */
  readonly again: string | null
  readonly children?: Child
}): Html {
  return (
    <section class="card empty">
      <h1>{trouble.title}</h1>
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
