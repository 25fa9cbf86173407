import type { Actor } from '../domain/actor.ts'
import type { Session } from '../domain/auth/sessions.ts'
import type { Gate } from '../domain/gates.ts'
import type { Services } from '../domain/services.ts'
import type { IconName } from './components/icon.tsx'
import type { Html } from './jsx/jsx-runtime.ts'

/** A request for a page by a signed-in person. */
export interface Visit {
  readonly services: Services
  readonly session: Session
  readonly actor: Actor
  readonly url: URL
  readonly query: URLSearchParams
  /** Parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly address: string
  /** `light` or `dark` where the person has chosen one; null: as the system says. */
  readonly theme: 'light' | 'dark' | null
  /** Scheme, host and port that the browser uses, also behind a proxy. */
  readonly origin: string
  /** Whether the client takes the answer to a form line by line, as JSON. */
  readonly streams: boolean
  /** The form that the page answers, so that its input is kept where it was refused; null: none was sent. */
  readonly sent: Form | null
  /** When the request came, epoch ms. */
  readonly nowMs: number
}

/** What a view shows, for the frame around it. */
export interface View {
  /** Of the window. */
  readonly title: string
  /** Path above the page; the last one is the page itself and has no address. */
  readonly crumbs: readonly { readonly label: string; readonly href?: string }[]
  readonly body: Html
  /** Origin of another host whose pictures the page shows; absent: none. */
  readonly images?: string
}

/** A page's entry in the navigation. Entries that the actor may not open are absent. */
export interface NavEntry {
  readonly label: string
  readonly icon: IconName
  readonly group: 'main' | 'explore' | 'manage' | 'foot'
  /** Position within the group, as in the table of docs/pages.md. */
  readonly order: number
  /** Also in the bar of small screens. */
  readonly bar?: boolean
}

/** The members of a form, as sent: text only. */
export type Form = ReadonlyMap<string, string>

/**
 * What a form of a page does. Returns the address to go to, a message that the page shows, or the response. Throws DomainError. The
 * session, its CSRF token and the origin have been checked; access to objects has not.
 */
export type Action = (
  visit: Visit,
  form: Form,
) => Promise<{ readonly to: string } | { readonly notice: Notice } | Response>

/** A message on top of a page. */
export interface Notice {
  readonly tone: 'ok' | 'warn' | 'bad'
  readonly text: string
  /** Lines that are shown once, for example recovery codes. */
  readonly lines?: readonly string[]
}

/** Scripts that only some pages have. */
export type ScriptName = 'chart.js' | 'rule.js'

interface PageOf<D> {
  /** Address, with parameters as `:id`. */
  readonly path: string
  /** The permission that opens the page. */
  readonly gate: Gate
  readonly nav?: NavEntry
  /** Scripts that the page needs beside `main`. */
  readonly scripts?: readonly ScriptName[]
  /**
   * Reads what the page shows, as the actor may see it. Throws DomainError: `not_found` and `forbidden` become the same
   * page. A Response (a redirect, CSV) is sent as it is.
   */
  readonly load: (visit: Visit) => Promise<D | Response>
  /** Makes the markup. Pure: everything comes from `data`. */
  readonly view: (data: D, visit: Visit) => View
  /** Forms by the value of their field `do`. */
  readonly actions?: Readonly<Record<string, Action>>
}

/** A page of the table, whatever its data. */
export interface Page extends Omit<PageOf<never>, 'load' | 'view'> {
  readonly show: (visit: Visit) => Promise<View | Response>
}

/** Joins a loader and a view into a page. */
export function page<D>({ load, view, ...rest }: PageOf<D>): Page {
  return {
    ...rest,
    async show(visit) {
      const data = await load(visit)
      return data instanceof Response ? data : view(data, visit)
    },
  }
}

/** Sends the browser to another page. 301: for good. */
export function redirect(to: string, status: 301 | 302 | 303 = 303): Response {
  return new Response(null, { status, headers: { Location: to, 'Cache-Control': 'no-store' } })
}
