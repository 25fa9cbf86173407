import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addBill } from '../../src/app/demo/objects.ts'
import { type Composed, compose } from '../../src/app/server.ts'
import { createSettings } from '../../src/config/settings.ts'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { demoObjects } from '../../src/core/demo/read-objects.ts'
import { createLog } from '../../src/observe/log.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { aheadForStories, type Look, linkWith, looksOf, STORIES, saysIn, storyPage, textOf } from './stories.ts'

// The pages of docs/stories against a running demo whose clock is set to where all of them happen: what a page says one
// sees is seen there.

/** Everything is discovered by then, ms; what has no power is silent afterwards. */
const GRACE_MS = 90_000
/** A story is seen at the latest after this, s: a power cut, polls, the delays of the rules, on a busy machine. */
const PATIENCE_S = 480
const EVERY_MS = 2000
setDefaultTimeout((PATIENCE_S + 60) * 1000)

const dataDir = mkdtempSync(join(tmpdir(), 'portlight-stories-'))
let database: TestDatabase
let server: Composed
let cookie = ''

beforeAll(async () => {
  database = await testDatabase()
  const flags = { database_url: database.url, port: '0', icmp_check: 'false', 'poller.workers': '2' }
  server = await compose({
    ...{ settings: createSettings({ flags }), dataDir, log: createLog('silent'), demo: true, version: 'test' },
    demoClock: { aheadMs: aheadForStories(Date.now()), graceMs: GRACE_MS },
  })
  const form = new URLSearchParams({ username: 'admin', password: server.adminPassword ?? '' })
  const signedIn = await fetch(`${server.url}/sign-in`, {
    ...{ method: 'POST', body: form, redirect: 'manual', headers: { origin: server.url } },
  })
  cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
})
afterAll(async () => {
  await server?.stop()
  await database?.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function read(path: string): Promise<string> {
  const answer = await fetch(`${server.url}${path}`, { headers: { cookie, accept: 'text/html' } })
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}`)
  return await answer.text()
}

/** What is said at a place; a sentence if the way there does not exist (yet). */
async function said({ open, clicks }: Look): Promise<string> {
  if (open.startsWith('GET ')) {
    const token = server.demo?.token ?? ''
    return await (await fetch(`${server.url}${open.slice(4)}`, { headers: { 'X-Auth-Token': token } })).text()
  }
  let html = await read(open)
  for (const text of clicks) {
    const href = linkWith(html, text)
    if (href === null) return `there is no link ${text}`
    html = await read(href)
  }
  return textOf(html)
}

/** The parts that are not said; empty: all are. */
async function missing(look: Look): Promise<string[]> {
  const text = await said(look)
  return look.says.filter((part) => !saysIn(text, part))
}

test('there are nine stories, and their index leads to each', () => {
  expect(STORIES).toHaveLength(9)
  const index = storyPage('README')
  for (const name of STORIES) expect(index).toContain(`(${name}.md)`)
})

describe('a page says what the demo shows:', () => {
  test.concurrent.each([...STORIES])('%s', async (name) => {
    const left = new Set(looksOf(storyPage(name)))
    expect(left.size).toBeGreaterThanOrEqual(3)
    const until = performance.now() + PATIENCE_S * 1000
    let last: string[] = []
    while (left.size > 0 && performance.now() < until) {
      last = []
      for (const look of left) {
        const parts = await missing(look)
        if (parts.length === 0) left.delete(look)
        last.push(...parts.map((part) => `${[look.open, ...look.clicks].join(' → ')}: ${part}`))
      }
      if (left.size > 0) await Bun.sleep(EVERY_MS)
    }
    expect(last).toEqual([])
  })
})

test('the overview leads to the stories', async () => {
  const html = await read('/')
  expect(linkWith(html, 'Nine stories')).toBe('/help/stories/index')
  expect(textOf(await read('/help/stories/index'))).toContain('Find out why')
})

test('groups, rules, bill and maintenance go when the demo is removed, and what the user added stays', async () => {
  const { services } = server
  await services.deviceGroups.create(SYSTEM, { name: 'Mine', type: 'static', devices: [] })
  const bills = async () =>
    (await demoObjects(database.store)).filter(({ kind }) => kind === 'bill').map(({ id }) => id)
  const before = await bills()
  expect(before).toHaveLength(1)
  let removing: Promise<unknown> = Promise.resolve()
  await database.store.sql.begin(async (sql) => {
    await sql`select from devices for key share`
    removing = services.demo.remove()
    while ((await bills()).some((id) => before.includes(id))) await Bun.sleep(20)
    // the server's chore finds none while the devices are still there, and adds one; perhaps at this very moment as well
    await addBill({ services, store: database.store })
    expect(await bills()).not.toEqual([])
  })
  await removing
  expect(await demoObjects(database.store)).toEqual([])
  expect((await services.deviceGroups.list(SYSTEM)).map(({ name }) => name)).toEqual(['Mine'])
  expect((await services.maintenance.list()).length).toBe(0)
  expect(await services.demo.isHere()).toBe(false)
})
