const PREFIXES = ['', 'k', 'M', 'G', 'T', 'P', 'E']

/** Three significant digits with SI prefix and a space: `232 M`. */
export function short(value: number): string {
  let [scaled, step] = [value, 0]
  while (Math.abs(scaled) >= 999.5 && step < PREFIXES.length - 1) {
    scaled /= 1000
    step++
  }
  const size = Math.abs(scaled)
  const digits = size === 0 || size >= 100 ? 0 : size >= 10 ? 1 : 2
  const text = scaled.toFixed(digits).replace(/\.0+$/, '')
  return `${text} ${PREFIXES[step] ?? ''}`
}

/** Now, mean, most, 95th and total of values of `stepS` seconds each, as text; `–` where unknown. */
export function figuresOf(values: readonly (number | null)[], stepS: number, unit: string): readonly string[] {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return ['–', '–', '–', '–', '–']
  const sorted = known.toSorted((a, b) => a - b)
  const sum = known.reduce((total, value) => total + value, 0)
  const now = values.findLast((value) => value !== null) ?? 0
  const total = unit === 'bit/s' ? `${short((sum * stepS) / 8)}B` : `${short(sum * stepS)}`
  return [
    short(now),
    short(sum / known.length),
    short(sorted.at(-1) ?? 0),
    short(sorted[Math.ceil(known.length * 0.95) - 1] ?? 0),
    total,
  ]
}
