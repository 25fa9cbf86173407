import { expect, test } from 'bun:test'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { sensorPoll } from '../../src/modules/sensors/poll.ts'
import { agentOf, gauge, int, only, row, run, text } from './agent.ts'

const ADSL = '1.3.6.1.2.1.10.94.1.1'
const VDSL = '1.3.6.1.2.1.10.251.1'

type Cells = Record<string, SnmpValue>
const port = (index: number, type: number, name: string | null): Cells => ({
  ...row('1.3.6.1.2.1.2.2.1', String(index), { 2: text(`interface ${index}`), 3: int(type), 8: int(1) }),
  ...(name !== null && row('1.3.6.1.2.1.31.1.1.1', String(index), { 1: text(name) })),
})
const found = async (cells: Cells) => {
  const { rows, complete } = only(await run('xdsl', agentOf(cells)), 'sensors')
  return { complete, rows, shown: rows.map((one) => `${one.sensor_class} ${one.sensor_descr}: ${one.sensor_current}`) }
}

test('an ADSL line: each end measures what it receives, and has the power and rates of what it sends', async () => {
  const { rows, shown, complete } = await found({
    ...port(4, 94, 'atm0'),
    ...port(5, 125, null),
    ...row(`${ADSL}.2.1`, '4', { 4: int(61), 5: gauge(105), 7: int(197), 8: gauge(12_416_000) }),
    ...row(`${ADSL}.3.1`, '4', { 4: int(-5), 5: gauge(224), 7: int(122), 8: gauge(1_180_000) }),
    ...row(`${ADSL}.4.1`, '5', { 2: gauge(9_984_000) }),
    ...row(`${ADSL}.5.1`, '5', { 2: gauge(1_020_000) }),
  })
  expect(complete).toBe(true)
  expect(shown).toEqual([
    'snr atm0 upstream noise margin: 6.1',
    'signal_loss atm0 upstream attenuation: 10.5',
    'dbm atm0 downstream power: 19.7',
    'bitrate atm0 downstream attainable rate: 12416000',
    'snr atm0 downstream noise margin: -0.5',
    'signal_loss atm0 downstream attenuation: 22.4',
    'dbm atm0 upstream power: 12.2',
    'bitrate atm0 upstream attainable rate: 1180000',
    'bitrate interface 5 downstream rate: 9984000',
    'bitrate interface 5 upstream rate: 1020000',
  ])
  expect(rows[0]).toMatchObject({
    sensor_type: 'xdsl',
    sensor_oid: `${ADSL}.2.1.4.4`,
    entPhysicalIndex: '4',
    entPhysicalIndex_measured: 'ports',
    // a limit of the line, not one guessed from its first value
    sensor_limit_low: 0,
    sensor_limit: 64,
    limits_guessed: 0,
  })
  expect(new Set(rows.map((one) => `${one.sensor_class} ${one.sensor_index}`)).size).toBe(rows.length)
})

test('a VDSL2 line: margins of the whole line, attenuation of each band, and how its last start ended', async () => {
  const { rows, shown } = await found({
    ...port(7, 251, 'dsl0'),
    ...row(`${VDSL}.1.1.1`, '7', {
      15: int(0),
      20: gauge(103_000_000),
      21: gauge(41_000_000),
      24: int(143),
      25: int(2_147_483_647),
    }),
    ...row(`${VDSL}.1.2.1`, '7.1', { 2: gauge(2_147_483_646), 4: int(84) }),
    ...row(`${VDSL}.1.2.1`, '7.2', { 2: gauge(2_147_483_646), 4: int(2_147_483_646) }),
    ...row(`${VDSL}.1.2.1`, '7.4', { 2: gauge(170), 4: int(90) }),
    ...row(`${VDSL}.1.2.1`, '7.5', { 2: gauge(2_147_483_646), 4: int(90) }),
    ...row(`${VDSL}.1.2.1`, '7.99', { 2: gauge(1), 4: int(1) }),
    ...row(`${VDSL}.2.2.1`, '7.1', { 2: gauge(96_000_000) }),
    ...row(`${VDSL}.2.2.1`, '7.2', { 2: gauge(36_000_000) }),
    ...row(`${VDSL}.2.2.1`, '7.3', { 2: gauge(1) }),
  })
  expect(shown).toEqual([
    'state dsl0 last start: 0',
    'bitrate dsl0 downstream attainable rate: 103000000',
    'bitrate dsl0 upstream attainable rate: 41000000',
    'dbm dsl0 downstream power: 14.3',
    'dbm dsl0 upstream power: null',
    'snr dsl0 upstream noise margin: 8.4',
    'snr dsl0 downstream noise margin: null',
    'signal_loss dsl0 DS1 attenuation: 17',
    'signal_loss dsl0 US1 attenuation: null',
    'bitrate dsl0 downstream rate: 96000000',
    'bitrate dsl0 upstream rate: 36000000',
  ])
  expect(rows[0]?.states?.values.find(({ value }) => value === 4)).toMatchObject({ generic: 'unknown' })
  // polled: the codes for "not available" and "beyond the range" are no values
  const attenuation = rows.find((one) => one.sensor_descr.includes('DS1'))
  if (attenuation === undefined) throw new Error('no attenuation')
  const polled = { ...attenuation, user_func: null }
  expect([175, 2_147_483_646, 2_147_483_647].map((sent) => sensorPoll.sample(polled, [sent]))).toEqual([
    17.5,
    null,
    null,
  ])
})

test('ADSL2 in VDSL2-LINE-MIB has the attenuation of the whole line', async () => {
  const { shown } = await found({
    ...port(7, 238, 'dsl0'),
    ...row(`${VDSL}.1.2.1`, '7.2', { 2: gauge(305), 4: int(66) }),
  })
  expect(shown).toEqual(['snr dsl0 downstream noise margin: 6.6', 'signal_loss dsl0 downstream attenuation: 30.5'])
})

test('a device without DSL interfaces is asked for no DSL table; a malformed index is no line', async () => {
  const agent = agentOf({ ...port(1, 6, 'eth0'), ...row(`${ADSL}.2.1`, '1', { 4: int(61) }) })
  expect(only(await run('xdsl', agent), 'sensors').rows).toEqual([])
  expect(agent.asked.some((oid) => oid.startsWith('1.3.6.1.2.1.10.'))).toBe(false)
  const odd = await found({
    ...port(4, 94, 'atm0'),
    ...row(`${VDSL}.1.2.1`, '4', { 2: gauge(305), 4: int(66) }),
    ...row(`${VDSL}.1.2.1`, '4.1.1', { 2: gauge(305), 4: int(66) }),
    ...row(`${ADSL}.2.1`, '', { 4: int(61) }),
  })
  expect(odd.shown.filter((one) => one.includes('atm0'))).toEqual([])
})

test('a truncated walk is not complete', async () => {
  const cells = { ...port(4, 94, 'atm0'), ...row(`${ADSL}.2.1`, '4', { 4: int(61) }) }
  for (const column of ['1.3.6.1.2.1.2.2.1.2', `${ADSL}.2.1.4`]) {
    const cut = agentOf(cells, { truncated: { [column]: 1 } })
    expect(only(await run('xdsl', cut), 'sensors').complete).toBe(false)
  }
})
