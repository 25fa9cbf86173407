import type { Measure, Text } from '../scene.ts'
import { levelOf } from './palette-blend.ts'

/** A text as levels of coverage, row by row. */
export interface Mask {
  readonly levels: Uint8Array
  readonly width: number
  /** Position of the top left corner relative to the left end of the baseline, pixels. */
  readonly left: number
  readonly top: number
}

type TextStyle = Pick<Text, 'text' | 'size' | 'colour'>

/** A canvas on which texts are drawn side by side. Anything that does not fit is cut off. */
export interface Sheet {
  readonly width: number
  readonly height: number
  /**
   * Draws the texts, each within its own width, and returns the RGBA values of `part`, which starts at the top left.
   */
  draw(
    texts: readonly Placed[],
    part: { readonly width: number; readonly height: number; readonly baseline: number },
  ): Uint8ClampedArray
}

/** A text on a sheet. */
export interface Placed extends TextStyle {
  readonly key: string
  /** Start of its space on the sheet, pixels; the text begins MARGIN to the right. */
  readonly left: number
  readonly width: number
}

/** Most bytes of masks that are kept; those used last stay. */
const MAX_KEPT = 2_000_000
/** Approximate size of a mask besides its levels and its text, bytes. */
const OVERHEAD = 300
/** Space around a text for strokes that extend beyond its width, pixels. */
export const MARGIN = 2
/** The mask of a text without visible pixels. */
const EMPTY: Mask = { levels: new Uint8Array(), width: 0, left: 0, top: 0 }

/**
 * Masks of texts. Only texts need the canvas. Reading its pixels is expensive, so new texts are drawn and read
 * together, and their masks are kept. The canvas makes light texts a little bolder, so each mask is for one colour.
 */
export function textMasks(sheet: Sheet, measure: Measure) {
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
  const made = (wanted: ReadonlyMap<string, TextStyle>): Map<string, Mask> => {
    const found = new Map<string, Mask>()
    let placed: Placed[] = []
    let used = 0
    const read = (): void => {
      for (const [key, mask] of drawn(sheet, placed, used)) found.set(key, mask)
      placed = []
      used = 0
    }
    for (const [key, { text, size, colour }] of wanted) {
      const width = Math.min(sheet.width, Math.ceil(measure(text, size)) + 2 * MARGIN)
      if (used + width > sheet.width) read()
      placed.push({ key, text, size, colour, left: used, width })
      used += width
    }
    if (placed.length > 0) read()
    return found
  }
  return {
    /** The mask of each text, in order. */
    of: (texts: readonly TextStyle[]): readonly Mask[] => {
      const found = new Map<string, Mask>()
      const missing = new Map<string, TextStyle>()
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
      for (const [key, mask] of made(missing)) {
        found.set(key, mask)
        keep(key, mask)
      }
      return keys.map((key) => found.get(key) ?? EMPTY)
    },
    /** Bytes taken by the kept masks. */
    octets: () => octets,
  }
}

const octetsOf = (key: string, { levels }: Mask): number => levels.length + 2 * key.length + OVERHEAD

/** Draws texts side by side, `used` pixels wide in total, and reads their pixels. */
function drawn(sheet: Sheet, texts: readonly Placed[], used: number): readonly (readonly [string, Mask])[] {
  const largest = Math.max(...texts.map(({ size }) => size))
  const baseline = Math.min(sheet.height - 1, Math.ceil(largest * 1.25) + 1)
  const height = Math.min(sheet.height, baseline + Math.ceil(largest * 0.5) + 1)
  const rgba = sheet.draw(texts, { width: used, height, baseline })
  return texts.map(({ key, left, width }) => [key, cut(rgba, used, { left, width, height, baseline })])
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
