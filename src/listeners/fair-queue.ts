/** What was received, before it is parsed. */
export interface Received {
  /** Address of the sender. */
  readonly source: string
  readonly octets: Uint8Array
  /** Epoch ms. */
  readonly at: number
}

export interface QueueLimits {
  /** Messages of all senders. */
  readonly messages: number
  /** Their octets. */
  readonly octets: number
}

interface Line {
  items: Received[]
  /** Index of the oldest. */
  head: number
}

/** Memory that a message takes beside its octets. */
const OVERHEAD = 200

/**
 * Messages that wait, in a line for each sender, taken in turns. When it is full, the sender with the longest line loses
 * its new messages, or its newest one to another sender's, so that one sender that floods starves nobody.
 */
export class FairQueue {
  private readonly lines = new Map<string, Line>()
  private longest: string | null = null
  private messages = 0
  private octets = 0

  constructor(private readonly limits: QueueLimits) {}

  get size(): number {
    return this.messages
  }

  /** Adds a message. Returns the number of messages dropped for it: 0, or 1 (itself or another's). */
  push(message: Received): number {
    let dropped = 0
    const weight = message.octets.length + OVERHEAD
    while (this.messages >= this.limits.messages || this.octets + weight > this.limits.octets) {
      const own = this.length(message.source)
      const victim = this.fattest()
      if (victim === null || own + 1 >= this.length(victim)) return dropped + 1
      const line = this.lines.get(victim)
      const gone = line?.items.pop()
      if (line === undefined || gone === undefined) return dropped + 1
      this.taken(victim, line, gone)
      dropped++
    }
    const line = this.lines.get(message.source)
    if (line === undefined) this.lines.set(message.source, { items: [message], head: 0 })
    else line.items.push(message)
    this.messages++
    this.octets += weight
    if (this.longest !== null && this.length(message.source) > this.length(this.longest)) this.longest = message.source
    return dropped
  }

  /** At most `most` messages: one of each sender, then again; those of one sender in their order. */
  take(most: number): Received[] {
    const out: Received[] = []
    while (out.length < most && this.messages > 0) {
      // Whoever was served goes to the end of the turn, also across calls.
      for (const [source, line] of [...this.lines]) {
        if (out.length >= most) break
        const item = line.items[line.head]
        if (item === undefined) continue
        line.head++
        out.push(item)
        this.lines.delete(source)
        this.lines.set(source, line)
        this.taken(source, line, item)
        if (line.head > 1024 && line.head * 2 > line.items.length) {
          line.items = line.items.slice(line.head)
          line.head = 0
        }
      }
    }
    return out
  }

  private taken(source: string, line: Line, item: Received): void {
    this.messages--
    this.octets -= item.octets.length + OVERHEAD
    if (this.longest === source) this.longest = null
    if (line.head >= line.items.length) this.lines.delete(source)
  }

  private length(source: string): number {
    const line = this.lines.get(source)
    return line === undefined ? 0 : line.items.length - line.head
  }

  private fattest(): string | null {
    if (this.longest !== null && this.lines.has(this.longest)) return this.longest
    let most = 0
    this.longest = null
    for (const source of this.lines.keys()) {
      if (this.length(source) <= most) continue
      most = this.length(source)
      this.longest = source
    }
    return this.longest
  }
}
