import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { storeRule } from '../support/alerts.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

let web: TestWeb
let admin: Person
let reader: Person
let operator: Person
let noc = 0
let boss = 0
beforeAll(async () => {
  web = await testWeb()
  admin = await web.signedIn(['admin'])
  reader = await web.signedIn(['global-read'])
  operator = await web.signedIn(['user'])
  const { transports } = web.api.services
  const settings = { url: 'https://hooks.example.net/a' }
  noc = await transports.add({ kind: 'webhook', name: 'NOC', isDefault: true, settings, rules: [] })
  boss = await transports.add({ kind: 'webhook', name: 'Head of operations', isDefault: false, settings, rules: [] })
})
afterAll(() => web.drop())

const open = async (path: string, person: Person) => {
  const answer = await web.send(path, { cookie: person.cookie })
  return { status: answer.status, text: await answer.text() }
}
const act = (path: string, person: Person, form: Readonly<Record<string, string>>) =>
  web.post(path, { csrf: person.csrf, ...form }, { cookie: person.cookie })

const first = () => ({
  'phase-0': 'problem',
  'from-0': '1',
  'to-0': '3',
  'start-0': '0',
  'duration-0': '5m',
  [`to-0-${noc}`]: '1',
})
const second = () => ({
  'phase-1': 'problem',
  'from-1': '4',
  'to-1': '',
  'start-1': '1h',
  'duration-1': '',
  [`to-1-${boss}`]: '1',
})
const another = { do: 'another', more: '1', name: 'Day and night', duration: '10m' }

test('an operation is made, shown in words, changed, given to a rule, and deleted when no rule uses it', async () => {
  const { operations } = web.api.services
  const added = await act('/alerts/operations/new', admin, { ...another, ...first() })
  const form = await added.text()
  expect(form).toContain('Not saved yet')
  // goes on where the first one ends
  expect(form).toMatch(/id="from-1"[^>]*value="4"/)
  expect(await operations.list(SYSTEM)).toEqual([])

  const saved = await act('/alerts/operations/new', admin, { ...another, do: 'save', ...first(), ...second() })
  expect(saved.status).toBe(303)
  const [stored] = await operations.list(SYSTEM)
  expect(stored).toMatchObject({
    ...{ name: 'Day and night', stepDurationS: 600, suppressed: false },
    segments: [
      { phase: 'problem', from: 1, to: 3, startS: 0, durationS: 300, targets: [{ name: 'NOC' }] },
      { phase: 'problem', from: 4, to: null, startS: 3600, durationS: 0, targets: [{ name: 'Head of operations' }] },
    ],
  })
  const id = stored?.id ?? 0
  for (const person of [admin, reader]) {
    const { text } = await open('/alerts/operations', person)
    expect(text).toContain('Problem: at once, 3 times every 5 min: NOC (webhook)')
    expect(text).toContain('Problem: after 75 min, then every 10 min: Head of operations (webhook)')
  }

  const without = await act(`/alerts/operations/${id}`, admin, {
    ...{ do: 'save', name: 'Day', duration: '', 'remove-1': '1', suppressed: '1' },
    ...first(),
    ...second(),
  })
  expect(without.status).toBe(303)
  expect(await operations.get(SYSTEM, id)).toMatchObject({
    ...{ name: 'Day', stepDurationS: null, suppressed: true },
    segments: [{ from: 1, to: 3 }],
  })

  const { ruleId } = await storeRule(web.api.store)
  const rule = async () => await web.api.services.alertRules.find(SYSTEM, ruleId)
  const before = await rule()
  const fields = { do: 'save', name: before?.name ?? '', severity: 'critical', builder: before?.builder ?? '' }
  const given = await act(`/alerts/rules/${ruleId}`, admin, { ...fields, operation: String(id) })
  expect(given.status).toBe(303)
  expect(await rule()).toMatchObject({ alert_operation_id: id, silenced: 0, operation: { name: 'Day' } })
  expect((await open(`/alerts/rules/${ruleId}`, admin)).text).toMatch(new RegExp(`value="${id}" selected`))
  expect((await open(`/alerts/operations/${id}`, reader)).text).toContain(`href="/alerts/rules/${ruleId}"`)
  const used = await act('/alerts/operations', admin, { do: 'delete', id: String(id) })
  expect(await used.text()).toContain('is used by alert rules')

  await act(`/alerts/rules/${ruleId}`, admin, { ...fields, operation: 'nobody' })
  expect(await rule()).toMatchObject({ alert_operation_id: null, silenced: 1 })
  await act(`/alerts/rules/${ruleId}`, admin, { ...fields, operation: '' })
  expect(await rule()).toMatchObject({ alert_operation_id: null, silenced: 0 })
  expect((await act('/alerts/operations', admin, { do: 'delete', id: String(id) })).status).toBe(303)
  expect(await operations.list(SYSTEM)).toEqual([])
})

test('what is wrong is said with the segment, and what was entered stays', async () => {
  const save = { ...another, do: 'save' }
  const refused = async (form: Readonly<Record<string, string>>) => {
    const answer = await act('/alerts/operations/new', admin, { ...save, ...form })
    expect(answer.status).toBe(422)
    return await answer.text()
  }
  expect(await refused({ ...first(), [`to-0-${noc}`]: '0' })).toContain('Segment 1: tick whom it notifies')
  expect(await refused({ ...first(), 'from-0': 'x' })).toContain('Segment 1: steps are whole numbers')
  expect(await refused({ ...first(), 'duration-0': 'soon' })).toContain('Segment 1, every: enter seconds')
  expect(await refused({ ...first(), 'from-0': '5' })).toContain('it ends with step 3, before its first step 5')
  expect(await refused({ ...first(), 'to-0-2147483647': '1' })).toContain('There is no transport 2147483647')
  expect(await refused({ ...first(), name: '' })).toContain('a name has 1 to 255 characters')
  const kept = await refused({ ...first(), 'start-0': '17m', 'from-0': 'x' })
  expect(kept).toMatch(/id="start-0"[^>]*value="17m"/)
  expect(kept).toMatch(new RegExp(`name="to-0-${noc}"[^>]*checked`))
  expect(await web.api.services.operations.list(SYSTEM)).toEqual([])
})

test('a reader may look and not change, and a user of some devices does not see it', async () => {
  const { operations } = web.api.services
  const target = { type: 'single', id: noc } as const
  const segment = { phase: 'problem', from: 1, to: 1, startS: 0, durationS: 0, targets: [target] } as const
  const id = await operations.add(SYSTEM, { name: 'o', stepDurationS: null, suppressed: false, segments: [segment] })
  expect((await open('/alerts/operations', reader)).text).not.toContain('value="delete"')
  expect((await open(`/alerts/operations/${id}`, reader)).text).not.toContain('value="save"')
  expect((await open('/alerts/operations/new', reader)).status).toBe(404)
  const form = { name: 'mine', duration: '', ...first() }
  for (const what of ['save', 'another'])
    expect((await act(`/alerts/operations/${id}`, reader, { do: what, ...form })).status).toBe(404)
  expect((await act('/alerts/operations', reader, { do: 'delete', id: String(id) })).status).toBe(404)
  expect((await open('/alerts/operations', operator)).status).toBe(404)
  expect((await open(`/alerts/operations/${id}`, operator)).status).toBe(404)
  expect((await operations.list(SYSTEM)).map(({ name }) => name)).toEqual(['o'])
})
