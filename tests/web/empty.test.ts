import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { PAGES } from '../../src/web/pages.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

// A new installation: no devices, no alerts, nothing stored.

setDefaultTimeout(240_000)

let web: TestWeb
let people: Readonly<Record<'administrator' | 'reader' | 'user', Person>>
beforeAll(async () => {
  web = await testWeb()
  people = {
    administrator: await web.signedIn(['admin']),
    reader: await web.signedIn(['global-read']),
    user: await web.signedIn(['user']),
  }
})
afterAll(() => web.drop())

/** Pages about no object, and the lists that a page has besides its first. */
const ADDRESSES = [
  ...PAGES.map(({ path }) => path).filter((path) => !path.includes(':')),
  ...[
    'optics',
    'radios',
    'nac',
    'security',
    'ipsec',
    'mpls',
    'isis',
    'stp',
    'stp-ports',
    'qos',
    'balancers',
    'supplies',
  ].map((of) => `/discovered?of=${of}`),
  ...[
    '/routing?kind=VRF',
    '/devices?view=tiles',
    '/topology?view=table',
    '/locations?view=map',
    '/found?state=ignored',
  ],
  ...['/devices?q=none', '/ports?q=none', '/health?q=none', '/bills?q=none', '/services?q=none', '/alerts?q=none'],
  ...[
    '/found?q=none',
    '/sightings?q=none',
    '/routing?q=none',
    '/locations?q=none',
    '/logs?q=none',
    '/ports/top?q=none',
  ],
]

const open = (address: string, person: Person) => web.send(address, { cookie: person.cookie })

/** What stands where a list has nothing to show. */
function emptyStates(markup: string): readonly string[] {
  const found: string[] = []
  new HTMLRewriter()
    .on('main .empty', {
      element(element) {
        const parts: string[] = []
        found.push('')
        const at = found.length - 1
        element.onEndTag(() => {
          found[at] = parts.join('')
          heard.delete(parts)
        })
        heard.add(parts)
      },
    })
    .on('main .empty *', {
      element({ tagName, attributes }) {
        const [, href = ''] = [...attributes].find(([name]) => name === 'href') ?? []
        for (const parts of heard) parts.push(`<${tagName}${href === '' ? '' : ` href="${href}"`}>`)
      },
      text({ text }) {
        for (const parts of heard) parts.push(text)
      },
    })
    .transform(markup)
  return found
}
const heard = new Set<string[]>()

describe.each(ADDRESSES)('%s of an empty database', (address) => {
  test('says what to do wherever it has nothing to show, and has no table without rows', async () => {
    for (const [who, person] of Object.entries(people)) {
      const answer = await open(address, person)
      if (answer.status === 404 && who !== 'administrator') continue
      expect(answer.status, who).toBe(200)
      const text = await answer.text()
      // a script fills the log
      if (!text.includes('data-island="logs"'))
        expect(text, who).not.toMatch(/<tbody>\s*<\/tbody>|<ul class="rows">\s*<\/ul>/)
      for (const state of emptyStates(text)) {
        expect(state, `${who} at ${address}`).toMatch(/<a href=|<code>|<button>/)
        for (const [, link = ''] of state.matchAll(/<a href="(\/[^"#]*)/g))
          expect([state, (await open(link.replaceAll('&amp;', '&'), person)).status], who).toEqual([state, 200])
      }
    }
  })
})
