import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createDispatcher } from '../../src/core/alerts/dispatcher.ts'
import { createSignedGraphs } from '../../src/core/alerts/signed-graphs.ts'
import { createLog } from '../../src/observe/log.ts'
import { messagesPage, slackHtml, teamsHtml } from '../../tools/gallery/chat-messages.ts'
import { reduced } from '../../tools/gallery/reduced.ts'
import { type Receiver, startReceiver } from '../core/alerts/transports/receiver.ts'
import { delivering } from '../core/alerts/transports/support.ts'
import { type TestApi, testApi } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { makeAlertScenario } from './alert-scenario.ts'
import { HAS_BROWSER, useBrowser } from './browser.ts'

/** Set to draw `docs/img/messages-chat.png` again. */
const DRAW = Bun.env['DRAW_MESSAGES'] === '1'

describe.skipIf(!HAS_BROWSER)('messages in chats', () => {
  const browser = useBrowser()
  let api: TestApi
  let receiver: Receiver

  beforeAll(async () => {
    api = await testApi({ 'alert.graph_url': 'https://monitor.example.net/' })
    receiver = startReceiver()
    for (const kind of ['slack', 'msteams'])
      await api.store
        .sql`insert into alert_transports (transport_name, transport_type, is_default, grouping, transport_config)
        values (${kind}, ${kind}, 1, 0, ${JSON.stringify({ url: `${receiver.url}/${kind}` })}::text::jsonb)`
  }, 120_000)
  afterAll(async () => {
    receiver?.stop()
    await api?.drop()
  }, 60_000)

  test('what the engine raises and the dispatcher sends says what is wrong in both', async () => {
    const { ports } = await makeAlertScenario(api)
    const { store, settings, services } = api
    const signed = createSignedGraphs({ store, settings, graphs: services.graphs })
    const log = createLog('silent')
    const pictures = { signed, graphs: services.graphs }
    const dispatcher = createDispatcher({ store, log, deliver: delivering(), pictures })
    dispatcher.start()
    const [waiting] = await store.sql<{ n: number }[]>`select count(*)::int as n from alert_outbox`
    expect(waiting?.n).toBeGreaterThan(0)
    await eventually(async () => (receiver.arrived.length === waiting?.n ? true : null))
    await dispatcher.stop()
    const last = (path: string) => receiver.arrived.findLast((one) => one.path === path)?.json
    const { page } = await browser.window('about:blank')
    await page.setViewportSize({ width: 672, height: 400 })
    await page.setContent(messagesPage([slackHtml(last('/slack')), teamsHtml(last('/msteams'))]))
    for (const app of ['slack', 'teams']) {
      const shown = ((await page.locator(`article.${app}`).textContent()) ?? '').replaceAll(/\s+/g, ' ')
      for (const { name } of ports) expect(shown).toContain(`sw-3 ${name} is down`)
      expect(shown).toContain('Open')
      expect(shown).not.toMatch(/undefined|null|\[object|ifOperStatus/)
    }
    const picture = await page.screenshot({ fullPage: true })
    expect(picture.length).toBeGreaterThan(5000)
    if (DRAW) await Bun.write(join(import.meta.dir, '../../docs/img/messages-chat.png'), await reduced(picture))
  }, 120_000)
})

test('an element that the drawing does not know is not left out silently', () => {
  expect(() => slackHtml({ attachments: [{ blocks: [{ type: 'carousel' }] }] })).toThrow('carousel')
  expect(() => teamsHtml({ attachments: [{ content: { body: [{ type: 'Media' }] } }] })).toThrow('Media')
})

test('text of devices is not taken for markup', () => {
  const bad = '<script>alert(1)</script>'
  expect(
    slackHtml({ attachments: [{ color: '"><b>', blocks: [{ type: 'header', text: { text: bad } }] }] }),
  ).not.toMatch(/<script|"><b>/)
  expect(teamsHtml({ attachments: [{ content: { body: [{ type: 'TextBlock', text: bad }] } }] })).not.toContain(
    '<script',
  )
})
