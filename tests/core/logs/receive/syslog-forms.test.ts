import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import fc from 'fast-check'
import { MAX_MESSAGE } from '../../../../src/core/logs/receive/syslog/decode.ts'
import { parseSyslog } from '../../../../src/core/logs/receive/syslog/parse.ts'
import { type DeviceClock, driftOf, readClock } from '../../../../src/core/logs/syslog/clock.ts'
import { readByOs } from '../../../../src/core/logs/syslog/forms.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { eventually } from '../../../support/eventually.ts'
import { LIVE, listening, NOTHING, type Running } from './support.ts'
import { FORM_CASES, type FormCase } from './syslog-forms.ts'

setDefaultTimeout(120_000)

const octetsOf = (raw: string | Uint8Array) => (typeof raw === 'string' ? new TextEncoder().encode(raw) : raw)

/** What is made of a message from a device with this operating system. */
function readAs(raw: string | Uint8Array, os: string) {
  const parsed = parseSyslog(octetsOf(raw))
  if (parsed === null) return null
  const said = parsed.isCertain ? null : readByOs(parsed.content, os)
  return { host: parsed.hostname, program: said?.program ?? parsed.program, msg: said?.msg ?? parsed.msg }
}

describe('forms of vendors', () => {
  test.each(FORM_CASES.map((one) => [one.form, one] as const))('%s', (_form, { os, raw, program, msg, host }) => {
    const found = readAs(raw, os)
    expect({ host: found?.host, program: found?.program, msg: found?.msg.slice(0, msg.length) }).toEqual({
      host,
      program,
      msg,
    })
  })

  test('a message from a device whose operating system is unknown has the same program in nearly every form', () => {
    const different = FORM_CASES.filter(
      ({ os, raw, program }) => program !== null && readAs(raw, '')?.program !== program && os,
    )
    expect(different.map(({ form }) => form)).toEqual(['Junos, line card', 'ZXR10', 'RouterOS, one topic'])
  })

  test('a program is not taken from a text that has none', () => {
    for (const line of [
      '<14>link state changed',
      '<14>https://example.net/ was opened',
      '<14>00:00:5e:00:53:01 joined',
      '<14>100% of 5 used',
      '<14>Jun  3 08:15:02 last message repeated 3 times',
    ])
      expect([line, readAs(line, '')?.program]).toEqual([line, null])
  })
})

describe('hostile messages', () => {
  const pieces = [
    '<13>',
    '1 ',
    'Jun  3 08:15:02 ',
    '2026-06-03T08:15:02Z ',
    'host ',
    'host: ',
    '*',
    '.',
    '%',
    '#',
    ':',
    ': ',
    ' ',
    '[',
    ']',
    '(',
    ')',
    '"',
    '\\',
    '=',
    ',',
    '/',
    '-',
    '%SYS-5-',
    '%%10IFNET/3/',
    'CISE_',
    'RP/0/',
    'a',
    '0',
    'é',
    '\0',
    '\ufeff',
    '1,2026/06/03 ',
    '00005e005301,U',
    'date=',
    'type="',
    'CEF:',
    '0-PPE-0 : ',
    '<Info:',
    'system,',
    'Original Address=',
    'Message forwarded from ',
  ]
  const line = fc.oneof(
    fc.array(fc.constantFrom(...pieces), { maxLength: 400 }).map((parts) => parts.join('')),
    fc
      .tuple(fc.constantFrom(...pieces), fc.integer({ min: 0, max: 65_536 }))
      .map(([piece, n]) => piece.repeat(Math.ceil(n / piece.length))),
    fc
      .tuple(
        fc.constantFrom(...FORM_CASES),
        fc.array(fc.tuple(fc.nat(200), fc.constantFrom(...pieces)), { maxLength: 6 }),
      )
      .map(([{ raw }, changes]) =>
        changes.reduce(
          (text, [at, piece]) => text.slice(0, at) + piece + text.slice(at),
          typeof raw === 'string' ? raw : '',
        ),
      ),
  )
  const systems = ['', ...new Set(FORM_CASES.map(({ os }) => os))]

  test('are read without an error, and nothing of their text is invented', () => {
    fc.assert(
      fc.property(line, fc.constantFrom(...systems), (text, os) => {
        const parsed = parseSyslog(octetsOf(text))
        if (parsed === null) return
        const found = readAs(text, os)
        expect(found?.msg.length).toBeLessThanOrEqual(MAX_MESSAGE)
        expect(parsed.hostname ?? 'x').not.toBe('')
        const drift = parsed.clock === null ? null : driftOf(parsed.clock, Date.UTC(2026, 5, 3), 120)
        expect(drift === null || Number.isSafeInteger(drift)).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })

  test('random octets are read without an error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (octets) => void parseSyslog(octets)),
      { numRuns: 2000 },
    )
  })

  test('of 64 KiB made of one piece cost no more steps than their beginning', () => {
    // A pattern that backtracks takes minutes for one of these; the limit of the test ends it.
    for (const piece of pieces)
      for (const start of ['', '<13>', '<13>Jun  3 08:15:02 ', '<13>1 ', '<13>Jun  3 08:15:02 host ', '<189>1: '])
        for (const os of systems) readAs(start + piece.repeat(65_536 / piece.length), os)
  })
})

describe('clocks of devices', () => {
  const at = Date.UTC(2026, 0, 1, 0, 10)
  const drift = (text: string, ownZone = 0) => {
    const read = readClock(text, 0)
    return read === null ? null : driftOf(read.clock, at, ownZone)
  }

  test.each([
    ['2026-01-01T00:10:00Z', 0, 0],
    ['2026-01-01T01:10:05+01:00', 0, 5],
    ['Jan  1 00:05:00', 0, -300],
    ['Dec 31 23:59:00', 0, -660],
    ['Jan  1 01:40:00', 60, 1800],
    // neither UTC nor ours: the nearest quarter of an hour is its zone
    ['Jan  1 05:41:00', 60, 60],
    ['*Mar  1 00:00:59', 0, Math.round((Date.UTC(2026, 2, 1, 0, 0, 59) - at) / 1000)],
    ['1 Jan 2026 00:10:00', 0, 0],
    ['2026:01:01-00:10:07', 0, 7],
    ['Jan 1 2026 00:10:00 UTC', 300, 0],
    ['2016-12-31T23:59:60Z', 0, -Math.round((at - Date.UTC(2017, 0, 1)) / 1000)],
    ['0001-01-01T00:00:00Z', 0, null],
    ['Foo  1 00:00:00', 0, null],
    ['Jan 32 00:00:00', 0, null],
    ['Jan  1 25:00:00', 0, null],
  ])('%s, our zone %p: %p s ahead', (text, ownZone, seconds) => {
    expect(drift(text, ownZone)).toBe(seconds)
  })

  test('any time gives whole seconds or nothing', () => {
    const clock: fc.Arbitrary<DeviceClock> = fc.record({
      year: fc.option(fc.integer({ min: 0, max: 9999 })),
      month: fc.integer({ min: 0, max: 11 }),
      day: fc.integer({ min: 1, max: 31 }),
      ofDayMs: fc.integer({ min: 0, max: 86_460_999 }),
      zone: fc.option(fc.integer({ min: -5999, max: 5999 })),
    })
    fc.assert(
      fc.property(clock, fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: -720, max: 840 }), (one, now, zone) => {
        const seconds = driftOf(one, now, zone)
        expect(seconds === null || (Number.isSafeInteger(seconds) && !Object.is(seconds, -0))).toBe(true)
      }),
    )
  })
})

describe('through a relay and the database', () => {
  let database: TestDatabase
  let running: Running
  beforeAll(async () => {
    database = await testDatabase()
    const systems = [...new Set(FORM_CASES.map(({ os }) => os))]
    await database.store.sql`
      insert into devices (device_id, hostname, os, ip)
      select n, 'relay-' || n, os, ('127.7.0.' || n)::inet
      from unnest(${systems}::text[]) with ordinality as x(os, n)`
    running = await listening(database, { addresses: { ...NOTHING, syslogUdp: '127.0.0.1:0' }, live: LIVE })
  })
  afterAll(async () => {
    await running.stop(2000)
    await database.drop()
  })

  test('every form sent by a device is stored with its program', async () => {
    const rows = await database.store.sql<{ device_id: number; os: string }[]>`select device_id, os from devices`
    const ids = new Map(rows.map(({ device_id, os }) => [os, device_id]))
    for (const { os, raw } of FORM_CASES) {
      const socket = await Bun.udpSocket({ hostname: `127.7.0.${ids.get(os)}` })
      socket.send(raw, running.ports['syslog.udp'] ?? 0, '127.0.0.1')
      socket.close()
    }
    await eventually(async () => (running.counts().syslog.stored === FORM_CASES.length ? true : null))
    const stored = await database.store.sql<{ os: string; program: string | null }[]>`
      select os, program from syslog join devices using (device_id)`
    const programOf = ({ os, program }: Pick<FormCase, 'os' | 'program'>) =>
      `${os} ${(program ?? (os === 'linux' ? 'user' : '')).toUpperCase().slice(0, 32)}`
    const count = (list: readonly string[]) => list.toSorted()
    expect(count(stored.map(({ os, program }) => `${os} ${program ?? ''}`))).toEqual(count(FORM_CASES.map(programOf)))
  })
})

const CORPUS = `${import.meta.dir}/../../../../../shared/cases/06-syslog-device-formats/syslog_corpus.py`
const isThere = existsSync(CORPUS) && Bun.which('python3') !== null
if (!isThere) console.warn('the shared corpus of device forms or python3 is missing: it is not tested')

interface CorpusCase extends Omit<FormCase, 'form' | 'msg'> {
  readonly id: string
  readonly text: string
  readonly hex: string
}

test.skipIf(!isThere)('the shared corpus of device forms: how many are read, and which are not', async () => {
  const script = `import json,runpy;print(json.dumps([{**{k:v for k,v in c.items() if k!='raw'},'hex':c['raw'].hex()} for c in runpy.run_path(${JSON.stringify(CORPUS)})['C']]))`
  const cases: CorpusCase[] = await Bun.$`python3 -B -c ${script}`.json()
  const misread = cases.flatMap(({ id, os, program, text, host, hex }) => {
    const found = readAs(Uint8Array.fromHex(hex), os)
    const right =
      (program === '*stable*' ? found?.program : found?.program === program) &&
      found?.msg.startsWith(text) &&
      (host === null || found.host === host)
    return right ? [] : [`${id}: ${JSON.stringify(found)}`]
  })
  console.log(`device forms of syslog: ${cases.length - misread.length} of ${cases.length} read`)
  expect(misread).toEqual([])
})
