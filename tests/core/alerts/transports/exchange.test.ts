import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { createExchangeLog, headerLine } from '../../../../src/core/alerts/transports/exchange.ts'
import { KINDS, kindOf } from '../../../../src/core/alerts/transports/kinds.ts'
import { startReceiver } from './receiver.ts'
import { delivering, never, notification, SECRET } from './support.ts'
import { VENDORS } from './vendors.ts'

setDefaultTimeout(120_000)

const deliver = delivering()

describe.each(VENDORS)('$kind', ({ kind, settings, good, migrated }) => {
  test('shows the request and the answer, without secrets', async () => {
    const receiver = startReceiver()
    try {
      for (const config of [settings(receiver.url), migrated?.(receiver.url) ?? null]) {
        if (config === null) continue
        const log = createExchangeLog(kindOf(kind)?.fields ?? {}, config)
        receiver.answer = good
        await deliver({ kind, settings: config }, notification(), never, log.note)
        receiver.answer = () => new Response(`{"error":"wrong ${SECRET}"}`, { status: 403 })
        await deliver({ kind, settings: config }, notification(), never, log.note)
        const [first, second] = log.exchanges()
        expect(first?.request).toMatch(/^(?:POST|PUT) https?:\/\//)
        expect(first?.request).toContain(kind === 'twilio' ? 'Port+down' : 'Port down')
        expect(first?.answer).toMatch(/^2\d\d/)
        expect(second?.answer).toStartWith('403')
        expect(second?.answer).toContain('wrong ***')
        const shown = JSON.stringify(log.exchanges())
        expect(shown).not.toContain(SECRET)
        expect(shown).not.toContain(btoa(SECRET).slice(0, 20))
      }
    } finally {
      receiver.stop()
    }
  })
})

test('a receiver that is not there: the request is shown, and no answer', async () => {
  const gone = startReceiver()
  gone.stop()
  const log = createExchangeLog(kindOf('ntfy')?.fields ?? {}, {})
  await deliver({ kind: 'ntfy', settings: { url: gone.url, topic: 'x' } }, notification(), never, log.note)
  expect(log.exchanges()).toMatchObject([{ request: expect.stringContaining(`POST ${gone.url}`), answer: null }])
})

test('nothing is noted for settings that are refused', async () => {
  const log = createExchangeLog(kindOf('slack')?.fields ?? {}, {})
  expect(await deliver({ kind: 'slack', settings: {} }, notification(), never, log.note)).toMatchObject({
    kind: 'refused',
  })
  expect(log.exchanges()).toEqual([])
})

/** Text as requests contain it: as it is, in a URL, in a form, in JSON. */
const formsOf = (text: string) => [
  text,
  encodeURIComponent(text),
  new URLSearchParams({ s: text }).toString().slice(2),
  JSON.stringify(text).slice(1, -1),
]

test('no secret of any kind appears, however long, and wherever it is', () => {
  const secret = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter((s) => s.trim() === s && s !== '')
  fc.assert(
    fc.property(
      fc.constantFrom(...KINDS),
      secret,
      fc.string({ maxLength: 50 }),
      fc.string({ maxLength: 50 }),
      fc.nat(3),
      (kind, value, before, after, form) => {
        const names = Object.entries(kind.fields).filter(([, f]) => f.secret === true && f.type === 'text')
        const settings = Object.fromEntries(names.map(([name]) => [name, value]))
        if (names.length === 0) return
        const log = createExchangeLog(kind.fields, settings)
        const written = formsOf(value)[form] ?? value
        log.note(`${before}\u0000${written}\u0000${after}`, `${after}\u0000${written}\u0000${before}`)
        const [shown] = log.exchanges()
        // what surrounds it may contain the same characters by chance
        const around = (text: string) => (before + after).includes(text)
        for (const text of [shown?.request ?? '', shown?.answer ?? ''])
          if (!around(written)) expect(text.includes(`\u00b7${written}\u00b7`)).toBe(false)
      },
    ),
    { numRuns: 2000 },
  )
})

test('the path and the query of a secret URL are hidden, its host is not', () => {
  const url = `https://user:pass-word@hooks.example.net/services/T0/${SECRET}?sig=${SECRET}x`
  const log = createExchangeLog(kindOf('slack')?.fields ?? {}, { url })
  log.note(`POST ${url}\n\nbody`, `see https://hooks.example.net/services/T0/${SECRET} or ${SECRET}`)
  const [shown] = log.exchanges()
  expect(shown?.request).toContain('hooks.example.net')
  expect(JSON.stringify(shown)).not.toContain(SECRET)
  expect(shown?.request).not.toContain('pass-word')
  expect(shown?.request).toContain('body')
})

test('a password in a URL may have a % that is no escape: it is sent as it is, and hidden', async () => {
  const receiver = startReceiver()
  try {
    const url = receiver.url.replace('://', '://me:half-100%-sure@')
    const log = createExchangeLog(kindOf('webhook')?.fields ?? {}, { url })
    const sent = await deliver({ kind: 'webhook', settings: { url } }, notification(), never, log.note)
    expect(sent).toMatchObject({ kind: 'delivered' })
    expect(receiver.arrived[0]?.headers.get('authorization')).toBe(`Basic ${btoa('me:half-100%-sure')}`)
    expect(JSON.stringify(log.exchanges())).not.toContain('half-100')
  } finally {
    receiver.stop()
  }
})

test('settings that the kind does not know, lists and pairs count as secrets', () => {
  const fields = kindOf('webhook')?.fields ?? {}
  const log = createExchangeLog(fields, {
    headers: `X-Auth=${SECRET}, X-B=other-secret`,
    old: { deep: ['deep-secret'] },
  })
  log.note(`X-Custom: ${SECRET}\nother-secret and deep-secret`, null)
  expect(log.exchanges()).toEqual([{ request: 'X-Custom: ***\n*** and ***', answer: null }])
})

test('a password with a % that begins no octet is hidden', () => {
  const url = 'https://user:pass-100%@hooks.example.net/'
  const log = createExchangeLog(kindOf('ntfy')?.fields ?? {}, { url })
  log.note(`POST ${url}`, null)
  expect(log.exchanges()[0]?.request).toBe('POST https://user:***@hooks.example.net/')
})

test('a line with a very short secret is hidden as a whole', () => {
  const log = createExchangeLog(kindOf('gotify')?.fields ?? {}, { token: 'ab' })
  log.note('cabbage\nother', null)
  expect(log.exchanges()[0]?.request).toBe('***\nother')
})

test('bounds: length, number, and characters', () => {
  const log = createExchangeLog({}, {})
  for (let i = 0; i < 100; i++) log.note('x'.repeat(1_000_000), '\u001b[31m\u0007red\ud83d')
  expect(log.exchanges()).toHaveLength(10)
  expect(log.exchanges()[0]?.request.length).toBeLessThan(4100)
  expect(log.exchanges()[0]?.answer).toBe('·[31m·red\ufffd')
})

test('headers that are secrets by their name', () => {
  expect(headerLine('Authorization', 'Bearer abc')).toBe('Authorization: Bearer ***')
  expect(headerLine('X-Gotify-Key', 'abc')).toBe('X-Gotify-Key: ***')
  expect(headerLine('App-Token', 'abc')).toBe('App-Token: ***')
  expect(headerLine('Portlight-Signature', 'v1=abc')).toBe('Portlight-Signature: ***')
  expect(headerLine('Idempotency-Key', 'abc')).toBe('Idempotency-Key: abc')
  expect(headerLine('Content-Type', 'text/plain')).toBe('Content-Type: text/plain')
})
