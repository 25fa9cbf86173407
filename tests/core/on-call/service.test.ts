import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createSettings } from '../../../src/config/settings.ts'
import { type Actor, SYSTEM } from '../../../src/core/base/actor.ts'
import { DomainError } from '../../../src/core/base/errors.ts'
import { personOfTransport, resolveOnCall } from '../../../src/core/on-call/read-on-call.ts'
import {
  type ContactMethodDraft,
  createOnCallService,
  type LayerDraft,
  type OnCallService,
  type ScheduleDraft,
} from '../../../src/core/on-call/service.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

setDefaultTimeout(60_000)

// Monday, 16 March 2026, noon in Berlin
const NOW = Date.parse('2026-03-16T11:00:00Z')
const DAY = 86_400_000
let database: TestDatabase
let service: OnCallService
let nowMs = NOW

beforeAll(async () => {
  database = await testDatabase()
  const settings = createSettings({ flags: { 'alert.graph_url': 'https://nms.example.net/' } })
  service = createOnCallService({ store: database.store, settings, now: () => nowMs })
})
afterAll(() => database.drop())

let made = 0
async function user(name: string, enabled = 1): Promise<number> {
  const [row] = await database.store.sql<{ user_id: number }[]>`
    insert into users (username, realname, enabled) values (${`${name}${++made}`}, ${name}, ${enabled}) returning user_id`
  return row?.user_id ?? 0
}
async function transport(name: string): Promise<number> {
  const [row] = await database.store.sql<{ transport_id: number }[]>`
    insert into alert_transports (transport_name, transport_type) values (${`${name} ${++made}`}, 'mail')
    returning transport_id`
  return row?.transport_id ?? 0
}
const actor = (userId: number, ...roles: string[]): Actor => ({
  ...SYSTEM,
  userId,
  username: `u${userId}`,
  roles: new Set(roles),
})
const layer = (people: readonly number[], more: Partial<LayerDraft> = {}): LayerDraft => ({
  ...{
    name: '',
    unit: 'week',
    length: 1,
    begins: '2026-03-16 08:00',
    ends: null,
    days: null,
    from: '00:00',
    to: '00:00',
  },
  people,
  ...more,
})
const draft = (layers: readonly LayerDraft[], more: Partial<ScheduleDraft> = {}): ScheduleDraft => ({
  ...{ name: `NOC ${++made}`, zone: 'Europe/Berlin', notes: '', layers },
  ...more,
})
const method = (transportId: number, attempt = 1, quiet: ContactMethodDraft['quiet'] = []): ContactMethodDraft => ({
  ...{ transportId, attempt, quiet },
})
const refusal = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'done'
  } catch (error) {
    if (error instanceof DomainError) return `${error.code}: ${error.message}`
    throw error
  }
}

test('who is on call now, since and until when, and who is next', async () => {
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  const id = await service.add(SYSTEM, draft([layer([ann, ben])]))
  const row = (await service.now(actor(ben, 'user'))).find(({ schedule }) => schedule.id === id)
  expect(row).toMatchObject({
    person: { id: ann, username: expect.stringContaining('Ann'), name: 'Ann', enabled: true },
    sinceMs: Date.parse('2026-03-16T07:00:00Z'),
    untilMs: Date.parse('2026-03-23T07:00:00Z'),
    next: { id: ben },
    // nobody gave her a transport
    reachable: false,
  })
})

test('the transports of whoever is on call at that time, once each, without those that are quiet', async () => {
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  const [push, mail, shared] = [await transport('push'), await transport('mail'), await transport('shared')]
  const quiet = [{ days: null, from: '20:00', to: '08:00', lets: 'critical' }]
  await service.setContactMethods(SYSTEM, ann, 'Europe/Berlin', [
    method(mail, 2),
    method(push, 1, quiet),
    method(shared, 2),
  ])
  await service.setContactMethods(SYSTEM, ben, 'Europe/Berlin', [method(shared)])
  const first = await service.add(SYSTEM, draft([layer([ann])]))
  const second = await service.add(SYSTEM, draft([layer([ben])]))
  const at = (iso: string, severity: string, attempt?: number) =>
    resolveOnCall(database.store.sql, [first, second, first, 999_999], Date.parse(iso), severity, attempt).then((all) =>
      all.map(({ transportId, person }) => [transportId, person]),
    )
  expect(await at('2026-03-18T12:00:00Z', 'warning')).toEqual([
    [push, 'Ann'],
    [mail, 'Ann'],
    [shared, 'Ann'],
  ])
  expect(await at('2026-03-18T12:00:00Z', 'warning', 1)).toEqual([
    [push, 'Ann'],
    [shared, 'Ben'],
  ])
  expect(await at('2026-03-18T22:00:00Z', 'warning')).toEqual([
    [mail, 'Ann'],
    [shared, 'Ann'],
  ])
  expect(await at('2026-03-18T22:00:00Z', 'critical', 1)).toEqual([
    [push, 'Ann'],
    [shared, 'Ben'],
  ])
  expect(await at('2026-03-15T12:00:00Z', 'critical')).toEqual([])
  expect(await resolveOnCall(database.store.sql, [], NOW, 'critical')).toEqual([])
  // a transport of one person stands for that person, a shared one for itself
  expect(await personOfTransport(database.store.sql, push)).toBe(ann)
  expect(await personOfTransport(database.store.sql, shared)).toBeNull()
})

test('whom to tell is found without working out since when and until when, which takes long with turns of an hour', async () => {
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  const [push, mail] = [await transport('push'), await transport('mail')]
  await service.setContactMethods(SYSTEM, ann, 'UTC', [method(push)])
  await service.setContactMethods(SYSTEM, ben, 'UTC', [method(mail)])
  const hourly = Array.from({ length: 9 }, () => layer([ann, ben], { unit: 'hour' }))
  const id = await service.add(SYSTEM, draft([...hourly, layer([ben], { length: 53 })]))
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const began = performance.now()
    await work()
    return performance.now() - began
  }
  const shown = await timed(() => service.now(SYSTEM))
  const told = await timed(async () =>
    expect(await resolveOnCall(database.store.sql, [id], NOW, 'critical')).toMatchObject([{ transportId: mail }]),
  )
  expect(told).toBeLessThan(shown / 2)
})

test('a disabled user is not told: the layer beneath counts', async () => {
  const [gone, ben] = [await user('Gone', 0), await user('Ben')]
  const [one, two] = [await transport('one'), await transport('two')]
  await service.setContactMethods(SYSTEM, gone, 'UTC', [method(one)])
  await service.setContactMethods(SYSTEM, ben, 'UTC', [method(two)])
  const id = await service.add(SYSTEM, draft([layer([ben]), layer([gone])]))
  const targets = await resolveOnCall(database.store.sql, [id], NOW, 'critical')
  expect(targets.map(({ transportId }) => transportId)).toEqual([two])
})

test('the people of a schedule stand in for each other; others do not, and only administrators choose others', async () => {
  const [ann, ben, eve] = [await user('Ann'), await user('Ben'), await user('Eve')]
  const id = await service.add(SYSTEM, draft([layer([ann, ben])]))
  const times = { fromMs: NOW + DAY, toMs: NOW + 2 * DAY }
  const by = (who: number, userId: number, ...roles: string[]) =>
    refusal(service.override(actor(who, ...roles), id, { userId, ...times }))
  expect(await by(eve, eve, 'user')).toStartWith('not_found')
  expect(await by(eve, eve, 'global-read')).toStartWith('forbidden')
  expect(await by(ben, eve, 'user')).toStartWith('forbidden')
  expect(await by(ben, ben, 'user')).toBe('done')
  expect(await by(eve, eve, 'admin')).toBe('done')
  const shifts = await service.shifts(actor(ann, 'user'), id, NOW, NOW + 3 * DAY)
  expect(shifts.map(({ person }) => person?.name)).toEqual(['Ann', 'Eve', 'Ann'])
  const { overrides } = await service.get(SYSTEM, id)
  const last = overrides.at(-1)?.id ?? 0
  expect(await refusal(service.removeOverride(actor(eve, 'global-read'), id, last))).toStartWith('forbidden')
  expect(await refusal(service.removeOverride(actor(ann, 'user'), id, last))).toBe('done')
  expect(await refusal(service.removeOverride(actor(ann, 'user'), id, last))).toStartWith('not_found')
  expect((await service.shifts(SYSTEM, id, NOW, NOW + 3 * DAY)).map(({ person }) => person?.name)).toEqual([
    'Ann',
    'Ben',
    'Ann',
  ])
  const audit = await database.store.sql<{ message: string; username: string }[]>`
    select message, username from eventlog where type = 'on-call' and message like ${'%on call from%'} order by event_id`
  expect(audit[0]?.username).toBe(`u${ben}`)
  expect(audit[0]?.message).toContain('Ben on call from 2026-03-17T11:00:00.000Z to 2026-03-18T11:00:00.000Z')
})

test('only administrators change schedules, and whoever may not see alerts sees none', async () => {
  const ann = await user('Ann')
  const id = await service.add(SYSTEM, draft([layer([ann])]))
  const member = actor(ann, 'user')
  expect(await refusal(service.add(member, draft([layer([ann])])))).toStartWith('forbidden')
  expect(await refusal(service.change(member, id, draft([layer([ann])])))).toStartWith('forbidden')
  expect(await refusal(service.remove(member, id))).toStartWith('forbidden')
  expect(await refusal(service.renewFeed(member, id, true))).toStartWith('forbidden')
  expect(await refusal(service.people(member))).toStartWith('forbidden')
  const nobody = actor(ann)
  expect(await refusal(service.now(nobody))).toStartWith('forbidden')
  expect(await refusal(service.get(nobody, id))).toStartWith('forbidden')
  expect(await refusal(service.shifts(nobody, id, NOW, NOW + DAY))).toStartWith('forbidden')
})

test('who sees only granted devices sees only the schedules that they are in', async () => {
  const [ann, eve] = [await user('Ann'), await user('Eve')]
  const id = await service.add(SYSTEM, draft([layer([ann])]))
  const sees = async (who: Actor) => (await service.now(who)).some(({ schedule }) => schedule.id === id)
  expect([await sees(actor(ann, 'user')), await sees(actor(eve, 'user'))]).toEqual([true, false])
  expect(await sees(actor(eve, 'global-read'))).toBe(true)
  expect(await refusal(service.get(actor(eve, 'user'), id))).toStartWith('not_found')
  expect(await refusal(service.shifts(actor(eve, 'user'), id, NOW, NOW + DAY))).toStartWith('not_found')
  const { name } = await service.get(SYSTEM, id)
  expect(await refusal(service.find(actor(eve, 'user'), name))).toStartWith('not_found')
  await service.override(SYSTEM, id, { userId: eve, fromMs: NOW, toMs: NOW + DAY })
  expect(await sees(actor(eve, 'user'))).toBe(true)
})

test('people change order and quiet hours of their own transports, but take no others', async () => {
  const [ann, eve] = [await user('Ann'), await user('Eve')]
  const [own, other] = [await transport('own'), await transport('other')]
  await service.setContactMethods(SYSTEM, ann, 'UTC', [method(own)])
  const quiet = [{ days: null, from: '22:00', to: '06:00', lets: 'nothing' }]
  expect(await refusal(service.setContactMethods(actor(ann, 'user'), ann, 'Asia/Tokyo', [method(own, 3, quiet)]))).toBe(
    'done',
  )
  expect(
    await refusal(service.setContactMethods(actor(ann, 'user'), ann, 'UTC', [method(own), method(other)])),
  ).toStartWith('forbidden')
  expect(await refusal(service.contactMethods(actor(eve, 'user'), ann))).toStartWith('forbidden')
  expect(await refusal(service.setContactMethods(actor(eve, 'global-read'), ann, 'UTC', []))).toStartWith('forbidden')
  expect((await service.contactMethods(actor(ann, 'user'), ann)).methods).toMatchObject([
    {
      transportId: own,
      attempt: 3,
      zone: 'Asia/Tokyo',
      quiet: [{ days: null, fromMinute: 1320, toMinute: 360, lets: 'nothing' }],
    },
  ])
})

const REFUSED: readonly (readonly [Partial<ScheduleDraft>, string])[] = [
  [{ name: '' }, 'needs a name'],
  [{ name: '12' }, 'taken for an id'],
  [{ name: 'x'.repeat(101) }, 'at most 100 characters'],
  [{ name: 'a\u0007b' }, 'control character'],
  [{ zone: 'Mars/Olympus' }, 'There is no time zone "Mars/Olympus"'],
  [{ zone: '' }, 'no time zone'],
  [{ notes: 'x'.repeat(2001) }, 'at most 2000'],
  [{ layers: Array.from({ length: 11 }, () => layer([1])) }, 'at most 10 layers'],
  ...[0, -1, 1.5, 1e300, Number.NaN, 54].map(
    (length) => [{ layers: [layer([1], { length })] }, 'whole number of weeks from 1 to 53'] as const,
  ),
  [{ layers: [layer([1], { unit: 'month' })] }, 'counted in hour, day, week'],
  [{ layers: [layer([1], { begins: '2026-02-30 08:00' })] }, 'YYYY-MM-DD HH:MM'],
  [{ layers: [layer([1], { ends: '2026-03-16 08:00' })] }, 'ends before'],
  [{ layers: [layer([1], { days: [] })] }, 'from 1 (Monday) to 7'],
  [{ layers: [layer([1], { days: [0] })] }, 'from 1 (Monday) to 7'],
  [{ layers: [layer([1], { from: '24:00' })] }, 'time of day'],
  [{ layers: [layer([])] }, 'has nobody'],
  [{ layers: [layer([0])] }, 'ids of users'],
  [{ layers: [layer(Array.from({ length: 51 }, () => 1))] }, 'at most 50 people'],
  [{ layers: [layer([2_000_000_000])] }, 'does not exist'],
]
test.each(REFUSED.map(([more, why]) => ({ more, why })))('a schedule is refused: $why', async ({ more, why }) => {
  expect(await refusal(service.add(SYSTEM, draft([], more)))).toMatch(/^invalid: /)
  expect(await refusal(service.add(SYSTEM, draft([], more)))).toContain(why)
})

test('what cannot be an override or a range is refused', async () => {
  const [ann, gone] = [await user('Ann'), await user('Gone', 0)]
  const id = await service.add(SYSTEM, draft([layer([ann])]))
  for (const [fromMs, toMs] of [
    [NOW + DAY, NOW],
    [NOW - DAY, NOW],
    [NOW, NOW + 367 * DAY],
    [Number.NaN, NOW + DAY],
    [NOW, Number.POSITIVE_INFINITY],
    [1e300, 2e300],
  ] as const)
    expect(await refusal(service.override(SYSTEM, id, { userId: ann, fromMs, toMs }))).toStartWith('invalid')
  expect(await refusal(service.override(SYSTEM, id, { userId: gone, fromMs: NOW, toMs: NOW + 1 }))).toContain(
    'disabled',
  )
  expect(await refusal(service.override(SYSTEM, id, { userId: 0, fromMs: NOW, toMs: NOW + 1 }))).toContain('no user 0')
  expect(await refusal(service.shifts(SYSTEM, id, NOW, NOW + 101 * DAY))).toContain('100 days')
  expect(await refusal(service.shifts(SYSTEM, id, NOW, NOW))).toContain('empty')
  expect(await refusal(service.get(SYSTEM, 1e300))).toStartWith('not_found')
})

test('names are in use regardless of case, and a change keeps the overrides', async () => {
  const ann = await user('Ann')
  const stored = draft([layer([ann])])
  const id = await service.add(SYSTEM, stored)
  expect(await refusal(service.add(SYSTEM, { ...stored, name: stored.name.toLowerCase() }))).toStartWith('conflict')
  await service.override(SYSTEM, id, { userId: ann, fromMs: NOW, toMs: NOW + DAY, note: 'swap' })
  await service.change(SYSTEM, id, {
    ...stored,
    zone: 'UTC',
    layers: [layer([ann]), layer([ann], { days: [3, 1, 3] })],
  })
  const schedule = await service.get(SYSTEM, id)
  expect(schedule).toMatchObject({
    zone: 'UTC',
    layers: [{ days: null }, { days: [1, 3] }],
    overrides: [{ note: 'swap' }],
  })
  expect(await service.find(SYSTEM, stored.name.toUpperCase())).toMatchObject({ id })
  await service.remove(SYSTEM, id)
  expect(await refusal(service.get(SYSTEM, id))).toStartWith('not_found')
})

test('a calendar is served at its secret address only, and the former address ends with a new one', async () => {
  const ann = await user('Ann; the "first", \\ one'.padEnd(80, 'é'))
  const notes = 'one\ntwo'
  const id = await service.add(SYSTEM, draft([layer([ann], { name: 'primary' })], { notes }))
  expect(await service.feed(SYSTEM, id)).toBeNull()
  await service.renewFeed(SYSTEM, id, true)
  const url = (await service.feed(SYSTEM, id)) ?? ''
  expect(url).toMatch(/^https:\/\/nms\.example\.net\/on-call\/calendar\/\d+-[\w-]{24}\.ics$/)
  expect(await service.feed(actor(ann, 'user'), id)).toBe(url)
  expect(await service.feed(actor(await user('Eve'), 'global-read'), id)).toBeNull()
  const secret = /([\w-]+)\.ics$/.exec(url)?.[1] ?? ''
  const text = (await service.calendar(secret))?.text ?? ''
  expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true)
  const lines = text.split('\r\n')
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
  const whole = text.replaceAll('\r\n ', '').split('\r\n')
  expect(whole).toContain('DTSTART:20260316T070000Z')
  expect(whole).toContain('X-WR-CALDESC:one\\ntwo')
  expect(whole).toContain('DESCRIPTION:primary')
  expect(whole.find((line) => line.startsWith('SUMMARY:'))).toStartWith('SUMMARY:Ann\\; the "first"\\, \\\\ one')
  for (const wrong of [
    '',
    secret.slice(0, -1),
    `${secret}x`,
    `${id + 1}${secret.slice(secret.indexOf('-'))}`,
    '../../x',
  ])
    expect(await service.calendar(wrong)).toBeNull()
  await service.renewFeed(SYSTEM, id, true)
  expect(await service.calendar(secret)).toBeNull()
  await service.renewFeed(SYSTEM, id, false)
  expect(await service.feed(SYSTEM, id)).toBeNull()
})

test('a shift keeps its beginning and its UID in the calendar, however late it is read', async () => {
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  const id = await service.add(SYSTEM, draft([layer([ann, ben])]))
  await service.renewFeed(SYSTEM, id, true)
  const secret = /([\w-]+)\.ics$/.exec((await service.feed(SYSTEM, id)) ?? '')?.[1] ?? ''
  const eventsAt = async (atMs: number): Promise<Map<string, string>> => {
    nowMs = atMs
    const text = (await service.calendar(secret))?.text ?? ''
    const events = text.split('BEGIN:VEVENT\r\n').slice(1)
    return new Map(events.map((event) => [/UID:(\S+)/.exec(event)?.[1] ?? '', /DTSTART:(\S+)/.exec(event)?.[1] ?? '']))
  }
  const first = await eventsAt(NOW)
  // in the middle of a turn that the calendar's range cuts
  for (const days of [17, 17.3, 18.01]) {
    const [uid = '', begins] = [...(await eventsAt(NOW + days * DAY))][0] ?? []
    expect({ days, begins, known: first.get(uid) }).toEqual({
      days,
      begins: '20260316T070000Z',
      known: '20260316T070000Z',
    })
  }
  // one that has lasted for longer than is worked out
  const alone = await service.add(SYSTEM, draft([layer([ann], { begins: '2020-01-06 08:00' })]))
  await service.renewFeed(SYSTEM, alone, true)
  const other = /([\w-]+)\.ics$/.exec((await service.feed(SYSTEM, alone)) ?? '')?.[1] ?? ''
  nowMs = NOW
  const uids = (text = '') => text.match(/^UID:.*$/gm)
  const before = uids((await service.calendar(other))?.text)
  nowMs = NOW + 3_600_000
  expect(uids((await service.calendar(other))?.text)).toEqual(before)
  expect(before).toHaveLength(1)
  nowMs = NOW
})

test('overrides that ended more than a year ago are deleted when one is added', async () => {
  const ann = await user('Ann')
  const id = await service.add(SYSTEM, draft([layer([ann])]))
  const { sql } = database.store
  await sql`insert into on_call_overrides (schedule_id, user_id, begins_at, ends_at)
    values (${id}, ${ann}, now() - interval '400 days', now() - interval '390 days'),
      (${id}, ${ann}, now() - interval '40 days', now() - interval '39 days')`
  nowMs = Date.now()
  await service.override(SYSTEM, id, { userId: ann, fromMs: nowMs, toMs: nowMs + DAY })
  nowMs = NOW
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from on_call_overrides where schedule_id = ${id}`
  expect(row?.n).toBe(2)
})
