import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { headerLine, unescaped } from './exchange.ts'
import { byFirstAddress, networkReason, type SendDeps, SendError } from './resolve.ts'

/** A request to a receiver. A GET has no body. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** http or https. May contain secrets. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** Maximum bytes of the response to read; the rest is dropped. Default: 64 KiB. */
  readonly maxResponse?: number
  /** The body of the response is a secret, so it is not shown by tests. */
  readonly hidesAnswer?: boolean
}

export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  /** Whether the body is complete. */
  readonly isWhole: boolean
}

/** Default for `maxResponse`, bytes. */
const MAX_RESPONSE = 64 * 1024
const USER_AGENT = 'Portlight'

/**
 * Sends a request to an allowed address: the name is resolved once, and the connection goes to an address that was
 * checked. Certificates are verified for the name. Redirects are not followed. Throws SendError, without secrets.
 */
export async function sendHttp(request: HttpRequest, deps: SendDeps): Promise<HttpResponse> {
  const url = URL.parse(request.url)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new SendError('the URL of the receiver is not an HTTP URL', false)
  try {
    const response = await byFirstAddress(url.hostname, deps, (address) => exchange(url, request, address, deps.signal))
    deps.note?.(requestText(request), responseText(response, request.hidesAnswer === true))
    return response
  } catch (error) {
    const failure = error instanceof SendError ? error : new SendError(networkReason(error), true)
    deps.note?.(requestText(request), null)
    throw failure
  }
}

function requestText({ method, url, headers, body }: HttpRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => headerLine(name, value))
  const content = typeof body === 'string' ? body : `(${body.length} octets)`
  return [`${method} ${url}`, ...lines, ...(content === '' ? [] : ['', content])].join('\n')
}

/** Headers of responses that say something about the outcome. */
const TELLING = ['content-type', 'location', 'retry-after', 'x-request-id']

function responseText({ status, headers, body }: HttpResponse, isHidden: boolean): string {
  const lines = TELLING.flatMap((name) => {
    const value = headers[name]
    return value === undefined ? [] : [headerLine(name, String(value))]
  })
  const content = isHidden && body !== '' ? '***' : body
  return [`${status}`, ...lines, ...(content === '' ? [] : ['', content])].join('\n')
}

function exchange(url: URL, request: HttpRequest, address: string, signal: AbortSignal) {
  const { method, headers, body, maxResponse = MAX_RESPONSE } = request
  const { promise, resolve, reject } = Promise.withResolvers<HttpResponse>()
  const family = isIP(address)
  const pinned: LookupFunction = (_host, options, done) => {
    if (options.all === true) done(null, [{ address, family }])
    else done(null, address, family)
  }
  const octets = typeof body === 'string' ? Buffer.from(body) : body
  const make = url.protocol === 'https:' ? tlsRequest : plainRequest
  let sent: ClientRequest
  try {
    sent = make(
      {
        host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
        port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
        path: `${url.pathname}${url.search}`,
        method,
        headers: {
          'User-Agent': USER_AGENT,
          ...withAuth(url, headers),
          ...(method !== 'GET' && { 'Content-Length': String(octets.length) }),
        },
        // no pooled connection, which may lead to an address that was never checked
        agent: false,
        lookup: pinned,
        signal,
      },
      (response) => read(response, maxResponse).then(resolve, reject),
    )
  } catch {
    // the original message quotes the invalid header, which may be a secret
    return Promise.reject(new SendError('the request has a header that HTTP does not allow', false))
  }
  sent.on('error', reject)
  if (method === 'GET') sent.end()
  else sent.end(octets)
  return promise.finally(() => sent.destroy())
}

function withAuth({ username, password }: URL, headers: HttpRequest['headers']): HttpRequest['headers'] {
  if (username === '' && password === '') return headers
  const pair = `${unescaped(username)}:${unescaped(password)}`
  return { Authorization: `Basic ${Buffer.from(pair).toString('base64')}`, ...headers }
}

async function read(response: IncomingMessage, max: number): Promise<HttpResponse> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, max - size))
    size += chunk.length
    if (size > max) break
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(chunks).toString('utf8'),
    isWhole: size <= max,
  }
}
