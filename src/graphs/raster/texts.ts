import type { SKRSContext2D } from '@napi-rs/canvas'
import type { Measure, Text } from '../scene.ts'
import { levelOf } from './inks.ts'

/** A text as levels of coverage, row by row. */
export interface Mask {
  readonly levels: Uint8Array
  readonly width: number
  /** Of its top left corner from the left end of the baseline, pixels. */
  readonly left: number
  readonly top: number
}

/** Size of the canvas that texts are drawn on, next to each other. What is larger is cut off. */
export const SHEET = { width: 4096, height: 48 } as const
/** Masks of at most this many octets are kept, those used last. */
const MAX_KEPT = 2_000_000
/** About what a mask takes besides its levels and its text, octets. */
const OVERHEAD = 300
/** Room around a text for what reaches beyond its width, pixels. */
const MARGIN = 2
/** Of a text without ink. */
const EMPTY: Mask = { levels: new Uint8Array(), width: 0, left: 0, top: 0 }

type Wanted = Pick<Text, 'text' | 'size' | 'colour'>

/**
 * Masks of texts. Only texts have shapes that need the canvas; reading its pixels is expensive, so new ones are drawn and read
 * together, and kept. The canvas makes light texts a little bolder, so a mask is for one colour. `font` returns the canvas font
 * of a size.
 */
export function textMasks(ctx: SKRSContext2D, font: (size: number) => string, measure: Measure) {
  const kept = new Map<string, Mask>()
  let octets = 0
  const keep = (key: string, mask: Mask): void => {
    kept.set(key, mask)
    octets += octetsOf(key, mask)
    for (const [oldest, its] of kept) {
      if (octets <= MAX_KEPT) return
      kept.delete(oldest)
      octets -= octetsOf(oldest, its)
    }
  }
  const drawn = (wanted: ReadonlyMap<string, Wanted>): Map<string, Mask> => {
    const found = new Map<string, Mask>()
    let sheet: Placed[] = []
    let used = 0
    const read = (): void => {
      for (const [key, mask] of drawSheet(ctx, font, sheet, used)) found.set(key, mask)
      sheet = []
      used = 0
    }
    for (const [key, { text, size, colour }] of wanted) {
      const width = Math.min(SHEET.width, Math.ceil(measure(text, size)) + 2 * MARGIN)
      if (used + width > SHEET.width) read()
      sheet.push({ key, text, size, colour, left: used, width })
      used += width
    }
    if (sheet.length > 0) read()
    return found
  }
  return {
    /** The mask of each text, in order. */
    of: (texts: readonly Wanted[]): readonly Mask[] => {
      const found = new Map<string, Mask>()
      const missing = new Map<string, Wanted>()
      const keys = texts.map(({ text, size, colour }) => `${size} ${colour} ${text}`)
      texts.forEach((text, i) => {
        const key = keys[i] ?? ''
        const mask = kept.get(key)
        if (mask === undefined) {
          missing.set(key, text)
          return
        }
        found.set(key, mask)
        kept.delete(key)
        kept.set(key, mask)
      })
      for (const [key, mask] of drawn(missing)) {
        found.set(key, mask)
        keep(key, mask)
      }
      return keys.map((key) => found.get(key) ?? EMPTY)
    },
    /** Octets that the kept masks take. */
    octets: () => octets,
  }
}

const octetsOf = (key: string, { levels }: Mask): number => levels.length + 2 * key.length + OVERHEAD

interface Placed extends Wanted {
  readonly key: string
  readonly left: number
  readonly width: number
}

/** Draws texts next to each other, `used` pixels wide in all, and reads them. */
function drawSheet(
  ctx: SKRSContext2D,
  font: (size: number) => string,
  sheet: readonly Placed[],
  used: number,
): readonly (readonly [string, Mask])[] {
  const largest = Math.max(...sheet.map(({ size }) => size))
  const baseline = Math.min(SHEET.height - 1, Math.ceil(largest * 1.25) + 1)
  const height = Math.min(SHEET.height, baseline + Math.ceil(largest * 0.5) + 1)
  ctx.clearRect(0, 0, used, height)
  ctx.textAlign = 'left'
  for (const { text, size, colour, left, width } of sheet) {
    ctx.save()
    ctx.beginPath()
    ctx.rect(left, 0, width, height)
    ctx.clip()
    ctx.font = font(size)
    ctx.fillStyle = colour
    ctx.fillText(text, left + MARGIN, baseline)
    ctx.restore()
  }
  const { data } = ctx.getImageData(0, 0, used, height)
  return sheet.map(({ key, left, width }) => [key, cut(data, used, { left, width, height, baseline })])
}

/** The part of a sheet that a text covers, without empty rows and columns around it. */
function cut(
  rgba: Uint8ClampedArray,
  sheetWidth: number,
  { left, width, height, baseline }: { left: number; width: number; height: number; baseline: number },
): Mask {
  const level = (x: number, y: number): number => levelOf((rgba[(y * sheetWidth + left + x) * 4 + 3] ?? 0) / 255)
  let [x0, x1, y0, y1] = [width, 0, height, 0]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (level(x, y) === 0) continue
      x0 = Math.min(x0, x)
      x1 = Math.max(x1, x + 1)
      y0 = Math.min(y0, y)
      y1 = y + 1
    }
  }
  if (x1 <= x0) return EMPTY
  const levels = new Uint8Array((x1 - x0) * (y1 - y0))
  let n = 0
  for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) levels[n++] = level(x, y)
  return { levels, width: x1 - x0, left: x0 - MARGIN, top: y0 - baseline }
}
