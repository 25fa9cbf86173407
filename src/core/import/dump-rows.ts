import { readSync } from 'node:fs'
import type { TextReader } from './charset.ts'
import type { Cell } from './source.ts'

const CHUNK_OCTETS = 1_048_576
const [QUOTE, BACKSLASH, COMMA, OPEN, CLOSE, ZERO, SMALL_X] = [39, 92, 44, 40, 41, 48, 120]

const ESCAPES: Readonly<Record<number, number>> = { 48: 0, 110: 10, 114: 13, 116: 9, 98: 8, 90: 26 }
/** `\%` and `\_` keep their backslash. */
const KEEPS = new Set([37, 95])

export interface Tuples {
  readonly fd: number
  readonly from: number
  readonly to: number
  readonly plainBackslash: boolean
  readonly read: TextReader
  /** True for binary columns. */
  readonly binary: readonly boolean[]
}

/** The rows of an INSERT statement of any length, one at a time. Throws RangeError if it is truncated or garbled. */
export function* tuplesOf(options: Tuples): Generator<Cell[]> {
  const input = new Input(options.fd, options.from, options.to)
  skipToValues(input)
  for (;;) {
    const octet = input.skipSpace()
    if (octet < 0) return
    if (octet === COMMA) continue
    if (octet !== OPEN) throw new RangeError('a row does not begin where expected')
    yield tuple(input, options)
  }
}

/** Skips `INSERT INTO table (columns) VALUES`. */
function skipToValues(input: Input): void {
  const word = [86, 65, 76, 85, 69, 83] // VALUES
  let matched = 0
  let tick = false
  for (let octet = input.next(); octet >= 0; octet = input.next()) {
    if (octet === 96) tick = !tick
    matched = !tick && (octet & ~32) === word[matched] ? matched + 1 : 0
    if (matched === word.length) return
  }
  throw new RangeError('a statement has no rows')
}

function tuple(input: Input, { binary, plainBackslash, read }: Tuples): Cell[] {
  const cells: Cell[] = []
  for (let i = 0; ; i++) {
    const octets = binary[i] === true
    let octet = input.skipSpace()
    let cell: Cell
    if (octet === QUOTE) {
      const text = quoted(input, plainBackslash)
      cell = octets ? text.slice() : read(text)
      octet = input.skipSpace()
    } else {
      const bare: number[] = []
      while (octet >= 0 && octet !== COMMA && octet !== CLOSE && octet !== QUOTE && bare.length < 64 * 1024 * 1024) {
        bare.push(octet)
        octet = input.next()
      }
      if (octet === QUOTE) {
        // _binary '...'
        const text = quoted(input, plainBackslash)
        cell = octets ? text.slice() : read(text)
        octet = input.skipSpace()
      } else cell = bareCell(bare, octets, read)
    }
    cells.push(cell)
    if (octet === CLOSE) return cells
    if (octet !== COMMA) throw new RangeError('a row is truncated')
  }
}

function bareCell(bare: readonly number[], octets: boolean, read: TextReader): Cell {
  if (bare[0] === ZERO && bare[1] === SMALL_X) {
    const bytes = Uint8Array.fromHex(
      bare
        .slice(2)
        .map((code) => String.fromCharCode(code))
        .join('')
        .trim(),
    )
    return octets ? bytes : read(bytes)
  }
  const text = bare
    .map((code) => String.fromCharCode(code))
    .join('')
    .trim()
  return text.toUpperCase() === 'NULL' ? null : text
}

let scratch = new Uint8Array(65_536)

/** The bytes of a string up to its closing quote; valid until the next call. */
function quoted(input: Input, plainBackslash: boolean): Uint8Array {
  let length = 0
  const put = (octet: number): void => {
    if (length === scratch.length) {
      const larger = new Uint8Array(scratch.length * 2)
      larger.set(scratch)
      scratch = larger
    }
    scratch[length++] = octet
  }
  for (;;) {
    const octet = input.next()
    if (octet < 0) throw new RangeError('a string is truncated')
    if (octet === QUOTE) {
      if (input.peek() !== QUOTE) return scratch.subarray(0, length)
      input.next()
      put(QUOTE)
    } else if (octet === BACKSLASH && !plainBackslash) {
      const next = input.next()
      if (next < 0) throw new RangeError('a string is truncated')
      if (KEEPS.has(next)) put(BACKSLASH)
      put(ESCAPES[next] ?? next)
    } else put(octet)
  }
}

/** Reads part of a file byte by byte. */
class Input {
  private readonly chunk = new Uint8Array(CHUNK_OCTETS)
  private length = 0
  private at = 0

  constructor(
    private readonly fd: number,
    private position: number,
    private readonly end: number,
  ) {}

  /** The next byte; -1: the end. */
  next(): number {
    if (this.at === this.length && !this.fill()) return -1
    return this.chunk[this.at++] as number
  }

  peek(): number {
    if (this.at === this.length && !this.fill()) return -1
    return this.chunk[this.at] as number
  }

  skipSpace(): number {
    let octet = this.next()
    while (octet === 32 || octet === 10 || octet === 13 || octet === 9) octet = this.next()
    return octet
  }

  private fill(): boolean {
    const wanted = Math.min(CHUNK_OCTETS, this.end - this.position)
    if (wanted <= 0) return false
    this.length = readSync(this.fd, this.chunk, 0, wanted, this.position)
    this.position += this.length
    this.at = 0
    return this.length > 0
  }
}
