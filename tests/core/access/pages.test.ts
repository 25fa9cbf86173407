import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createApp } from '../../../src/api/app.ts'
import { SYSTEM } from '../../../src/core/base/actor.ts'
import { PAGES } from '../../../src/web/pages.ts'
import { createWeb } from '../../../src/web/web.ts'
import { givePassword, PASSWORD } from '../../support/password.ts'
import { formsOf, unescaped } from '../../web/forms-of.ts'
import { createWorld, digest, everyPermission, FOREIGN_TEXT, type World } from './world.ts'

setDefaultTimeout(600_000)

const ORIGIN = 'http://localhost'

let world: World
let fetchPage: (request: Request) => Response | Promise<Response>
/** Signed in: name of the role and cookie. */
interface Person {
  readonly role: string
  readonly cookie: string
  readonly csrf: string
}
let admin: Person
/** Everyone who was granted one of the two devices only, with all permissions, with one of each subject, with none. */
let limited: Person[]
beforeAll(async () => {
  world = await createWorld()
  const { api, mine, shared } = world
  const app = createApp(api.services, () => '127.0.0.1', {}, undefined, createWeb(api.services))
  fetchPage = (request) => app.fetch(request)
  const { sql } = api.store
  // objects of both devices are shown to whoever sees one of them, but not changed
  for (const [table, column] of [
    ['alert_rules', 'name'],
    ['alert_templates', 'name'],
    ['device_groups', 'name'],
    ['port_groups', 'name'],
  ] as const)
    await sql`update ${sql(table)} set ${sql(column)} = 'jointly ' || id where id < 1000`
  // objects that fillDevice does not make: all of them name the foreign device
  const group = await api.services.pollers.addGroup(SYSTEM, 'foreign pollers', '')
  await sql`update devices set poller_group = ${group} where device_id = ${world.foreign('devices')}`
  await sql`update alert_outbox set dead_at = now(), sent_at = null, context = '{"title": "foreign title"}'
    where device_id = ${world.foreign('devices')}`
  admin = await signedIn('admin', ['admin'])
  const permissions = everyPermission(api)
  const roles: Readonly<Record<string, readonly string[]>> = {
    ...{ user: ['user'], everything: ['everything'] },
    viewer: ['viewer'],
    writer: ['writer'],
  }
  await api.services.users.defineRole(
    'viewer',
    permissions.filter((name) => name.endsWith('.viewAny')),
  )
  await api.services.users.defineRole(
    'writer',
    permissions.filter((name) => !name.endsWith('.viewAny')),
  )
  limited = []
  for (const [role, names] of Object.entries(roles)) {
    const person = await signedIn(role, names)
    await api.services.users.grant(`person-${role}`, {
      deviceIds: [mine('devices')],
      deviceGroupIds: [mine('device_groups')],
      billIds: [mine('bills'), shared.bill],
    })
    limited.push(person)
  }
})
afterAll(() => world.api.drop())

async function send(path: string, person: Person | null, form?: Readonly<Record<string, string>>) {
  const headers = new Headers({ accept: 'text/html' })
  if (person !== null) headers.set('cookie', person.cookie)
  if (form !== undefined) {
    headers.set('origin', ORIGIN)
    headers.set('content-type', 'application/x-www-form-urlencoded')
  }
  const body = form === undefined ? null : new URLSearchParams(form).toString()
  const answer = await fetchPage(
    new Request(`${ORIGIN}${path}`, { method: form === undefined ? 'GET' : 'POST', headers, body }),
  )
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

async function signedIn(role: string, roles: readonly string[]): Promise<Person> {
  const username = `person-${role}`
  await givePassword(world.api.store, await world.api.services.users.create({ username, roles }))
  const entry = await send('/sign-in', null, { username, password: PASSWORD })
  const cookie = (entry.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const person = { role, cookie, csrf: '' }
  const { text } = await send('/account', person)
  return { ...person, csrf: /name="csrf" content="(\w+)"/.exec(text)?.[1] ?? '' }
}

/** The table whose ids a path's `:id` holds, if not devices. */
const TABLES: readonly (readonly [prefix: string, table: string])[] = [
  ['/alerts/operations/', 'alert_operations'],
  ['/alerts/rules/', 'alert_rules'],
  ['/alerts/on-call/people/', 'users'],
  ['/alerts/on-call/', 'on_call_schedules'],
  ['/alerts/', 'alerts'],
  ['/faults/', 'faults'],
  ['/groups/ports/', 'port_groups'],
  ['/groups/', 'device_groups'],
  ['/services/', 'services'],
  ['/bills/', 'bills'],
  ['/port/', 'ports'],
  ['/scans/', 'scans'],
]

/** Addresses of a page about objects that are not granted, or not completely; those without an id as they are. */
function addresses(path: string): string[] {
  const { foreign, shared } = world
  const table = TABLES.find(([prefix]) => path.startsWith(prefix))?.[1] ?? 'devices'
  const also: Readonly<Record<string, readonly number[]>> = {
    alert_rules: [shared.rule, shared.globalRule, shared.invertedRule],
    device_groups: [shared.group, shared.dynamicGroup],
    port_groups: [shared.portGroup],
  }
  const own = table === 'users' ? world.other.user : foreign(table)
  if (path.includes(':id')) return [own, ...(also[table] ?? [])].map((id) => path.replace(':id', String(id)))
  const asked = Object.entries({
    id: [shared.template, foreign('devices'), foreign('ports')],
    device: [foreign('devices')],
    group: [foreign('device_groups')],
    location: [foreign('locations')],
    port: [foreign('ports')],
    rule: [foreign('alert_rules')],
  })
  return [
    ...[path, `${path}?q=foreign`, `${path}?new`],
    ...asked.flatMap(([name, ids]) => ids.map((id) => `${path}?${name}=${id}`)),
  ]
}

/** The text of an answer without what the request sent. */
function told(text: string, path: string, form: Readonly<Record<string, string>>): string {
  const sent = [...new URL(`${ORIGIN}${path}`).searchParams.values(), path, ...Object.entries(form).flat()]
  // transports and operations belong to no device: whoever may write rules or see transports sees their names
  let left = unescaped(unescaped(text)).replaceAll(
    /foreign transport_\w+|transport-\w+-9000\d{5}|<option value="9000\d{5}"( selected)?>operation 9000\d{5}|operation 9000\d{5}|\/alerts\/operations\/9000\d{5}/g,
    '',
  )
  for (const value of sent.flatMap((one) => [one, ...one.split(/\s*[\n,]\s*/)]).toSorted((a, b) => b.length - a.length))
    if (/foreign|9000\d{5}/i.test(value)) left = left.replaceAll(value, '').replaceAll(value.toLowerCase(), '')
  return left
}
/** Rows that the forms must leave as they are. */
const GUARDED = `${FOREIGN_TEXT}|jointly`
const LEAK = /foreign|\b9000\d{5}\b/i

/** What an answer tells about objects that are not granted, with the text around it; null: nothing. */
function leakOf(text: string, path: string, form: Readonly<Record<string, string>>): string | null {
  // most answers say nothing at all, and taking out what was sent is slow
  if (!LEAK.test(text)) return null
  const left = told(text, path, form)
  const at = left.search(LEAK)
  return at < 0 ? null : left.slice(Math.max(0, at - 60), at + 70)
}

test('no page shows a person anything of objects that are not granted', async () => {
  const wrong = new Map<string, unknown>()
  for (const person of limited) {
    for (const { path } of PAGES) {
      for (const address of addresses(path)) {
        const { status, text } = await send(address, person)
        const leak = leakOf(text, address, {})
        if (leak !== null || status >= 500)
          wrong.set(`${person.role} ${path} ${leak}`, { role: person.role, address, status, leak })
      }
    }
  }
  expect([...wrong.values()]).toEqual([])
})

test('no form of any page reads or changes objects that are not granted', async () => {
  const wrong: unknown[] = []
  const before = await digest(world, GUARDED)
  /** Every field of every form, with an id or name of a foreign object. */
  const tried = new Set<string>()
  for (const { path, actions } of PAGES) {
    if (actions === undefined || path === '/account' || path === '/api-access') continue
    for (const address of addresses(path)) {
      const { text } = await send(address, admin)
      const forms = await formsOf(text)
      const all = Object.assign({}, ...forms)
      const sent: unknown[] = []
      for (const action of Object.keys(actions)) {
        const own = forms.filter((form) => form['do'] === action || form['do'] === undefined)
        for (const fields of [all, ...own]) {
          const { csrf: _, ...rest } = fields
          const id = new URL(`${ORIGIN}${address}`).searchParams.get('id')
          const form = { ...rest, ...(id !== null && { id }), do: action }
          const key = JSON.stringify([path.includes(':id') ? address : path, form])
          if (tried.has(key)) continue
          tried.add(key)
          for (const person of limited) {
            const answer = await send(address, person, { ...form, csrf: person.csrf })
            const leak = leakOf(answer.text, address, form)
            if (leak !== null || answer.status >= 500)
              wrong.push({ role: person.role, address, form, status: answer.status, leak })
          }
          sent.push(form)
        }
      }
      // once for each address, because a digest reads all tables
      const after = await digest(world, GUARDED)
      const changed = Object.keys(after).filter((name) => after[name] !== before[name])
      Object.assign(before, after)
      if (changed.length > 0) wrong.push({ address, sent, changed })
    }
  }
  expect(tried.size).toBeGreaterThan(50)
  expect(wrong).toEqual([])
})
