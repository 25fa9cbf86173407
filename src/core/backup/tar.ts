import { BackupError } from './errors.ts'

/** Block size of tar files, bytes. */
export const BLOCK = 512
/** Longest parts of a name (POSIX ustar). */
const NAME_MAX = 100
const PREFIX_MAX = 155
/** Two empty blocks end a tar file. */
export const END = new Uint8Array(2 * BLOCK)

/** A file in a tar file. */
export interface Entry {
  readonly path: string
  readonly octets: number
}

/**
 * The header block of a file (POSIX.1-1988 ustar). Throws BackupError for a path that does not fit: it must have a
 * slash with at most 155 bytes before it and 100 after it, unless it has at most 100 in all.
 */
export function entryHeader({ path, octets }: Entry, mtimeS: number): Uint8Array {
  const block = Buffer.alloc(BLOCK)
  const [prefix, name] = splitPath(path)
  block.write(name, 0)
  block.write('0000600\0', 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  block.write(`${octets.toString(8).padStart(11, '0')}\0`, 124)
  block.write(`${Math.max(0, Math.floor(mtimeS)).toString(8).padStart(11, '0')}\0`, 136)
  block.write('        ', 148)
  block.write('0', 156)
  block.write('ustar\u000000', 257)
  block.write(prefix, 345)
  block.write(`${sumOf(block).toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/**
 * The file that a header block announces; null: the block is empty, which ends the file. Throws BackupError for
 * anything else.
 */
export function readEntry(block: Buffer): Entry | null {
  if (block.every((octet) => octet === 0)) return null
  const stated = Number.parseInt(block.toString('latin1', 148, 156), 8)
  if (block.toString('latin1', 257, 262) !== 'ustar' || stated !== sumOf(block)) throw new BackupError(GARBLED)
  const prefix = textAt(block, 345, PREFIX_MAX)
  const name = textAt(block, 0, NAME_MAX)
  const size = block.toString('latin1', 124, 135)
  if (!/^[0-7]{11}$/.test(size)) throw new BackupError(GARBLED)
  return { path: prefix === '' ? name : `${prefix}/${name}`, octets: Number.parseInt(size, 8) }
}

/** Error for a block that is not a valid file header. */
export const GARBLED = 'this is not a backup, or it is corrupt: it has no file header where one should be'

/** Bytes from the end of a file to the next block. */
export function padding(octets: number): number {
  return (BLOCK - (octets % BLOCK)) % BLOCK
}

function splitPath(path: string): readonly [prefix: string, name: string] {
  if (Buffer.byteLength(path) <= NAME_MAX) return ['', path]
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)]
    if (Buffer.byteLength(prefix) <= PREFIX_MAX && Buffer.byteLength(name) <= NAME_MAX) return [prefix, name]
  }
  throw new BackupError(`the path ${path} is too long for a backup`)
}

/** The sum of all bytes, with the field of the sum itself taken as spaces. */
function sumOf(block: Buffer): number {
  let sum = 0
  for (let i = 0; i < BLOCK; i++) sum += i >= 148 && i < 156 ? 0x20 : (block[i] ?? 0)
  return sum
}

function textAt(block: Buffer, from: number, length: number): string {
  const text = block.toString('utf8', from, from + length)
  const end = text.indexOf('\0')
  return end < 0 ? text : text.slice(0, end)
}
