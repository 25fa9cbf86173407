import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createApp } from '../../src/api/app.ts'
import type { Deadlines } from '../../src/api/deadline.ts'
import { createWeb } from '../../src/web/web.ts'
import { eventually } from '../support/eventually.ts'
import { makeDevice } from '../support/samples.ts'
import { type DatabaseProcesses, processesOf } from '../support/stopped-database.ts'
import { type Person, type TestWeb, testWeb } from '../web/support.ts'

// A database that is stopped, not dead: it accepts statements and never answers.

setDefaultTimeout(120_000)

const ORIGIN = 'http://localhost'
const SHORT: Deadlines = { health: 200, read: 600, change: 900, maxAbandoned: Number.POSITIVE_INFINITY }

let web: TestWeb
let person: Person
let token = ''
let device = 0
let database: DatabaseProcesses
beforeAll(async () => {
  web = await testWeb({ 'api.v1.enabled': 'true', enable_billing: 'true', show_services: 'true' })
  person = await web.signedIn(['admin'])
  token = (await web.api.token(['admin'])).token
  device = (await makeDevice(web.api.store, 1)).deviceId
  database = await processesOf(web.api.store.sql)
})
afterAll(() => web.drop())

const appWith = (deadlines: Deadlines) =>
  createApp(web.api.services, () => '127.0.0.1', {}, undefined, createWeb(web.api.services), null, deadlines)

/** Every path that GET reads, with numbers for its parameters. */
function paths(): string[] {
  const routes = appWith(SHORT).routes.filter(({ method, path }) => method === 'GET' && !path.includes('*'))
  return [...new Set(routes.map(({ path }) => path.replaceAll(/:\w+\??/g, String(device))))]
}

interface Answer {
  readonly path: string
  readonly status: number
  readonly type: string
  readonly text: string
}

async function ask(app: ReturnType<typeof createApp>, path: string, as: string, method = 'GET'): Promise<Answer> {
  const headers = { accept: 'text/html', cookie: person.cookie }
  const known = { 'X-Auth-Token': as, Authorization: `Bearer ${as}` }
  const of = path.startsWith('/api/') ? known : headers
  const answer = await app.fetch(new Request(`${ORIGIN}${path}`, { method, headers: of }))
  const text = answer.status === 503 ? await answer.text() : ''
  return { path, status: answer.status, type: answer.headers.get('content-type') ?? '', text }
}

const V1 = { errors: [{ status: '503', title: 'Service Unavailable', detail: 'A required service is unavailable.' }] }

/** What is wrong with an answer given while the database hangs; null: nothing. */
function fault({ path, status, type, text }: Answer): string | null {
  if (status >= 500 && status !== 503) return `${path}: ${status}`
  if (status !== 503) return null
  if (path.startsWith('/api/v1/')) return text === JSON.stringify(V1) ? null : `${path}: ${text}`
  if (path.startsWith('/api/v0')) {
    return /^\{"status":"error","message":"No answer within 0.6 s; the database may be overloaded or hang\."\}$/.test(
      text,
    )
      ? null
      : `${path}: ${text}`
  }
  if (type.startsWith('text/html')) return text.includes('No answer within') ? null : `${path}: no page`
  return text.includes('"message"') ? null : `${path}: ${type} ${text.slice(0, 100)}`
}

test.each([
  ['with a token that is known', () => token],
  ['with a token that has to be looked up', () => 'f'.repeat(32)],
])('every GET is answered with its error while the database hangs, %s', async (_, as) => {
  await web.api.call('GET', '/api/v0/system', { token })
  const all = paths()
  expect(all.length).toBeGreaterThan(200)
  const app = appWith(SHORT)
  const resume = database.freeze()
  try {
    const answers = await Promise.all(all.map((path) => ask(app, path, as())))
    expect(answers.flatMap((answer) => fault(answer) ?? [])).toEqual([])
    const late = answers.filter(({ status }) => status === 503).map(({ path }) => path)
    expect(late).toContain('/api/v1/health')
    expect(late).toContain('/api/v1/system')
    expect(late).toContain('/devices')
    expect(late.filter((path) => path.startsWith('/api/v0/')).length).toBeGreaterThan(90)
    expect(late.filter((path) => !path.startsWith('/api/')).length).toBeGreaterThan(30)
  } finally {
    resume()
  }
  // once what nobody waits for any more has been answered
  await eventually(async () => (await ask(app, '/api/v1/health', token)).status === 200 || null)
})

test('a change that is not answered in time says that it may still be made', async () => {
  const app = appWith(SHORT)
  const resume = database.freeze()
  try {
    const { status, text } = await ask(app, `/api/v0/devices/${device}`, token, 'DELETE')
    expect(status).toBe(503)
    expect(text).toContain('The change may still be made')
  } finally {
    resume()
  }
})

test('behind many requests without an answer, others are refused at once and served again afterwards', async () => {
  const app = appWith({ ...SHORT, read: 300, change: 60_000, maxAbandoned: 5 })
  const resume = database.freeze()
  try {
    await Promise.all(Array.from({ length: 6 }, () => ask(app, '/api/v0/system', token)))
    // its own deadline is a minute
    const { status, text } = await ask(app, `/api/v0/devices/${device}`, token, 'DELETE')
    expect(status).toBe(503)
    expect(text).toContain('Requests before this one are not answered')
  } finally {
    resume()
  }
  await eventually(async () => (await ask(app, '/api/v0/system', token)).status === 200 || null)
})
