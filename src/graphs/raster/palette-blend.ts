import { type Colour, parseColour } from './colour.ts'

/** Steps of coverage: 0 is not covered, LEVELS is fully covered. */
export const LEVELS = 16
/** Blended colours per ink: one for each level over each palette entry. */
const TABLE = (LEVELS + 1) * 256
/** Most entries of a palette. */
const MAX_ENTRIES = 256
/**
 * Squared RGB distance within which a blended colour reuses an existing entry, by how full the palette is: invisible at
 * first, then edges are smoothed more coarsely, to leave room for later colours. The grid differs from the paper by
 * more.
 */
const SAME: readonly (readonly [entries: number, distance: number])[] = [
  [128, 12],
  [192, 48],
  [240, 192],
  [MAX_ENTRIES, 768],
]
/** Bits per channel by which colours are looked up when no entry is free. */
const CELL_BITS = 5
/** Number of inks for which memory is kept between images. */
const KEPT_INKS = 64

/** The coverage of a part of a pixel, 0 to 1, as a level. */
export function levelOf(coverage: number): number {
  return Math.round(coverage * LEVELS)
}

/**
 * The palette of one image, and its inks: the colours that the scene is drawn with. An opaque ink has its own palette
 * entry as long as there are free ones. Drawing an ink over an entry gives another entry, which is computed once per
 * image.
 */
export class Inks {
  readonly #rgb = new Uint8Array(MAX_ENTRIES * 3)
  #entries = 0
  #byText = new Map<string, number>()
  #colours: Colour[] = []
  /** Entry of each opaque ink; -1: not opaque. */
  #solid: number[] = []
  /** Entry + 1 of (ink, level, entry below); 0: not computed yet. */
  #blended = new Uint16Array(KEPT_INKS * TABLE)
  /** When no entry is free, the entry + 1 for a colour by the highest bits of its channels; 0: not searched yet. */
  readonly #cells = new Uint16Array(1 << (3 * CELL_BITS))

  /** Starts a new image. */
  reset(): void {
    this.#blended.fill(0, 0, Math.min(this.#colours.length * TABLE, this.#blended.length))
    if (this.#entries === MAX_ENTRIES) this.#cells.fill(0)
    if (this.#blended.length > KEPT_INKS * TABLE) this.#blended = new Uint16Array(KEPT_INKS * TABLE)
    this.#entries = 0
    this.#byText.clear()
    this.#colours = []
    this.#solid = []
  }

  /** The ink of a colour, see `parseColour`. */
  ink(text: string): number {
    const known = this.#byText.get(text)
    if (known !== undefined) return known
    const ink = this.#colours.length
    const colour = parseColour(text)
    this.#byText.set(text, ink)
    this.#colours.push(colour)
    this.#solid.push(colour.alpha === 1 ? this.#entry(colour.red, colour.green, colour.blue, 0) : -1)
    if (this.#colours.length * TABLE > this.#blended.length) {
      const larger = new Uint16Array(this.#blended.length * 2)
      larger.set(this.#blended)
      this.#blended = larger
    }
    return ink
  }

  /** The entry of an opaque ink; -1: not opaque. */
  solid(ink: number): number {
    return this.#solid[ink] ?? -1
  }

  /** The entry that results when an ink covers `level` of a pixel whose entry is `below`. */
  over(ink: number, level: number, below: number): number {
    const at = ink * TABLE + level * 256 + below
    const known = this.#blended[at] ?? 0
    if (known > 0) return known - 1
    const entry = this.#blend(ink, level, below)
    this.#blended[at] = entry + 1
    return entry
  }

  /** Red, green and blue of each entry in use. A view, valid until the next image. */
  rgb(): Uint8Array {
    return this.#rgb.subarray(0, this.#entries * 3)
  }

  #blend(ink: number, level: number, below: number): number {
    const colour = this.#colours[ink]
    const share = ((colour?.alpha ?? 0) * level) / LEVELS
    if (colour === undefined || share === 0) return below
    const mixed = (channel: number, of: number): number => {
      const under = this.#rgb[below * 3 + of] ?? 0
      return Math.round(under + (channel - under) * share)
    }
    const [red, green, blue] = [mixed(colour.red, 0), mixed(colour.green, 1), mixed(colour.blue, 2)]
    const same = SAME.find(([entries]) => this.#entries < entries)?.[1] ?? Number.POSITIVE_INFINITY
    return this.#entry(red, green, blue, same)
  }

  /** The nearest entry if it is within `same` or all are taken, otherwise a new one. */
  #entry(red: number, green: number, blue: number, same: number): number {
    if (this.#entries === MAX_ENTRIES) {
      const part = (channel: number) => channel >> (8 - CELL_BITS)
      const cell = (((part(red) << CELL_BITS) | part(green)) << CELL_BITS) | part(blue)
      const known = this.#cells[cell] ?? 0
      if (known > 0) return known - 1
      const { entry } = this.#nearest(red, green, blue)
      this.#cells[cell] = entry + 1
      return entry
    }
    const { entry, distance } = this.#nearest(red, green, blue)
    if (distance <= same) return entry
    this.#rgb[3 * this.#entries] = red
    this.#rgb[3 * this.#entries + 1] = green
    this.#rgb[3 * this.#entries + 2] = blue
    return this.#entries++
  }

  /** The entry nearest to a colour, -1 if there is none, and its squared distance. */
  #nearest(red: number, green: number, blue: number): { entry: number; distance: number } {
    let entry = -1
    let distance = Number.POSITIVE_INFINITY
    for (let i = 0; i < this.#entries && distance > 0; i++) {
      const dr = (this.#rgb[3 * i] ?? 0) - red
      const dg = (this.#rgb[3 * i + 1] ?? 0) - green
      const db = (this.#rgb[3 * i + 2] ?? 0) - blue
      const here = dr * dr + dg * dg + db * db
      if (here < distance) {
        distance = here
        entry = i
      }
    }
    return { entry, distance }
  }
}
