const hundredths = (v: number): number => (Number.isInteger(v) ? v / 100 : v)
const masked = (mask: number) => (v: number) => v & mask
const rounded = (v: number): number => Math.sign(v) * Math.round(Math.abs(v))

/**
 * Functions of `user_func`, by the name stored with the sensor. They turn the value after divisor and multiplier into
 * the one shown. Functions that need the text reported by the agent are in `TEXT_READINGS`.
 */
export const FUNCTIONS: Readonly<Record<string, (value: number) => number>> = {
  fahrenheit_to_celsius: (v) => Math.round(((v - 32) / 1.8) * 100) / 100,
  mw_to_dbm: (v) => dbm(v),
  uw_to_dbm: (v) => dbm(v / 1000),
  string_to_float: (v) => Math.round(v * 100) / 100,
  round: rounded,
  ieee754_to_decimal: (v) => singlePrecision(v),
  cast: (v) => v,
  normalizeTransceiverValues: hundredths,
  normalizeTransceiverValuesCurrent: (v) => hundredths(v) * 0.001,
  offsetSfpTemperature: (v) => v - 128,
  convertWattToDbm: (v) => 10 * Math.log10(v / 10_000_000) + 30,
  motorStatus: masked(3),
  modeStatus: masked(60),
  transferPumpStatus: masked(64),
  alarmStatus: masked(128),
  commStatus: masked(768),
  cec7CommAlarmStatus: masked(1),
  cec7ModeStatus: masked(30),
  cec7CommStatus: masked(96),
}

/** The name under which a function in a definition file is stored: without its namespace. */
export function functionName(written: string): string {
  return written.slice(written.lastIndexOf(':') + 1).trim()
}

function dbm(milliwatts: number): number {
  if (milliwatts < 0) return Number.NaN
  return milliwatts === 0 ? -60 : 10 * Math.log10(milliwatts)
}

/** The 32 bits as a single-precision float, always with a leading 1 (no denormals, infinities or NaN). */
function singlePrecision(bits: number): number {
  const sign = (bits >>> 31) & 1 ? -1 : 1
  const exponent = ((bits >>> 23) & 0xff) - 127
  return sign * (1 + (bits & 0x7fffff) / 0x800000) * 2 ** exponent
}
