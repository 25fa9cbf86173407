const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Up to this long a range is read from samples. */
const MAX_SAMPLED = 3 * HOUR
/** Hours and days are complete in their roll-ups by then. */
const ROLLED_AFTER = HOUR / 2

/** Part of a range, epoch ms, and the level of detail that it is read from. */
export interface Piece {
  readonly level: 'samples' | '1h' | '1d'
  readonly fromMs: number
  readonly toMs: number
}

/**
 * Divides a range so that few rows cover it: whole days from daily roll-ups, the hours before and after from hourly
 * ones, and what is not rolled up yet from samples. At most four pieces, without gaps or overlaps. Ranges of more than
 * three hours begin at a full hour (UTC).
 */
export function piecesOf(fromMs: number, toMs: number, nowMs: number): readonly Piece[] {
  const end = Math.min(toMs, nowMs)
  if (!(fromMs < end)) return []
  if (end - fromMs <= MAX_SAMPLED) return [{ level: 'samples', fromMs, toMs: end }]
  const start = Math.floor(fromMs / HOUR) * HOUR
  const rolled = Math.max(start, Math.min(end, Math.floor((nowMs - ROLLED_AFTER) / HOUR) * HOUR))
  const hours = Math.floor(rolled / HOUR) * HOUR
  const firstDay = Math.ceil(start / DAY) * DAY
  const lastDay = Math.min(Math.floor(hours / DAY) * DAY, Math.floor((nowMs - 2 * HOUR) / DAY) * DAY)
  const days = lastDay > firstDay
  const pieces: readonly Piece[] = [
    { level: '1h', fromMs: start, toMs: days ? firstDay : hours },
    { level: '1d', fromMs: firstDay, toMs: days ? lastDay : firstDay },
    { level: '1h', fromMs: lastDay, toMs: days ? hours : lastDay },
    { level: 'samples', fromMs: hours, toMs: end },
  ]
  return pieces.filter((piece) => piece.fromMs < piece.toMs)
}
