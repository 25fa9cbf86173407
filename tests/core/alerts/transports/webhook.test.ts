import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { shownTransport } from '../../../../src/core/alerts/transports/kinds.ts'
import { WEBHOOK_SCHEMA } from '../../../../src/core/alerts/transports/webhook-body.ts'
import { faults, type Receiver, startReceiver } from './receiver.ts'
import { delivering, huge, never, notification, SECRET } from './support.ts'

setDefaultTimeout(60_000)

let receiver: Receiver
const deliver = delivering()
beforeAll(() => {
  receiver = startReceiver()
})
afterAll(() => receiver.stop())
beforeEach(() => {
  receiver.arrived.length = 0
  receiver.answer = () => new Response('')
})

const send = (settings = {}, given = notification()) =>
  deliver({ kind: 'webhook', settings: { url: `${receiver.url}/hook?token=${SECRET}`, ...settings } }, given, never)

test.each(['alert', 'recovery', 'repeat', 'ack', 'worse', 'better', 'changed', 'test'] as const)(
  '%s: the body conforms to the schema',
  async (kind) => {
    await send({}, notification({ kind }))
    await send({}, huge({ kind, html: '<p>', url: 'https://x/' }))
    const { device } = notification()
    await send({}, notification({ kind, device: { ...device, ip: null, location: null, contact: null } }))
    expect(receiver.arrived).toHaveLength(3)
    for (const { json } of receiver.arrived) expect(faults(WEBHOOK_SCHEMA, json)).toEqual([])
    expect(receiver.arrived[0]?.json).not.toHaveProperty('images')
  },
)

test('the schema refuses missing members and wrong types', () => {
  const { images: _, ...body } = notification()
  expect(faults(WEBHOOK_SCHEMA, { version: 1, ...body })).toEqual([])
  expect(faults(WEBHOOK_SCHEMA, body)).not.toEqual([])
  expect(faults(WEBHOOK_SCHEMA, { version: 1, ...body, alertId: '42' })).not.toEqual([])
})

test('the signature covers time and body', async () => {
  const before = Math.floor(Date.now() / 1000)
  await send({ secret: SECRET, headers: 'X-Team=noc' })
  const [request] = receiver.arrived
  const time = request?.headers.get('portlight-timestamp') ?? ''
  expect(Number(time)).toBeGreaterThanOrEqual(before)
  const expected = createHmac('sha256', SECRET).update(`${time}.${request?.text}`).digest('hex')
  expect(request?.headers.get('portlight-signature')).toBe(`v1=${expected}`)
  expect(request?.headers.get('x-team')).toBe('noc')
  expect(request?.headers.get('idempotency-key')).toBe(notification().key)
  expect(request?.text).not.toContain(SECRET)
})

test('without a key there is no signature', async () => {
  await send()
  expect(receiver.arrived[0]?.headers.has('portlight-signature')).toBe(false)
})

test('additional headers cannot replace ours or inject others', async () => {
  await send({ headers: { 'content-type': 'text/plain', 'Idempotency-Key': 'mine' } })
  expect(receiver.arrived[0]?.headers.get('idempotency-key')).toBe(notification().key)
  const broken = await send({ headers: { 'X-A': `a\r\nX-B: ${SECRET}` } })
  expect(broken.kind).toBe('refused')
  expect(JSON.stringify(broken)).not.toContain(SECRET)
})

test('secrets are hidden', () => {
  const settings = {
    url: `https://u:${SECRET}@h.example/a?t=${SECRET}`,
    secret: SECRET,
    headers: { A: SECRET },
    odd: SECRET,
  }
  expect(shownTransport('webhook', settings)).toEqual({
    url: 'https://h.example/***',
    secret: '***',
    headers: '***',
    odd: '***',
  })
  expect(shownTransport('gotify', { 'gotify-server-url': `https://u:${SECRET}@h.example/a?t=${SECRET}` })).toEqual({
    'gotify-server-url': 'https://***@h.example/a?***',
  })
  expect(JSON.stringify(shownTransport('nonsense', settings))).not.toContain(SECRET)
})
