import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { fieldTime, rangeOf } from '../../src/web/components/range.tsx'
import { inZone } from '../lib/zone.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

const NOW = Date.parse('2026-11-25T12:00:00Z')
const at = (text: string) => Date.parse(text) / 1000
const range = (query: Readonly<Record<string, string>>, zone = 'Europe/Zurich') =>
  inZone(zone, () => rangeOf(new URLSearchParams(query), NOW))

describe('a range of a page', () => {
  test.each([
    ['in winter', '2026-11-20T08:00', '2026-11-20T07:00:00Z'],
    ['in summer', '2026-07-20T08:00', '2026-07-20T06:00:00Z'],
    ['in the hour that the clock skips', '2026-03-29T02:30', '2026-03-29T01:30:00Z'],
    ['in the hour that the clock shows twice: the first', '2026-10-25T02:30', '2026-10-25T00:30:00Z'],
  ])('is entered in the zone of the page %s', (_, from, instant) => {
    expect(range({ from })).toMatchObject({ fromS: at(instant), toS: NOW / 1000, problem: null })
  })

  test('is shown as it was entered, in any zone and at any time that exists there once', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('UTC', 'Europe/Zurich', 'America/New_York', 'Australia/Lord_Howe'),
        fc.integer({ min: at('2001-01-01'), max: at('2026-11-01') }),
        (zone, seconds) =>
          inZone(zone, () => {
            const text = fieldTime(seconds)
            const { fromS } = rangeOf(new URLSearchParams({ from: text }), NOW)
            expect(fieldTime(fromS)).toBe(text)
          }),
      ),
      { numRuns: 200 },
    )
  })

  test.each([
    [{ from: 'yesteryear' }, 'from', 'yesteryear is not a date and time.'],
    [{ from: '2026-02-30T10:00' }, 'from', '2026-02-30T10:00 is not a date and time.'],
    [{ from: '-1d', to: 'soon' }, 'to', 'soon is not a date and time.'],
    [{ from: '2026-11-20T08:00', to: '2026-11-19T08:00' }, 'to', 'The end must be after the beginning.'],
    [{ from: '2027-01-01T00:00' }, 'to', 'The end must be after the beginning.'],
  ] as const)('that is wrong is named at its field: %p', (query, field, text) => {
    expect(range(query)).toMatchObject({ from: '-24h', to: 'now', problem: { field, text } })
  })

  test.each([
    [0, '-1h'],
    [3599, '-1h'],
    [3600, '-6h'],
    [21_599, '-6h'],
    [21_600, '-24h'],
    [1e9, '-24h'],
    [-1, '-1h'],
  ])('of what is %d seconds old begins, where the address has none, at %s', (seconds, from) => {
    const since = new Date(NOW - seconds * 1000)
    expect(rangeOf(new URLSearchParams(), NOW, since)).toMatchObject({ from, usual: from, to: 'now', problem: null })
    expect(rangeOf(new URLSearchParams({ from: '-7d' }), NOW, since)).toMatchObject({ from: '-7d', usual: from })
  })

  test('of any text is either shown or refused', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (from, to) => {
        const { fromS, toS, problem } = range({ from, to })
        expect(fromS).toBeLessThan(toS)
        expect(problem === null || problem.text !== '').toBe(true)
      }),
    )
  })
})

describe('pages name the zone', () => {
  let web: TestWeb
  let admin: Person
  let deviceId = 0
  beforeAll(async () => {
    web = await testWeb()
    admin = await web.signedIn(['admin'])
    const [row] = await web.api.store.sql<{ device_id: number }[]>`
      insert into devices (hostname, status, last_polled) values ('zoned', 1, now()) returning device_id`
    deviceId = row?.device_id ?? 0
  })
  afterAll(() => web.drop())
  const open = async (path: string) => await (await web.send(path, { cookie: admin.cookie })).text()
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

  test('beside every field for a time', async () => {
    for (const path of [`/device/${deviceId}`, '/logs', '/maintenance', '/bills/new', '/api-access/']) {
      const page = await open(path)
      expect(page).toContain(`data-zone="${zone}"`)
      const fields = page.match(/<div class="field">(?:(?!<\/div>).)*type="(?:datetime-local|date)".*?<\/div>/gs) ?? []
      if (!path.startsWith('/bills')) expect(fields.length).toBeGreaterThan(0)
      for (const field of fields.filter((one) => !one.includes('id="until"'))) expect(field).toContain(zone)
      if (path.startsWith('/bills')) expect(page).toContain(`midnight in ${zone}`)
    }
  })

  test('and the error of a range at the field, with the form open', async () => {
    const page = await open(`/device/${deviceId}?from=2026-11-20T08:00&to=2026-11-19T08:00`)
    expect(page).toMatch(/<details class="menu left own-range" open>/)
    expect(page).toMatch(/id="range-to"[^>]*aria-invalid="true"[^>]*>\s*<span class="err"[^>]*>The end must be after/)
    const log = await open('/logs?since=2026-11-20T08:00&to=2026-11-19T08:00')
    expect(log).toMatch(/id="f-to"[^>]*aria-invalid="true"[^>]*>\s*<span class="err"[^>]*>The end must be after/)
  })

  test('and the range that is shown', async () => {
    const page = await open(`/device/${deviceId}?from=2026-11-20T08:00&to=2026-11-21T09:30`)
    expect(page).toMatch(/data-range-text>2026-11-20 08:00 to 2026-11-21 09:30<\/span>/)
  })
})
