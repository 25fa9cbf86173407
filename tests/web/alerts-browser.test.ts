import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { type ApiServer, serveApi } from '../../src/api/serve.ts'
import { createDispatcher } from '../../src/core/alerts/dispatcher.ts'
import { createEngine } from '../../src/core/alerts/engine.ts'
import { createDeliver } from '../../src/core/alerts/transports/deliver.ts'
import { createLog } from '../../src/observe/log.ts'
import { createWeb } from '../../src/web/web.ts'
import { raiseAlert, storeRule } from '../support/alerts.ts'
import { type TestApi, testApi } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { PASSWORD } from '../support/password.ts'
import { startWebhookSink, type WebhookSink } from '../support/webhook-sink.ts'
import { HAS_BROWSER, STEP_MS, signIn, useBrowser } from './browser.ts'

const log = createLog('silent')

describe.skipIf(!HAS_BROWSER)('alerts in a real browser', () => {
  const browser = useBrowser()
  let api: TestApi
  let server: ApiServer
  let origin: string
  let sink: WebhookSink
  let stop: (() => Promise<void>)[] = []
  const ids = { core: 0, edge: 0 }

  beforeAll(async () => {
    api = await testApi({ 'outgoing.allow': '127.0.0.0/8' })
    await api.services.users.create({ username: 'operator', password: PASSWORD, roles: ['admin'] })
    const rows = await api.store.sql<{ device_id: number }[]>`
      insert into devices (hostname, display, os, status, last_polled) values
        ('core1', 'core-1', 'ios', 0, now()), ('edge1', 'edge-1', 'junos', 1, now()) returning device_id`
    ids.core = rows[0]?.device_id ?? 0
    ids.edge = rows[1]?.device_id ?? 0
    server = serveApi(api.services, { hostname: '127.0.0.1', port: 0 }, {}, undefined, createWeb(api.services))
    origin = `http://127.0.0.1:${server.port}`
    sink = startWebhookSink()
  }, STEP_MS)
  afterEach(async () => {
    for (const one of stop) await one()
    stop = []
  }, STEP_MS)
  afterAll(async () => {
    sink.stop()
    await server.stop()
    await api.drop()
  }, STEP_MS)

  const opened = async (path: string) => {
    const window = await browser.window(origin)
    await signIn(window, origin, 'operator', PASSWORD)
    await window.page.goto(origin + path)
    return window
  }

  test(
    'a rule built by hand shows what it matches, is stored, fires, and sends a notification',
    async () => {
      const id = await api.services.transports.add({
        kind: 'webhook',
        name: 'to the sink',
        isDefault: false,
        settings: { url: sink.url },
        rules: [],
      })
      const { page, complaints } = await opened('/alerts/rules/new')
      await page.fill('[data-at="top-0-field"]', 'devices.os')
      await page.press('[data-at="top-0-field"]', 'Tab')
      await page.selectOption('[data-at="top-0-operator"]', 'in')
      await page.fill('[data-at="top-0-value"]', 'ios, junos')
      await page.waitForSelector('[data-trial-count]:has-text("2 devices, 2 rows")')
      await page.click('.grp-box >> button:has-text("Group")')
      await page.fill('[data-at="top-1-0-field"]', 'macros.device_down')
      await page.press('[data-at="top-1-0-field"]', 'Tab')
      await page.fill('[data-at="top-1-0-value"]', '1')
      await page.waitForSelector('[data-trial-count]:has-text("1 device, 1 row")')
      expect(await page.locator('[data-trial] .rows a').allTextContents()).toEqual(['core-1'])
      await page.fill('#name', 'A router is down')
      await page.fill('#delay', '0')
      await page.check(`[name="transport-single-${id}"]`)
      await page.click('button[value=save]')
      await page.waitForURL(/\/alerts\/rules\/\d+\?saved$/)
      const [rule] = await api.services.alertRules.list((await operator()).actor)
      expect(rule).toMatchObject({ name: 'A router is down', rule: expect.stringContaining('macros.device_down = 1') })

      const dispatcher = createDispatcher({
        store: api.store,
        log,
        deliver: createDeliver({ settings: api.settings, log }),
      })
      const engine = createEngine({ store: api.store, settings: api.settings, log, notified: dispatcher.wake })
      engine.start()
      dispatcher.start()
      stop.push(
        () => engine.stop(),
        () => dispatcher.stop(),
      )
      await eventually(async () => (sink.kinds().includes('alert') ? true : null))
      expect(sink.received.at(-1)?.body).toMatchObject({ kind: 'alert' })

      await page.goto(`${origin}/alerts`)
      await page.waitForSelector('td:has(a.name:text-is("core-1 is down")) .l2:has-text("core-1 · A router is down")')
      await page.click('a.name:text-is("core-1 is down")')
      await page.waitForSelector('h1:text-is("core-1 is down")')
      await page.waitForSelector('.past-list:has-text("to the sink: the alert")')
      expect(complaints).toEqual([])
    },
    5 * STEP_MS,
  )

  const operator = async () => {
    const begun = await api.services.sessions.signIn('operator', PASSWORD, { address: '127.0.0.1', agent: '' })
    const session = await api.services.sessions.find(begun?.secret ?? '', '127.0.0.1')
    if (session === null) throw new Error('not signed in')
    return session
  }

  test(
    'alerts are acknowledged with a note, one or several at once',
    async () => {
      const { ruleId, name } = await storeRule(api.store)
      const second = await storeRule(api.store)
      const alertId = await raiseAlert(api.store, {
        deviceId: ids.edge,
        ruleId,
        faults: [{ hostname: 'edge1', status: 0 }],
      })
      const other = await raiseAlert(api.store, { deviceId: ids.edge, ruleId: second.ruleId })
      const { page, complaints } = await opened('/alerts')
      await page.click(`a[aria-label="Acknowledge ${name} of edge-1"]`)
      await page.waitForURL(/#act$/)
      await page.fill('#note', 'I drive there')
      await page.click('button[value=acknowledge]')
      await page.waitForSelector('.title .pill.ack')
      await page.waitForSelector('.rows:has-text("I drive there")')
      await page.goto(`${origin}/alerts`)
      await page.check(`[name=alert-${other}]`)
      await page.fill('.bulk [name=note]', 'this one too')
      await page.click('.bulk button')
      await page.waitForSelector('.note.ok:has-text("1 alert was acknowledged")')
      const rows = await api.store.sql<{ id: number; state: number; note: string }[]>`
        select id, state, note from alerts where id in (${alertId}, ${other}) order by id`
      expect(rows.map(({ state }) => state)).toEqual([2, 2])
      expect(rows.map(({ note }) => /I drive there|this one too/.exec(note)?.[0])).toEqual([
        'I drive there',
        'this one too',
      ])
      await page.goto(`${origin}/alerts/${alertId}`)
      await page.click('button[value=unmute]')
      await page.waitForSelector('.title .pill.bad')
      expect(complaints).toEqual([])
    },
    4 * STEP_MS,
  )

  test(
    'a transport is added, tested, changed without showing its secret, and removed',
    async () => {
      const { page, complaints } = await opened('/alerts/transports')
      await page.click('a[href="/alerts/transports?new=webhook"]')
      await page.fill('#name', 'pager')
      await page.fill('#set-url', 'not an address')
      await page.click('button:has-text("Add transport")')
      await page.waitForSelector('.note.bad:has-text("url: expected a URL")')
      expect(await page.inputValue('#name')).toBe('pager')
      await page.fill('#set-url', sink.url)
      await page.fill('#set-secret', 'not for others')
      await page.click('button:has-text("Add transport")')
      await page.click('[aria-label="Test pager"]')
      await page.waitForSelector('.note.ok:has-text("The test was delivered")')
      expect(sink.received.at(-1)?.body).toMatchObject({ kind: 'test' })
      const blocks = await page.locator('.note details').allInnerTexts()
      expect(blocks).toEqual([expect.stringContaining('POST http://127.0.0.1'), expect.stringContaining('200')])
      expect(blocks[0]).toContain('This is a test of the transport pager')
      expect(blocks[0]).not.toContain('/hook')

      sink.status = 500
      await page.click('[aria-label="Test pager"]')
      await page.waitForSelector('.note.bad:has-text("The test failed")')
      sink.status = 200

      await page.click('a:text-is("pager")')
      expect(await page.content()).not.toContain('not for others')
      expect(await page.content()).not.toContain('/hook')
      await page.fill('#set-headers', 'X-From=portlight')
      await page.click('button:has-text("Save transport")')
      await page.waitForURL(/\/alerts\/transports$/)
      const [row] = await api.store.sql<{ transport_config: unknown }[]>`
        select transport_config from alert_transports where transport_name = 'pager'`
      expect(row?.transport_config).toEqual({ url: sink.url, secret: 'not for others', headers: 'X-From=portlight' })

      await page.click('[aria-label="Remove pager…"]')
      await page.click('button[aria-label="Remove pager"]')
      await page.waitForSelector('[aria-label="Test pager"]', { state: 'detached' })
      // rejected forms are answered with 422
      expect(complaints.filter((text) => !text.includes('422'))).toEqual([])
    },
    4 * STEP_MS,
  )

  test(
    'a template shows a preview, or the position of the error',
    async () => {
      const { page, complaints } = await opened('/alerts/templates?new')
      await page.fill('#template', 'On {{ $alert->hostname }}:\n@if ($alert->state)')
      await page.waitForSelector('[data-template-fault]:has-text("Text, line 2")')
      await page.fill('#template', 'On {{ $alert->hostname }}: <b>{{ $alert->name }}</b>')
      await page.waitForSelector('[data-template-text]:has-text("On ")')
      expect(await page.textContent('[data-template-text]')).toMatch(/^\s*On [\w.]+: \w/)
      await page.fill('#name', 'short')
      await page.fill('#rules', 'no such rule')
      await page.click('button[value=save]')
      await page.waitForSelector('.note.bad:has-text("There is no rule no such rule")')
      await page.fill('#rules', '')
      await page.click('button[value=save]')
      await page.click('a:text-is("short")')
      expect(await page.inputValue('#template')).toContain('<b>')
      expect(complaints.filter((text) => !text.includes('422'))).toEqual([])
    },
    3 * STEP_MS,
  )

  test(
    'a rule can be stored without scripts',
    async () => {
      const { context } = await opened('/alerts')
      const state = await context.storageState()
      const plain = await context.browser()?.newContext({ javaScriptEnabled: false, storageState: state })
      if (plain === undefined) throw new Error('no browser')
      const page = await plain.newPage()
      await page.goto(`${origin}/alerts/rules/new`)
      const builder = { condition: 'AND', rules: [{ field: 'devices.os', operator: 'nonsense', value: 'x' }] }
      await page.fill('#builder', JSON.stringify(builder))
      await page.fill('#name', 'without script')
      await page.click('button[value=save]')
      await page.waitForSelector('.note.bad')
      expect(await page.inputValue('#name')).toBe('without script')
      await page.waitForSelector('[data-trial-fault]:has-text("Unknown operator nonsense")')
      await page.fill('#builder', JSON.stringify(builder).replace('nonsense', 'equal'))
      await page.click('button[value=try]')
      await page.waitForSelector('[data-trial-count]:has-text("nothing")')
      await page.click('button[value=save]')
      await page.waitForURL(/\?saved$/)
      await plain.close()
    },
    3 * STEP_MS,
  )
})
