const MAX_DIGITS = 20

/**
 * A number rounded to `digits` decimals, which may be negative. Rounds half away from zero on the decimal text, so that
 * 1.005 becomes 1.01.
 */
export function rounded(n: number, digits: number): number {
  const places = Math.max(-MAX_DIGITS, Math.min(MAX_DIGITS, digits))
  if (!Number.isFinite(n) || Math.abs(n) >= 1e21) return n
  const [mantissa = '', exponent = '0'] = String(Math.abs(n)).split('e')
  const shifted = Math.round(Number(`${mantissa}e${Number(exponent) + places}`))
  const [m = '', e = '0'] = String(shifted).split('e')
  return Math.sign(n) * Number(`${m}e${Number(e) - places}`) || 0
}

/** A number with 0 to 20 decimals and separated thousands: `1,234.50`. From 1e21 on in exponent form. */
export function grouped(n: number, digits: number, point: string, thousands: string): string {
  const places = Math.max(0, Math.min(MAX_DIGITS, digits))
  const value = rounded(n, places)
  if (!Number.isFinite(value) || Math.abs(value) >= 1e21) return String(value)
  const [units = '', decimals = ''] = Math.abs(value).toFixed(places).split('.')
  const groups = units.replaceAll(/\B(?=(?:\d{3})+$)/g, () => thousands)
  return `${value < 0 ? '-' : ''}${groups}${decimals === '' ? '' : point + decimals}`
}
