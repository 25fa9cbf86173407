import { addressOctets } from './address.ts'
import type { Log } from './log.ts'
import { decodeEchoReply, encodeEchoRequest } from './packet.ts'
import { findPingProgram, type PingProgram } from './program.ts'
import { type IcmpSocket, kernelNowMs, openIcmpSocket } from './socket.ts'

export interface PingOptions {
  /** Number of echo requests; each is sent after the reply or timeout of the one before. */
  readonly count: number
  /** Milliseconds to wait for each reply. */
  readonly timeoutMs: number
}

/** A round of echo requests to one address. `unavailable`: this host cannot send any, or the address is invalid. */
export type PingResult =
  | { readonly kind: 'unavailable' }
  | {
      readonly kind: 'measured'
      readonly sent: number
      readonly received: number
      /** Milliseconds; null: no reply. */
      readonly rttAvgMs: number | null
      readonly rttMinMs: number | null
      readonly rttMaxMs: number | null
    }

/** How echo requests are sent, for the log and `doctor`. */
export type PingMethod = 'raw' | 'datagram' | 'fping' | 'ping' | 'unavailable'

export interface Pinger {
  readonly method: { readonly 4: PingMethod; readonly 6: PingMethod }
  ping(address: string, options: PingOptions): Promise<PingResult>
  /** Ends pending requests as not received and closes the sockets. */
  close(): void
}

export interface PingerOptions {
  /** Gets a warning for each address family in which echo requests need a program or are not possible. */
  readonly log?: Log
  /** For tests: methods that must not be used. */
  readonly without?: readonly PingMethod[]
}

const UNAVAILABLE: PingResult = { kind: 'unavailable' }

/** Determines how this host can send echo requests. Never throws. */
export async function createPinger(options: PingerOptions = {}): Promise<Pinger> {
  const engines = { 4: await createEngine(4, options), 6: await createEngine(6, options) }
  // the kernel starts timestamping a moment after it is enabled; until then packets get the time at which they are read
  await Bun.sleep(STAMPING_STARTS_MS)
  return {
    method: { 4: engines[4].method, 6: engines[6].method },
    ping: async (address, { count, timeoutMs }) => {
      const octets = addressOctets(address)
      if (octets === null) return UNAVAILABLE
      return engines[octets.length === 4 ? 4 : 6].ping(address, octets, count, timeoutMs)
    },
    close: () => {
      engines[4].close()
      engines[6].close()
    },
  }
}

interface Engine {
  readonly method: PingMethod
  ping(address: string, octets: Uint8Array, count: number, timeoutMs: number): Promise<PingResult>
  close(): void
}

async function createEngine(family: 4 | 6, { log, without = [] }: PingerOptions): Promise<Engine> {
  const socket = openIcmpSocket(family)
  if (socket !== null && !without.includes(socket.kind)) return new SocketEngine(socket)
  socket?.close()
  const program = await findPingProgram(without)
  if (program !== null) {
    log?.warn({ family, program: program.method }, 'no ICMP socket; echo requests are sent by a program')
    return programEngine(program, family)
  }
  log?.warn({ family }, 'this host cannot send ICMP echo requests; ping is off')
  return { method: 'unavailable', ping: async () => UNAVAILABLE, close: () => {} }
}

function programEngine(program: PingProgram, family: 4 | 6): Engine {
  return {
    method: program.method,
    ping: async (address, _octets, count, timeoutMs) => {
      const times = await program.ping(address, family, count, timeoutMs)
      return times === null ? UNAVAILABLE : summarize(count, times)
    },
    close: () => {},
  }
}

function summarize(sent: number, times: readonly number[]): PingResult {
  const received = times.length
  if (received === 0) return { kind: 'measured', sent, received, rttAvgMs: null, rttMinMs: null, rttMaxMs: null }
  return {
    kind: 'measured',
    sent,
    received,
    rttAvgMs: times.reduce((sum, ms) => sum + ms, 0) / received,
    rttMinMs: Math.min(...times),
    rttMaxMs: Math.max(...times),
  }
}

interface Waiting {
  readonly token: Uint8Array
  readonly sentMs: number
  readonly due: number
  readonly settle: (rttMs: number | null) => void
}

/** Milliseconds between reads of the socket while replies are pending; the kernel's timestamps keep the times exact. */
const POLL_MS = 4
const TOKEN_OCTETS = 32
const STAMPING_STARTS_MS = 10
/** Pending requests on one socket; more could overflow its receive buffer or a network's queues. */
const MAX_OUTSTANDING = 512

/**
 * Echo over one socket. Replies are matched by identifier, sequence number and 32 random octets, so they cannot be
 * forged without seeing the request.
 */
class SocketEngine implements Engine {
  readonly method: PingMethod
  private readonly id = crypto.getRandomValues(new Uint16Array(1))[0] ?? 1
  private readonly waiting = new Map<number, Waiting>()
  private readonly queue: (() => void)[] = []
  private sequence = 0
  private timer: ReturnType<typeof setInterval> | null = null
  private closed = false

  constructor(private readonly socket: IcmpSocket) {
    this.method = socket.kind
  }

  async ping(_address: string, octets: Uint8Array, count: number, timeoutMs: number): Promise<PingResult> {
    const times: number[] = []
    let sent = 0
    for (; sent < count && !this.closed; sent++) {
      const rtt = await this.once(octets, timeoutMs)
      if (rtt !== null) times.push(rtt)
    }
    return summarize(sent, times)
  }

  private async once(octets: Uint8Array, timeoutMs: number): Promise<number | null> {
    if (this.waiting.size >= MAX_OUTSTANDING) await new Promise<void>((resolve) => this.queue.push(resolve))
    if (this.closed) return null
    do this.sequence = (this.sequence + 1) & 0xffff
    while (this.waiting.has(this.sequence))
    const { sequence } = this
    const token = crypto.getRandomValues(new Uint8Array(TOKEN_OCTETS))
    const packet = encodeEchoRequest({ family: this.socket.family, id: this.id, sequence, payload: token })
    return new Promise((resolve) => {
      const settle = (rttMs: number | null) => {
        this.waiting.delete(sequence)
        resolve(rttMs)
        this.queue.shift()?.()
      }
      this.waiting.set(sequence, { token, sentMs: kernelNowMs(), due: performance.now() + timeoutMs, settle })
      this.timer ??= setInterval(() => this.look(), POLL_MS)
      // a missing route or a full send buffer counts as no reply
      this.socket.send(packet, octets)
    })
  }

  private look(): void {
    const { socket, waiting } = this
    // bounded, because a flood of packets must not block the thread
    for (let i = 0; i < 4096; i++) {
      const received = socket.receive()
      if (received === null) break
      this.take(received.packet, received.atMs)
    }
    const now = performance.now()
    for (const request of waiting.values()) if (request.due <= now) request.settle(null)
    if (waiting.size === 0 && this.queue.length === 0) this.stop()
  }

  private take(packet: Uint8Array, atMs: number): void {
    const { socket, waiting } = this
    const reply = decodeEchoReply(packet, socket.family, socket.kind === 'raw' && socket.family === 4)
    if (reply === null || (socket.kind === 'raw' && reply.id !== this.id)) return
    const request = waiting.get(reply.sequence)
    if (request === undefined || !sameOctets(request.token, reply.payload)) return
    // a clock step in between must not give a negative round-trip time
    request.settle(Math.max(0, atMs - request.sentMs))
  }

  private stop(): void {
    if (this.timer !== null) clearInterval(this.timer)
    this.timer = null
  }

  close(): void {
    if (this.closed) return
    this.closed = true
    this.stop()
    for (const request of [...this.waiting.values()]) request.settle(null)
    for (const go of this.queue.splice(0)) go()
    this.socket.close()
  }
}

function sameOctets(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((octet, i) => octet === b[i])
}
