import { decodeEchoReply, encodeEchoRequest } from './packet.ts'
import { type IcmpSocket, kernelNowMs } from './socket.ts'

interface Waiting {
  readonly token: Uint8Array
  readonly sentMs: number
  readonly due: number
  readonly settle: (rttMs: number | null) => void
}

/** Milliseconds between reads of the socket while replies are pending; the kernel's timestamps keep the times exact. */
const POLL_MS = 4
/** Packets read at a time, because a flood of them must not block the thread. */
const MAX_READ = 4096
const TOKEN_OCTETS = 32
/** Sequence numbers have 16 bits, and pending requests need different ones. */
const MAX_PENDING = 0xffff

/**
 * Echo requests from one socket. Replies are matched by identifier, sequence number and 32 random octets, so they cannot
 * be forged without seeing the request.
 */
export class EchoSocket {
  private readonly id = crypto.getRandomValues(new Uint16Array(1))[0] ?? 1
  private readonly waiting = new Map<number, Waiting>()
  private sequence = 0
  private timer: ReturnType<typeof setInterval> | null = null
  private isClosed = false

  constructor(private readonly socket: IcmpSocket) {}

  get closed(): boolean {
    return this.isClosed
  }

  /** Sends one request. The round trip in milliseconds; null: no reply within `timeoutMs`, or nothing could be sent. */
  ask(octets: Uint8Array, timeoutMs: number): Promise<number | null> {
    const { socket, waiting, id } = this
    if (this.isClosed || waiting.size >= MAX_PENDING) return Promise.resolve(null)
    do this.sequence = (this.sequence + 1) & 0xffff
    while (waiting.has(this.sequence))
    const { sequence } = this
    const token = crypto.getRandomValues(new Uint8Array(TOKEN_OCTETS))
    const packet = encodeEchoRequest({ family: socket.family, id, sequence, payload: token })
    return new Promise((resolve) => {
      const settle = (rttMs: number | null) => {
        waiting.delete(sequence)
        resolve(rttMs)
      }
      waiting.set(sequence, { token, sentMs: kernelNowMs(), due: performance.now() + timeoutMs, settle })
      this.timer ??= setInterval(() => this.look(), POLL_MS)
      // a missing route or a full send buffer counts as no reply
      socket.send(packet, octets)
    })
  }

  private look(): void {
    const { socket, waiting } = this
    for (let i = 0; i < MAX_READ; i++) {
      const received = socket.receive()
      if (received === null) break
      this.take(received.packet, received.atMs)
    }
    const now = performance.now()
    for (const request of waiting.values()) if (request.due <= now) request.settle(null)
    if (waiting.size === 0) this.stop()
  }

  private take(packet: Uint8Array, atMs: number): void {
    const { socket, waiting } = this
    const reply = decodeEchoReply(packet, socket.family, socket.kind === 'raw' && socket.family === 4)
    if (reply === null || (socket.kind === 'raw' && reply.id !== this.id)) return
    const request = waiting.get(reply.sequence)
    if (request === undefined || Buffer.compare(request.token, reply.payload) !== 0) return
    // a clock step in between must not give a negative round-trip time
    request.settle(Math.max(0, atMs - request.sentMs))
  }

  private stop(): void {
    if (this.timer !== null) clearInterval(this.timer)
    this.timer = null
  }

  /** Ends pending requests as not received. */
  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.stop()
    for (const request of [...this.waiting.values()]) request.settle(null)
    this.socket.close()
  }
}
