import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { parseTemplate } from '@portlight/templates/parse.ts'
import { renderTemplate } from '@portlight/templates/render.ts'
import { createSettings } from '../../../src/config/settings.ts'
import { createDispatcher } from '../../../src/core/alerts/dispatcher.ts'
import { createEngine } from '../../../src/core/alerts/engine.ts'
import { createSignedGraphs } from '../../../src/core/alerts/signed-graphs.ts'
import type { AlertNotification } from '../../../src/core/alerts/transports/notification.ts'
import { createLog } from '../../../src/observe/log.ts'
import { type TestApi, testApi } from '../../support/api.ts'
import { eventually } from '../../support/eventually.ts'

setDefaultTimeout(60_000)

let api: TestApi
const ids = { device: 0, port: 0, empty: 0 }
const log = createLog('silent')

beforeAll(async () => {
  api = await testApi({ 'alert.graph_url': 'https://monitor.example.net/' })
  const { sql } = api.store
  const [device] = await sql<{ device_id: number }[]>`
    insert into devices (hostname, status) values ('core1', 1) returning device_id`
  ids.device = device?.device_id ?? 0
  const ports = await sql<{ port_id: number }[]>`
    insert into ports (device_id, "ifIndex", "ifName", "ifOperStatus", "ifAdminStatus")
    values (${ids.device}, 1, 'Gi0/1', 'down', 'up'), (${ids.device}, 2, 'Gi0/<2>', 'up', 'up') returning port_id`
  ids.port = ports[0]?.port_id ?? 0
  ids.empty = ports[1]?.port_id ?? 0
  const nowS = Math.floor(Date.now() / 1000)
  await sql`select ts.ensure_partitions(rel, to_timestamp(${nowS})), ts.ensure_partitions(rel, to_timestamp(${nowS - 7200}))
    from ts.series where level = 'samples'`
  await sql`insert into ts.port_samples ("time", port_id, period_ms, in_octets, out_octets)
    select to_timestamp(t), ${ids.port}, 300000, 300000, 600000 from generate_series(${nowS - 6900}::int, ${nowS}::int, 300) t`
})
afterAll(() => api.drop())

const isPng = (octets: Uint8Array) => Buffer.from(octets.subarray(1, 4)).toString() === 'PNG'

async function get(url: string): Promise<{ status: number; type: string | null; octets: Uint8Array }> {
  const { pathname, search } = new URL(url)
  const answer = await api.app.fetch(new Request(`http://localhost${pathname}${search}`))
  return { status: answer.status, type: answer.headers.get('content-type'), octets: await answer.bytes() }
}

async function urlFor(members: Readonly<Record<string, string>>, now = Date.now): Promise<string | null> {
  const signed = createSignedGraphs({ store: api.store, settings: api.settings, graphs: api.services.graphs, now })
  return (await signed.signer())(new Map(Object.entries(members)), ids.device)
}

const port = () => ({ type: 'port_bits', id: String(ids.port), from: '-2h', width: '400', height: '150' })

describe('a signed graph', () => {
  test('needs no token', async () => {
    const url = (await urlFor(port())) ?? ''
    expect(url).toStartWith('https://monitor.example.net/signed-graph?type=port_bits&')
    const answer = await get(url)
    expect(answer).toMatchObject({ status: 200, type: 'image/png' })
    expect(isPng(answer.octets)).toBe(true)
  })

  test.each([
    ['another port', (url: string) => url.replace(/port=\d+/, `port=${ids.empty}`)],
    ['another type', (url: string) => url.replace('port_bits', 'port_errors')],
    ['another range', (url: string) => url.replace(/from=\d+/, 'from=1')],
    ['a later end', (url: string) => url.replace(/expires=\d+/, 'expires=9999999999')],
    ['one more parameter', (url: string) => `${url}&output=json`],
    ['a parameter twice', (url: string) => `${url}&port=${ids.empty}`],
    ['no signature', (url: string) => url.replace(/&signature=.*/, '')],
    ['a short signature', (url: string) => url.slice(0, -2)],
  ])('does not give access to %s', async (_name, changed) => {
    const url = (await urlFor(port())) ?? ''
    expect(changed(url)).not.toBe(url)
    expect((await get(changed(url))).status).toBe(403)
  })

  test('expires after the configured number of days', async () => {
    const days = api.settings.get('alert.graph_days')
    const url = await urlFor(port(), () => Date.now() - (days * 86_400 + 1) * 1000)
    expect((await get(url ?? '')).status).toBe(410)
  })

  test('of a deleted port is not found', async () => {
    const url = await urlFor({ ...port(), id: '987654' })
    expect((await get(url ?? '')).status).toBe(404)
  })

  test.each([
    {},
    { type: 'port_bits' },
    { type: '../x', id: '1' },
    { type: 'bill_bits', id: '1' },
    { type: 'port_bits', id: '1', from: 'x' },
  ])('cannot be made from %j', async (members) => {
    expect(await urlFor(members)).toBeNull()
  })
})

test('templates show graphs as an image or URL, and nothing if there is no graph', () => {
  const render = (text: string, output: 'html' | 'text') => {
    const template = parseTemplate(text)
    if (template.kind === 'fault') throw new Error(template.message)
    const result = renderTemplate(
      template,
      { alert: { faults: { 1: { port_id: 7 } } } },
      {
        output,
        now: 0,
        graphUrl: (m) => (m.get('id') === '7' ? `https://x/?${[...m].map((pair) => pair.join('=')).join('&')}` : null),
      },
    )
    if (result.kind === 'fault') throw new Error(result.message)
    return result.text
  }
  const members = `['id' => $value['port_id'], 'type' => 'port_bits', 'from' => time() - 43200]`
  const tag = `@foreach ($alert->faults as $value)@signedGraphTag(${members})@endforeach`
  expect(render(tag, 'html')).toBe(
    '<img class="librenms-graph" src="https://x/?id=7&amp;type=port_bits&amp;from=-43200">',
  )
  expect(render(tag, 'text')).toBe('https://x/?id=7&type=port_bits&from=-43200')
  expect(render(`@signedGraphUrl(['id' => 8])!`, 'html')).toBe('!')
  expect(parseTemplate('a\n @signedGraphTag')).toMatchObject({ kind: 'fault', line: 2, column: 2 })
})

describe('a notification', () => {
  /** The notification sent for a port that is down. */
  async function sent(template: string | null): Promise<AlertNotification> {
    const { sql } = api.store
    await sql`delete from alert_rules`
    await sql`delete from alert_transports`
    await sql`delete from alert_templates`
    if (template !== null)
      await sql`insert into alert_templates (name, template) values ('Default Alert Template', ${template})`
    await sql`insert into alert_transports (transport_name, transport_type, is_default, transport_config) values ('m', 'mail', 1, '{}')`
    const builder = { condition: 'AND', rules: [{ field: 'ports.ifOperStatus', operator: 'equal', value: 'down' }] }
    await sql`insert into alert_rules (severity, extra, name, query, builder)
      values ('critical', '{"delay":0,"interval":0,"count":1}', 'port <down>', '', ${JSON.stringify(builder)})`
    const received: AlertNotification[] = []
    const { store, settings } = api
    const signed = createSignedGraphs({ store, settings, graphs: api.services.graphs })
    const dispatcher = createDispatcher({
      store,
      log,
      pictures: { signed, graphs: api.services.graphs },
      deliver: async (_transport, notification) => {
        received.push(notification)
        return { kind: 'delivered' }
      },
    })
    const engine = createEngine({ store, settings, log, notified: dispatcher.wake })
    try {
      await engine.round()
      dispatcher.start()
      return await eventually(async () => received[0] ?? null)
    } finally {
      await engine.stop()
      await dispatcher.stop()
    }
  }

  test('has defaults for text, chat and HTML, with the graph of the port', async () => {
    const { text, chat, html, images, url, alertId, device } = await sent(null)
    expect(url).toBe(`https://monitor.example.net/alerts/${alertId}`)
    expect(device.url).toBe(`https://monitor.example.net/device/${ids.device}`)
    expect(text).toContain('Device: core1')
    expect(text).toEndWith(`\n\n${url}`)
    expect(html).toContain(`<a href="${url}"`)
    expect(text).toContain('Faults: 1')
    expect(chat.split('\n').length).toBeLessThan(text.split('\n').length)
    expect(html).toContain('port &lt;down&gt;')
    expect(html).not.toContain('port <down>')
    expect(html).toContain('<img src="cid:graph1"')
    expect(images.map(({ cid }) => cid)).toEqual(['graph1'])
    expect(isPng(images[0]?.png ?? new Uint8Array())).toBe(true)
  })

  test('uses a stored default template, whose graphs are signed', async () => {
    const { text, html, images } = await sent(
      `<p>{{ $alert->title }} {{ $alert->name }}</p>@foreach ($alert->faults as $value)@signedGraphTag(['id' => $value['port_id'], 'type' => 'port_bits'])@endforeach`,
    )
    const [, url = ''] = /src="([^"]+)"/.exec(html ?? '') ?? []
    expect((await get(url.replaceAll('&amp;', '&'))).type).toBe('image/png')
    expect(text).toContain('port <down>')
    expect(images).toEqual([])
  })
})

test.each(['', 'monitor.example.net', 'ftp://monitor.example.net'])('%j cannot be used for links', async (base) => {
  const settings = createSettings({ flags: { 'alert.graph_url': base } })
  const signed = createSignedGraphs({ store: api.store, settings, graphs: api.services.graphs })
  expect(signed.pageUrl('device', ids.device)).toBeNull()
})

test('templates that cannot be parsed are reported', async () => {
  const { sql } = api.store
  await sql`insert into alert_templates (name, template, title) values ('imported', 'x', 'a @php b')`
  expect(await api.services.alertTemplates.broken()).toMatchObject([{ name: 'imported', part: 'title' }])
})
