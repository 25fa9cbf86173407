import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { createExchangeLog } from '../../../../src/core/alerts/transports/exchange.ts'
import { kindOf } from '../../../../src/core/alerts/transports/kinds.ts'
import { delivering, huge, never, notification, SECRET } from './support.ts'

setDefaultTimeout(60_000)

const SESSION = 'session-83af7e620c83a50a18d3eac2f6ed05a3'

interface Ticket {
  readonly id: number
  readonly name: string
  readonly content: string
  /** 1 new ... 5 solved, 6 closed. */
  status: number
  readonly notes: string[]
  readonly input: Readonly<Record<string, unknown>>
}

/** A server with the operations of apirest.php that are used, as GLPI documents them. */
function startGlpi() {
  const tickets: Ticket[] = []
  const asked: string[] = []
  let sessions = 0
  let fails: ((path: string) => Response | null) | null = null
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const url = new URL(request.url)
      const path = url.pathname.replace('/apirest.php', '')
      asked.push(`${request.method} ${path}`)
      const text = await request.text()
      if (request.method === 'GET' && text !== '') return Response.json(['ERROR_GET'], { status: 400 })
      const failure = fails?.(path) ?? null
      if (failure !== null) return failure
      if (request.headers.get('app-token') !== `app-${SECRET}`)
        return Response.json(['ERROR_WRONG_APP_TOKEN_PARAMETER', ''], { status: 400 })
      if (path === '/initSession') {
        if (request.headers.get('authorization') !== `user_token ${SECRET}`)
          return Response.json(['ERROR_GLPI_LOGIN_USER_TOKEN', ''], { status: 401 })
        sessions++
        return Response.json({ session_token: SESSION })
      }
      if (request.headers.get('session-token') !== SESSION)
        return Response.json(['ERROR_SESSION_TOKEN_INVALID', ''], { status: 401 })
      if (path === '/killSession') {
        sessions--
        return new Response('')
      }
      if (path === '/search/Ticket') {
        const wanted = url.searchParams.get('criteria[0][value]') ?? ''
        expect(url.searchParams.get('criteria[0][field]')).toBe('1')
        const found = tickets.filter(({ name }) => name.includes(wanted)).toSorted((a, b) => b.id - a.id)
        const data = found.map(({ id, name, status }) => ({ 1: name, 2: id, 12: status, 80: 'Root entity' }))
        return Response.json({ totalcount: found.length, count: data.length, ...(data.length > 0 && { data }) })
      }
      const { input } = JSON.parse(text) as { input: Record<string, unknown> }
      if (path === '/Ticket') {
        const id = tickets.length + 1
        const { name, content } = input as { name: string; content: string }
        tickets.push({ id, name, content, status: 1, notes: [], input })
        return Response.json({ id, message: '' }, { status: 201 })
      }
      const ticket = tickets.find(({ id }) => id === input['items_id'])
      if (ticket === undefined || input['itemtype'] !== 'Ticket') return Response.json(['ERROR'], { status: 400 })
      ticket.notes.push(`${path} ${String(input['content'])}`)
      if (path === '/ITILSolution') ticket.status = 5
      return Response.json({ id: 1, message: '' }, { status: 201 })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/apirest.php`,
    tickets,
    asked,
    sessions: () => sessions,
    fail: (how: typeof fails) => {
      fails = how
    },
    stop: () => void server.stop(true),
  }
}

let glpi: ReturnType<typeof startGlpi>
const deliver = delivering()
beforeAll(() => {
  glpi = startGlpi()
})
afterAll(() => glpi.stop())
beforeEach(() => {
  glpi.tickets.length = 0
  glpi.asked.length = 0
  glpi.fail(null)
})

const settings = (changes = {}) => ({ url: glpi.url, user_token: SECRET, app_token: `app-${SECRET}`, ...changes })
const send = (changes = {}, config = settings()) =>
  deliver({ kind: 'glpi', settings: config }, notification(changes), never)
const DELIVERED = { kind: 'delivered' } as const

test('a ticket is opened, followed up and solved; the next problem opens another one', async () => {
  expect(await send({ url: 'https://portlight.example.net/alert/42' })).toEqual(DELIVERED)
  expect(glpi.tickets[0]).toMatchObject({
    name: 'Alert: core <1> & "edge": Port down [portlight-alert-42]',
    input: { type: 1, urgency: 5, impact: 5 },
  })
  expect(glpi.tickets[0]?.content).toContain('core &lt;1&gt; &amp; &quot;edge&quot;')
  expect(glpi.tickets[0]?.content).toContain('<a href="https://portlight.example.net/alert/42">')
  expect(glpi.tickets[0]?.content).not.toContain('<!here>')
  expect(await send({ kind: 'ack', state: 2 })).toEqual(DELIVERED)
  expect(await send({ kind: 'worse', state: 3 })).toEqual(DELIVERED)
  expect(await send({ kind: 'recovery', state: 0 })).toEqual(DELIVERED)
  expect(glpi.tickets).toHaveLength(1)
  expect(glpi.tickets[0]?.notes.map((note) => note.split(' ')[0])).toEqual([
    '/ITILFollowup',
    '/ITILFollowup',
    '/ITILSolution',
  ])
  expect(await send({ severity: 'warning' })).toEqual(DELIVERED)
  expect(glpi.tickets.map(({ status, input }) => [status, input['urgency']])).toEqual([
    [5, 5],
    [1, 3],
  ])
  expect(glpi.sessions()).toBe(0)
})

test('tickets of other alerts, and those that only begin like it, are left alone', async () => {
  await send({ alertId: 421 })
  await send({ alertId: 42 })
  await send({ kind: 'recovery', state: 0, alertId: 42 })
  expect(glpi.tickets.map(({ status }) => status)).toEqual([1, 5])
})

test('without a ticket a recovery and an acknowledgement do nothing', async () => {
  expect(await send({ kind: 'recovery', state: 0 })).toEqual(DELIVERED)
  expect(await send({ kind: 'ack', state: 2 })).toEqual(DELIVERED)
  expect(glpi.tickets).toEqual([])
})

test('category, entity, and a recovery that is only a followup', async () => {
  const config = settings({ category: '7', entity: '0', recovery: 'followup' })
  await send({}, config)
  expect(glpi.tickets[0]?.input).toMatchObject({ itilcategories_id: 7, entities_id: 0 })
  await send({ kind: 'recovery', state: 0 }, config)
  expect(glpi.tickets[0]).toMatchObject({ status: 1, notes: [expect.stringContaining('/ITILFollowup')] })
})

test('long texts', async () => {
  expect(await deliver({ kind: 'glpi', settings: settings() }, huge(), never)).toEqual(DELIVERED)
  expect(glpi.tickets[0]?.name.length).toBeLessThanOrEqual(255)
  expect(glpi.tickets[0]?.name).toEndWith('… [portlight-alert-42]')
})

test('failures say what was attempted, without secrets, and the session is ended', async () => {
  const wrong = await send({}, settings({ user_token: `wrong-${SECRET}` }))
  expect(wrong).toEqual({ kind: 'refused', reason: 'could not sign in: the receiver answered 401' })
  glpi.fail((path) => (path === '/Ticket' ? new Response('', { status: 503, headers: { 'Retry-After': '9' } }) : null))
  expect(await send()).toEqual({
    kind: 'retry',
    reason: 'could not open a ticket: the receiver answered 503',
    afterMs: 9000,
  })
  glpi.fail((path) => (path === '/search/Ticket' ? Response.json(['ERROR_RIGHT_MISSING'], { status: 403 }) : null))
  expect(await send()).toEqual({
    kind: 'refused',
    reason: 'could not search for the ticket: the receiver answered 403',
  })
  expect(glpi.sessions()).toBe(0)
  glpi.fail(() => new Response('<html>login</html>'))
  expect(await send()).toEqual({
    kind: 'refused',
    reason: 'could not sign in: the receiver is not the REST API of GLPI',
  })
})

test('the exchanges of a test contain neither tokens nor the session', async () => {
  const log = createExchangeLog(kindOf('glpi')?.fields ?? {}, settings())
  await deliver({ kind: 'glpi', settings: settings() }, notification(), never, log.note)
  const shown = log.exchanges()
  expect(shown.map(({ request }) => request.split('?')[0]?.split('\n')[0])).toEqual([
    `GET ${glpi.url}/initSession`,
    `GET ${glpi.url}/search/Ticket`,
    `POST ${glpi.url}/Ticket`,
    `GET ${glpi.url}/killSession`,
  ])
  expect(JSON.stringify(shown)).not.toContain(SECRET)
  expect(JSON.stringify(shown)).not.toContain(SESSION)
  expect(shown[2]?.answer).toStartWith('201')
})
