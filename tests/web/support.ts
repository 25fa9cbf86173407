import { createApp } from '../../src/api/app.ts'
import type { Role } from '../../src/core/access/users/service.ts'
import { createWeb } from '../../src/web/web.ts'
import { mint, type TestApi, testApi } from '../support/api.ts'
import { givePassword, PASSWORD } from '../support/password.ts'

export const ORIGIN = 'http://localhost'

/** The API and the pages with a separate database. */
export interface TestWeb {
  readonly api: TestApi
  /** All routes of the application: API, pages and files. */
  readonly routes: TestApi['app']['routes']
  /** Sends a request. `cookie` is a session cookie, `peer` the client's address. */
  send(path: string, options?: SendOptions): Promise<Response>
  /** Submits a form from the server's own origin. */
  post(path: string, form: Readonly<Record<string, string>>, options?: SendOptions): Promise<Response>
  /** A new user with PASSWORD of tests/support/password. */
  person(roles: readonly Role[]): Promise<{ username: string; userId: number }>
  /** Signs a new user in. */
  signedIn(roles: readonly Role[]): Promise<Person>
  signIn(username: string, password?: string, options?: SendOptions): Promise<Response>
  drop(): Promise<void>
}

export interface Person {
  readonly username: string
  readonly userId: number
  readonly cookie: string
  readonly csrf: string
}

export interface SendOptions {
  readonly cookie?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
  readonly body?: string
  readonly peer?: string
}

export async function testWeb(flags: Readonly<Record<string, string>> = {}): Promise<TestWeb> {
  const api = await testApi(flags)
  let peer = '127.0.0.1'
  const app = createApp(api.services, () => peer, {}, undefined, createWeb(api.services))

  async function send(path: string, options: SendOptions = {}): Promise<Response> {
    peer = options.peer ?? '127.0.0.1'
    const headers = new Headers({ accept: 'text/html', ...options.headers })
    if (options.cookie !== undefined) headers.set('cookie', options.cookie)
    const method = options.method ?? 'GET'
    return await app.fetch(new Request(`${ORIGIN}${path}`, { method, headers, body: options.body ?? null }))
  }

  const post: TestWeb['post'] = (path, form, options = {}) =>
    send(path, {
      ...options,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN, ...options.headers },
      body: new URLSearchParams(form).toString(),
    })

  const signIn: TestWeb['signIn'] = (username, password = PASSWORD, options = {}) =>
    post('/sign-in', { username, password }, options)

  async function person(roles: readonly Role[]) {
    const username = `person${mint()}`
    const userId = await api.services.users.create({ username, roles })
    await givePassword(api.store, userId)
    return { username, userId }
  }

  return {
    api,
    routes: app.routes,
    send,
    post,
    person,
    signIn,
    async signedIn(roles) {
      const made = await person(roles)
      const cookie = cookieOf(await signIn(made.username))
      const page = await (await send('/account', { cookie })).text()
      return { ...made, cookie, csrf: /name="csrf" content="(\w+)"/.exec(page)?.[1] ?? '' }
    },
    drop: () => api.drop(),
  }
}

/** The cookie that a response sets, in the form that requests send it; '' if it sets none. */
export const cookieOf = (answer: Response): string => (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
