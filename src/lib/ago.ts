const STEPS = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** An age in seconds as text, in the largest unit that fits: `2 hours ago`. Negative ages count as 0. */
export function ago(seconds: number): string {
  const past = Math.max(0, seconds)
  const [unit, size] = STEPS.find(([, length]) => past >= length) ?? ['second', 1]
  const count = Math.floor(past / size)
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`
}
