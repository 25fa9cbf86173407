import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { PAGES } from '../../src/web/pages.ts'
import { fillDevice } from '../support/fill.ts'
import { formsOf } from './forms-of.ts'
import { addressOf } from './page-addresses.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

// Every page with every parameter that it reads from its address, and every form with every field that it reads, with
// values that no browser sends. A page is tested as soon as it is in the table of pages.

setDefaultTimeout(600_000)

let web: TestWeb
let ids: ReadonlyMap<string, number>
let admin: Person
beforeAll(async () => {
  web = await testWeb({ enable_billing: 'true', show_services: 'true' })
  ;({ ids } = await fillDevice(web.api.store, 10_000, 'filled'))
  admin = await web.signedIn(['admin'])
})
afterAll(() => web.drop())

/** Numbers, times and texts at and beyond what columns hold; none is a host that could be asked. */
const VALUES: readonly string[] = [
  ...['', '\0', 'a\0b', '-1', '0', '1e308', 'Infinity', '2147483648', '8640000000000001', '9223372036854775808'],
  ...['9999-12-31 23:59', '-1d', 'now-1e9d', '(a+)+$', '{"a":[', '\u202e<b>', 'x\n'.repeat(3000)],
]

/** Forms are read field by field, so fewer are enough. */
const FORM_VALUES = VALUES.filter((_, i) => i % 3 === 1)

/** Words of the runtime or the database. */
const INSIDE =
  /\bat \S+ \(\S+:\d+:\d+\)|node_modules|PostgresError|syntax error at|operator does not|invalid input syntax/

/** The names that `work` asks of any object that `is` accepts, by these methods of its class. */
async function namesAsked(
  { prototype }: { readonly prototype: object },
  methods: readonly string[],
  is: (asked: object) => boolean,
  work: () => Promise<unknown>,
): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  const own = methods.map((name) => [name, Object.getOwnPropertyDescriptor(prototype, name) ?? {}] as const)
  for (const [name, descriptor] of own) {
    const method: unknown = descriptor.value
    if (typeof method !== 'function') throw new Error(`there is no ${name}`)
    Object.defineProperty(prototype, name, {
      ...descriptor,
      value(this: object, ...args: readonly unknown[]): unknown {
        const [key] = args
        if (typeof key === 'string' && is(this)) names.add(key)
        return Reflect.apply(method, this, args)
      },
    })
  }
  try {
    await work()
  } finally {
    for (const [name, descriptor] of own) Object.defineProperty(prototype, name, descriptor)
  }
  return names
}

const shown = (value: string): string => JSON.stringify(value.slice(0, 30))

const open = (address: string): Promise<Response> => web.send(address, { cookie: admin.cookie })

/** What is wrong with the answer; null: nothing. */
async function faultOf(answer: Response): Promise<string | null> {
  const text = await answer.text()
  return answer.status >= 500 ? String(answer.status) : (INSIDE.exec(text)?.[0] ?? null)
}

test('no parameter of the address of any page is more than the page can read', async () => {
  const wrong: string[] = []
  let sent = 0
  for (const { path } of PAGES) {
    const address = addressOf(path, ids, admin.userId)
    const names = await namesAsked(
      URLSearchParams,
      ['get', 'getAll', 'has'],
      () => true,
      async () => (await open(address)).text(),
    )
    for (const name of names)
      for (const value of VALUES) {
        sent++
        const fault = await faultOf(await open(`${address}?${name}=${encodeURIComponent(value)}`))
        if (fault !== null) wrong.push(`${address} ${name}=${shown(value)}: ${fault}`)
      }
  }
  expect(wrong).toEqual([])
  expect(sent).toBeGreaterThan(1000)
})

/** Pages whose forms have hosts asked. */
const ASKING = new Set(['/devices/new', '/devices/import', '/first-run', '/scans', '/found/accept'])
/** Actions that contact somebody, or end the session of the test. */
const CONTACTING = /test|discover|poll|scan|view|end|out/i

const post = (address: string, form: Readonly<Record<string, string>>): Promise<Response> =>
  web.post(address, { ...form, csrf: admin.csrf }, { cookie: admin.cookie })

test('no field of any form is more than its action can read, and the page opens afterwards', async () => {
  const wrong: string[] = []
  let sent = 0
  for (const { path, actions } of PAGES) {
    const address = addressOf(path, ids, admin.userId)
    if (ASKING.has(path) || path.startsWith('/account') || path.endsWith('/edit')) continue
    for (const action of Object.keys(actions ?? {})) {
      if (CONTACTING.test(action)) continue
      const forms = await formsOf(await (await open(address)).text())
      const form = { ...(forms.find((one) => one['do'] === action) ?? Object.assign({}, ...forms)), do: action }
      const isForm = (asked: object) => asked instanceof Map && asked.size > 0 && [...asked.keys()].includes('csrf')
      const names = await namesAsked(Map, ['get', 'has'], isForm, async () => (await post(address, form)).text())
      for (const name of [...new Set([...Object.keys(form), ...names])].slice(0, 40))
        for (const value of ['csrf', 'do'].includes(name) ? [] : FORM_VALUES) {
          sent++
          const fault = await faultOf(await post(address, { ...form, [name]: value }))
          if (fault !== null) wrong.push(`${address} ${action} ${name}=${shown(value)}: ${fault}`)
        }
    }
    const fault = await faultOf(await open(address))
    if (fault !== null) wrong.push(`${address} afterwards: ${fault}`)
  }
  expect(wrong).toEqual([])
  // the forms left the administrator signed in, so they were answered by their pages
  expect((await open('/settings/users')).status).toBe(200)
  expect(sent).toBeGreaterThan(1000)
})
