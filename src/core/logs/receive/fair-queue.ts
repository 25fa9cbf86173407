/** A received message that has not been parsed. */
export interface Received {
  /** Address of the sender. */
  readonly source: string
  readonly octets: Uint8Array
  /** Epoch ms; of a trap, by the clock that nobody sets (`steadyNow`). */
  readonly at: number
  /** UDP port of the sender; 0: received over a TCP connection. */
  readonly port: number
}

export interface QueueLimits {
  /** Messages from all senders. */
  readonly messages: number
  /** Their size in bytes. */
  readonly octets: number
}

/** Messages from one sender, in arrays because 100,000 objects would be expensive for the garbage collector. */
interface Line {
  octets: Uint8Array[]
  at: number[]
  port: number[]
  /** Index of the oldest. */
  head: number
}

/** Memory that a message takes in addition to its content, bytes. */
const OVERHEAD = 200
/** Share of what is taken that goes to known senders first. */
const KNOWN_SHARE = 0.8
/** Slots of taken messages that a line may have before it is compacted. */
const MAX_TAKEN = 1024
const NOTHING = new Uint8Array()

/**
 * A queue with a line for each sender, served in turn. When it is full, messages of the sender with the longest line
 * are dropped, either the new one or its newest in the queue, so that a flood from one sender does not starve the
 * others. Those of strangers are dropped first, because anybody can send with any number of invented addresses.
 */
export class FairQueue {
  private readonly known = new Lines()
  private readonly strangers = new Lines()

  /** `isKnown`: whether a sender is a device or relay, as far as it has been looked up; default: all are strangers. */
  constructor(
    private readonly limits: QueueLimits,
    private readonly isKnown: (source: string) => boolean = () => false,
  ) {}

  get size(): number {
    return this.known.messages + this.strangers.messages
  }

  /**
   * Adds a message; its content is copied if it is kept. Returns how many messages were dropped, including the message
   * itself.
   */
  push(message: Received): number {
    const { known, strangers, limits } = this
    const lines = this.isKnown(message.source) ? known : strangers
    const weight = message.octets.length + OVERHEAD
    let dropped = 0
    while (this.size >= limits.messages || known.octets + strangers.octets + weight > limits.octets) {
      const victims = strangers.messages > 0 ? strangers : lines
      const least = victims === lines ? lines.length(message.source) + 2 : 1
      if (!victims.dropNewest(least)) return dropped + 1
      dropped++
    }
    lines.add(message, weight)
    return dropped
  }

  /** Takes at most `most` messages, one from each sender in turn; those of one sender are in order. */
  take(most: number): Received[] {
    // strangers are not left waiting for ever, because one may be a device that has not been looked up
    const out = this.known.take(Math.ceil(most * KNOWN_SHARE))
    out.push(...this.strangers.take(most - out.length))
    if (out.length < most) out.push(...this.known.take(most - out.length))
    return out
  }
}

/** Messages of some senders, in a line for each. */
class Lines {
  private readonly lines = new Map<string, Line>()
  /** Senders by the length of their lines, and the length of the longest: looking through all lines takes too long. */
  private readonly byLength: (Set<string> | undefined)[] = []
  private most = 0
  messages = 0
  octets = 0

  add({ source, octets, at, port }: Received, weight: number): void {
    const kept = octets.slice()
    const line = this.lines.get(source)
    if (line === undefined) this.lines.set(source, { octets: [kept], at: [at], port: [port], head: 0 })
    else {
      line.octets.push(kept)
      line.at.push(at)
      line.port.push(port)
    }
    this.messages++
    this.octets += weight
    const length = this.length(source)
    this.moved(source, length - 1, length)
    if (length > this.most) this.most = length
  }

  /** Drops the newest message of the longest line; false: no line is as long as this. */
  dropNewest(least: number): boolean {
    const victim = this.fattest()
    if (victim === null || this.length(victim) < least) return false
    const line = this.lines.get(victim)
    const gone = line?.octets.pop()
    if (line === undefined || gone === undefined) return false
    line.at.pop()
    line.port.pop()
    this.taken(victim, line, gone)
    return true
  }

  /** Takes at most `most` messages, one from each sender in turn. */
  take(most: number): Received[] {
    const out: Received[] = []
    // A sender that was served goes to the end of the line, where this loop meets it again; also across calls.
    for (const [source, line] of this.lines) {
      if (out.length >= most) break
      const octets = line.octets[line.head]
      if (octets === undefined) continue
      out.push({ source, octets, at: line.at[line.head] ?? 0, port: line.port[line.head] ?? 0 })
      // lets the content be collected before the line is compacted
      line.octets[line.head] = NOTHING
      line.head++
      this.lines.delete(source)
      this.lines.set(source, line)
      this.taken(source, line, octets)
      if (line.head > MAX_TAKEN && line.head * 2 > line.octets.length) {
        line.octets = line.octets.slice(line.head)
        line.at = line.at.slice(line.head)
        line.port = line.port.slice(line.head)
        line.head = 0
      }
    }
    return out
  }

  /** Counts a message that has left its line. */
  private taken(source: string, line: Line, octets: Uint8Array): void {
    this.messages--
    this.octets -= octets.length + OVERHEAD
    const left = line.octets.length - line.head
    if (left === 0) this.lines.delete(source)
    this.moved(source, left + 1, left)
    // lengths change by one, so the next longest line is one shorter
    while (this.most > 0 && this.byLength[this.most] === undefined) this.most--
  }

  /** Notes that the length of a line has changed. */
  private moved(source: string, from: number, to: number): void {
    const before = this.byLength[from]
    const after = to === 0 ? null : this.byLength[to]
    if (before?.size === 1) this.byLength[from] = undefined
    if (before?.size === 1 && after === undefined) this.byLength[to] = before
    else {
      before?.delete(source)
      if (after === undefined) this.byLength[to] = new Set([source])
      else after?.add(source)
    }
  }

  length(source: string): number {
    const line = this.lines.get(source)
    return line === undefined ? 0 : line.octets.length - line.head
  }

  /** A sender with the longest line; null: the queue is empty. */
  private fattest(): string | null {
    for (const source of this.byLength[this.most] ?? []) return source
    return null
  }
}
