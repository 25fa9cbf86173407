import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

setDefaultTimeout(60_000)

let web: TestWeb
let admin: Person
let ann: Person
let ben: Person
let eve: Person
let transport = 0
beforeAll(async () => {
  web = await testWeb({ 'alert.graph_url': 'http://localhost' })
  admin = await web.signedIn(['admin'])
  ;[ann, ben, eve] = [await web.signedIn(['user']), await web.signedIn(['user']), await web.signedIn(['user'])]
  const [row] = await web.api.store.sql<{ transport_id: number }[]>`
    insert into alert_transports (transport_name, transport_type) values ('<b>push</b>', 'webhook') returning transport_id`
  transport = row?.transport_id ?? 0
})
afterAll(() => web.drop())

const open = async (path: string, person: Person) => {
  const answer = await web.send(path, { cookie: person.cookie })
  return { status: answer.status, text: await answer.text() }
}
const act = async (path: string, person: Person, form: Readonly<Record<string, string>>) => {
  const answer = await web.post(path, { csrf: person.csrf, ...form }, { cookie: person.cookie })
  return { status: answer.status, to: answer.headers.get('location') ?? '', text: await answer.text() }
}
const schedule = (more: Readonly<Record<string, string>> = {}) => ({
  do: 'save',
  name: 'NOC <script>',
  zone: 'Europe/Berlin',
  l1_people: `${ann.username}\r\n${ben.username}`,
  l1_length: '1',
  l1_unit: 'week',
  l1_begins: '2026-01-05T08:00',
  ...more,
})

test('a schedule from the form to its calendar', async () => {
  expect((await open('/alerts/on-call/new', ann)).status).toBe(404)
  const wrong = await act('/alerts/on-call/new', admin, schedule({ l1_people: 'nobody-of-this-name', l1_name: 'kept' }))
  expect(wrong.text).toContain('There is no user nobody-of-this-name')
  expect(wrong.text).toContain('value="kept"')
  expect((await act('/alerts/on-call/new', admin, schedule({ l1_length: '0' }))).text).toContain(
    'whole number of weeks',
  )

  const added = await act('/alerts/on-call/new', admin, schedule())
  expect([added.status, added.to]).toEqual([303, expect.stringMatching(/^\/alerts\/on-call\/\d+$/)])
  const page = await open(added.to, admin)
  expect(page.text).toContain('NOC &lt;script&gt;')
  expect(page.text).toContain('turns of 1 week from 2026-01-05 08:00')
  expect(page.text).toContain('No transport')
  expect((await open('/alerts/on-call', admin)).text).toContain('1 of those on call cannot be reached')

  // an office layer above it, which is kept when the form is saved again as it is shown
  const two = { l2_people: ben.username, l2_length: '1', l2_unit: 'day', l2_begins: '2026-01-05T00:00' }
  const office = schedule({ ...two, l2_days: '1,2,3,4,5', l2_from: '08:00', l2_to: '17:00' })
  expect((await act(`${added.to}/edit`, admin, office)).status).toBe(303)
  expect((await open(added.to, admin)).text).toContain('Mon, Tue, Wed, Thu, Fri, 08:00 to 17:00')
  const form = (await open(`${added.to}/edit`, admin)).text
  expect(form).toContain('value="1,2,3,4,5"')
  expect(form).toContain('value="17:00"')

  expect((await act(added.to, ann, { do: 'feed', open: '1' })).status).toBe(404)
  expect((await act(added.to, admin, { do: 'feed', open: '1' })).status).toBe(303)
  const url = /http:\/\/localhost(\/on-call\/calendar\/[\w-]+\.ics)/.exec((await open(added.to, ann)).text)?.[1] ?? ''
  const calendar = await web.send(url)
  expect(calendar.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  expect(await calendar.text()).toContain(`SUMMARY:${ben.username} on call: NOC <script>`)
  expect((await web.send(url.replace('.ics', 'x.ics'))).status).toBe(404)
  expect((await web.send(url.replace('.ics', ''))).status).toBe(404)
  expect((await web.send('/on-call/calendar/%ff.ics')).status).toBe(404)
})

test('the people of a schedule stand in for each other; others do not see it', async () => {
  const { to } = await act('/alerts/on-call/new', admin, schedule({ name: 'Stand in' }))
  expect((await open(to, eve)).status).toBe(404)
  expect((await open('/alerts/on-call', eve)).text).not.toContain('Stand in')
  const times = { from: '2046-01-01T08:00', to: '2046-01-02T08:00' }
  expect((await act(to, eve, { do: 'override', person: String(ann.userId), ...times })).status).toBe(404)
  const far = await act(to, ann, { do: 'override', person: String(ann.userId), ...times })
  expect(far.text).toContain('more than five years from now')
  const soon = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const form = { do: 'override', person: String(ben.userId), from: '', to: `${soon}T08:00`, note: 'dentist <i>' }
  expect((await act(to, ann, form)).status).toBe(303)
  const { text } = await open(to, ben)
  expect(text).toContain('dentist &lt;i&gt;')
  expect(text).toContain('stands in')
  const id = /name="override" value="(\d+)"/.exec(text)?.[1] ?? ''
  expect((await act(to, eve, { do: 'remove_override', override: id })).status).toBe(404)
  expect((await act(to, ben, { do: 'remove_override', override: id })).status).toBe(303)
  expect((await open(to, ben)).text).toContain('Nobody stands in')
  expect((await act(to, ann, { do: 'remove' })).status).toBe(404)
  expect((await act(to, admin, { do: 'remove' })).to).toBe('/alerts/on-call')
  expect((await open(to, admin)).status).toBe(404)
})

test('administrators give transports, and people set their own quiet hours', async () => {
  const path = `/alerts/on-call/people/${ann.userId}`
  expect((await open(path, ann)).status).toBe(404)
  expect((await open(path, admin)).text).toContain('&lt;b&gt;push&lt;/b&gt;')
  expect((await act(path, admin, { do: 'save', add: String(transport), zone: 'UTC' })).to).toBe(path)
  const own = { do: 'save', zone: 'Europe/Berlin', [`t${transport}_attempt`]: '2' }
  const quiet = {
    ...{ [`t${transport}_from_0`]: '22:00', [`t${transport}_to_0`]: '7:00', [`t${transport}_lets_0`]: 'critical' },
    ...{ [`t${transport}_from_1`]: '7:00', [`t${transport}_to_1`]: '11:00', [`t${transport}_lets_1`]: 'nothing' },
    [`t${transport}_days_1`]: '6-7',
  }
  expect((await act('/alerts/on-call/me', ann, { ...own, ...quiet })).status).toBe(303)
  const { methods } = await web.api.services.onCall.contactMethods(SYSTEM, ann.userId)
  expect(methods).toMatchObject([
    {
      attempt: 2,
      zone: 'Europe/Berlin',
      quiet: [
        { days: null, fromMinute: 1320, toMinute: 420, lets: 'critical' },
        { days: [6, 7], fromMinute: 420, toMinute: 660, lets: 'nothing' },
      ],
    },
  ])
  const page = (await open('/alerts/on-call/me', ann)).text
  for (const [name, value] of [
    ['from_1', '07:00'],
    ['days_1', '6,7'],
    ['from_2', ''],
  ])
    expect(page).toMatch(
      new RegExp(`name="t${transport}_${name}"[^>]*value="${value}"|id="t${transport}_${name}"[^>]*value="${value}"`),
    )
  const half = await act('/alerts/on-call/me', ann, { ...own, ...quiet, [`t${transport}_to_1`]: '' })
  expect(half.text).toContain('is not a time of day')
  // weekdays alone are a mistake where they are new, and are left over where the times were emptied
  const more = { [`t${transport}_days_2`]: '6-7', [`t${transport}_lets_2`]: 'critical' }
  const days = await act('/alerts/on-call/me', ann, { ...own, ...quiet, ...more })
  expect(days.text).toContain('is not a time of day')
  const fewer = { ...quiet, [`t${transport}_from_1`]: '', [`t${transport}_to_1`]: '' }
  expect((await act('/alerts/on-call/me', ann, { ...own, ...fewer })).status).toBe(303)
  expect((await web.api.services.onCall.contactMethods(SYSTEM, ann.userId)).methods[0]?.quiet).toHaveLength(1)
  // nobody takes a transport by sending a form that the page does not show
  expect((await act('/alerts/on-call/me', ben, { do: 'save', zone: 'UTC', add: String(transport) })).text).toContain(
    'Only an administrator may give a person another transport',
  )
  expect((await act('/alerts/on-call/me', ann, { ...own, [`t${transport}_remove`]: '1' })).status).toBe(303)
  expect((await web.api.services.onCall.contactMethods(SYSTEM, ann.userId)).methods).toEqual([])
})
