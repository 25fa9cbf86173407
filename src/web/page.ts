import type { SignInSession } from '../core/access/sign-in/sessions.ts'
import type { Actor } from '../core/base/actor.ts'
import type { Permission } from '../core/base/permissions.ts'
import type { Services } from '../core/services.ts'
import type { IconName } from './components/icon.tsx'
import type { Html } from './jsx/jsx-runtime.ts'

/** A request for a page by a signed-in user. */
export interface PageRequest {
  readonly services: Services
  readonly session: SignInSession
  readonly actor: Actor
  /** Name of the administrator who views the pages as the actor, and may change nothing; null: nobody does. */
  readonly viewer: string | null
  readonly url: URL
  readonly query: URLSearchParams
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly address: string
  /** `light` or `dark` if the user has chosen one; null: follow the operating system. */
  readonly theme: 'light' | 'dark' | null
  /** Scheme, host and port that the browser uses, even behind a proxy. */
  readonly origin: string
  /** Whether the client accepts the answer to a form as a stream of JSON lines. */
  readonly streams: boolean
  /** The form that the page answers, so that a refused form keeps its input; null: none was sent. */
  readonly sent: Form | null
  /** When the request arrived, epoch ms. */
  readonly nowMs: number
}

/** A rendered page, with what the layout around it needs. */
export interface PageView {
  /** Title of the window. */
  readonly title: string
  /** Breadcrumbs; the last one is the page itself and has no address. */
  readonly crumbs: readonly { readonly label: string; readonly href?: string }[]
  readonly body: Html
  /** Origin of another host whose images the page shows; absent: none. */
  readonly images?: string
}

/** A page's entry in the navigation. Entries that the actor may not open are absent. */
export interface NavEntry {
  readonly label: string
  readonly icon: IconName
  readonly group: 'main' | 'explore' | 'manage' | 'foot'
  /** Position within the group, as in the table of docs/reference/pages.md. */
  readonly order: number
  /** Also in the bottom bar on small screens. */
  readonly bar?: boolean
  /** The count beside it is no alarm. */
  readonly calm?: boolean
}

/** The members of a form, as sent: text only. */
export type Form = ReadonlyMap<string, string>

/**
 * Handles a form of a page. Returns the address to go to, a message for the page to show, or the response. Throws
 * DomainError. The session, its CSRF token and the origin have been checked; access to objects has not.
 */
export type Action = (visit: PageRequest, form: Form) => Promise<ActionResult>
export type ActionResult = { readonly to: string } | { readonly notice: Notice } | Response

/** A message at the top of a page. */
export interface Notice {
  readonly tone: 'ok' | 'warn' | 'bad'
  readonly text: string
  /** Lines that are shown only once, for example recovery codes. */
  readonly lines?: readonly string[]
  /** Longer texts, each under its heading. */
  readonly blocks?: readonly { readonly title: string; readonly text: string }[]
}

/** For forms with a list that can be long, of thousands of names or boxes. */
export const LONG_FORM_OCTETS = 1_048_576

/** Scripts that only some pages load. */
export type ScriptName = 'chart.js' | 'rule.js'

interface PageOf<D> {
  /** Address, with parameters as `:id`. */
  readonly path: string
  /** The permission required to open the page. */
  readonly gate: Permission
  /** Further permissions of which each opens the page too: of its lists, it shows those that the actor may see. */
  readonly also?: readonly Permission[]
  readonly nav?: NavEntry
  /** Largest form that its actions accept, octets; absent: 64 KiB. */
  readonly formOctets?: number
  /** Scripts that the page needs in addition to `main`. */
  readonly scripts?: readonly ScriptName[]
  /**
   * Reads what the page shows, limited to what the actor may see. Throws DomainError; `not_found` and `forbidden` lead
   * to the same error page. A Response (a redirect, CSV) is sent as is.
   */
  readonly load: (visit: PageRequest) => Promise<D | Response>
  /** Renders the markup. Pure: everything comes from `data` and the visit. */
  readonly view: (data: D, visit: PageRequest) => PageView
  /** Forms by the value of their field `do`. */
  readonly actions?: Readonly<Record<string, Action>>
}

/** A page as listed in `PAGES`, without the type of its data. */
export interface Page extends Omit<PageOf<never>, 'load' | 'view'> {
  readonly show: (visit: PageRequest) => Promise<PageView | Response>
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

/** Redirects the browser to another page; 301 is permanent. */
export function redirect(to: string, status: 301 | 302 | 303 = 303): Response {
  return new Response(null, { status, headers: { Location: to, 'Cache-Control': 'no-store' } })
}
