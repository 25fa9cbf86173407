import { MAX_MESSAGE } from './decode.ts'

/** Maximum octets of one frame. A longer one ends the connection: where the next begins is unknown or far away. */
const MAX_FRAME = 65_536
const NEWLINE = 10
const NUL = 0
const SPACE = 32
const ZERO = 48
const NINE = 57
/** Digits of MSG-LEN. */
const MAX_DIGITS = 5

/**
 * Divides a stream into messages framed by octet counting, or by newlines or NULs, distinguished by the first octet of
 * each frame (RFC 6587 §3.4). Keeps at most one incomplete frame.
 */
export class SyslogFrames {
  private kept: Uint8Array = new Uint8Array(0)

  /** Octets of an incomplete frame. */
  get waiting(): number {
    return this.kept.length
  }

  /**
   * Returns the messages that end in this part of the stream, shortened to what the parser reads. Null: the framing is invalid, nothing is kept, and the connection must be closed.
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
      while (bytes[at] === NEWLINE || bytes[at] === NUL) at++
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

  /** Call when the connection ends. Returns a last message that has no newline; null if there is none. */
  end(): Uint8Array | null {
    const { kept } = this
    this.kept = new Uint8Array(0)
    return kept.length === 0 || isDigit(kept[0]) ? null : kept
  }
}

const isDigit = (octet: number | undefined) => octet !== undefined && octet >= ZERO && octet <= NINE

/** Where the first newline or NUL is, whichever ends the frame; -1: neither. */
function endOfLine(bytes: Uint8Array, from: number): number {
  const newline = bytes.indexOf(NEWLINE, from)
  const nul = (newline < 0 ? bytes : bytes.subarray(0, newline)).indexOf(NUL, from)
  return nul < 0 ? newline : nul
}

function next(bytes: Uint8Array, at: number): { start: number; end: number; next: number } | 'more' | 'wrong' {
  if (!isDigit(bytes[at])) {
    const end = endOfLine(bytes, at)
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
