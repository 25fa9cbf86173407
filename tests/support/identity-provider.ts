import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { Provider } from 'oidc-provider'

export const CLIENT_ID = 'portlight'
export const CLIENT_SECRET = 'a-secret-of-the-client'

/** A real OpenID Connect provider (`oidc-provider`) on loopback. */
export interface IdentityProvider {
  readonly issuer: string
  /** Claims of accounts by `sub`, which is the name to enter in the provider's form. */
  readonly people: Map<string, Readonly<Record<string, unknown>>>
  /** Changes the claims of the next ID tokens, which are signed again; null: they stay as they are. */
  tamper: ((claims: Record<string, unknown>) => void) | null
  /** Requests by path. */
  readonly asked: Map<string, number>
  /** Signs with a new key from now on; the old one is gone. */
  rotate(): void
  /** Signs with a key that is not published. */
  forge(): void
  /** Accepts no more connections. */
  stop(): Promise<void>
  /** Signs in at the provider as a browser would; returns the address that it redirects to. */
  visit(url: string, sub: string): Promise<URL>
}

interface Key {
  readonly kid: string
  readonly privateKey: KeyObject
}

let keys = 0
function newKey(): Key {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { kid: `key-${++keys}`, privateKey }
}

/** Starts a provider whose client is Portlight at this origin. `host`: its host name, which resolves to loopback. */
export async function startIdentityProvider(origin: string, host = '127.0.0.1'): Promise<IdentityProvider> {
  const people: IdentityProvider['people'] = new Map()
  const asked: IdentityProvider['asked'] = new Map()
  let key = newKey()
  const server: Server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = server.address()
  const issuer = `http://${host}:${typeof at === 'object' && at !== null ? at.port : 0}`
  let handle = callbackOf(issuer, origin, people, key)
  let forged = false

  const made: IdentityProvider = {
    issuer,
    people,
    asked,
    tamper: null,
    rotate() {
      key = newKey()
      handle = callbackOf(issuer, origin, people, key)
    },
    forge() {
      forged = true
      key = { ...newKey(), kid: key.kid }
    },
    async stop() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
    visit: (url, sub) => signInAt(url, sub, issuer),
  }
  server.on('request', (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    asked.set(path, (asked.get(path) ?? 0) + 1)
    if (path === '/token' && (made.tamper !== null || forged)) {
      rewriting(response, (body) => {
        const answer: Record<string, unknown> = JSON.parse(body)
        const claims = claimsOf(String(answer['id_token']))
        made.tamper?.(claims)
        return JSON.stringify({ ...answer, id_token: signed(claims, key) })
      })
    }
    handle(request, response)
  })
  return made
}

function callbackOf(issuer: string, origin: string, people: IdentityProvider['people'], { kid, privateKey }: Key) {
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [`${origin}/sign-in/oidc/callback`],
        post_logout_redirect_uris: [`${origin}/sign-in`],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['only for tests'] },
    claims: { openid: ['sub'], profile: ['name', 'preferred_username', 'groups'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
    findAccount: (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, ...people.get(sub) }),
    }),
    // grants Portlight the claims without asking for consent
    loadExistingGrant: async (context: { oidc: { session: { accountId: string }; client: { clientId: string } } }) => {
      const { session, client } = context.oidc
      const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  })
  return provider.callback()
}

/** Changes the body of a JSON answer. */
function rewriting(response: ServerResponse, change: (body: string) => string): void {
  const end = response.end.bind(response)
  response.end = ((body: unknown) => {
    const text = String(body ?? '')
    const changed = response.statusCode === 200 ? change(text) : text
    response.setHeader('Content-Length', Buffer.byteLength(changed))
    return end(changed)
  }) as ServerResponse['end']
}

const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

function signed(claims: object, { kid, privateKey }: Key): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'RS256', typ: 'JWT', kid })}.${part(claims)}`
  return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey).toString('base64url')}`
}

async function signInAt(url: string, sub: string, issuer: string): Promise<URL> {
  const jar = new Map<string, string>()
  const ask = async (target: string, form?: Record<string, string>): Promise<URL> => {
    const answer = await fetch(target, {
      redirect: 'manual',
      method: form === undefined ? 'GET' : 'POST',
      body: form === undefined ? null : new URLSearchParams(form),
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    const to = answer.headers.get('location')
    if (to === null) throw new Error(`the provider answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`)
    return new URL(to, issuer)
  }
  let next = await ask(url)
  for (let step = 0; step < 5 && next.href.startsWith(issuer); step++) {
    next = next.pathname.startsWith('/interaction/')
      ? await ask(next.href, { prompt: 'login', login: sub, password: 'any' })
      : await ask(next.href)
  }
  return next
}
