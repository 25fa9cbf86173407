import { describe, expect, test } from 'bun:test'
import { HEALTH } from '../../src/definitions/health-catalogue.ts'
import { parseHealth } from '../../src/definitions/health-parse.ts'
import { isWirelessClass } from '../../src/lib/wireless-classes.ts'
import { discoverDefined } from '../../src/modules/defined/discover.ts'
import { shownValue, wirelessPoll } from '../../src/modules/wireless/poll.ts'
import { type Agent, agentOf, discover, int, only, text } from './agent.ts'
import { healthCatalogueOf } from './catalogues.ts'

const VAP = '1.3.6.1.4.1.99999.1'
/** Stations, SSID and band of an SSID on a radio. */
const vap = (index: number, stations: number, ssid: string, band: string) => ({
  [`${VAP}.1.${index}`]: int(stations),
  [`${VAP}.2.${index}`]: text(ssid),
  [`${VAP}.3.${index}`]: text(band),
})

const ACCESS_POINT = parseHealth('example', {
  about: 'Example access points',
  tables: { vap: { entry: VAP, columns: { stations: 1, ssid: 2, band: 3 } } },
  scalars: { load: '1.3.6.1.4.1.99999.2.0' },
  wireless: [
    { class: 'clients', type: 'total', table: 'vap', value: 'stations', index: 'total', descr: 'Clients' },
    { class: 'clients', type: 'ssid', table: 'vap', value: 'stations', index: '{ssid}', descr: 'SSID {ssid}' },
    { class: 'quality', table: 'vap', value: 'stations', index: '{band}', aggregator: 'avg', descr: '{band}' },
    { class: 'power', table: 'vap', value: 'stations', index: '{band}', aggregator: 'first', descr: '{band}' },
    { class: 'ap-count', table: 'vap', value: 'ssid', index: '{band}', aggregator: 'count', descr: '{band}' },
    { class: 'utilization', value: 'load', divisor: 10, descr: 'Load' },
  ],
})

async function found(agent: Agent) {
  const module = { name: 'example', about: '', discover: discoverDefined(healthCatalogueOf([ACCESS_POINT])) }
  return only(await discover([module], agent), 'wireless')
}

const RADIOS = agentOf({
  ...vap(1, 4, 'guests', '2G'),
  ...vap(2, 0, 'staff', '2G'),
  ...vap(3, 14, 'guests', '5G'),
  '1.3.6.1.4.1.99999.2.0': int(699),
})

describe('rows of an entry with the same class and index form one sensor', () => {
  test('as their sum, mean or first', async () => {
    const { rows, complete } = await found(RADIOS)
    expect(complete).toBe(true)
    const shown = rows.map((row) => [row.sensor_class, row.sensor_index, row.sensor_aggregator, row.sensor_current])
    expect(shown).toEqual([
      ['clients', 'total', 'sum', 18],
      ['clients', 'guests', 'sum', 18],
      ['clients', 'staff', 'sum', 0],
      ['quality', '2G', 'avg', 2],
      ['quality', '5G', 'avg', 14],
      ['power', '2G', 'sum', 4],
      ['power', '5G', 'sum', 14],
      ['ap-count', '2G', 'count', 2],
      ['ap-count', '5G', 'count', 1],
      ['utilization', '0', 'sum', 69.9],
    ])
  })

  test('as their number, which is unknown and not polled if rows are missing', async () => {
    const counts = async (agent: Agent) =>
      (await found(agent)).rows.flatMap(({ sensor_class, sensor_current, sensor_oids }) =>
        sensor_class === 'ap-count' ? [[sensor_current, sensor_oids]] : [],
      )
    expect(await counts(RADIOS)).toEqual([
      [2, `[".${VAP}.2.1",".${VAP}.2.2"]`],
      [1, `[".${VAP}.2.3"]`],
    ])
    for (const column of [1, 2, 3])
      for (const [value, oids] of await counts({ ...RADIOS, truncated: { [`${VAP}.${column}`]: 2 } }))
        expect([value, oids]).toEqual([null, '[]'])
  })

  test('with the OIDs of all of them', async () => {
    const { rows } = await found(RADIOS)
    const guests = rows.find((row) => row.sensor_index === 'guests')
    expect(guests?.sensor_oids).toBe(`[".${VAP}.1.1",".${VAP}.1.3"]`)
    expect(guests?.sensor_descr).toBe('SSID guests')
  })
})

test('a truncated walk is not complete', async () => {
  const agent = { ...RADIOS, truncated: { [`${VAP}.1`]: 1 } }
  expect((await found(agent)).complete).toBe(false)
})

test('an agent without these tables has no wireless sensors', async () => {
  expect(await found(agentOf({}))).toEqual({ kind: 'wireless', complete: true, rows: [] })
})

test('every definition of wireless sensors has its own types and a known class', () => {
  const entries = HEALTH.scopes().flatMap((scope) => HEALTH.definition(scope).wireless)
  expect(entries.length).toBeGreaterThan(100)
  expect(entries.filter((entry) => !isWirelessClass(entry.class.text)).map((entry) => entry.class.text)).toEqual([])
})

describe('polling', () => {
  const row = {
    sensor_class: 'rssi',
    sensor_oids: '[".1.3.1",".1.3.2"]',
    sensor_aggregator: 'sum',
    sensor_divisor: 10,
    sensor_multiplier: 1,
  }

  test('reads every object', () => {
    expect(wirelessPoll.oids(row)).toEqual(['1.3.1', '1.3.2'])
  })

  test.each(['', 'null', '[1.5', '["evil; drop"]', '[]'])('reads nothing if the list is "%s"', (sensor_oids) => {
    expect(wirelessPoll.oids({ ...row, sensor_oids })).toEqual([])
  })

  test('of a count asks which objects are still there, and is unknown if one did not answer', () => {
    const count = { ...row, sensor_class: 'ap-count', sensor_aggregator: 'count', sensor_divisor: 1 }
    expect([wirelessPoll.reading?.(count), wirelessPoll.reading?.(row)]).toEqual(['present', null])
    expect(wirelessPoll.sample(count, [1, 1])).toBe(2)
    expect(wirelessPoll.sample(count, [1, 0])).toBe(1)
    expect(wirelessPoll.sample(count, [0, 0])).toBe(0)
    expect(wirelessPoll.sample(count, [1, Number.NaN])).toBeNull()
    expect(wirelessPoll.sample(count, [])).toBeNull()
  })

  test('is unknown if one value is missing', () => {
    expect(wirelessPoll.sample(row, [10, 30])).toBe(4)
    expect(wirelessPoll.sample({ ...row, sensor_aggregator: 'avg' }, [10, 30])).toBe(2)
    expect(wirelessPoll.sample(row, [10, Number.NaN])).toBeNull()
    expect(wirelessPoll.sample(row, [])).toBeNull()
  })

  test.each([
    { sent: 1, mhz: 2412 },
    { sent: 13, mhz: 2472 },
    { sent: 14, mhz: 2484 },
    { sent: 44, mhz: 5220 },
    { sent: 161, mhz: 5805 },
    { sent: 5805, mhz: 5805 },
    { sent: 20, mhz: 20 },
  ])('a frequency of $sent is $mhz MHz', ({ sent, mhz }) => {
    const plain = { sensor_class: 'frequency', sensor_aggregator: 'sum', sensor_divisor: 1, sensor_multiplier: 1 }
    expect(shownValue(plain, [sent])).toBe(mhz)
    expect(shownValue({ ...plain, sensor_class: 'channel' }, [sent])).toBe(sent)
    expect(shownValue({ ...plain, sensor_divisor: 1000 }, [sent])).toBe(sent / 1000)
  })

  test.each([
    { sensor_class: 'frequency', sent: 0, shown: null },
    { sensor_class: 'distance', sent: -1, shown: null },
    { sensor_class: 'distance', sent: 0, shown: 0 },
    { sensor_class: 'rssi', sent: 0, shown: null },
    { sensor_class: 'rsrp', sent: -0, shown: null },
    { sensor_class: 'noise-floor', sent: 0, shown: null },
    { sensor_class: 'noise-floor', sent: 161, shown: -95 },
    { sensor_class: 'noise-floor', sent: -95, shown: -95 },
    { sensor_class: 'noise-floor', sent: 1e300, shown: 1e300 },
    { sensor_class: 'power', sent: 0, shown: 0 },
    { sensor_class: 'power', sent: 255, shown: null },
    { sensor_class: 'rsrq', sent: 0, shown: null },
    { sensor_class: 'snr', sent: 0, shown: 0 },
  ])('a $sensor_class sent as $sent is $shown', ({ sensor_class, sent, shown }) => {
    const plain = { sensor_class, sensor_aggregator: 'sum', sensor_divisor: 1, sensor_multiplier: 1 }
    expect(shownValue(plain, [sent])).toBe(shown)
  })
})
