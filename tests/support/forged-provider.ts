import { createSign, generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { CLIENT_ID } from './identity-provider.ts'

type Answering = (request: IncomingMessage, response: ServerResponse) => void

/** A server that speaks the protocol of an OpenID Connect provider as far as a test wants, and lies for the rest. */
export interface ForgedProvider {
  readonly issuer: string
  /** Claims of the next ID tokens, besides the necessary ones. */
  claims: Readonly<Record<string, unknown>>
  /** Members of the metadata that differ from the usual ones. */
  metadata: Readonly<Record<string, unknown>>
  /** Answers to requests of these paths instead of the usual ones. */
  readonly instead: Map<string, Answering>
  /** Signs in without asking; returns the address that the browser is sent to. */
  visit(url: string): URL
  stop(): Promise<void>
}

export async function startForgedProvider(): Promise<ForgedProvider> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = server.address()
  const issuer = `http://127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}`
  /** Nonces by code. */
  const nonces = new Map<string, string>()

  function idToken(code: string): string {
    const nowS = Math.floor(Date.now() / 1000)
    const needed = { iss: issuer, aud: CLIENT_ID, iat: nowS, exp: nowS + 60, nonce: nonces.get(code) }
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const text = `${part({ alg: 'RS256', kid: 'only' })}.${part({ ...needed, ...made.claims })}`
    return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey).toString('base64url')}`
  }

  const made: ForgedProvider = {
    issuer,
    claims: {},
    metadata: {},
    instead: new Map(),
    visit(url) {
      const asked = new URL(url).searchParams
      const code = `code-${nonces.size}`
      nonces.set(code, asked.get('nonce') ?? '')
      const back = new URL(asked.get('redirect_uri') ?? '')
      back.search = new URLSearchParams({ code, state: asked.get('state') ?? '' }).toString()
      return back
    },
    async stop() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }

  const usual: Readonly<Record<string, Answering>> = {
    '/.well-known/openid-configuration': (_request, response) =>
      json(response, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        ...made.metadata,
      }),
    '/keys': (_request, response) =>
      json(response, { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'only', use: 'sig', alg: 'RS256' }] }),
    '/token': (request, response) => {
      let form = ''
      request.on('data', (part: Buffer) => {
        form += part.toString()
      })
      request.on('end', () => {
        const code = new URLSearchParams(form).get('code') ?? ''
        json(response, { access_token: 'any', token_type: 'Bearer', id_token: idToken(code) })
      })
    },
  }
  server.on('request', (request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    const answer = made.instead.get(path) ?? usual[path]
    if (answer !== undefined) return answer(request, response)
    response.statusCode = 404
    response.end('nothing here')
  })
  return made
}

export function json(response: ServerResponse, value: unknown): void {
  response.setHeader('Content-Type', 'application/json')
  response.end(JSON.stringify(value))
}
