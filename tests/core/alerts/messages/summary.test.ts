import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { summaryOf } from '../../../../src/core/alerts/messages/summary.ts'
import { healthNotification, messageNotification } from '../../../../src/core/alerts/messages/texts.ts'
import type { MessagePart } from '../../../../src/core/alerts/messages/write-messages.ts'

const part = (values: Partial<MessagePart> & { id: number }): MessagePart => ({
  alert_id: values.id,
  kind: 'alert',
  decided: 0,
  title: 't',
  device_id: values.id,
  device: `sw-${values.id}`,
  parent: null,
  rule_id: 1,
  rule: 'Port down',
  severity: 'warning',
  elapsed: '',
  faults: 1,
  lines: ['Gi1/0/1'],
  note: '',
  behind: 0,
  location: null,
  ...values,
})
const many = (n: number, values: Partial<MessagePart> = {}) =>
  Array.from({ length: n }, (_, i) => part({ id: i + 1, ...values }))
const title = (parts: readonly MessagePart[]) => summaryOf(parts, null).title
const noUrl = () => null

describe('the title of a message', () => {
  test('names the rule, the devices and what they are behind', () => {
    expect(title(many(2))).toBe('Alert: Port down on 2 devices')
    expect(title(many(1200, { faults: 2, parent: 'core-1' }))).toBe(
      'Alert: Port down on 1,200 devices behind core-1, 2,400 faults',
    )
    expect(title([part({ id: 1, parent: 'core-1' }), part({ id: 2, parent: 'core-2' })])).toBe(
      'Alert: Port down on 2 devices',
    )
    expect(title(many(2, { device_id: 7, device: 'sw-7' }).map((one, i) => ({ ...one, rule: `rule ${i}` })))).toBe(
      'Alert: 2 alerts on sw-7',
    )
    expect(title(many(3, { kind: 'recovery' }))).toBe('Recovered: Port down on 3 devices')
  })

  test('counts what happened if it is not the same for all', () => {
    const some = [part({ id: 1 }), part({ id: 2, kind: 'recovery' }), part({ id: 3, kind: 'worse' })]
    expect(title(some)).toBe('3 alerts on 3 devices: 1 began, 1 changed, 1 recovered')
    expect(summaryOf(some, null)).toMatchObject({ kind: 'alert', state: 1 })
  })

  test('says of an alert that began and recovered that it did', () => {
    const some = [
      part({ id: 1, alert_id: 1, device_id: 1, device: 'a' }),
      part({ id: 2, alert_id: 1, device_id: 1, device: 'a', kind: 'recovery' }),
    ]
    expect(title(some)).toBe('Began and recovered: Port down on a')
    expect(summaryOf(some, null)).toMatchObject({ kind: 'recovery', state: 0, lines: [{ what: 'passed' }] })
  })
})

describe('a message', () => {
  test('lists problems first, the most severe first, and says how many more there are', () => {
    const parts = [
      part({ id: 1, kind: 'recovery', elapsed: '2h' }),
      part({ id: 2 }),
      part({ id: 3, severity: 'critical', faults: 50, behind: 4 }),
    ]
    const { text, chat, severity } = messageNotification({ key: 'k', parts, held: null, formed: 0 }, noUrl, null)
    expect(text.split('\n').slice(2)).toEqual([
      '- sw-3: Port down: Gi1/0/1, and 49 more: 4 behind it',
      '- sw-2: Port down: Gi1/0/1',
      '- sw-1: Port down: recovered after 2h',
    ])
    expect(chat).toContain('- sw-3: Port down')
    expect(severity).toBe('critical')
    const long = messageNotification({ key: 'k', parts: many(5000), held: null, formed: 0 }, noUrl, null)
    expect(long.text).toContain('- and 4,950 more alerts')
    expect(long.chat).toContain('- and 4,990 more alerts')
    expect(long.text.length).toBeLessThan(5000)
    expect(long.faults.length).toBe(1000)
  })

  test('does not name the device twice where a sentence names it', () => {
    const parts = [
      part({ id: 1, lines: ['sw-1 Gi1/0/17 is down'], faults: 3 }),
      part({ id: 2, lines: ['sw-22 is down'] }),
    ]
    const { text } = messageNotification({ key: 'k', parts, held: null, formed: 0 }, noUrl, null)
    expect(text.split('\n').slice(2)).toEqual([
      '- sw-1 Gi1/0/17 is down, and 2 more',
      '- sw-2: Port down: sw-22 is down',
    ])
  })

  test('says what was held back, for how long and why', () => {
    const held = { why: 'many', seconds: 245 } as const
    const { text, chat, html } = messageNotification({ key: 'k', parts: many(87), held, formed: 0 }, noUrl, null)
    const sentence = 'Held back for up to 4m because many messages had just been sent: 87 alerts.'
    for (const one of [text, chat, html]) expect(one).toContain(sentence)
  })

  test('has one link that acknowledges all of it, wherever there is room for a link', () => {
    const link = 'https://monitor.example.net/ack/abc'
    const { text, chat, html, ackUrl } = messageNotification(
      { key: 'k', parts: many(3), held: null, formed: 0 },
      noUrl,
      link,
    )
    for (const one of [text, chat, html, ackUrl]) expect(one).toContain(link)
    const without = messageNotification({ key: 'k', parts: many(3), held: null, formed: 0 }, noUrl, null)
    for (const one of [without.text, without.chat, without.html]) expect(one).not.toContain('Acknowledge')
  })

  test('escapes text in HTML', () => {
    const parts = many(2, { device: '<b>', rule: '"&', lines: ['<script>'] })
    const { html } = messageNotification({ key: 'k', parts, held: null, formed: 0 }, noUrl, null)
    expect(html).not.toMatch(/<b>|<script>|"&[^a]/)
  })

  test('of any notifications has a title, names every alert once, and has ended only if all have', () => {
    const kinds = ['alert', 'recovery', 'repeat', 'ack', 'worse', 'better', 'changed']
    const any = fc.record({
      alert_id: fc.option(fc.integer({ min: 1, max: 6 }), { nil: null }),
      kind: fc.constantFrom(...kinds),
      severity: fc.constantFrom('critical', 'warning', 'ok', 'other'),
      faults: fc.nat(100),
      lines: fc.array(fc.string(), { maxLength: 3 }),
      device: fc.string(),
    })
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 30 }), (some) => {
        const parts = some.map((one, i) => part({ ...one, id: i + 1 }))
        const summary = summaryOf(parts, null)
        expect(summary.title).not.toBe('')
        const keys = parts.map((one) => one.alert_id ?? `n${one.id}`)
        expect(summary.lines.length).toBe(new Set(keys).size)
        const lasts = new Map(parts.map((one, i) => [keys[i], one.kind]))
        expect(summary.state === 0).toBe([...lasts.values()].every((kind) => kind === 'recovery'))
      }),
    )
  })
})

test('a message about several transports has a title that names one, and their own texts', () => {
  const about = (id: number, name: string) =>
    part({
      id,
      alert_id: null,
      device_id: null,
      device: 'Portlight',
      rule_id: null,
      rule: 'Notifications',
      title: name,
    })
  const parts = [about(1, 'Notifications by NOC are not sent'), about(2, 'Notifications by chat are not sent')]
  const url = (path: string) => `https://m.example.net${path}`
  const notification = messageNotification({ key: 'k', parts, held: null, formed: 0 }, url, null)
  expect(notification).toMatchObject({
    title: 'Notifications by NOC are not sent, and 1 more',
    url: 'https://m.example.net/alerts',
    device: { display: 'Portlight', url: null },
    rule: { name: 'Notifications' },
  })
  expect(notification.text).toContain('- Notifications by chat are not sent')
})

test('what is said about a transport names it, the error, and what waits', () => {
  const context = {
    about: 'path',
    title: 'Notifications by NOC are not sent',
    works: false,
    transport: 'NOC',
    type: 'slack',
    transportId: 7,
    since: 0,
    error: 'the receiver answered 404',
    waiting: 3,
    dead: 1,
    time: 1,
  } as const
  const notification = healthNotification('k', context, (path) => `https://m.example.net${path}`)
  expect(notification).toMatchObject({
    kind: 'alert',
    state: 1,
    alertId: -7,
    url: 'https://m.example.net/alerts/transports',
  })
  for (const text of ['NOC (slack)', 'the receiver answered 404', 'wait for it: 3', 'Given up: 1'])
    expect(notification.text).toContain(text)
})
