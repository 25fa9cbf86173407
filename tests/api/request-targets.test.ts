import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from 'node:net'
import { type ApiServer, serveApi } from '../../src/api/serve.ts'
import { type TestApi, testApi } from '../support/api.ts'

/**
 * Unusual request targets and Host headers over raw sockets, each with and without a token. Authentication and routing
 * must use the same path: the one computed independently by `meant`.
 */

setDefaultTimeout(120_000)

let api: TestApi
let server: ApiServer
let token: string
beforeAll(async () => {
  api = await testApi()
  server = serveApi(
    api.services,
    { hostname: '127.0.0.1', port: 0 },
    { '/metrics': () => new Response('metrics', { headers: { 'Content-Type': 'text/plain' } }) },
  )
  token = (await api.token(['admin'])).token
})
afterAll(async () => {
  await server.stop()
  await api.drop()
})

/** Paths whose answers identify the route. */
const PLACES = [
  '/api/v0/ping',
  '/api/v0/nonsense',
  '/api/v1/health',
  '/api/v1/x',
  '/metrics',
  '/elsewhere',
  '/api',
  '/',
]

/** Spellings of a path, each applied to a place. */
const DISGUISES: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => `${path}/`,
  (path) => `/${path}`,
  (path) => path.replaceAll('/', '//'),
  (path) => path.replaceAll('/', '///'),
  (path) => path.replaceAll('/', '\\').replace('\\', '/'),
  (path) => `/aaaaaaaaaaa${path}?x=://a/b`,
  (path) => `/aaaaaaaaaaa${path}`,
  (path) => `${path}?x=://a${path}`,
  (path) => `${path}?/api/v1/health`,
  (path) => `/elsewhere?x=://host${path}`,
  (path) => `/elsewhere://host${path}`,
  (path) => `/x/..${path}`,
  (path) => `/..${path}`,
  (path) => `/x/%2e%2e${path}`,
  (path) => `/x/.%2E${path}`,
  (path) => `/.${path}`,
  (path) => `/%2e${path}`,
  (path) => `/x/y/../..${path}`,
  (path) => `/x/..//${path}`,
  (path) => `${path}/..`,
  (path) => `${path}/x/..`,
  (path) => `${path}/%2e%2e`,
  (path) => `${path}/.`,
  (path) => `${path}%2f`,
  (path) => path.replace('/', '/%2f'),
  (path) => path.replace('a', '%61'),
  (path) => path.replace('p', 'P'),
  (path) => `${path}%00`,
  (path) => `${path}#x`,
  (path) => `/elsewhere#${path}`,
  (path) => `${path};x=1`,
  (path) => `/;${path}`,
  (path) => `/@host${path}`,
  (path) => `//user:pass@host${path}`,
  (path) => `http://other.example${path}`,
  (path) => `http://user:pass@other.example:80${path}`,
  (path) => `HTTP://o${path}`,
  (path) => `https://o/..${path}`,
  (path) => `http://other.example?${path}`,
  (path) => `http://other.example/x?://y${path}`,
  (path) => `http://other.example\\x${path}`,
  (path) => `http://o@${path}`,
  (path) => `http:${path}`,
  (path) => `http:/${path}`,
  (path) => `ftp://other.example${path}`,
  (path) => path.slice(1) || '*',
  (path) => `\\${path}`,
  (path) => `/${'a'.repeat(9000)}/..${path}`,
  (path) => `/${'../'.repeat(2000)}${path}`,
  (path) => `${path}\0`,
  (path) => `${path}\t`,
  (path) => `${path}\xff`,
  (path) => `/\x7f/..${path}`,
]

/** Header lines; `malformed`: the answer must be 400. */
const HOSTS: readonly { readonly lines: string; readonly malformed: boolean }[] = [
  { lines: 'Host: nms.example.net:8000\r\n', malformed: false },
  { lines: 'Host: nms\r\n', malformed: false },
  { lines: 'Host: n\r\n', malformed: false },
  { lines: 'host: [2001:db8::1]:8000\r\n', malformed: false },
  { lines: '', malformed: false },
  { lines: 'Host: \r\n', malformed: false },
  ...[
    'a@b',
    'user:pass@nms.example.net',
    'a/b',
    'aaaaaaaaaaaa/api/v1/health?',
    'a?b',
    'a#b',
    'a\\b',
    'a b',
    'http://nms/x',
    'nms:99999',
    'nms:80x',
    'nms:80:80',
    '[::1',
    '::1',
    'a%2fb',
    'a,b',
    '\xff\xfe',
    '<nms>',
  ].map((host) => ({ lines: `Host: ${host}\r\n`, malformed: true })),
  { lines: 'Host: nms\r\nHost: other.example\r\n', malformed: true },
]

/** The path of a target, computed without any code of the server; null: invalid. */
function meant(target: string): string | null {
  if (/[\0-\x20#]/.test(target)) return null
  const absolute = /^https?:\/\/[^/?]*(.*)$/is.exec(target)
  const rest = absolute ? (absolute[1] ?? '') : target
  if (!absolute && !rest.startsWith('/')) return null
  const [before = ''] = rest.split('?')
  const kept: string[] = []
  for (const segment of before.replaceAll('\\', '/').split('/')) {
    const plain = segment.replaceAll(/%2e/gi, '.')
    if (plain === '..') kept.pop()
    else if (plain !== '.' && plain !== '') kept.push(segment)
  }
  return `/${kept.join('/')}`
}

/** Which part of the server an answer came from. */
function placeOf(answer: string): string {
  const status = Number(answer.slice(9, 12))
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4)
  if (status === 200 && body.includes('"pong"')) return 'ping'
  if (status === 200 && body.includes('"healthy"')) return 'health'
  if (status === 200 && body === 'metrics') return 'metrics'
  if (status === 200 && body.includes('/api/v0/')) return 'index'
  if (status === 401 && body === '{"message":"Unauthenticated."}') return 'unauthenticated'
  if (status === 404 && body.includes("This API route doesn't exist")) return 'v0: no route'
  if (status === 404 && body.includes('The requested resource could not be found')) return 'v1: no route'
  if (status === 404 && body.includes('API v1 is off')) return 'v1: off'
  if (status === 404 && body === '{"message":"Not Found"}') return 'no route'
  // 414, 431 and 505 are Bun's own answers to invalid HTTP
  if ([400, 414, 431, 505].includes(status)) return 'malformed'
  return `${status} ${body.slice(0, 80)}`
}

/** The part of the server that must answer. */
function expected(target: string, malformedHost: boolean, withToken: boolean, v1: boolean): string {
  const path = meant(target)
  if (path === null || malformedHost) return 'malformed'
  const below = (prefix: string) => path === prefix || path.startsWith(`${prefix}/`)
  if (below('/api/v1')) {
    if (!v1) return 'v1: off'
    return path === '/api/v1/health' ? 'health' : 'v1: no route'
  }
  if (below('/api/v0')) {
    if (!withToken) return 'unauthenticated'
    if (path.includes('%00') || path.includes('\xff')) return 'malformed'
    return path === '/api/v0/ping' ? 'ping' : path === '/api/v0' ? 'index' : 'v0: no route'
  }
  return path === '/metrics' ? 'metrics' : 'no route'
}

function raw(text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(server.port ?? 0, '127.0.0.1', () => socket.write(Buffer.from(text, 'latin1')))
    socket.setTimeout(20_000, () => socket.destroy())
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(answer))
  })
}

interface Case {
  readonly text: string
  readonly want: readonly string[]
}

function* cases(v1: boolean): Generator<Case> {
  const targets = new Set(PLACES.flatMap((place) => DISGUISES.map((disguise) => disguise(place))))
  for (const target of targets) {
    for (const { lines, malformed } of HOSTS) {
      for (const version of ['1.0', '1.1']) {
        for (const withToken of [false, true]) {
          const credentials = withToken ? `X-Auth-Token: ${token}\r\n` : ''
          const text = `GET ${target} HTTP/${version}\r\n${lines}${credentials}Connection: close\r\n\r\n`
          const bare = expected(target, malformed || (version === '1.1' && lines === ''), withToken, v1)
          // Bun replaces bytes that are not UTF-8, so the result matches none of the places
          const want = target.includes('\xff') && bare === 'malformed' ? ['malformed', 'v0: no route'] : [bare]
          yield { text, want }
        }
      }
    }
  }
}

/** Sends the requests, some at a time, and returns those with an unexpected answer. */
async function wrongAnswers(all: readonly Case[]): Promise<string[]> {
  const wrong: string[] = []
  for (let at = 0; at < all.length; at += 64) {
    await Promise.all(
      all.slice(at, at + 64).map(async ({ text, want }) => {
        const answer = await raw(text)
        const got = placeOf(answer)
        if (!want.includes(got)) wrong.push(`${JSON.stringify(text.slice(0, 200))}: ${got}, not ${want.join(' or ')}`)
      }),
    )
  }
  return wrong
}

/** Every `part`-th case. */
function sample(all: readonly Case[], part: number): Case[] {
  return all.filter((_, at) => (at * 7919) % part === 0)
}

test('v1 off: authentication and routing use the same path, and no v1 path answers', async () => {
  const all = [...cases(false)]
  expect(all.length).toBeGreaterThan(20_000)
  expect((await wrongAnswers(all)).slice(0, 20)).toEqual([])
})

test('v1 on: health answers at its path only', async () => {
  api.settings.applyStored(new Map([['api.v1.enabled', true]]))
  try {
    // limit: 60 requests a minute per address
    const healthy = [...cases(true)].filter(({ want }) => want.includes('health'))
    const others = [...cases(true)].filter(({ want }) => !want.includes('health'))
    expect(healthy.length).toBeGreaterThan(100)
    expect((await wrongAnswers([...sample(others, 7), ...healthy.slice(0, 50)])).slice(0, 20)).toEqual([])
  } finally {
    api.settings.applyStored(new Map())
  }
})

test('HTTP/1.0 without a Host header works', async () => {
  const answer = await raw(`GET /api/v0/ping HTTP/1.0\r\nX-Auth-Token: ${token}\r\n\r\n`)
  expect(answer).toStartWith('HTTP/1.1 200 ')
  expect(answer).toEndWith('{"message":"pong"}')
})

test('the body is kept when the request target is normalised, with and without a Host header', async () => {
  for (const head of ['POST /x/..//api/v0/devices/ HTTP/1.0\r\n', 'POST //api//v0/devices/ HTTP/1.1\r\nHost: n\r\n']) {
    const body = JSON.stringify({ hostname: '' })
    const answer = await raw(
      `${head}X-Auth-Token: ${token}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    expect(answer).toStartWith('HTTP/1.1 400 ')
    expect(answer).toContain('hostname')
  }
})
