import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Role } from '../../src/core/access/users/service.ts'
import { PAGES } from '../../src/web/pages.ts'
import { eventually } from '../support/eventually.ts'
import { fillDevice } from '../support/fill.ts'
import { internalNames } from './internal-names.ts'
import { addressOf } from './page-addresses.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

// Every page that cannot be shown says what was tried, what came back and what to do next, with ways that lead on.

const ROLES: readonly Role[] = ['admin', 'global-read', 'user']
let web: TestWeb
let ids: ReadonlyMap<string, number>
let people: readonly Person[]
beforeAll(async () => {
  web = await testWeb()
  ;({ ids } = await fillDevice(web.api.store, 10_000, 'shown'))
  people = await Promise.all(ROLES.map((role) => web.signedIn([role])))
})
afterAll(() => web.drop())

/** Checks the page of an error. `tried`: what it has to name. */
async function expectExplained(answer: Response, status: number, tried: string): Promise<string> {
  const text = await answer.text()
  expect([tried, answer.status, answer.headers.get('content-type')]).toEqual([
    tried,
    status,
    'text/html; charset=utf-8',
  ])
  expect(text).toContain('<html lang="en"')
  expect(/<title>[^<]+ · Portlight<\/title>/.exec(text)?.[0]).toBeString()
  expect(text.match(/<h1[ >]/g)).toHaveLength(1)
  expect(text).toContain(tried)
  // a sentence that explains, and a link that leads on
  expect(/<p class="hint">[^<]{30,}/.test(text)).toBe(true)
  expect(/<a class="btn[^"]*" href="\/[^"]*">/.test(text)).toBe(true)
  expect(internalNames(text)).toEqual([])
  expect(text).not.toMatch(/\bat \/|node_modules|PostgresError|\.tsx?:/)
  return text
}

const paths = PAGES.map(({ path }) => path)
const withId = PAGES.filter(({ path }) => path.includes(':id')).map(({ path }) => path)
const posting = PAGES.filter(({ actions }) => actions !== undefined).map(({ path }) => path)

test.each(withId)('%s: what does not exist, for every role', async (path) => {
  const address = path.replace(':id', '999999')
  for (const person of people) {
    const text = await expectExplained(
      await web.send(address, { cookie: person.cookie }),
      404,
      `You opened ${address}.`,
    )
    expect(text).toContain('<nav')
  }
})

test.each(paths)('%s: a page that a role may not see is one that does not exist', async (path) => {
  const address = addressOf(path, ids, people[0]?.userId ?? 0)
  for (const person of people) {
    const answer = await web.send(address, { cookie: person.cookie })
    if (answer.status === 404) await expectExplained(answer, 404, `You opened ${address}.`)
    else expect([address, answer.status]).toEqual([address, 200])
  }
})

test.each(posting)(
  '%s: a form of another session is refused, a wrong one says so, and one without a session leads back',
  async (path) => {
    const address = addressOf(path, ids, people[0]?.userId ?? 0)
    for (const person of people) {
      const forged = await web.post(address, { csrf: 'wrong', do: 'save' }, { cookie: person.cookie })
      // who may not see the page does not learn that it has forms
      await expectExplained(forged, forged.status === 404 ? 404 : 403, `You sent a form of ${address}.`)
      const wrong = await web.post(address, { csrf: person.csrf, do: 'no-such-form' }, { cookie: person.cookie })
      const said = await expectExplained(wrong, 404, `You sent a form of ${address}.`)
      expect(said).toContain(forged.status === 404 ? 'Page not found' : 'Nothing was changed')
    }
    const ended = await web.post(address, { csrf: 'any', do: 'save' }, { cookie: 'portlight=ended' })
    expect(ended.status).toBe(303)
    const to = ended.headers.get('location') ?? ''
    expect(to).toBe(`/sign-in?${new URLSearchParams({ ...(address !== '/' && { to: address }), lost: 'lost' })}`)
    const again = await (await web.send(to)).text()
    expect(again).toContain('nothing was changed')
    expect(again).toContain(`value="${address}"`)
  },
)

test('an address that does not exist, for every role', async () => {
  for (const person of people)
    await expectExplained(await web.send('/nothing-here', { cookie: person.cookie }), 404, 'You opened /nothing-here.')
})

describe('when the program or the database fails', () => {
  test.each(paths)('%s: what failed has a reference', async (path) => {
    const address = addressOf(path, ids, people[0]?.userId ?? 0)
    const { sql } = web.api.store
    // what a page reads of the pages' own is gone, as after a broken upgrade
    await sql.unsafe('alter table users rename to users_gone')
    try {
      for (const person of people) {
        const answer = await web.send(address, { cookie: person.cookie })
        if (answer.status < 400) continue
        const text = await expectExplained(answer, answer.status === 404 ? 404 : 500, `You opened ${address}.`)
        if (answer.status === 500) expect(text).toMatch(/Reference <code>[0-9a-f]{8}</)
      }
    } finally {
      await sql.unsafe('alter table users_gone rename to users')
    }
  })

  test('every page says that the database is unavailable', async () => {
    await web.api.store.sql.end({ timeout: 1 })
    // sessions are trusted for a second, and some pages read nothing else
    for (const { cookie } of people)
      await eventually(async () => ((await web.send('/help', { cookie })).status === 503 ? true : null))
    for (const path of paths) {
      const address = addressOf(path, ids, people[0]?.userId ?? 0)
      for (const person of people) {
        const answer = await web.send(address, { cookie: person.cookie })
        const text = await expectExplained(answer, 503, `You opened ${address}.`)
        expect(text).toContain('The database is unavailable')
        expect(answer.headers.get('retry-after')).toBe('5')
      }
    }
  })
})
