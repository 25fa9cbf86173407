import { describe, expect, test } from 'bun:test'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import fc from 'fast-check'
import { isOrdinary, isPlausible } from '../../src/lib/plausible.ts'
import { SENSOR_CLASS_NAMES } from '../../src/lib/sensor-classes.ts'
import { withLimits } from '../../src/modules/guessed-limits.ts'
import type { SensorRow } from '../../src/modules/observation.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { sensorPoll } from '../../src/modules/sensors/poll.ts'
import { agentOf, discover, FACTS, gauge, int, moduleOf, oid, only, text } from './agent.ts'

const row = (sensor_class: string, sensor_current: number | null, changes: Partial<SensorRow> = {}): SensorRow => ({
  sensor_class,
  sensor_type: 'test',
  sensor_index: '1',
  sensor_oid: '1.3.6.1.4.1.99999.1.1',
  sensor_descr: 'test',
  group: null,
  sensor_divisor: 1,
  sensor_multiplier: 1,
  sensor_current,
  sensor_limit: null,
  sensor_limit_warn: null,
  sensor_limit_low: null,
  sensor_limit_low_warn: null,
  entPhysicalIndex: null,
  entPhysicalIndex_measured: null,
  ...changes,
})

const polled = (sensor_class: string, sent: number, sensor_divisor = 1, sensor_type = 'test') =>
  sensorPoll.sample(
    { sensor_class, sensor_oid: '1', sensor_type, sensor_divisor, sensor_multiplier: 1, user_func: null },
    [sent],
  )

describe('codes for "no value"', () => {
  test.each([
    ['temperature', 2_147_483_647, null],
    ['temperature', -2_147_483_648, null],
    ['temperature', 65_535, null],
    ['temperature', 32_767, null],
    ['temperature', -32_768, null],
    ['temperature', 4_294_967_295, null],
    ['temperature', 4_294_967_293, -3],
    ['temperature', -5, -5],
    ['fanspeed', 4_294_967_293, null],
    ['fanspeed', -1, null],
    ['fanspeed', 65_535, null],
    ['fanspeed', 12_000, 12_000],
    ['runtime', -1, null],
    ['charge', -1, null],
    ['charge', 100, 100],
    ['humidity', 65_535, null],
    ['load', -1, null],
    ['frequency', -1, null],
    ['count', 65_535, 65_535],
    ['count', 4_294_967_295, 4_294_967_295],
    ['state', -1, -1],
    ['voltage', -48, -48],
    ['temperature', -128, null],
    ['temperature', -127, -127],
    ['temperature', 127, 127],
    ['temperature', 255, null],
    ['temperature', 254, 254],
    ['temperature', 4_294_967_168, null],
    ['humidity', 127, null],
    ['snr', 127, null],
    ['dbm', 127, null],
    ['signal', -128, -128],
    ['voltage', 65_535, null],
    ['voltage', 32_767, null],
    ['voltage', -32_768, null],
    ['voltage', 65_534, 65_534],
    ['voltage', 255, 255],
    ['voltage', 127, 127],
    ['current', 65_535, null],
    ['current', -32_768, null],
    ['power', 65_535, 65_535],
    ['power', 4_294_967_295, null],
    ['pressure', 65_535, null],
    ['frequency', 65_535, null],
    ['frequency', 255, 255],
    ['power_factor', 255, null],
    ['state', 255, 255],
    ['state', -128, -128],
  ])('%s of %p is %p', (sensorClass, sent, want) => {
    expect(polled(sensorClass, sent)).toBe(want)
    const found = withLimits(row(sensorClass, sent))
    expect(found.sensor_current).toBe(want)
    if (want === null) expect(found).toMatchObject({ sensor_limit: null, sensor_limit_low: null, limits_guessed: 0 })
  })

  test('the code is what was sent, not the value that is shown', () => {
    expect(polled('temperature', 65_535, 100)).toBe(null)
    expect(withLimits(row('temperature', 655.35, { sensor_divisor: 100 })).sensor_current).toBe(null)
    expect(polled('temperature', 4_294_967_256, 10)).toBe(-4)
    expect(withLimits(row('temperature', 429_496_725.6, { sensor_divisor: 10 })).sensor_current).toBe(-4)
  })

  test.each([
    ['voltage', 65_535, 10, null],
    ['voltage', 32_767, 10, null],
    ['voltage', 65_535_000, 1000, null],
    ['voltage', 65_535, 1000, 65.535],
    ['voltage', 6_553_500, 1000, null],
    ['temperature', 255, 10, 25.5],
    ['temperature', -1280, 10, null],
    ['temperature', -128, 10, -12.8],
    ['temperature', 32_767, 1000, 32.767],
    ['temperature', 32_767, 10, null],
    ['temperature', 65_535, 100, null],
    ['power_factor', 255, 100, null],
    ['power_factor', 127, 1000, 0.127],
    ['runtime', 32_767, 60, null],
    ['current', 65_535, 100, 655.35],
  ])('%s of %p divided by %p is %p', (sensorClass, sent, divisor, want) => {
    expect(polled(sensorClass, sent, divisor)).toBe(want)
    const found = withLimits(row(sensorClass, sent / divisor, { sensor_divisor: divisor }))
    expect(found.sensor_current).toBe(want)
  })

  test('ordinary readings are never dropped, and no end of an integer is a reading where it is not ordinary', () => {
    const ends = [-128, 127, 255, -32_768, 32_767, 65_535]
    const exempt = ['bitrate', 'count', 'power_consumed', 'state']
    const classes = fc.constantFrom(...SENSOR_CLASS_NAMES)
    const scale = fc.constantFrom(1, 10, 100, 1000)
    const sent = fc.oneof(fc.integer({ min: -70_000, max: 70_000 }), fc.constantFrom(...ends))
    fc.assert(
      fc.property(classes, sent, scale, (sensorClass, number, divisor) => {
        const value = number / divisor
        const isReading = isOrdinary(sensorClass, value) || exempt.includes(sensorClass)
        const shown = polled(sensorClass, number, divisor)
        expect(withLimits(row(sensorClass, value, { sensor_divisor: divisor })).sensor_current).toBe(shown)
        if (isReading && isPlausible(sensorClass, value)) expect(shown).toBe(value)
        if (!isReading && ends.includes(number)) expect(shown).toBe(null)
        if (!isReading && ends.includes(value)) expect(shown).toBe(null)
        if (shown !== null) expect(shown).toBe(value)
      }),
      { numRuns: 5000 },
    )
  })

  test.each(SENSOR_CLASS_NAMES.map((name) => [name] as const))('ordinary readings of %s are plausible', (name) => {
    const typical = [0, 0.5, 1, 12, 25.5, 50, 99]
    for (const value of typical) if (isOrdinary(name, value)) expect(polled(name, value)).toBe(value)
  })

  test('ENTITY-SENSOR-MIB has values up to 10^9', () => {
    expect(polled('voltage', 1_000_000_001, 1000, 'entity-sensor')).toBe(null)
    expect(polled('voltage', 999_999_999, 1000, 'entity-sensor')).toBe(999_999.999)
  })

  test('limits that cannot be are unknown as well, and whatever is given or guessed is plausible', () => {
    expect(withLimits(row('temperature', 20, { sensor_limit: 2_147_483_647 })).sensor_limit).toBe(40)
    const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(0, -0, 1e-300, 1e300, 65_535, 4_294_967_295))
    fc.assert(
      fc.property(
        fc.constantFrom(...SENSOR_CLASS_NAMES),
        number,
        number,
        number,
        (sensorClass, value, high, divisor) => {
          const found = withLimits(row(sensorClass, value, { sensor_limit: high, sensor_divisor: divisor }))
          for (const shown of [found.sensor_current, polled(sensorClass, value, divisor)])
            if (shown !== null) expect(isPlausible(sensorClass, shown)).toBe(true)
          if (found.sensor_current === null && value === high) expect(found.limits_guessed).toBe(0)
        },
      ),
    )
  })

  test.each<[string, number, number, number, number | null, [number | null, number | null]]>([
    // the least 16-bit integer, in thousandths and in ten-thousandths
    ['voltage', 3.3, 1000, -32.768, -32.768, [3.795, 2.805]],
    ['current', 0.03, 10_000, -3.2768, -3.2768, [null, null]],
    ['power', 750, 1, -32_768, -32_768, [null, null]],
    ['voltage', -48, 1, -40, -56, [-40, -56]],
    // an upper limit of 0 where something is measured
    ['power', 4, 1, 0, null, [null, null]],
    ['dbm', 2, 1, 0, -20, [0, -20]],
    ['count', 3, 1, 0, null, [0, null]],
    // equal limits are beyond every value but one
    ['current', 0, 1, 0, 0, [null, null]],
    ['state', 2, 1, 1, 1, [null, null]],
  ])('%s %p sent in 1/%p with the limits %p and %p has %p', (name, value, sensor_divisor, high, low, want) => {
    const limits = { sensor_limit: high, sensor_limit_low: low, sensor_limit_warn: high, sensor_limit_low_warn: low }
    const found = withLimits(row(name, value, { sensor_divisor, ...limits }))
    expect([found.sensor_limit, found.sensor_limit_low]).toEqual(want)
    const given = [high, low].every((limit) => limit === null || want.includes(limit))
    expect([found.sensor_limit_warn, found.sensor_limit_low_warn]).toEqual(given ? [high, low] : [null, null])
  })

  test('nothing is guessed from 0, which is a device at rest', () => {
    for (const name of ['voltage', 'fanspeed', 'frequency']) {
      const unknown = { sensor_limit: null, sensor_limit_low: null, limits_guessed: 0 }
      expect(withLimits(row(name, 0))).toMatchObject(unknown)
    }
    expect(withLimits(row('temperature', 0))).toMatchObject({ sensor_limit: 20 })
  })

  test('no lower limit of temperature is guessed, and guesses are marked', () => {
    expect(withLimits(row('temperature', 25))).toMatchObject({
      sensor_limit: 45,
      sensor_limit_low: null,
      limits_guessed: 1,
    })
    const given = row('temperature', 25, { sensor_limit: 60 })
    expect(withLimits(given)).toMatchObject({ sensor_limit: 60, sensor_limit_low: null, limits_guessed: 0 })
  })
})

describe('UPS-MIB', () => {
  const ups = async (hertz: number, amperes: number) => {
    const cells: Record<string, SnmpValue> = {
      '1.3.6.1.2.1.1.2.0': oid('1.3.6.1.4.1.99999'),
      '1.3.6.1.2.1.33.1.1.1.0': text('ACME'),
      '1.3.6.1.2.1.33.1.2.1.0': int(2),
      '1.3.6.1.2.1.33.1.2.3.0': int(-1),
      '1.3.6.1.2.1.33.1.3.2.0': int(1),
      '1.3.6.1.2.1.33.1.3.3.1.2.1': int(hertz),
      '1.3.6.1.2.1.33.1.3.3.1.3.1': int(230),
      '1.3.6.1.2.1.33.1.3.3.1.4.1': gauge(amperes),
      '1.3.6.1.2.1.33.1.4.1.0': int(3),
      '1.3.6.1.2.1.33.1.4.2.0': int(hertz),
      '1.3.6.1.2.1.33.1.4.3.0': int(1),
    }
    const found = await discover([moduleOf(MODULES, 'defined-health')], agentOf(cells), FACTS)
    return only(found, 'sensors').rows
  }

  test.each([
    ['tenths', 500, 43],
    ['whole units', 50, 4.3],
    ['whole units, 60 Hz', 60, 7],
  ])('frequencies and currents in %s', async (_name, hertz, amperes) => {
    const sensors = await ups(hertz, Math.round(amperes))
    const whole = hertz <= 60
    const of = (name: string) => sensors.filter(({ sensor_class }) => sensor_class === name)
    expect(of('frequency').map((sensor) => sensor.sensor_current)).toEqual(
      of('frequency').map(() => (whole ? hertz : hertz / 10)),
    )
    expect(of('frequency').length).toBe(2)
    expect(of('current')).toMatchObject([{ sensor_divisor: whole ? 1 : 10 }])
  })

  test('-1 minutes left is unknown', async () => {
    const runtime = (await ups(500, 40)).find(({ sensor_class }) => sensor_class === 'runtime')
    expect(runtime?.sensor_current).toBe(null)
  })
})
