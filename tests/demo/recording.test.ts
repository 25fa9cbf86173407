import { describe, expect, test } from 'bun:test'
import type { DeviceSeeds } from '../../src/demo/device.ts'
import { type Instant, instantAt } from '../../src/demo/instant.ts'
import { readRecording } from '../../src/demo/recording.ts'
import { seedsOf } from '../../src/demo/seeds.ts'

const seeds: DeviceSeeds = {
  own: seedsOf('test', 'device'),
  links: seedsOf('test', 'links'),
  of: (name) => seedsOf('test', name),
}
const NOW: Instant = instantAt(Date.UTC(2026, 5, 1, 12), 1, { cycleS: 8_640_000, darkS: 0 })
const LATER: Instant = { ...NOW, s: NOW.s + 3600, ticks: NOW.ticks + 360_000 }

/** Instances as `OBJECT INDEX` with type and value at a time. */
function valuesOf(text: string, t: Instant = NOW, context = ''): Record<string, unknown> {
  const instances = readRecording('test', text, seeds).get(context) ?? []
  return Object.fromEntries(
    instances.map(({ object, index, type, value }) => [
      `${object} ${index}`,
      [type, typeof value === 'function' ? value(t) : value],
    ]),
  )
}

describe('what a recording says', () => {
  test('lines of each tag, with the last sub-identifier as the instance', () => {
    const text = ['1.3.1.0|2|-5', '1.3.2.0|4|a|b\\n', '1.3.3.0|4x|00ff', '1.3.4.0|4e|a\\r\\nb\\\\', '1.3.5.0|6|1.3.6']
      .concat([
        '1.3.6.0|64|10.0.0.1',
        '1.3.7.0|65|7',
        '1.3.8.0|66|8',
        '1.3.9.0|67|9',
        '1.3.10.0|70|18446744073709551615',
      ])
      .join('\n')
    expect(valuesOf(text)).toEqual({
      '1.3.1 0': ['Integer32', -5],
      '1.3.2 0': ['Text', 'a|b\\n'],
      '1.3.3 0': ['Octets', Uint8Array.of(0, 255)],
      '1.3.4 0': ['Text', 'a\r\nb\\'],
      '1.3.5 0': ['Oid', '1.3.6'],
      '1.3.6 0': ['IpAddress', '10.0.0.1'],
      '1.3.7 0': ['Counter32', 7n],
      '1.3.8 0': ['Gauge32', 8],
      '1.3.9 0': ['TimeTicks', 9],
      '1.3.10 0': ['Counter64', 2n ** 64n - 1n],
    })
  })

  test('a table: columns of the rows, columns that are equal in all rows, and the index as a column', () => {
    expect(valuesOf('# name\ntable 1.3.9.1|1/2=#|2/4|3/4=|4/66=7\n5|five\n6|\n\n1.3.1.0|2|1')).toEqual({
      '1.3.9.1.1 5': ['Integer32', 5],
      '1.3.9.1.2 5': ['Text', 'five'],
      '1.3.9.1.3 5': ['Text', ''],
      '1.3.9.1.4 5': ['Gauge32', 7],
      '1.3.9.1.1 6': ['Integer32', 6],
      '1.3.9.1.2 6': ['Text', ''],
      '1.3.9.1.3 6': ['Text', ''],
      '1.3.9.1.4 6': ['Gauge32', 7],
      '1.3.1 0': ['Integer32', 1],
    })
  })

  test('contexts are separate', () => {
    const text = '1.3.1.0|2|1\ncontext 20\n1.3.1.0|2|2'
    expect([valuesOf(text), valuesOf(text, NOW, '20')]).toEqual([
      { '1.3.1 0': ['Integer32', 1] },
      { '1.3.1 0': ['Integer32', 2] },
    ])
  })

  test('an interface: its columns, no 64-bit counters and no EtherLike-MIB where the agent has none', () => {
    const row = '9|eth0||Uplink|6|1500|100|00005e005301||a; flat 8000000 500|b; flat 800000 500'
    const all = Object.keys(valuesOf(`ports\n${row}`)).length
    expect(all).toBe(1 + 18 + 19 + 6)
    expect(Object.keys(valuesOf(`ports 32-bit\n${row}`)).length).toBe(all - 8)
    expect(Object.keys(valuesOf(`ports 32-bit no-ether\n${row}`)).length).toBe(all - 14)
    const [before, after] = [valuesOf(`ports\n${row}`), valuesOf(`ports\n${row}`, LATER)]
    const octets = (from: Record<string, unknown>) => Number((from['1.3.6.1.2.1.31.1.1.1.6 9'] as [string, bigint])[1])
    expect((octets(after) - octets(before)) / 3600).toBeWithin(500_000, 2_000_000)
    expect(before['1.3.6.1.2.1.2.2.1.2 9']).toEqual(['Text', 'eth0'])
  })
})

describe('moving values', () => {
  test.each([
    ['2:wave', 'x; 50', ['Integer32', 50]],
    ['2:wave', 'x; 50 max 40 times 3 per 4', ['Integer32', 30]],
    ['70:wave', 'x; 49.6', ['Counter64', 50n]],
    ['70:wave', 'x; 49.6 of 120', ['Counter64', 70n]],
    ['4:wave', 'x; 49.6 digits 2', ['Text', '49.60']],
    ['2:wave', 'x; 10 dBm 100', ['Integer32', 1000]],
    ['67:uptime', '', ['TimeTicks', NOW.ticks]],
    ['66:elapsed', 'x; 60', ['Gauge32', Math.floor(NOW.s - NOW.bootS)]],
  ])('%s with %s', (tag, given, expected) => {
    expect(valuesOf(`1.3.1.0|${tag}|${given}`)).toEqual({ '1.3.1 0': expected })
  })

  test('equal labels move alike, others differently', () => {
    const text = ['a', 'a', 'b'].map((label, i) => `1.3.${i}.0|2:wave|${label}; 50 noise 20`).join('\n')
    const [first, second, third] = Object.values(valuesOf(text))
    expect(second).toEqual(first)
    expect(third).not.toEqual(first)
  })
})

test.each([
  ['1.3.1.0|9|x', 'line 1', 'no tag 9'],
  ['\n1.3.1.0|2|x', 'line 2', 'not a whole number: x'],
  ['1.3.1.0|2:sine|x', 'line 1', 'no curve sine; there are wave'],
  ['1.3.1.0|2:wave|x; 5 day', 'line 1', 'day has no number'],
  ['1.3.1.0|2:wave|x; 5 dya 3', 'line 1', 'no parameter dya'],
  ['ports\n1|lo|||24|1500', 'line 1', 'lo: a number is missing'],
  ['table 1.3.9.1|1/2|2/2\n1|5', 'line 1', 'row 1 has 1 values for 2 columns'],
  ['ports\n1|lo|||24|1500|0||link a b upper', 'line 1', 'lo: no link a b'],
  ['ports\n1|lo|||24|1500|0||sideways', 'line 1', 'lo: no state sideways'],
  ['story king\n', 'line 1', 'no story king; there are linux, session, ups'],
  ['story ups\nload|x; 5\n', 'line 1', 'the story has no line mains'],
])('%j is refused with its line and the reason', (text, line, reason) => {
  expect(() => readRecording('test', text, seeds)).toThrow(RangeError)
  expect(() => readRecording('test', text, seeds)).toThrow(`test.snmprec, ${line}: `)
  expect(() => readRecording('test', text, seeds)).toThrow(reason)
})
