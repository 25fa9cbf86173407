/**
 * Numbers that agents send for "no value", whatever the sensor: the ends of 32-bit integers, and underflow and overflow
 * of EntitySensorValue (RFC 3433).
 */
const NO_VALUE: ReadonlySet<number> = new Set([2 ** 31 - 1, -(2 ** 31), 2 ** 32 - 1, 10 ** 9, -(10 ** 9)])

/** The ends of 16-bit integers, which are "no value" too where such a number is not to be expected. */
const NO_VALUE_16: ReadonlySet<number> = new Set([2 ** 16 - 1, 2 ** 15 - 1, -(2 ** 15)])

/** Classes that count, so that every whole number is possible. */
const COUNTING: ReadonlySet<string> = new Set(['bitrate', 'count', 'power_consumed', 'state'])

/** Classes whose values, as sent, are far from 32,767. */
const SMALL: ReadonlySet<string> = new Set([
  'charge',
  'fanspeed',
  'humidity',
  'load',
  'loss',
  'percent',
  'runtime',
  'signal',
  'temperature',
])

/** Least and greatest value of a class, in its unit. Wide enough for whatever is measured; other classes have none. */
const RANGES: Readonly<Record<string, readonly [least: number, most: number]>> = {
  airflow: [0, 1e7],
  charge: [0, 200],
  dbm: [-200, 200],
  delay: [0, 1e9],
  fanspeed: [0, 500_000],
  frequency: [0, 1e15],
  humidity: [0, 150],
  load: [0, 10_000],
  loss: [0, 100],
  percent: [-1000, 10_000],
  runtime: [0, 1e7],
  signal: [-500, 500],
  snr: [-200, 200],
  temperature: [-273.15, 2000],
  waterflow: [0, 1e7],
}

/** The range of a class; a class without one has every number. */
export function rangeOf(sensorClass: string): readonly [least: number, most: number] {
  return RANGES[sensorClass] ?? [-Number.MAX_VALUE, Number.MAX_VALUE]
}

/** True if a value of the class, in its unit, can be measured. */
export function isPlausible(sensorClass: string, value: number): boolean {
  const [least, most] = rangeOf(sensorClass)
  return value >= least && value <= most
}

/**
 * The number that an agent sent, before its scale is applied; null if it means "no value". Negative numbers also arrive
 * as two's complement in a Gauge32.
 */
export function sentNumber(sensorClass: string, sent: number): number | null {
  if (!Number.isFinite(sent)) return null
  if (COUNTING.has(sensorClass)) return Math.abs(sent) === 1e9 ? null : sent
  if (NO_VALUE.has(sent) || (SMALL.has(sensorClass) && NO_VALUE_16.has(sent))) return null
  const negative = sent - 2 ** 32
  return sent > 2 ** 31 && negative < 0 && isPlausible(sensorClass, -1) && negative > -1e6 ? negative : sent
}
