/**
 * The memory layout of the machine that wrote an RRD file, which is also the format of the file: bytes in an `unsigned
 * long` (`word`) and in a `time_t`, alignment of doubles, byte order.
 */
export interface Layout {
  readonly little: boolean
  readonly word: 4 | 8
  readonly align: 4 | 8
  readonly time: 4 | 8
}

/** amd64 and other 64-bit machines, i386, 32-bit ARM with 32 and 64-bit time; then the big-endian ones. */
export const LAYOUTS: readonly Layout[] = [
  { little: true, word: 8, align: 8, time: 8 },
  { little: true, word: 4, align: 4, time: 4 },
  { little: true, word: 4, align: 8, time: 4 },
  { little: true, word: 4, align: 8, time: 8 },
  { little: false, word: 8, align: 8, time: 8 },
  { little: false, word: 4, align: 8, time: 4 },
  { little: false, word: 4, align: 8, time: 8 },
]

/** The double 8.642135e130, which every file contains and which reveals byte order and alignment. */
export const COOKIE = 8.642135e130
const CELLS_OCTETS = 80

/** Sizes and offsets of the parts of a header, in bytes. */
export interface Shape {
  readonly cookieAt: number
  readonly countsAt: number
  readonly statHead: number
  readonly dataSet: number
  readonly archive: number
  readonly archiveCountsAt: number
  readonly pdpPrep: number
  readonly cdpPrep: number
}

/** `x` rounded up to a multiple of `to`. */
function up(x: number, to: number): number {
  return Math.ceil(x / to) * to
}

export function shapeOf({ word, align }: Layout): Shape {
  const cookieAt = up(9, align)
  const archiveCountsAt = up(20, word)
  return {
    cookieAt,
    countsAt: cookieAt + 8,
    statHead: up(cookieAt + 8 + 3 * word, align) + CELLS_OCTETS,
    dataSet: 40 + CELLS_OCTETS,
    archive: up(archiveCountsAt + 2 * word, align) + CELLS_OCTETS,
    archiveCountsAt,
    pdpPrep: 32 + CELLS_OCTETS,
    cdpPrep: CELLS_OCTETS,
  }
}

/** Bytes occupied by the time of the last update; versions 1 and 2 have no microseconds. */
export function liveHeadOctets({ word, time }: Layout, version: number): number {
  return version < 3 ? time : up(time + word, Math.max(time, word))
}
