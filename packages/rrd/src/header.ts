import { COOKIE, LAYOUTS, type Layout, liveHeadOctets, type Shape, shapeOf } from './layout.ts'

/** A file cannot be read; the message says what is wrong, without the file name. */
export class RrdError extends Error {}

/** `GAUGE` stores values as sent; `COUNTER`, `DERIVE`, `DCOUNTER`, `DDERIVE` and `ABSOLUTE` store a rate per second. */
export interface DataSet {
  readonly name: string
  readonly type: string
  /** Seconds without an update after which the value is unknown. */
  readonly heartbeatS: number
}

/** Rows of one resolution and consolidation function (`AVERAGE`, `MIN`, `MAX`, `LAST` or a forecast function). */
export interface Archive {
  readonly cf: string
  readonly rows: number
  /** Seconds that a row covers. */
  readonly widthS: number
  /** End of the newest row, epoch seconds. */
  readonly endS: number
  /** Position of the newest row in the block. */
  readonly current: number
  /** Offset of the block in the file. */
  readonly offset: number
  readonly octets: number
}

export interface Header {
  readonly version: number
  readonly layout: Layout
  readonly stepS: number
  /** Epoch seconds. */
  readonly lastUpdateS: number
  readonly dataSets: readonly DataSet[]
  readonly archives: readonly Archive[]
  /** The part of the header that every update changes: the time of the update and the positions of the newest rows. */
  readonly live: { readonly timeAt: number; readonly pointersAt: number; readonly octets: number }
  readonly octets: number
}

/** More than any legitimate file has. */
const MAX_DATA_SETS = 10_000
const MAX_ARCHIVES = 10_000
/** Longest row in seconds. */
const MAX_WIDTH_S = 366 * 86_400
/** Bytes that contain the counts in every layout. */
const HEAD_OCTETS = 128

/**
 * How many bytes from the start of the file `parseHeader` needs; `start` is its first 128 bytes or more. Throws
 * RrdError.
 */
export function headerOctets(start: Uint8Array, size: number): number {
  return Math.max(...candidates(start, size).map(({ counts }) => counts.octets))
}

/**
 * Reads the header of a file of `size` bytes; `bytes` is its beginning. The layout is the one whose parts add up to
 * exactly the file's size. Throws RrdError: not an RRD file, truncated, or written on an unknown architecture.
 */
export function parseHeader(bytes: Uint8Array, size: number): Header {
  let nearest: RrdError | null = null
  for (const { layout, counts, version } of candidates(bytes, size)) {
    if (bytes.length < counts.octets) continue
    const found = readParts(new Reader(bytes, layout), shapeOf(layout), counts, version)
    if (typeof found === 'string') {
      nearest ??= new RrdError(found)
      continue
    }
    const expected = found.octets + found.archives.reduce((sum, archive) => sum + archive.octets, 0)
    if (expected === size) return found
    nearest = new RrdError(`has ${size} bytes but its header requires ${expected}: truncated or damaged`)
  }
  throw nearest ?? new RrdError('is truncated within its header')
}

interface Counts {
  readonly dataSets: number
  readonly archives: number
  readonly stepS: number
  /** Length of the header in bytes. */
  readonly octets: number
}

/** The layouts in which the cookie and the counts are plausible. */
function candidates(
  bytes: Uint8Array,
  size: number,
): { readonly layout: Layout; readonly counts: Counts; readonly version: number }[] {
  if (size === 0) throw new RrdError('is empty')
  if (bytes.length < 4 || String.fromCharCode(...bytes.subarray(0, 4)) !== 'RRD\0')
    throw new RrdError('is not an RRD file')
  if (bytes.length < HEAD_OCTETS) throw new RrdError('is truncated within its header')
  const text = String.fromCharCode(...bytes.subarray(4, 9))
  const version = /^000[1-5]\0$/.test(text) ? Number(text.slice(0, 4)) : 0
  if (version === 0) throw new RrdError('has an unknown format version')
  let cookie = false
  const found = LAYOUTS.flatMap((layout) => {
    const reader = new Reader(bytes, layout)
    const shape = shapeOf(layout)
    if (reader.double(shape.cookieAt) !== COOKIE) return []
    cookie = true
    const { word } = layout
    const dataSets = reader.word(shape.countsAt)
    const archives = reader.word(shape.countsAt + word)
    const stepS = reader.word(shape.countsAt + 2 * word)
    if (dataSets < 1 || dataSets > MAX_DATA_SETS || archives < 1 || archives > MAX_ARCHIVES || stepS < 1) return []
    const octets =
      shape.statHead +
      dataSets * (shape.dataSet + shape.pdpPrep) +
      archives * (shape.archive + layout.word) +
      liveHeadOctets(layout, version) +
      dataSets * archives * shape.cdpPrep
    return octets > size ? [] : [{ layout, counts: { dataSets, archives, stepS, octets }, version }]
  })
  if (found.length === 0)
    throw new RrdError(cookie ? 'is truncated, or its header is damaged' : 'was written on an unknown architecture')
  return found
}

/** The header in this layout, or, as text, why it cannot be this layout. */
function readParts(reader: Reader, shape: Shape, counts: Counts, version: number): Header | string {
  const { layout } = reader
  const dataSets = Array.from({ length: counts.dataSets }, (_, i): DataSet => {
    const at = shape.statHead + i * shape.dataSet
    return { name: reader.text(at, 20), type: reader.text(at + 20, 20), heartbeatS: reader.word(at + 40) }
  })
  const archivesAt = shape.statHead + counts.dataSets * shape.dataSet
  const timeAt = archivesAt + counts.archives * shape.archive
  const lastUpdateS = reader.time(timeAt)
  const pdpAt = timeAt + liveHeadOctets(layout, version)
  const pointersAt = pdpAt + counts.dataSets * shape.pdpPrep + counts.dataSets * counts.archives * shape.cdpPrep
  if (!Number.isSafeInteger(lastUpdateS) || lastUpdateS < 0) return 'has an impossible time of last update'
  const archives: Archive[] = []
  let offset = counts.octets
  for (let i = 0; i < counts.archives; i++) {
    const at = archivesAt + i * shape.archive
    const rows = reader.word(at + shape.archiveCountsAt)
    const widthS = reader.word(at + shape.archiveCountsAt + layout.word) * counts.stepS
    const current = reader.word(pointersAt + i * layout.word)
    const octets = rows * counts.dataSets * 8
    if (!(rows >= 1 && widthS >= 1 && widthS <= MAX_WIDTH_S && current < rows && Number.isSafeInteger(octets)))
      return `archive ${i} has an impossible size`
    const endS = lastUpdateS - (lastUpdateS % widthS)
    archives.push({ cf: reader.text(at, 20), rows, widthS, endS, current, offset, octets })
    offset += octets
  }
  const live = { timeAt, pointersAt, octets: counts.archives * layout.word }
  return { version, layout, stepS: counts.stepS, lastUpdateS, dataSets, archives, live, octets: counts.octets }
}

/** Reads numbers of a layout at offsets of a buffer. Beyond its end: NaN. */
class Reader {
  private readonly view: DataView
  constructor(
    private readonly bytes: Uint8Array,
    readonly layout: Layout,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  double(at: number): number {
    return at + 8 > this.bytes.length ? Number.NaN : this.view.getFloat64(at, this.layout.little)
  }

  word(at: number): number {
    return this.integer(at, this.layout.word)
  }

  time(at: number): number {
    return this.integer(at, this.layout.time)
  }

  /** Text up to its NUL; characters that are not printable ASCII are left out. */
  text(at: number, octets: number): string {
    const cut = this.bytes.subarray(at, at + octets)
    const end = cut.indexOf(0)
    return String.fromCharCode(...(end < 0 ? cut : cut.subarray(0, end))).replaceAll(/[^ -~]/g, '')
  }

  private integer(at: number, octets: 4 | 8): number {
    if (at + octets > this.bytes.length) return Number.NaN
    const { little } = this.layout
    return octets === 4 ? this.view.getUint32(at, little) : Number(this.view.getBigUint64(at, little))
  }
}
