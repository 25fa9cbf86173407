import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { KINDS } from '../../src/core/alerts/transports/kinds.ts'
import { startTestServer, type TestServer } from '../e2e/server.ts'
import { eventually } from '../support/eventually.ts'
import { startWebhookSink, type WebhookSink } from '../support/webhook-sink.ts'
import { portlight, temporaryFolder } from './support.ts'

setDefaultTimeout(180_000)

const SECRET = 'S3cr3t-0123456789'
const folder = temporaryFolder()
let server: TestServer
let sink: WebhookSink

beforeAll(async () => {
  sink = startWebhookSink()
  server = await startTestServer(['--set', 'outgoing.allow=127.0.0.0/8'])
}, 180_000)
afterAll(async () => {
  await server?.stop()
  sink?.stop()
  folder.remove()
}, 60_000)

const said: string[] = []
async function transport(...args: string[]) {
  const outcome = await portlight([
    'transport',
    ...args,
    '--data-dir',
    server.dataDir,
    '--set',
    'outgoing.allow=127.0.0.0/8',
  ])
  said.push(outcome.out, outcome.err)
  return outcome
}
const listed = async () => JSON.parse((await transport('list', '--json')).out) as Record<string, unknown>[]

test('kinds and their settings', async () => {
  const { out } = await transport('kinds')
  for (const { name } of KINDS) expect(out).toContain(`\n${name} `)
  expect((await transport('kinds', 'slack')).out).toMatch(/url +true +true/)
  expect((await transport('kinds', 'pigeon')).code).toBe(2)
  expect(JSON.parse((await transport('schema')).out)).toMatchObject({ title: 'Notification' })
})

test('invalid settings are refused with an explanation', async () => {
  const add = (...args: string[]) => transport('add', ...args)
  expect(await add('pigeon', '--name', 'p')).toMatchObject({ code: 1, err: expect.stringContaining('slack') })
  expect(await add('slack', '--name', 'p')).toMatchObject({ code: 1, err: expect.stringContaining('url is missing') })
  expect(await add('slack', '--name', 'p', '--url', `ftp://${SECRET}`)).toMatchObject({ code: 1 })
  expect(await add('slack', '--name', 'p', '--url', 'https://h/', '--setting', `tokn=${SECRET}`)).toMatchObject({
    code: 1,
    err: expect.stringContaining('no setting tokn'),
  })
  expect(await add('slack', '--name', '7', '--url', 'https://h/')).toMatchObject({ code: 1 })
  expect(await add('slack', '--name', 'p', '--url', 'https://h/', '--rule', '999')).toMatchObject({ code: 1 })
  expect(await add('slack', '--name', 'p', '--url', 'https://h/', '--setting', SECRET)).toMatchObject({ code: 2 })
  expect(await listed()).toEqual([])
})

test('adding, changing and removing a transport', async () => {
  const secret = join(folder.path, 'secret')
  writeFileSync(secret, `${SECRET}\n`)
  const url = `${sink.url}?token=${SECRET}`
  const args = ['webhook', '--name', 'Hook', '--url', url, '--setting-file', `secret=${secret}`, '--default']
  expect(await transport('add', ...args)).toMatchObject({ code: 0 })
  expect(await transport('add', ...args)).toMatchObject({ code: 1, err: expect.stringContaining('already') })
  expect(await listed()).toMatchObject([
    {
      name: 'Hook',
      kind: 'webhook',
      default: true,
      problems: [],
      settings: { url: `${new URL(sink.url).origin}/***`, secret: '***' },
    },
  ])
  const tested = await transport('test', 'hook')
  expect(tested).toMatchObject({ code: 0, out: 'delivered\n' })
  expect(tested.err).toContain(`sent:\n  POST ${new URL(sink.url).origin}/***`)
  expect(tested.err).toContain('answer:\n  200')
  const { delivery, exchanges } = JSON.parse((await transport('test', 'hook', '--json')).out)
  expect({ delivery, exchanges }).toMatchObject({
    delivery: { kind: 'delivered' },
    exchanges: [
      { request: expect.stringContaining('Portlight-Signature: ***'), answer: expect.stringContaining('200') },
    ],
  })
  sink.received.splice(1)
  expect(sink.received).toMatchObject([{ body: { kind: 'test', device: { hostname: 'portlight' } } }])
  sink.status = 404
  expect(await transport('test', 'hook')).toMatchObject({ code: 1, err: expect.stringContaining('answered 404') })
  sink.status = 200

  expect(await transport('set', 'Hook', '--setting', 'secret=', '--no-default')).toMatchObject({ code: 0 })
  expect(await listed()).toMatchObject([{ default: false, settings: { url: `${new URL(sink.url).origin}/***` } }])
  expect(await transport('set', 'Hook', '--setting', 'url=')).toMatchObject({ code: 1 })
  expect(await transport('set', 'Hook', '--setting', 'headers=X-A=b')).toMatchObject({ code: 0 })
  expect(await listed()).toMatchObject([{ default: false }])

  expect(await transport('map', 'Hook', '--rule', '1', '--rule', '2')).toMatchObject({ code: 0 })
  expect(await transport('unmap', 'Hook', '--rule', '2')).toMatchObject({ code: 0 })
  expect(await transport('group', 'set', 'everybody', 'Hook')).toMatchObject({ code: 0 })
  expect(await transport('map', 'everybody', '--group', '--rule', '3')).toMatchObject({ code: 0 })
  expect(await listed()).toMatchObject([{ rules: [1], groups: ['everybody'] }])
  expect((await transport('group', 'list')).out).toMatch(/everybody +Hook +3/)
  expect(await transport('group', 'remove', 'everybody', '--yes')).toMatchObject({ code: 0 })

  expect(await transport('limit', 'Hook')).toMatchObject({ code: 2 })
  expect(await transport('limit', 'Hook', '--rate', '-1')).toMatchObject({ code: 2 })
  expect(await transport('limit', 'Hook', '--rate', '10001')).toMatchObject({ code: 1 })
  expect(await transport('limit', 'Hook', '--rate', '10', '--grouping', 'on', '--window', '60')).toMatchObject({
    code: 0,
  })
  expect(await listed()).toMatchObject([{ sending: { now: { grouped: true, window: 60, rate: 10 } } }])
  expect(await transport('limit', 'Hook', '--grouping', 'usual', '--rate', '0')).toMatchObject({ code: 0 })
  expect(await listed()).toMatchObject([
    { sending: { grouping: null, now: { grouped: false, rate: 0 } }, failing: null },
  ])

  expect(await transport('remove', 'Hook')).toMatchObject({ code: 2 })
  expect(await transport('remove', 'Hook', '--yes')).toMatchObject({ code: 0 })
  expect(await listed()).toEqual([])
})

test('dead letters are listed, reported by doctor, and sent again', async () => {
  await transport('add', 'webhook', '--name', 'broken', '--url', sink.url, '--default')
  const { sql } = await server.store()
  const device = {
    device_id: 1,
    hostname: 'sw1',
    display: 'sw1',
    ip: null,
    location: null,
    rule_id: 1,
    name: 'Device down',
  }
  const alert = {
    alert_id: 1,
    severity: 'critical',
    state: 1,
    elapsed: '',
    alert_notes: '',
    timestamp: 'now',
    time: Date.now(),
  }
  const title = 'Alert: sw1: Device down'
  const context = JSON.stringify({ ...device, ...alert, title, kind: 'alert', faults: [], fault_count: 0 })
  await sql`
    insert into alert_outbox (key, transport_id, kind, context, dead_at, attempts, last_error)
    select 'k-' || n, transport_id, 'alert', ${context}::text::jsonb, now(), 3, 'the receiver answered 403'
    from alert_transports, generate_series(1, 2) as n where transport_name = 'broken'`
  const dead = JSON.parse((await transport('dead', '--json')).out) as { id: number }[]
  expect(dead).toMatchObject([{ transport: 'broken', error: 'the receiver answered 403' }, {}])
  expect((await portlight(['doctor', '--data-dir', server.dataDir])).out).toContain('transport resend')
  await sql`insert into alert_paths (transport_id, failures, since, failed_at, last_error)
    select transport_id, 5, now(), now(), 'the receiver answered 403' from alert_transports where transport_name = 'broken'`
  expect((await portlight(['doctor', '--data-dir', server.dataDir])).out).toMatch(
    /broken has been failing since .*: the receiver answered 403/,
  )
  expect((await transport('list')).err).toMatch(/broken has been failing since /)
  expect(await transport('test', 'broken')).toMatchObject({ code: 0 })
  expect((await transport('list')).err).not.toContain('failing since')
  expect(await transport('resend')).toMatchObject({ code: 2 })
  expect(await transport('resend', '987654')).toMatchObject({ code: 1 })
  const before = sink.received.length
  expect(await transport('resend', String(dead[0]?.id))).toMatchObject({ code: 0 })
  await eventually(async () => (sink.received.length === before + 1 ? true : null))
  expect(await transport('resend', '--all')).toMatchObject({ code: 0 })
  await eventually(async () => (sink.received.length === before + 2 ? true : null))
  expect((await transport('dead')).out).not.toContain('broken')
})

test('no command showed a secret', () => {
  expect(said.length).toBeGreaterThan(20)
  expect(said.join('\n')).not.toContain(SECRET)
})
