import type { Segment } from './operation.ts'

/** Times as people say them: `5 min`, `2 h`, `90 s`. */
export function timeText(seconds: number): string {
  for (const [unit, size] of [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
  ] as const)
    if (seconds > 0 && seconds % size === 0) return `${seconds / size} ${unit}`
  return `${seconds} s`
}

/**
 * When a segment notifies: `at once`, `after 10 min, then every 5 min`, `after 25 min, 3 times every 5 min`. `segment`:
 * with its step duration filled in; `beginS`: when it begins, seconds after the phase.
 */
export function whenText({ from, to, durationS }: Segment, beginS: number): string {
  const first = beginS === 0 ? 'at once' : `after ${timeText(beginS)}`
  if (to === null) return `${first}, then every ${timeText(durationS)}`
  const times = to - from + 1
  return times === 1 ? first : `${first}, ${times} times every ${timeText(durationS)}`
}
