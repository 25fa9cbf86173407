import type { GraphOptions } from '../core/base/graphs.ts'

const DEFAULT_WIDTH = 1075

const DEFAULT_HEIGHT = 300

/** Sizes outside these ranges are rejected: 8 million pixels take 32 MB while being drawn. */
const WIDTHS: readonly [number, number] = [16, 4000]

const HEIGHTS: readonly [number, number] = [10, 2000]

/** Most buckets in a response with numbers. */
const MAX_POINTS = 4000

export interface Size {
  readonly kind: 'ok'
  readonly width: number
  readonly height: number
  /** Most buckets in a response with numbers; null: as many as the image has. */
  readonly points: number | null
}

/** The size that the options request. Text that is not a number counts as absent; a size out of range is rejected. */
export function sizeOf({
  width,
  height,
  max_points: maxPoints,
}: GraphOptions): Size | { kind: 'bad-size'; message: string } {
  const [w, h, points] = [numberOf(width) ?? DEFAULT_WIDTH, numberOf(height) ?? DEFAULT_HEIGHT, numberOf(maxPoints)]
  if (!within(w, WIDTHS)) return { kind: 'bad-size', message: `'width' is not from ${WIDTHS.join(' to ')}` }
  if (!within(h, HEIGHTS)) return { kind: 'bad-size', message: `'height' is not from ${HEIGHTS.join(' to ')}` }
  if (points !== null && !within(points, [2, MAX_POINTS]))
    return { kind: 'bad-size', message: `'max_points' is not from 2 to ${MAX_POINTS}` }
  return { kind: 'ok', width: w, height: h, points }
}

const within = (n: number, [least, most]: readonly [number, number]) => n >= least && n <= most

function numberOf(text: string | undefined): number | null {
  const n = text === undefined || text.trim() === '' ? Number.NaN : Number(text)
  return Number.isNaN(n) ? null : Math.round(n)
}

/** Present and not "no". */
export function flag(text: string | undefined): boolean {
  return text !== undefined && !['', '0', 'no', 'false'].includes(text.toLowerCase())
}

/** The title that the options request: their own, or `usual`; null: none. */
export function requestedTitle({ title, graph_title: ownTitle }: GraphOptions, usual: string): string | null {
  if (ownTitle) return ownTitle
  return !title || title === 'no' ? null : usual
}
