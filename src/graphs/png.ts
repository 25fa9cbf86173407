import { crc32 } from 'node:zlib'

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
/** Slots of the table of distinct colours, a power of two; at most half are used. */
const SLOTS = 65_536
const MAX_COLOURS = SLOTS / 2
const PALETTE_SIZE = 256
/** Squared RGB distances within which colours are merged, tried in turn; the first is invisible. */
const SAME = [60, 180, 540, 1620, 4860, 14_580, 43_740, 200_000]
/** Level of libdeflate: a fifth smaller than at 1 for half a millisecond more at 1075 x 300. */
const LEVEL = 6

/**
 * Encodes opaque RGBA pixels as a PNG. Graphs have few colours, so it uses a palette: exact colours up to 256,
 * otherwise the most frequent visibly different ones, which replace their neighbours. That compresses several times
 * faster than true colour, to less than half the size. Source: PNG (ISO/IEC 15948), colour type 3.
 */
export function encodeIndexedPng(rgba: Uint8Array, width: number, height: number): Uint8Array {
  const pixels = new Uint32Array(rgba.buffer, rgba.byteOffset, width * height)
  const colours = countColours(pixels)
  const palette = choosePalette(colours)
  return png(width, height, palette.rgb, indexedRows(pixels, width, height, palette.indexBySlot, colours))
}

/** Low bits per channel to drop until the colours fit the table: with 3 they always fit. */
const DROPPED = [0, 2, 3]
const mask = (dropped: number) => 0x010101 * (255 & (-1 << dropped))

/** Hash table of colours with open addressing. `slotOf` finds the slot of a colour in it. */
interface Colours {
  readonly keys: Uint32Array
  readonly counts: Uint32Array
  readonly used: number[]
  readonly dropped: number
}

const slot = (colour: number) => (Math.imul(colour, 0x9e3779b1) >>> 16) & (SLOTS - 1)

function countColours(pixels: Uint32Array): Colours {
  for (const dropped of DROPPED) {
    const colours = countMasked(pixels, dropped)
    if (colours !== null) return colours
  }
  throw new Error('more colours than 15 bits make')
}

function countMasked(pixels: Uint32Array, dropped: number): Colours | null {
  const counted = mask(dropped)
  const keys = new Uint32Array(SLOTS)
  const counts = new Uint32Array(SLOTS)
  const used: number[] = []
  for (let i = 0; i < pixels.length; ) {
    const pixel = pixels[i] ?? 0
    const start = i++
    while (i < pixels.length && pixels[i] === pixel) i++
    const colour = pixel & counted
    let s = slot(colour)
    while (counts[s] !== 0 && keys[s] !== colour) s = (s + 1) & (SLOTS - 1)
    if (counts[s] === 0) {
      if (used.length === MAX_COLOURS) return null
      keys[s] = colour
      used.push(s)
    }
    counts[s] = (counts[s] ?? 0) + i - start
  }
  return { keys, counts, used, dropped }
}

interface Palette {
  readonly rgb: Uint8Array
  readonly indexBySlot: Uint8Array
}

function choosePalette(colours: Colours): Palette {
  colours.used.sort((a, b) => (colours.counts[b] ?? 0) - (colours.counts[a] ?? 0))
  for (const same of colours.used.length <= PALETTE_SIZE ? [0] : SAME) {
    const palette = paletteWithin(colours, same)
    if (palette !== null) return palette
  }
  throw new Error('a palette of one colour does not hold all')
}

/** Most frequent first; a colour within `same` of an earlier one shares its entry. null: more than fit. */
function paletteWithin({ keys, used, dropped }: Colours, same: number): Palette | null {
  const rgb = new Uint8Array(PALETTE_SIZE * 3)
  const indexBySlot = new Uint8Array(SLOTS)
  let size = 0
  for (const s of used) {
    const key = keys[s] ?? 0
    // Dropped bits are restored as copies of the highest, so that white stays white.
    const colour = key | ((key >>> (8 - dropped)) & ~mask(dropped) & 0xffffff)
    const index = nearest(rgb, size, colour, same)
    if (index >= 0 && distance(rgb, index, colour) <= same) indexBySlot[s] = index
    else if (size === PALETTE_SIZE) return null
    else {
      rgb[size * 3] = colour & 255
      rgb[size * 3 + 1] = (colour >>> 8) & 255
      rgb[size * 3 + 2] = (colour >>> 16) & 255
      indexBySlot[s] = size++
    }
  }
  return { rgb: rgb.subarray(0, size * 3), indexBySlot }
}

/** The first of `size` entries within `enough` of a colour, otherwise the nearest; -1 when there is none. */
function nearest(rgb: Uint8Array, size: number, colour: number, enough: number): number {
  let best = -1
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < size && least > enough; i++) {
    const d = distance(rgb, i, colour)
    if (d < least) {
      least = d
      best = i
    }
  }
  return best
}

/** Squared distance in RGB. */
function distance(rgb: Uint8Array, index: number, colour: number): number {
  const dr = (rgb[3 * index] ?? 0) - (colour & 255)
  const dg = (rgb[3 * index + 1] ?? 0) - ((colour >>> 8) & 255)
  const db = (rgb[3 * index + 2] ?? 0) - ((colour >>> 16) & 255)
  return dr * dr + dg * dg + db * db
}

/** Rows with their filter byte 0: palette indexes do not gain from filters. */
function indexedRows(
  pixels: Uint32Array,
  width: number,
  height: number,
  indexBySlot: Uint8Array,
  { keys, dropped }: Colours,
): Uint8Array<ArrayBuffer> {
  const counted = mask(dropped)
  const rows = new Uint8Array((width + 1) * height)
  let last = -1
  let index = 0
  for (let y = 0, o = 0, i = 0; y < height; y++) {
    o++
    for (const end = i + width; i < end; i++) {
      const pixel = pixels[i] ?? 0
      if (pixel !== last) {
        const colour = pixel & counted
        let s = slot(colour)
        while (keys[s] !== colour) s = (s + 1) & (SLOTS - 1)
        index = indexBySlot[s] ?? 0
        last = pixel
      }
      rows[o++] = index
    }
  }
  return rows
}

function png(width: number, height: number, palette: Uint8Array, rows: Uint8Array<ArrayBuffer>): Uint8Array {
  const header = new Uint8Array(13)
  const view = new DataView(header.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  header.set([8, 3, 0, 0, 0], 8)
  const chunks = [
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', zlibStream(rows)),
    chunk('IEND', new Uint8Array()),
  ]
  return Buffer.concat([Uint8Array.from(SIGNATURE), ...chunks])
}

/** Deflate data with RFC 1950 header (32 kB window, default level) and Adler-32 checksum. */
function zlibStream(rows: Uint8Array<ArrayBuffer>): Uint8Array {
  const deflated = Bun.deflateSync(rows, { library: 'libdeflate', level: LEVEL })
  const out = new Uint8Array(deflated.length + 6)
  out.set([0x78, 0x9c])
  out.set(deflated, 2)
  new DataView(out.buffer).setUint32(out.length - 4, Bun.hash.adler32(rows))
  return out
}

function chunk(type: 'IHDR' | 'PLTE' | 'IDAT' | 'IEND', data: Uint8Array): Uint8Array {
  const out = new Uint8Array(data.length + 12)
  const view = new DataView(out.buffer)
  view.setUint32(0, data.length)
  out.set(Buffer.from(type, 'latin1'), 4)
  out.set(data, 8)
  view.setUint32(8 + data.length, crc32(out.subarray(4, 8 + data.length)))
  return out
}
