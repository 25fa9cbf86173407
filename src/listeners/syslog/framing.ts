import { MAX_MESSAGE } from './parse.ts'

/** Octets of one frame; a longer one ends the connection, because where the next begins is unknown or far away. */
const MAX_FRAME = 65_536
const NEWLINE = 10
const SPACE = 32
const ZERO = 48
const NINE = 57
/** Digits of MSG-LEN. */
const MAX_DIGITS = 5

/**
 * Divides a stream into messages: octet counting or newlines, told apart by the first octet of each frame as RFC 6587
 * §3.4 describes. Keeps at most one frame.
 */
export class SyslogFrames {
  private kept: Uint8Array = new Uint8Array(0)

  /**
   * The messages that end in this part, cut after what is parsed of them; a NUL at the end of a line is left to the
   * parser. Null: the framing is wrong, nothing is kept, and the connection must be closed.
   */
  add(part: Uint8Array): Uint8Array[] | null {
    let bytes: Uint8Array = part
    if (this.kept.length > 0) {
      bytes = new Uint8Array(this.kept.length + part.length)
      bytes.set(this.kept)
      bytes.set(part, this.kept.length)
    }
    const frames: Uint8Array[] = []
    let at = 0
    for (;;) {
      while (bytes[at] === NEWLINE) at++
      if (at >= bytes.length) break
      const frame = next(bytes, at)
      if (frame === 'wrong') {
        this.kept = new Uint8Array(0)
        return null
      }
      if (frame === 'more') break
      if (frame.end > frame.start)
        frames.push(bytes.slice(frame.start, Math.min(frame.end, frame.start + MAX_MESSAGE + 1)))
      at = frame.next
    }
    this.kept = bytes.slice(at)
    return frames
  }

  /** What is left when the connection ends: a last message without its newline; null: nothing. */
  end(): Uint8Array | null {
    const { kept } = this
    this.kept = new Uint8Array(0)
    return kept.length === 0 || isDigit(kept[0]) ? null : kept
  }
}

const isDigit = (octet: number | undefined) => octet !== undefined && octet >= ZERO && octet <= NINE

function next(bytes: Uint8Array, at: number): { start: number; end: number; next: number } | 'more' | 'wrong' {
  if (!isDigit(bytes[at])) {
    const end = bytes.indexOf(NEWLINE, at)
    if (end < 0) return bytes.length - at > MAX_FRAME ? 'wrong' : 'more'
    return end - at > MAX_FRAME ? 'wrong' : { start: at, end, next: end + 1 }
  }
  let length = 0
  let start = at
  while (isDigit(bytes[start])) {
    length = length * 10 + (bytes[start] ?? 0) - ZERO
    start++
    if (start - at > MAX_DIGITS) return 'wrong'
  }
  if (start >= bytes.length) return 'more'
  if (bytes[start] !== SPACE || length === 0 || length > MAX_FRAME) return 'wrong'
  start++
  return bytes.length - start < length ? 'more' : { start, end: start + length, next: start + length }
}
