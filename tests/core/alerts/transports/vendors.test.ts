import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { KINDS, shownTransport } from '../../../../src/core/alerts/transports/kinds.ts'
import { faults, type Receiver, startReceiver } from './receiver.ts'
import { delivering, huge, never, notification, SECRET } from './support.ts'
import { VENDORS } from './vendors.ts'

setDefaultTimeout(60_000)

let receiver: Receiver
const deliver = delivering()
beforeAll(() => {
  receiver = startReceiver()
})
afterAll(() => receiver.stop())
beforeEach(() => {
  receiver.arrived.length = 0
})

test('every kind that sends to a vendor over HTTP is tested here', () => {
  const others = ['mail', 'webhook', 'syslog', 'snmptrap', 'script', 'glpi', 'webpush']
  expect(VENDORS.map(({ kind }) => kind)).toEqual(
    KINDS.map(({ name }) => name).filter((name) => !others.includes(name)),
  )
})

describe.each(VENDORS)('$kind', (vendor) => {
  const { kind, method, path, headers, schema, good, settings, migrated, octets } = vendor
  const transport = () => ({ kind, settings: settings(receiver.url) })

  /** Sends, and checks everything that the documentation says about the request. */
  async function checked(given = notification(), config = settings(receiver.url)) {
    receiver.answer = good
    expect(await deliver({ kind, settings: config }, given, never)).toEqual({ kind: 'delivered' })
    const [request] = receiver.arrived
    expect(receiver.arrived).toHaveLength(1)
    expect(`${request?.method} ${request?.path}`).toBe(`${method} ${path}`)
    for (const [name, value] of Object.entries(headers))
      expect([name, request?.headers.get(name)]).toEqual([name, value])
    expect(faults(schema, request?.json)).toEqual([])
    const isForm = request?.headers.get('content-type') === 'application/x-www-form-urlencoded'
    return { text: isForm ? JSON.stringify(request?.json) : (request?.text ?? '') }
  }

  test('the request is as documented', async () => {
    const request = await checked()
    expect(request.text).toContain('Alert: core')
    expect(request.text).toContain('Gi0/1')
    // this would mention people
    if (kind === 'slack' || kind === 'mattermost') expect(request.text).not.toContain('<!here>')
    if (kind === 'mattermost') expect(request.text).not.toContain('@channel')
  })

  test('with a link', async () => {
    const request = await checked(notification({ url: 'https://portlight.example.net/alert/42' }))
    if (!['telegram', 'matrix', 'mattermost'].includes(kind))
      expect(request.text).toContain('https://portlight.example.net/alert/42')
  })

  test('texts are shortened to what the receiver accepts', async () => {
    const request = await checked(huge())
    expect(request.text.isWellFormed()).toBe(true)
    expect(request.text).toContain('…')
    expect(request.text).not.toMatch(/\\ud[89a-f]..|\ufffd/i)
  })

  test.each([
    ['quotation marks', '"'],
    ['control characters', '\u0001'],
    ['line breaks', '\n'],
    ['ampersands', '&'],
    ['three octets each', '漢'],
    ['four octets each', '😀'],
    ['halves of characters', '\ud83d'],
    ['what Markdown and mentions are made of', '*_~`>|[](@everyone)<@U1><!channel>'],
  ])('a huge text of %s is shortened', async (_name, unit) => {
    const text = unit.repeat(100_000)
    const { device, rule } = notification()
    const request = await checked(
      notification({
        title: `Alert: core ${text}`,
        chat: `Gi0/1 ${text}`,
        device: { ...device, display: text },
        rule: { ...rule, name: text },
      }),
    )
    expect(Buffer.byteLength(request.text)).toBeLessThan(octets ?? 512_000)
    expect(request.text.isWellFormed()).toBe(true)
  })

  test.each(['', '  \n '])('a text of %j', async (text) => {
    await checked(notification({ text, chat: text }))
  })

  test.each(['recovery', 'repeat', 'worse', 'better', 'changed', 'test'] as const)('%s', async (what) => {
    if (what === 'recovery' && ['pagerduty', 'opsgenie', 'jsm'].includes(kind)) return // below
    await checked(notification({ kind: what, state: what === 'recovery' ? 0 : 3 }))
  })

  if (migrated !== null)
    test('LibreNMS settings', async () => {
      await checked(notification(), migrated(receiver.url))
    })

  test.each([400, 401, 403, 404, 410, 422, 301, 307])('%d is refused, without secrets', async (status) => {
    receiver.answer = () => new Response(`bad ${SECRET}`, { status, headers: { Location: `http://x/${SECRET}` } })
    const delivery = await deliver(transport(), notification(), never)
    expect(delivery).toMatchObject({ kind: 'refused', reason: expect.stringContaining(String(status)) })
    expect(JSON.stringify(delivery)).not.toContain(SECRET)
    expect(receiver.arrived).toHaveLength(1)
  })

  test.each([408, 429, 500, 502, 503, 504])('%d is retried, not before Retry-After', async (status) => {
    receiver.answer = () => new Response(`bad ${SECRET}`, { status, headers: { 'Retry-After': '17' } })
    expect(await deliver(transport(), notification(), never)).toEqual({
      kind: 'retry',
      reason: `the receiver answered ${status}`,
      afterMs: 17_000,
    })
  })

  test('a missing answer is retried, without secrets in the reason', async () => {
    const gone = startReceiver()
    gone.stop()
    const delivery = await deliver({ kind, settings: settings(gone.url) }, notification(), never)
    expect(delivery).toMatchObject({ kind: 'retry', reason: 'ECONNREFUSED' })
  })

  test('incomplete settings are refused with an explanation, without values', async () => {
    const delivery = await deliver(
      { kind, settings: { url: `no url ${SECRET}`, server: SECRET } },
      notification(),
      never,
    )
    expect(delivery.kind).toBe('refused')
    expect(JSON.stringify(delivery)).not.toContain(SECRET)
    expect(receiver.arrived).toHaveLength(0)
  })

  test('secrets are not shown', () => {
    for (const config of [settings(receiver.url), migrated?.(receiver.url) ?? {}])
      expect(JSON.stringify(shownTransport(kind, config))).not.toContain(SECRET)
  })
})

describe('behaviour of single vendors', () => {
  const send = (kind: string, changes = {}) => {
    const vendor = VENDORS.find((v) => v.kind === kind)
    return deliver({ kind, settings: vendor?.settings(receiver.url) ?? {} }, notification(changes), never)
  }
  const body = () => receiver.arrived.at(-1)?.json as Record<string, unknown>

  test('PagerDuty: trigger, acknowledge and resolve use the key of the alert', async () => {
    receiver.answer = () => Response.json({}, { status: 202 })
    for (const kind of ['alert', 'ack', 'repeat', 'recovery'] as const) await send('pagerduty', { kind })
    expect(receiver.arrived.map(({ json }) => (json as Record<string, unknown>)['event_action'])).toEqual([
      'trigger',
      'acknowledge',
      'trigger',
      'resolve',
    ])
    const keys = new Set(receiver.arrived.map(({ json }) => (json as Record<string, unknown>)['dedup_key']))
    expect([...keys]).toEqual(['portlight-alert-42'])
    expect(body()).toEqual({ routing_key: SECRET, event_action: 'resolve', dedup_key: 'portlight-alert-42' })
    await send('pagerduty', { kind: 'test' })
    expect(body()['dedup_key']).not.toBe('portlight-alert-42')
  })

  test('Opsgenie: acknowledge and close use the alias of the alert', async () => {
    receiver.answer = () => Response.json({}, { status: 202 })
    await send('opsgenie')
    expect(body()['alias']).toBe('portlight-alert-42')
    await send('opsgenie', { kind: 'ack' })
    await send('opsgenie', { kind: 'recovery', state: 0 })
    expect(receiver.arrived.map(({ path }) => path)).toEqual([
      '/v2/alerts',
      '/v2/alerts/portlight-alert-42/acknowledge?identifierType=alias',
      '/v2/alerts/portlight-alert-42/close?identifierType=alias',
    ])
    expect(Object.keys(body()).toSorted()).toEqual(['note', 'source'])
  })

  test('Jira Service Management: acknowledge and close use the alias of the alert', async () => {
    receiver.answer = () => Response.json({}, { status: 202 })
    for (const kind of ['alert', 'ack', 'recovery'] as const)
      await send('jsm', { kind, state: kind === 'recovery' ? 0 : 1 })
    const base = '/jsm/ops/integration/v2/alerts'
    expect(receiver.arrived.map(({ path }) => path)).toEqual([
      base,
      `${base}/portlight-alert-42/acknowledge?identifierType=alias`,
      `${base}/portlight-alert-42/close?identifierType=alias`,
    ])
    expect(Object.keys(body()).toSorted()).toEqual(['note', 'source'])
  })

  test('Jira Service Management: the key of the URL that LibreNMS stores', async () => {
    receiver.answer = () => Response.json({}, { status: 202 })
    const stored = { 'jsm-url': `https://api.atlassian.com/jsm/ops/integration/v1/json/librenms?apiKey=${SECRET}` }
    expect(KINDS.find(({ name }) => name === 'jsm')?.check(stored)).toEqual([])
    expect(JSON.stringify(shownTransport('jsm', stored))).not.toContain(SECRET)
  })

  test('Splunk On-Call: an incident is opened, acknowledged and resolved; a test opens none', async () => {
    receiver.answer = () => Response.json({ result: 'success' })
    const all = [
      { kind: 'alert', state: 1 },
      { kind: 'worse', state: 3, severity: 'warning' },
      { kind: 'ack', state: 2 },
      { kind: 'recovery', state: 0 },
      { kind: 'test', state: 0, severity: 'ok' },
    ] as const
    for (const one of all) await send('splunkoncall', one)
    const sent = receiver.arrived.map(({ json }) => json as Record<string, unknown>)
    expect(sent.map(({ message_type: type }) => type)).toEqual([
      'CRITICAL',
      'WARNING',
      'ACKNOWLEDGEMENT',
      'RECOVERY',
      'INFO',
    ])
    expect(new Set(sent.slice(0, 4).map(({ entity_id: id }) => id))).toEqual(new Set(['portlight-alert-42']))
    expect(sent[4]?.['entity_id']).not.toBe('portlight-alert-42')
  })

  test('Splunk On-Call and Rocket.Chat: a failure in a response with status 200', async () => {
    receiver.answer = () => Response.json({ result: 'failure', message: SECRET })
    const refused = await send('splunkoncall')
    expect(refused).toMatchObject({ kind: 'refused', reason: expect.stringContaining('result: failure') })
    expect(JSON.stringify(refused)).not.toContain(SECRET)
    receiver.answer = () => Response.json({ success: false, error: SECRET })
    expect(await send('rocketchat')).toMatchObject({ kind: 'refused' })
  })

  test('Splunk On-Call: a URL with a placeholder needs a routing key', () => {
    const kind = KINDS.find(({ name }) => name === 'splunkoncall')
    expect(kind?.check({ url: 'https://alert.example.net/alert/x/$routing_key' })).toEqual(['routing_key is missing'])
  })

  test('Google Chat: text from a device can neither mention anyone nor form a link', async () => {
    receiver.answer = () => Response.json({})
    await send('googlechat', { title: 'x', chat: '<users/all> <a href="http://x">y</a> & z' })
    expect(receiver.arrived[0]?.text).not.toContain('<')
    expect(body()).not.toHaveProperty('text')
  })

  test('Webex: Markdown only on demand, without mentions, and within the limit in bytes', async () => {
    receiver.answer = () => Response.json({})
    const settings = { url: receiver.url, token: SECRET, email: 'noc@example.net', markdown: 'true' }
    const chat = `*a* <@all> ${'漢'.repeat(9000)}`
    await deliver({ kind: 'webex', settings }, notification({ title: 'Alert: x', chat }), never)
    expect(body()).toMatchObject({ toPersonEmail: 'noc@example.net' })
    expect(String(body()['markdown'])).toStartWith('**Alert: x**\n\n*a* @all> 漢')
    expect(Buffer.byteLength(String(body()['markdown']))).toBeLessThanOrEqual(7439)
    const kind = KINDS.find(({ name }) => name === 'webex')
    expect(kind?.check({ token: SECRET })).toEqual(['expected either room or email'])
    expect(kind?.check({ token: SECRET, room: 'x', email: 'y' })).toEqual(['expected either room or email'])
  })

  test('Rocket.Chat: nobody is mentioned', async () => {
    receiver.answer = () => Response.json({ success: true })
    await send('rocketchat', { chat: 'x @all @here @alliance' })
    const [attachment] = body()['attachments'] as { text: string }[]
    expect(attachment?.text).toBe('x @\u200ball @\u200bhere @alliance')
  })

  test('Twilio: a messaging service, the token of the account, and a short message with its link', async () => {
    receiver.answer = () => Response.json({}, { status: 201 })
    const settings = { url: receiver.url, account: 'AC1', token: SECRET, from: 'MG0123', to: 'whatsapp:+431234567' }
    const url = 'https://portlight.example.net/alert/42'
    await deliver({ kind: 'twilio', settings }, huge({ url }), never)
    const sent = body() as { To: string; MessagingServiceSid: string; From?: string; Body: string }
    expect(sent).toMatchObject({ To: 'whatsapp:+431234567', MessagingServiceSid: 'MG0123' })
    expect(sent.From).toBeUndefined()
    expect(sent.Body.length).toBeLessThanOrEqual(320)
    expect(sent.Body).toEndWith(`…\n${url}`)
    expect(receiver.arrived[0]?.headers.get('authorization')).toBe(`Basic ${btoa(`AC1:${SECRET}`)}`)
  })

  test('rows of LibreNMS with other names of kinds are sent', async () => {
    receiver.answer = () => Response.json({})
    for (const [old, now] of [
      ['ciscospark', 'webex'],
      ['rocket', 'rocketchat'],
      ['Victorops', 'splunkoncall'],
    ] as const) {
      const stored = VENDORS.find(({ kind }) => kind === now)?.migrated?.(receiver.url) ?? {}
      expect(await deliver({ kind: old, settings: stored }, notification(), never)).toEqual({ kind: 'delivered' })
      expect(JSON.stringify(shownTransport(old, stored))).not.toContain(SECRET)
    }
    expect(receiver.arrived).toHaveLength(3)
  })

  test('Alertmanager: the recovery ends the alert with the same labels', async () => {
    receiver.answer = () => new Response('')
    await send('alertmanager')
    await send('alertmanager', { kind: 'recovery', state: 0, time: Date.UTC(2026, 10, 22, 13) })
    const [[problem], [end]] = receiver.arrived.map(({ json }) => json as Record<string, unknown>[]) as [
      Record<string, unknown>[],
      Record<string, unknown>[],
    ]
    expect(end?.['labels']).toEqual(problem?.['labels'])
    expect(problem?.['labels']).toEqual({
      team: 'network',
      alertname: 'Port down that was up',
      instance: 'core1.example.net',
      severity: 'critical',
      portlight_alert: '42',
    })
    expect(problem?.['startsAt']).toBe('2026-11-22T12:30:15.250Z')
    expect(Date.parse(String(problem?.['endsAt']))).toBeGreaterThan(Date.now() + 24 * 3_600_000)
    expect(end?.['endsAt']).toBe('2026-11-22T13:00:00.000Z')
  })

  test.each([
    ['discord', Response.json({ message: 'limited', retry_after: 1.5, global: false }, { status: 429 }), 1500],
    [
      'telegram',
      Response.json({ ok: false, error_code: 429, parameters: { retry_after: 35 } }, { status: 429 }),
      35_000,
    ],
    ['matrix', Response.json({ errcode: 'M_LIMIT_EXCEEDED', retry_after_ms: 2000 }, { status: 429 }), 2000],
  ])('%s states in the body when to retry', async (kind, answer, afterMs) => {
    receiver.answer = () => answer
    expect(await send(kind)).toEqual({ kind: 'retry', reason: 'the receiver answered 429', afterMs })
  })

  test('Telegram: 200 without ok is a failure', async () => {
    receiver.answer = () => new Response('<html>login</html>')
    expect(await send('telegram')).toMatchObject({ kind: 'refused' })
  })

  test('Telegram: the title is bold with any characters in it', async () => {
    receiver.answer = () => Response.json({ ok: true })
    await send('telegram', { title: '😀 up', chat: '😀 up\n\nfine' })
    expect(body()).toMatchObject({ text: '😀 up\nfine', entities: [{ type: 'bold', offset: 0, length: 5 }] })
  })

  test('Teams: a failure in a response with status 200', async () => {
    const failed = 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error'
    receiver.answer = () => new Response(`${failed} 429 with ContextId x`)
    expect(await send('msteams')).toEqual({ kind: 'retry', reason: 'the receiver answered 429' })
    receiver.answer = () => new Response(`${failed} 404 with ContextId x`)
    expect(await send('msteams')).toMatchObject({ kind: 'refused' })
  })

  test('Teams: a message has less than 28 KB', async () => {
    receiver.answer = () => new Response('', { status: 202 })
    const vendor = VENDORS.find(({ kind }) => kind === 'msteams')
    const lines = `é${'\n'.repeat(50_000)}`
    for (const given of [huge(), huge({ chat: lines }), huge({ chat: '漢'.repeat(50_000) })]) {
      await deliver({ kind: 'msteams', settings: vendor?.settings(receiver.url) ?? {} }, given, never)
      expect(Buffer.byteLength(receiver.arrived.at(-1)?.text ?? '')).toBeLessThan(28_000)
    }
  })

  test('limits in bytes are counted in bytes', async () => {
    const config = (kind: string) => VENDORS.find((v) => v.kind === kind)?.settings(receiver.url) ?? {}
    receiver.answer = () => Response.json({})
    await deliver({ kind: 'ntfy', settings: config('ntfy') }, huge(), never)
    expect(Buffer.byteLength(String(body()['message']))).toBeLessThanOrEqual(4096)
    await deliver({ kind: 'matrix', settings: config('matrix') }, huge({ chat: '&'.repeat(100_000) }), never)
    expect(Buffer.byteLength(receiver.arrived.at(-1)?.text ?? '')).toBeLessThan(60_000)
    await deliver({ kind: 'discord', settings: config('discord') }, huge(), never)
    const [embed] = body()['embeds'] as {
      title: string
      description: string
      fields: { name: string; value: string }[]
    }[]
    const texts = [
      embed?.title,
      embed?.description,
      ...(embed?.fields ?? []).flatMap(({ name, value }) => [name, value]),
    ]
    expect(texts.join('').length).toBeLessThanOrEqual(6000)
  })

  test('Pushover: an emergency repeats until it is acknowledged', async () => {
    receiver.answer = () => Response.json({ status: 1 })
    const settings = { url: receiver.url, token: SECRET, user: SECRET, emergency: 'true', retry: '30' }
    await deliver({ kind: 'pushover', settings }, notification(), never)
    expect(body()).toMatchObject({ priority: 2, retry: 30, expire: 3600 })
    await deliver({ kind: 'pushover', settings }, notification({ kind: 'recovery', state: 0 }), never)
    expect(body()).toMatchObject({ priority: 0 })
    expect(body()).not.toHaveProperty('retry')
  })
})
