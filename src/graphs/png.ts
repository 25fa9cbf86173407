import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
/**
 * Level of libdeflate. At 1075 x 300, 3 takes 0.1 ms more than 1 for a seventh less data; 6 another 0.3 ms for a tenth
 * less.
 */
const LEVEL = 3

/** An image with a palette. */
export interface Indexed {
  readonly width: number
  readonly height: number
  /** `height` rows: a filter byte of 0 (palette entries do not gain from filters), then `width` palette entries. */
  readonly rows: Uint8Array<ArrayBuffer>
}

/**
 * Encodes an image as a PNG. `palette`: red, green and blue of each entry, at most 256 of them. Source: PNG
 * (ISO/IEC 15948), colour type 3.
 */
export function encodePng(image: Indexed, palette: Uint8Array): Uint8Array {
  return chunks(image, palette, zlibStream(image.rows))
}

const deflateAside = promisify(deflate)

/** Like `encodePng`, but compresses in another thread, which takes longer. The image must not change meanwhile. */
export async function encodePngAside(image: Indexed, palette: Uint8Array): Promise<Uint8Array> {
  return chunks(image, palette, await deflateAside(image.rows, { level: LEVEL }))
}

function chunks({ width, height }: Indexed, palette: Uint8Array, data: Uint8Array): Uint8Array {
  const header = new Uint8Array(13)
  const view = new DataView(header.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Uint8Array.from(SIGNATURE),
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', data),
    chunk('IEND', new Uint8Array()),
  ])
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
