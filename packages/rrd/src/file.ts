import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { type Archive, type Header, headerOctets, parseHeader, RrdError } from './header.ts'

/** Values of an archive, oldest row first: data set d of row r is at `r * dataSets + d`. NaN: unknown. */
export type Values = Float64Array

/** An open file. */
export interface RrdFile {
  readonly header: Header
  /** The rows of an archive. Throws RrdError if they cannot be read. */
  read(archive: Archive): Values
}

/** Largest file that is read, in bytes; one with hundreds of data sets and a row per second for a year is smaller. */
const MAX_OCTETS = 2 ** 33
const START_OCTETS = 32_768
/** An update during reading makes the rows inconsistent, so the file is read again. */
const ATTEMPTS = 3

const hostIsLittle = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1

/**
 * Opens a file and returns the result of `use`, which is called again if another program updates the file meanwhile.
 * Throws RrdError (what is wrong, without the file name) and the errors of node:fs.
 */
export function readRrd<T>(path: string, use: (file: RrdFile) => T): T {
  const fd = openSync(path, 'r')
  try {
    for (let attempt = 1; ; attempt++) {
      const { size } = fstatSync(fd)
      if (size > MAX_OCTETS) throw new RrdError('is too large')
      const header = headerOf(fd, size)
      const result = use({ header, read: (archive) => valuesOf(fd, header, archive) })
      if (attempt === ATTEMPTS || same(header, fd)) return result
    }
  } finally {
    closeSync(fd)
  }
}

function headerOf(fd: number, size: number): Header {
  const start = readAt(fd, 0, Math.min(size, START_OCTETS))
  const needed = headerOctets(start, size)
  return parseHeader(needed <= start.length ? start : readAt(fd, 0, needed), size)
}

/** True if nothing has been written since the header was read. */
function same(before: Header, fd: number): boolean {
  try {
    const now = headerOf(fd, fstatSync(fd).size)
    return (
      now.lastUpdateS === before.lastUpdateS &&
      now.archives.every(({ current }, i) => current === before.archives[i]?.current)
    )
  } catch (error) {
    if (error instanceof RrdError) return false
    throw error
  }
}

function valuesOf(fd: number, { layout, dataSets }: Header, archive: Archive): Values {
  const block = readAt(fd, archive.offset, archive.octets)
  if (layout.little !== hostIsLittle) swap(block)
  const values = new Float64Array(block.buffer, 0, archive.octets / 8)
  // The row after the newest one is the oldest.
  const turned = new Float64Array(values.length)
  const split = ((archive.current + 1) % archive.rows) * dataSets.length
  turned.set(values.subarray(split))
  turned.set(values.subarray(0, split), values.length - split)
  for (let i = 0; i < turned.length; i++) {
    if (!Number.isFinite(turned[i] as number)) turned[i] = Number.NaN
  }
  return turned
}

function swap(block: Uint8Array): void {
  for (let at = 0; at < block.length; at += 8) block.subarray(at, at + 8).reverse()
}

function readAt(fd: number, from: number, octets: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(octets)
  let done = 0
  while (done < octets) {
    const read = readSync(fd, bytes, done, octets - done, from + done)
    if (read === 0) throw new RrdError('is truncated')
    done += read
  }
  return bytes
}
