/**
 * Numbers that agents send for "no value", whatever the sensor: the ends of 32-bit integers, and underflow and overflow
 * of EntitySensorValue (RFC 3433).
 */
const NO_VALUE: ReadonlySet<number> = new Set([2 ** 31 - 1, -(2 ** 31), 2 ** 32 - 1, 10 ** 9, -(10 ** 9)])

/** The ends of integers of 8, 16 and 32 bits: "no value" where a class has no such readings. */
const ENDS: ReadonlySet<number> = new Set(
  [8, 16, 32].flatMap((bits) => [2 ** bits - 1, 2 ** (bits - 1) - 1, -(2 ** (bits - 1))]),
)

/** Agents that send the ends in thousandths, and definitions that divide them, shift them by up to three places. */
const SHIFTS = [1, 10, 100, 1000] as const

/** Classes that count, so that every whole number is possible. */
const COUNTING: ReadonlySet<string> = new Set(['bitrate', 'count', 'power_consumed', 'state'])

type Range = readonly [least: number, most: number]

/** Least and greatest value of a class, in its unit. Wide enough for whatever is measured; other classes have none. */
const RANGES: Readonly<Record<string, Range>> = {
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
  signal_loss: [-500, 500],
  snr: [-200, 200],
  temperature: [-273.15, 2000],
  waterflow: [0, 1e7],
}

/**
 * Ordinary readings of a class, in its unit: within these, the end of an integer is a reading like any other, such as
 * 127 °C in an oven or 25.5 °C sent as 255 tenths; outside it is "no value". Classes without an entry have readings of
 * any size (watts, ps/nm).
 */
const ORDINARY: Readonly<Record<string, readonly Range[]>> = {
  airflow: [[0, 30_000]],
  ber: [[0, 1]],
  charge: [[0, 101]],
  current: [[-1000, 1000]],
  // the received power of mobile networks goes down to -140
  dbm: [[-150, 60]],
  delay: [[0, 30_000]],
  eer: [[0, 100]],
  fanspeed: [[0, 30_000]],
  // mains below, radio and light above
  frequency: [
    [0, 320],
    [100_000, 1e15],
  ],
  humidity: [[0, 101]],
  // several processors add up to more than 100 %
  load: [[0, 300]],
  loss: [[0, 100]],
  percent: [[-100, 200]],
  power_factor: [[-1, 1]],
  pressure: [[-1000, 30_000]],
  quality_factor: [[-50, 100]],
  runtime: [[0, 500]],
  signal: [[-150, 100]],
  signal_loss: [[-100, 100]],
  snr: [[-100, 100]],
  temperature: [[-100, 200]],
  tv_signal: [[-100, 120]],
  voltage: [[-1000, 1000]],
  waterflow: [[0, 30_000]],
}

/** The range of a class; a class without one has every number. */
export function rangeOf(sensorClass: string): Range {
  return RANGES[sensorClass] ?? [-Number.MAX_VALUE, Number.MAX_VALUE]
}

/** True if a value of the class, in its unit, can be measured. */
export function isPlausible(sensorClass: string, value: number): boolean {
  const [least, most] = rangeOf(sensorClass)
  return value >= least && value <= most
}

/** True for readings of the class, in its unit, that are taken as they are even if they are the end of an integer. */
export function isOrdinary(sensorClass: string, value: number): boolean {
  const ranges = ORDINARY[sensorClass]
  return ranges === undefined || ranges.some(([least, most]) => value >= least && value <= most)
}

/**
 * The number that an agent sent, before its scale is applied; null if it means "no value" whatever the scale. Negative
 * numbers also arrive as two's complement in a Gauge32.
 */
export function sentNumber(sensorClass: string, sent: number): number | null {
  if (!Number.isFinite(sent)) return null
  if (COUNTING.has(sensorClass)) return Math.abs(sent) === 1e9 ? null : sent
  if (NO_VALUE.has(sent)) return null
  const negative = sent - 2 ** 32
  return sent > 2 ** 31 && negative < 0 && isPlausible(sensorClass, -1) && negative > -1e6 ? negative : sent
}

/**
 * True if `sent`, or the value in the class's unit that it stands for, is the end of an integer of 8, 16 or 32 bits, also
 * in tenths, hundredths or thousandths, and the class has no such readings: -128 °C, 65,535 V, 327.67 % humidity.
 */
export function meansNoValue(sensorClass: string, sent: number, value: number): boolean {
  if (COUNTING.has(sensorClass) || isOrdinary(sensorClass, value)) return false
  return ENDS.has(sent) || SHIFTS.some((shift) => ENDS.has(Number((value * shift).toPrecision(12))))
}
