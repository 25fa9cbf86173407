import type { Rect } from '../scene.ts'
import { type Inks, LEVELS, levelOf } from './palette-blend.ts'

/** Images of up to this many pixels share one buffer, which is kept; larger ones are drawn in bands. */
export const KEPT_PIXELS = 1_500_000
/** Pixels per band: they fit in the CPU cache and take a few milliseconds to draw. */
const BAND_PIXELS = 250_000
/** Spans shorter than this are filled in a loop, which is faster. */
const SHORT = 24

/** A range of heights that is covered. */
export interface Reach {
  readonly top: number
  readonly bottom: number
}

/** How a line crosses a column of pixels, see `Surface.column`. */
interface Crossing extends Reach {
  readonly left: Reach
  readonly right: Reach
}

/**
 * The pixels of an image as rows of PNG with colour type 3: a filter byte of 0, then one palette entry per pixel. Boxes
 * have whole x; their y may be fractions, which cover a row in part. Everything is clipped.
 */
export class Surface {
  readonly width: number
  readonly height: number
  /** `height` rows of `width + 1` bytes. */
  readonly rows: Uint8Array<ArrayBuffer>
  readonly #inks: Inks
  /** The rows being drawn. */
  #band: { readonly top: number; readonly bottom: number }
  #left = 0
  #top = 0
  #right: number
  #bottom: number

  constructor(width: number, height: number, buffer: ArrayBuffer, inks: Inks) {
    this.width = width
    this.height = height
    this.rows = new Uint8Array(buffer, 0, (width + 1) * height)
    this.#inks = inks
    this.#band = { top: 0, bottom: height }
    this.#right = width
    this.#bottom = height
  }

  /** Bands of rows from the top down; a small image has just one. Only the current band is drawn. */
  *bands(): Generator<void> {
    const large = this.width * this.height > KEPT_PIXELS
    const rows = large ? Math.max(1, Math.floor(BAND_PIXELS / this.width)) : this.height
    for (let top = 0; top < this.height; top += rows) {
      this.#band = { top, bottom: Math.min(this.height, top + rows) }
      yield
    }
  }

  /** Limits drawing to this box, with edges rounded to whole pixels. */
  clip({ left, top, right, bottom }: Rect): void {
    this.#left = Math.max(0, Math.round(left))
    this.#top = Math.max(this.#band.top, Math.round(top))
    this.#right = Math.min(this.width, Math.round(right))
    this.#bottom = Math.min(this.#band.bottom, Math.round(bottom))
  }

  /** Allows drawing in the whole band again. */
  unclip(): void {
    this.clip({ left: 0, top: 0, right: this.width, bottom: this.height })
  }

  /** Fills the whole band with one opaque ink. */
  clear(ink: number): void {
    const stride = this.width + 1
    const [start, end] = [this.#band.top * stride, this.#band.bottom * stride]
    this.rows.fill(this.#inks.solid(ink), start, end)
    for (let at = start; at < end; at += stride) this.rows[at] = 0
  }

  /** A filled box. A coordinate that is not a number draws nothing. */
  box(ink: number, left: number, top: number, right: number, bottom: number): void {
    const upper = Math.max(top, this.#top)
    const lower = Math.min(bottom, this.#bottom)
    if (!(lower > upper)) return
    const first = Math.floor(upper)
    const last = Math.floor(lower)
    if (first === last) {
      this.span(ink, levelOf(lower - upper), first, left, right)
      return
    }
    let row = first
    if (upper > first) {
      this.span(ink, levelOf(first + 1 - upper), first, left, right)
      row++
    }
    for (; row < last; row++) this.span(ink, LEVELS, row, left, right)
    if (lower > last) this.span(ink, levelOf(lower - last), last, left, right)
  }

  /** Draws part of a row with coverage `level`. */
  span(ink: number, level: number, row: number, left: number, right: number): void {
    if (level === 0 || row < this.#top || row >= this.#bottom) return
    const offset = row * (this.width + 1) + 1
    const start = offset + Math.max(left, this.#left)
    const end = offset + Math.min(right, this.#right)
    const solid = level === LEVELS ? this.#inks.solid(ink) : -1
    const { rows } = this
    if (solid < 0) this.#blend(ink, level, start, end)
    else if (end - start < SHORT) for (let at = start; at < end; at++) rows[at] = solid
    else rows.fill(solid, start, end)
  }

  /** Neighbouring pixels often have the same colour, so the last result is kept. */
  #blend(ink: number, level: number, start: number, end: number): void {
    const { rows } = this
    let last = -1
    let entry = 0
    for (let at = start; at < end; at++) {
      const below = rows[at] ?? 0
      if (below !== last) {
        last = below
        entry = this.#inks.over(ink, level, below)
      }
      rows[at] = entry
    }
  }

  /**
   * A column of pixels that a line crosses from `top` to `bottom`. Its left half is covered over the range `left`, its
   * right half over the range `right`. Where both halves are covered, but not by the crossing itself, three quarters
   * are drawn: a full pixel between smoothed lines would stand out.
   */
  column(ink: number, x: number, { top, bottom, left, right }: Crossing): void {
    if (x < this.#left || x >= this.#right) return
    const first = Math.max(this.#top, Math.floor(Math.min(top, left.top, right.top)))
    const end = Math.min(this.#bottom, Math.ceil(Math.max(bottom, left.bottom, right.bottom)))
    // between the rows in which a range begins or ends, all rows are covered alike
    for (let row = first; row < end; ) {
      const whole = within(top, bottom, row)
      const beside = Math.max(0, within(left.top, left.bottom, row) - whole) / 2
      const beyond = Math.max(0, within(right.top, right.bottom, row) - whole) / 2
      const level = levelOf(whole + beside + beyond - beside * beyond)
      const alike = Math.min(
        end,
        alikeUntil(top, bottom, row),
        alikeUntil(left.top, left.bottom, row),
        alikeUntil(right.top, right.bottom, row),
      )
      if (level > 0) this.#blendDown(ink, level, x, row, alike)
      row = alike
    }
  }

  #blendDown(ink: number, level: number, x: number, first: number, end: number): void {
    const { rows } = this
    const stride = this.width + 1
    let last = -1
    let entry = 0
    for (let row = first, at = first * stride + 1 + x; row < end; row++, at += stride) {
      const below = rows[at] ?? 0
      if (below !== last) {
        last = below
        entry = this.#inks.over(ink, level, below)
      }
      rows[at] = entry
    }
  }

  /** A mask of levels, row by row, `width` wide, with its top left corner at (left, top). */
  mask(ink: number, levels: Uint8Array, width: number, left: number, top: number): void {
    const from = Math.max(0, this.#left - left)
    const to = Math.min(width, this.#right - left)
    const { rows } = this
    for (let row = 0; row * width < levels.length; row++) {
      const y = top + row
      if (y < this.#top || y >= this.#bottom) continue
      const offset = y * (this.width + 1) + 1 + left
      for (let x = from; x < to; x++) {
        const level = levels[row * width + x] ?? 0
        if (level > 0) rows[offset + x] = this.#inks.over(ink, level, rows[offset + x] ?? 0)
      }
    }
  }
}

/** How much of a row lies between two heights, 0 to 1. */
function within(top: number, bottom: number, row: number): number {
  return Math.max(0, Math.min(bottom, row + 1) - Math.max(top, row))
}

/** The row after `row` up to which a range covers all rows as much as that one. */
function alikeUntil(top: number, bottom: number, row: number): number {
  if (row + 1 <= top) return Math.max(row + 1, Math.floor(top))
  if (row >= bottom) return Number.POSITIVE_INFINITY
  return row >= top && row + 1 <= bottom ? Math.floor(bottom) : row + 1
}

/** Creates surfaces, one at a time, in memory that is reused unless the image is very large. */
export function surfaces(inks: Inks): (width: number, height: number) => Surface {
  let kept = new ArrayBuffer(0)
  return (width, height) => {
    const octets = (width + 1) * height
    if (octets > KEPT_PIXELS) return new Surface(width, height, new ArrayBuffer(octets), inks)
    if (kept.byteLength < octets) kept = new ArrayBuffer(octets)
    return new Surface(width, height, kept, inks)
  }
}
