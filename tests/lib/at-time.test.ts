import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseTimeRange } from '../../src/lib/at-time.ts'
import { inZone } from './zone.ts'

/** Saturday 2026-11-21 10:20:30 UTC. */
const NOW = Date.UTC(2026, 10, 21, 10, 20, 30) / 1000
const utc = (year: number, month: number, day: number, hour = 0, minute = 0, second = 0) =>
  Date.UTC(year, month - 1, day, hour, minute, second) / 1000

function timeOf(text: string, zone = 'UTC', now = NOW): number | string {
  return inZone(zone, () => {
    const range = parseTimeRange('0', text, now)
    return range.kind === 'ok' ? range.toS : range.kind
  })
}

describe('times that are accepted', () => {
  test.each([
    // 1. whole numbers
    ['1790000000', 1_790_000_000],
    ['-3600', NOW - 3600],
    [' 1790000000 ', 1_790_000_000],
    // 2. number and unit
    ['-30s', NOW - 30],
    ['-5m', NOW - 300],
    ['-2h', NOW - 7200],
    ['-1d', NOW - 86_400],
    ['+1w', NOW + 604_800],
    ['-1mo', NOW - 30 * 86_400],
    ['-1y', NOW - 31_557_600],
    // 3. at-style: reference and offset
    ['now', NOW],
    ['now-1d6h', NOW - 30 * 3600],
    ['now - 1 day + 2 hours', NOW - 22 * 3600],
    ['epoch+1d', 86_400],
    ['-90min', NOW - 5400],
    ['-1week', NOW - 604_800],
    ['now-1month', utc(2026, 10, 21, 10, 20, 30)],
    ['now-1year', utc(2025, 11, 21, 10, 20, 30)],
    ['now-10m', NOW - 600],
    ['now-5m', utc(2026, 6, 21, 10, 20, 30)],
    ['now-1h3m', NOW - 3780],
    ['now-1d2m', utc(2026, 9, 20, 10, 20, 30)],
    ['start+2h', 7200],
    ['s+2h', 7200],
    // 3. at-style: absolute
    ['noon', utc(2026, 11, 21, 12)],
    ['midnight', utc(2026, 11, 21)],
    ['teatime yesterday', utc(2026, 11, 20, 16)],
    ['9am', utc(2026, 11, 21, 9)],
    ['12am', utc(2026, 11, 21)],
    ['12 pm tomorrow', utc(2026, 11, 22, 12)],
    ['9:30pm yesterday', utc(2026, 11, 20, 21, 30)],
    ['17.30 today', utc(2026, 11, 21, 17, 30)],
    ['today', utc(2026, 11, 21)],
    ['noon tuesday', utc(2026, 11, 17, 12)],
    ['6pm mon -1week', utc(2026, 11, 9, 18)],
    ['noon Aug 3', utc(2026, 8, 3, 12)],
    ['10:15 Aug 3 2026', utc(2026, 8, 3, 10, 15)],
    ['August 3, 2026', utc(2026, 8, 3, 10, 20, 30)],
    ['08/03/2026', utc(2026, 8, 3)],
    ['08/03/26', utc(2026, 8, 3)],
    ['3.8.2026', utc(2026, 8, 3)],
    ['9am 03.08.26', utc(2026, 8, 3, 9)],
    ['00:00 20260803', utc(2026, 8, 3)],
    ['00:00 20260803+1d', utc(2026, 8, 4)],
    // 4. dates
    ['2026-08-01', utc(2026, 8, 1)],
    ['2026-08-01 12:30:15', utc(2026, 8, 1, 12, 30, 15)],
    ['2026-08-01T12:30:15Z', utc(2026, 8, 1, 12, 30, 15)],
    ['2026-08-01T12:30:15+02:00', utc(2026, 8, 1, 10, 30, 15)],
    ['Sat, 01 Aug 2026 12:00:00 GMT', utc(2026, 8, 1, 12)],
    ['1 August 2026 12:00', utc(2026, 8, 1, 12)],
    ['2026-08-01 12:30', utc(2026, 8, 1, 12, 30)],
  ] as const)('%s', (text, want) => {
    expect(timeOf(text)).toBe(want)
  })
})

describe('texts that are not times are refused', () => {
  test.each([
    'yesterdayish',
    'foo',
    '-',
    '+',
    '1d',
    '-1x',
    'now-',
    'now-1',
    'now-1fortnight',
    '25:00',
    '13pm',
    '10:60',
    '31.2.2026',
    '02/30/2026',
    'Feb 30 2026',
    '2026-02-30',
    '2026-02-28 25:00',
    'Aug 2026',
    '13/01/2026',
    'Foo 3',
    'start',
    'hello 2026',
    '2026-13-01',
    '99999999999999999999',
    '-99999999999',
    'now-999999999y',
    'x'.repeat(200),
  ])('%s', (text) => {
    expect(timeOf(text)).toBe('bad-time')
  })
})

describe('a range', () => {
  const range = (from: string, to: string) => inZone('UTC', () => parseTimeRange(from, to, NOW))

  test('accepts end in from', () => {
    expect(range('end-1week', '1790000000')).toEqual({ kind: 'ok', fromS: 1_790_000_000 - 604_800, toS: 1_790_000_000 })
  })
  test('accepts start in to', () => {
    expect(range('noon yesterday', 'start+2h')).toEqual({
      kind: 'ok',
      fromS: utc(2026, 11, 20, 12),
      toS: utc(2026, 11, 20, 14),
    })
  })
  test.each([
    ['end-1d', 'start+1d', 'refer to each other'],
    ['start-1d', 'now', 'relative to start'],
    ['-1d', 'end+1d', 'relative to end'],
    ['now', 'now', 'not before'],
    ['now', '-1d', 'not before'],
    ['rubbish', 'now', "'from' is not a time: rubbish"],
    ['-1d', 'rubbish', "'to' is not a time: rubbish"],
  ])('%s to %s is refused', (from, to, message) => {
    const outcome = range(from, to)
    expect(outcome.kind).toBe('bad-time')
    if (outcome.kind === 'bad-time') expect(outcome.message).toContain(message)
  })
})

describe('local time', () => {
  test('a day is a calendar day when the clocks change', () => {
    expect(timeOf('00:00 20261025', 'Europe/Berlin')).toBe(utc(2026, 10, 24, 22))
    expect(timeOf('00:00 20261025+1d', 'Europe/Berlin')).toBe(utc(2026, 10, 25, 23))
  })
  test('an hour is an hour when the clocks change', () => {
    expect(timeOf('00:00 20261025+24h', 'Europe/Berlin')).toBe(utc(2026, 10, 25, 22))
  })
  test('days without a reference have 24 hours', () => {
    const now = utc(2026, 10, 25, 12)
    expect(timeOf('-1d', 'Europe/Berlin', now)).toBe(now - 86_400)
  })
  test('a time skipped by the clock change is an hour later', () => {
    expect(timeOf('02:30 29.03.2026', 'Europe/Berlin')).toBe(utc(2026, 3, 29, 1, 30))
  })
  test.each([
    // for the hour that occurs twice, the first one is meant
    ['Europe/Berlin', '02:30 25.10.2026', utc(2026, 10, 25, 0, 30)],
    ['Europe/Berlin', '12:00 25.10.2026 -12hours', utc(2026, 10, 24, 23)],
    ['Europe/Berlin', '00:00 20260329+1d', utc(2026, 3, 29, 22)],
    ['Europe/Berlin', '00:00 20260329+24h', utc(2026, 3, 29, 23)],
    ['Europe/Berlin', '00:00 20260201+1month', utc(2026, 2, 28, 23)],
    ['Europe/Berlin', 'noon 29.02.2028+1year', utc(2029, 3, 1, 11)],
    ['America/New_York', '00:00 20261101+1d', utc(2026, 11, 2, 5)],
    ['America/New_York', 'midnight 11/01/2026', utc(2026, 11, 1, 4)],
    ['America/New_York', '2026-08-01 12:00:00', utc(2026, 8, 1, 16)],
    ['America/New_York', '2026-08-01T12:00:00Z', utc(2026, 8, 1, 12)],
    ['Asia/Kolkata', '2026-08-01 12:00', utc(2026, 8, 1, 6, 30)],
    ['Asia/Kathmandu', '9am 03.08.26', utc(2026, 8, 3, 3, 15)],
    ['Australia/Lord_Howe', '00:00 20261004+1d', utc(2026, 10, 4, 13)],
    ['Pacific/Auckland', '2026-04-05 00:00', utc(2026, 4, 4, 11)],
    ['Pacific/Apia', 'epoch+1w', 604_800],
  ] as const)('%s: %s', (zone, text, want) => {
    expect(timeOf(text, zone)).toBe(want)
  })
  test('an ISO date without a time zone is local', () => {
    expect(timeOf('2026-08-01', 'America/New_York')).toBe(utc(2026, 8, 1, 4))
  })
})

const rrdtool = Bun.which('rrdtool')
if (rrdtool === null) console.warn('skipped: agreement with rrdtool (program rrdtool is not installed)')

describe.skipIf(rrdtool === null)('at-style times agree with rrdtool', () => {
  test.each([
    ['UTC', 'now-1d6h'],
    ['UTC', 'now-5m'],
    ['UTC', 'now-10m'],
    ['UTC', 'now-1d5m'],
    ['UTC', 'now-1h3m'],
    ['UTC', 'now-1month2d'],
    ['UTC', 'noon'],
    ['UTC', '9:30pm yesterday'],
    ['UTC', '12am'],
    ['UTC', 'noon tuesday'],
    ['UTC', '6pm monday-1week'],
    ['UTC', 'Aug 3 2026'],
    ['UTC', '08/03/2026'],
    ['UTC', '03.08.26'],
    ['UTC', '00:00 20260803'],
    ['UTC', 'noon yesterday -2hours'],
    ['Europe/Berlin', '00:00 20261025 +1d'],
    ['Europe/Berlin', '00:00 20261025 +24h'],
    ['Europe/Berlin', '02:30 29.03.2026'],
    ['Europe/Berlin', '00:00 20260331 -1month'],
  ] as const)('%s: %s', (zone, text) => {
    const now = () => Math.floor(Date.now() / 1000)
    const folder = mkdtempSync(join(tmpdir(), 'at-time-'))
    try {
      const file = join(folder, 'x.rrd')
      const run = (...args: string[]) =>
        Bun.spawnSync([rrdtool ?? '', ...args], { env: { ...process.env, TZ: zone } }).stdout.toString()
      const earliest = timeOf(text, zone, now())
      run('create', file, '--start', text, '--step', '1', 'DS:x:GAUGE:10:U:U', 'RRA:AVERAGE:0.5:1:1')
      const theirs = Number(run('last', file))
      const latest = timeOf(text, zone, now())
      expect(theirs).toBeGreaterThanOrEqual(Number(earliest))
      expect(theirs).toBeLessThanOrEqual(Number(latest))
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
