import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { serveFleet } from '../../src/demo/serve.ts'
import { portlight } from '../cli/support.ts'
import { startWebhookSink } from '../support/webhook-sink.ts'
import { startTestServer, type TestServer, until } from './server.ts'

setDefaultTimeout(120_000)

// A receiver of OTLP over HTTP, like a collector: it decodes the protocol's JSON and keeps the spans.

interface OtlpValue {
  readonly stringValue?: string
  readonly intValue?: string | number
  readonly doubleValue?: number
  readonly boolValue?: boolean
}
interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: OtlpValue }[]
  readonly status?: { readonly code?: number; readonly message?: string }
}
interface OtlpTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: OtlpSpan['attributes'] }
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[]
  }[]
}

const spans: OtlpSpan[] = []
const resources: Record<string, unknown>[] = []
const bodies: string[] = []
const valuesOf = (attributes: OtlpSpan['attributes']) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? Number(value.intValue ?? value.doubleValue),
    ]),
  )

const receiver = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    expect([request.method, new URL(request.url).pathname]).toEqual(['POST', '/v1/traces'])
    expect(request.headers.get('content-type')).toContain('application/json')
    const octets = new Uint8Array(await request.arrayBuffer())
    const text = new TextDecoder().decode(
      request.headers.get('content-encoding') === 'gzip' ? Bun.gunzipSync(octets) : octets,
    )
    bodies.push(text)
    for (const { resource, scopeSpans } of (JSON.parse(text) as OtlpTraces).resourceSpans) {
      resources.push(valuesOf(resource.attributes))
      for (const scope of scopeSpans) spans.push(...scope.spans)
    }
    return Response.json({ partialSuccess: {} })
  },
})
const sink = startWebhookSink()
const named = (name: string) => spans.filter((span) => span.name === name)
let fleet: Awaited<ReturnType<typeof serveFleet>>
let server: TestServer

beforeAll(async () => {
  fleet = await serveFleet({ port: 23_181 })
  server = await startTestServer([
    ...['--set', `otel.endpoint=http://127.0.0.1:${receiver.port}`, '--set', 'poller.interval=5'],
    ...['--set', 'outgoing.allow=127.0.0.1', '--set', 'snmp.timeout=0.3', '--set', 'snmp.retries=0'],
    ...['--set', 'alert.tolerance_window=0'],
  ])
})
afterAll(async () => {
  await server?.stop()
  await fleet?.stop()
  sink.stop()
  await receiver.stop(true)
})

test('requests, polls, discoveries, writes and notifications are spans', async () => {
  const [device] = fleet.devices
  const { address, port } = device ?? { address: '', port: 0 }
  const community = 'a-secret-community'
  const real = { hostname: 'traced', overwrite_ip: address, port, version: 'v2c', community: 'public' }
  expect(await server.call('POST', '/devices', real)).toMatchObject({ status: 200 })
  const silent = { hostname: '127.0.0.9', port: 9, version: 'v2c', community, force_add: true }
  expect(await server.call('POST', '/devices', silent)).toMatchObject({ status: 200 })
  const added = await portlight([
    ...['transport', 'add', 'webhook', '--name', 'sink', '--default', '--url', sink.url],
    ...['--data-dir', server.dataDir, '--set', 'outgoing.allow=127.0.0.1'],
  ])
  expect(added.code).toBe(0)
  const rule = {
    name: 'no answer',
    severity: 'critical',
    devices: [-1],
    builder: { condition: 'AND', rules: [{ field: 'macros.device_down', operator: 'equal', value: '1' }] },
  }
  expect(await server.call('POST', '/rules', rule)).toMatchObject({ status: 200 })

  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const parent = '00f067aa0ba902b7'
  const ask = (flags: string, path: string) =>
    fetch(`${server.url}/api/v0${path}`, {
      headers: { 'X-Auth-Token': server.token, traceparent: `00-${traceId}-${parent}-${flags}` },
    })
  expect((await ask('01', '/devices/traced')).status).toBe(200)
  expect((await ask('00', '/devices/127.0.0.9')).status).toBe(200) // the caller does not sample this trace
  expect((await ask('01', '/devices/nobody')).status).toBe(404)

  const pollsSeen = () =>
    named('poll').map((span) => ({ ...valuesOf(span.attributes), failed: span.status?.code === 2 }))
  await until(90, 'every kind of span', async () => {
    const names = new Set(spans.map(({ name }) => name))
    const seen = pollsSeen()
    return (
      ['poll', 'discovery', 'write samples', 'notification', 'get_device'].every((name) => names.has(name)) &&
      [true, false].every((failed) => seen.some((poll) => poll.failed === failed))
    )
  })
  const requests = named('get_device').filter((span) => span.traceId === traceId)
  expect(requests.map(({ attributes }) => valuesOf(attributes)['http.response.status_code'])).toEqual([200, 404])
  for (const { parentSpanId, kind } of requests)
    expect({ parentSpanId, kind }).toEqual({ parentSpanId: parent, kind: 2 })
  expect(named('add_device').every((span) => (span.parentSpanId ?? '') === '')).toBe(true)

  const polls = pollsSeen()
  expect(polls).toContainEqual(expect.objectContaining({ 'portlight.hostname': 'traced', failed: false }))
  expect(polls).toContainEqual(expect.objectContaining({ 'portlight.hostname': '127.0.0.9', failed: true }))
  expect(valuesOf(named('write samples')[0]?.attributes ?? [])).toMatchObject({ 'db.system.name': 'postgresql' })
  expect(valuesOf(named('notification')[0]?.attributes ?? [])).toMatchObject({ 'portlight.transport_kind': 'webhook' })
  for (const { startTimeUnixNano, endTimeUnixNano } of spans) {
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano))
    expect(Math.abs(Number(BigInt(endTimeUnixNano) / 1_000_000n) - Date.now())).toBeLessThan(600_000)
  }
  expect(resources[0]).toMatchObject({ 'service.name': 'portlight' })
  const text = bodies.join('\n')
  for (const secret of [server.token, community, sink.url]) expect(text).not.toContain(secret)
})
