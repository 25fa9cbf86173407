import { BerWriter } from './ber.ts'
import { SnmpError } from './errors.ts'
import type { Log } from './log.ts'
import { MessageView, peekId } from './message.ts'
import { raiseReceiveBuffer } from './socket-buffer.ts'
import { StrayCounter } from './strays.ts'
import { createIdSource, RecentIds, sameAddress } from './transport-ids.ts'
import { KeyCache } from './usm/key.ts'

export interface TransportOptions {
  /**
   * Maximum number of pending requests to all agents (setting `poller.inflight`), lowered to what fits in the receive
   * buffers. Default 256.
   */
  readonly inflight?: number
  /** UDP sockets for IPv4. Default 2. */
  readonly sockets?: number
  /** Receive buffer requested for each socket, bytes. Default 8 MiB. */
  readonly receiveBufferOctets?: number
  /** Gets a warning when the receive buffer cannot be enlarged. */
  readonly log?: Log
  /** Shared memory; its first number is the owner of the request whose response is being processed. */
  readonly current?: Int32Array
  /** Called for an address that floods, at most once a second for each. */
  readonly flooded?: (address: string) => void
}

/** Counters since the transport was created. */
export interface TransportStats {
  /** Requests, without retransmissions. */
  requests: number
  retransmissions: number
  /** Replies accepted by their request. */
  replies: number
  /** Requests without a reply after their last try. */
  timeouts: number
  /** Replies with the id of a request but from another address or port. */
  wrongSource: number
  /** Replies whose id belongs to no pending or recent request. */
  unknownId: number
  /** Replies to a request that was already answered. */
  duplicate: number
  /** Replies to a request that had already timed out. */
  late: number
  /** Datagrams that are not SNMP messages. */
  malformed: number
  /** Replies rejected by the session: wrong community, engine, digest or PDU. */
  rejected: number
  /** Values with the wrong type for their object, such as text instead of a number. Counted by the reader. */
  unreadable: number
  /** Socket errors that name no destination, such as ICMP errors. */
  socketErrors: number
  octetsIn: number
  octetsOut: number
}

/** One request to one agent: what the transport needs to send it, retransmit it and deliver the reply. */
export interface Exchange {
  readonly address: string
  readonly port: number
  readonly family: 4 | 6
  readonly timeoutMs: number
  /** Tries after the first. */
  readonly retries: number
  /** `performance.now()` at which the request fails; Infinity: not before the last try. */
  readonly deadline: number
  /** Milliseconds after which the first try is retransmitted before its timeout; Infinity: never. */
  readonly earlyMs: number
  /** Each retransmission has a new id (v3: RFC 3412 §6.2). */
  readonly freshIds: boolean
  /** Replies are accepted from any address and port. */
  readonly anySource: boolean
  /** Id of the device, given by the caller; 0: none. */
  readonly owner: number
  /** The datagram of a try (0, 1, …). The transport does not change it, so it may be returned again. */
  encode(id: number, attempt: number): Uint8Array
  /** A try timed out: called before each retransmission and before `failed('timeout')`. */
  lost(): void
  /** A datagram with one of this exchange's ids arrived from the right source. Returns false to keep waiting. */
  reply(bytes: Uint8Array, attempt: number): boolean
  /** `from`: where replies came from that were not accepted, because the request went elsewhere; null: none did. */
  failed(reason: ExchangeFailure, from: string | null): void
}

/** `unreachable`: this host cannot send to the address. `tooBig`: the request does not fit in a datagram. */
export type ExchangeFailure = 'timeout' | 'deadline' | 'unreachable' | 'tooBig' | 'closed'

type Socket = Bun.udp.Socket<'uint8array'>

interface Flight {
  readonly exchange: Exchange
  readonly socket: number
  readonly ids: number[]
  /** Address and port of the last reply from elsewhere; null: none. */
  strayFrom: string | null
  attempt: number
  /** When the sweep next handles the request, and when its current try ends. */
  due: number
  tryEnds: number
  /** Position in `flights`. */
  at: number
}

/** How often sending is tried again: more errors of other hosts than that are rarely pending. */
const MAX_SEND_ERRORS = 4

/** Bytes of receive buffer that the kernel charges for a datagram of 1,472 octets, rounded up. */
const ACCOUNTED_OCTETS = 4608

/** The UDP sockets of one worker, shared by the sessions of all agents. */
export interface Transport {
  readonly stats: Readonly<TransportStats>
  /** Counts a value with the wrong type for its object. */
  countUnreadable(): void
  /** Sets the owner of the work this thread does next, who is named as the cause if the thread stalls. */
  attend(owner: number): void
  /** Maximum number of pending requests. */
  readonly limit: number
  readonly inFlight: number
  /** Requests waiting until `inFlight` falls below `limit`. */
  readonly queued: number
  /** Scratch space of the sessions, valid until the next call of the transport. */
  readonly writer: BerWriter
  readonly view: MessageView
  /** Localised keys of USM users. */
  readonly keys: KeyCache
  /** Sends now or as soon as the limit allows. Exactly one `reply` that returns true, or one `failed`, follows. */
  submit(exchange: Exchange): void
  /** Fails all requests (`closed`) and closes the sockets. */
  close(): void
}

/** Binds the sockets. Throws SnmpError `unsupported` when no UDP socket can be opened. */
export async function createTransport(options: TransportOptions = {}): Promise<Transport> {
  const transport = new UdpTransport(
    options.inflight ?? 256,
    options.current ?? new Int32Array(1),
    new StrayCounter(options.flooded ?? (() => undefined)),
  )
  await transport.open(options)
  return transport
}

class UdpTransport implements Transport {
  readonly stats: TransportStats = {
    requests: 0,
    retransmissions: 0,
    replies: 0,
    timeouts: 0,
    wrongSource: 0,
    unknownId: 0,
    duplicate: 0,
    late: 0,
    malformed: 0,
    rejected: 0,
    unreadable: 0,
    socketErrors: 0,
    octetsIn: 0,
    octetsOut: 0,
  }
  readonly writer = new BerWriter()
  readonly view = new MessageView()
  readonly keys = new KeyCache()
  limit: number
  private readonly sockets4: Socket[] = []
  private socket6: Socket | null = null
  private readonly flights: Flight[] = []
  private readonly byId = new Map<number, Flight>()
  private readonly recent = new RecentIds()
  private readonly nextId = createIdSource()
  private waiting: Exchange[] = []
  private waitingHead = 0
  private readonly unsent: Flight[] = []
  private timer: ReturnType<typeof setTimeout> | null = null
  private wakeAt = Number.POSITIVE_INFINITY
  private turn = 0
  private closed = false
  private pumping = false

  constructor(
    limit: number,
    private readonly current: Int32Array,
    private readonly strays: StrayCounter,
  ) {
    this.limit = limit
  }

  get inFlight(): number {
    return this.flights.length
  }

  get queued(): number {
    return this.waiting.length - this.waitingHead
  }

  async open(options: TransportOptions): Promise<void> {
    const octets = options.receiveBufferOctets ?? 8 << 20
    let held = 0
    try {
      for (let i = 0; i < (options.sockets ?? 2); i++) {
        const socket = await this.bind('0.0.0.0', i)
        this.sockets4.push(socket)
        held += raiseReceiveBuffer(fdOf(socket), octets) ?? 212_992
      }
    } catch (cause) {
      throw new SnmpError('unsupported', 'no UDP socket', { cause })
    }
    try {
      this.socket6 = await this.bind('::', -1)
      raiseReceiveBuffer(fdOf(this.socket6), octets)
    } catch {
      // without IPv6, requests over udp6 fail as unreachable
      this.socket6 = null
    }
    const holds = Math.max(1, Math.floor(held / ACCOUNTED_OCTETS))
    if (holds < this.limit) {
      options.log?.warn(
        { receiveBufferOctets: held, inflight: holds },
        'the receive buffer is small: raise net.core.rmem_max',
      )
      this.limit = holds
    }
  }

  private bind(hostname: string, index: number): Promise<Socket> {
    return Bun.udpSocket({
      hostname,
      port: 0,
      binaryType: 'uint8array',
      socket: {
        data: (_socket, data, port, address) => this.receive(index, data, port, address),
        drain: () => this.drain(),
        // without a handler Bun prints every ICMP error
        error: () => {
          this.stats.socketErrors++
        },
      },
    })
  }

  submit(exchange: Exchange): void {
    if (this.closed) {
      exchange.failed('closed', null)
      return
    }
    this.waiting.push(exchange)
    this.pump()
    // a request also fails at its deadline while it waits
    if (this.queued > 0 && exchange.deadline !== Number.POSITIVE_INFINITY)
      this.wake(exchange.deadline, performance.now())
  }

  private pump(): void {
    // an exchange that fails at once may submit another from its `failed`
    if (this.pumping) return
    this.pumping = true
    while (this.flights.length < this.limit && this.waitingHead < this.waiting.length) {
      const exchange = this.waiting[this.waitingHead++]
      if (exchange !== undefined) this.launch(exchange)
    }
    this.pumping = false
    if (this.waitingHead > 1024 || this.waitingHead === this.waiting.length) {
      this.waiting = this.waiting.slice(this.waitingHead)
      this.waitingHead = 0
    }
  }

  private launch(exchange: Exchange): void {
    if (exchange.deadline <= performance.now()) {
      exchange.failed('deadline', null)
      return
    }
    this.turn = (this.turn + 1) % this.sockets4.length
    const socket = exchange.family === 4 ? this.turn : -1
    const flight: Flight = {
      exchange,
      socket,
      ids: [],
      strayFrom: null,
      attempt: 0,
      due: 0,
      tryEnds: 0,
      at: this.flights.length,
    }
    this.flights.push(flight)
    this.stats.requests++
    this.transmit(flight)
  }

  private transmit(flight: Flight): void {
    const { exchange } = flight
    let id = flight.ids.at(-1)
    if (id === undefined || exchange.freshIds) {
      id = this.freshId()
      flight.ids.push(id)
      this.byId.set(id, flight)
    }
    const now = performance.now()
    // an early retransmission is part of the first try and does not extend it
    const early = flight.attempt === 0 && flight.tryEnds === 0 ? exchange.earlyMs : Number.POSITIVE_INFINITY
    if (flight.tryEnds <= now) flight.tryEnds = Math.min(now + exchange.timeoutMs, exchange.deadline)
    flight.due = Math.min(flight.tryEnds, now + early)
    this.wake(flight.due, now)
    this.send(flight, id)
  }

  private send(flight: Flight, id: number): void {
    const { exchange } = flight
    const socket = flight.socket < 0 ? this.socket6 : this.sockets4[flight.socket]
    if (socket === null || socket === undefined) {
      this.fail(flight, 'unreachable')
      return
    }
    try {
      const datagram = exchange.encode(id, flight.attempt)
      this.stats.octetsOut += datagram.length
      // false: the send buffer is full; `drain` follows
      if (!this.sendBy(socket, datagram, exchange)) this.unsent.push(flight)
    } catch (error) {
      this.fail(flight, error instanceof SnmpError && error.kind === 'tooBig' ? 'tooBig' : 'unreachable')
    }
  }

  /**
   * Sends a datagram. The kernel reports the ICMP error of an earlier datagram, to whichever host, when the next one is
   * sent, which is then not sent. So a failure counts only if it is repeated.
   */
  private sendBy(socket: Socket, datagram: Uint8Array, { port, address }: Exchange): boolean {
    for (let failures = 0; failures < MAX_SEND_ERRORS; failures++) {
      try {
        return socket.send(datagram, port, address)
      } catch {
        this.stats.socketErrors++
      }
    }
    return socket.send(datagram, port, address)
  }

  private drain(): void {
    for (const flight of this.unsent.splice(0)) {
      const id = flight.ids.at(-1)
      if (this.flights[flight.at] === flight && id !== undefined) this.send(flight, id)
    }
  }

  private freshId(): number {
    for (;;) {
      const id = this.nextId()
      if (!this.byId.has(id)) return id
    }
  }

  private receive(socket: number, data: Uint8Array, port: number, address: string): void {
    this.stats.octetsIn += data.length
    const id = peekId(data)
    const flight = this.byId.get(id)
    if (flight === undefined) {
      this.countStray(id)
      this.strays.count(address, performance.now())
      return
    }
    const { exchange } = flight
    const fromTarget = exchange.port === port && sameAddress(exchange.address, address)
    if (flight.socket !== socket || !(fromTarget || exchange.anySource)) {
      this.stats.wrongSource++
      flight.strayFrom = `${address} port ${port}`
      this.strays.count(address, performance.now())
      return
    }
    let accepted = false
    this.attend(exchange.owner)
    try {
      accepted = exchange.reply(data, flight.attempt)
    } catch (error) {
      if (!(error instanceof SnmpError)) throw error
      this.stats.malformed++
      this.strays.count(address, performance.now())
      return
    }
    if (!accepted) {
      this.stats.rejected++
      this.strays.count(address, performance.now())
      return
    }
    this.stats.replies++
    this.release(flight, true)
    this.pump()
  }

  private countStray(id: number): void {
    if (id < 0) this.stats.malformed++
    else {
      const known = this.recent.find(id)
      if (known === 'answered') this.stats.duplicate++
      else if (known === 'given-up') this.stats.late++
      else this.stats.unknownId++
    }
  }

  private release(flight: Flight, answered: boolean): void {
    // a reply may have closed the transport
    if (this.flights[flight.at] !== flight) return
    for (const id of flight.ids) {
      this.byId.delete(id)
      this.recent.add(id, answered)
    }
    const last = this.flights.pop()
    if (last !== undefined && last !== flight) {
      this.flights[flight.at] = last
      last.at = flight.at
    }
  }

  private fail(flight: Flight, reason: ExchangeFailure): void {
    this.release(flight, false)
    if (reason === 'timeout') this.stats.timeouts++
    this.attend(flight.exchange.owner)
    flight.exchange.failed(reason, flight.strayFrom)
  }

  /** Schedules the sweep at `due` unless it runs earlier. */
  private wake(due: number, now: number): void {
    if (due >= this.wakeAt) return
    if (this.timer !== null) clearTimeout(this.timer)
    this.wakeAt = due
    this.timer = setTimeout(() => this.sweep(), Math.max(1, due - now))
  }

  private sweep(): void {
    this.timer = null
    this.wakeAt = Number.POSITIVE_INFINITY
    const now = performance.now()
    let next = Number.POSITIVE_INFINITY
    for (const flight of this.flights.filter((f) => f.due <= now)) {
      const { exchange } = flight
      if (now >= exchange.deadline) {
        this.fail(flight, 'deadline')
        continue
      }
      exchange.lost()
      const tryEnded = now >= flight.tryEnds
      if (tryEnded && flight.attempt >= exchange.retries) this.fail(flight, 'timeout')
      else {
        if (tryEnded) flight.attempt++
        this.stats.retransmissions++
        this.transmit(flight)
      }
    }
    for (const flight of this.flights) if (flight.due < next) next = flight.due
    next = Math.min(next, this.sweepWaiting(now))
    // a little later, so that one sweep also handles requests due shortly after
    if (next !== Number.POSITIVE_INFINITY) this.wake(next + 5, now)
    this.pump()
  }

  /** Fails the waiting requests whose deadline has passed; returns the next deadline. */
  private sweepWaiting(now: number): number {
    let next = Number.POSITIVE_INFINITY
    const waiting = this.waiting.slice(this.waitingHead)
    const expired = waiting.filter((exchange) => exchange.deadline <= now)
    if (expired.length > 0) {
      this.waiting = waiting.filter((exchange) => exchange.deadline > now)
      this.waitingHead = 0
    }
    for (const exchange of this.waiting) next = Math.min(next, exchange.deadline)
    for (const exchange of expired) exchange.failed('deadline', null)
    return next
  }

  attend(owner: number): void {
    Atomics.store(this.current, 0, owner)
  }

  countUnreadable(): void {
    this.stats.unreadable++
  }

  close(): void {
    if (this.closed) return
    this.closed = true
    if (this.timer !== null) clearTimeout(this.timer)
    for (const flight of [...this.flights]) this.fail(flight, 'closed')
    const waiting = this.waiting.slice(this.waitingHead)
    this.waiting = []
    this.waitingHead = 0
    for (const exchange of waiting) exchange.failed('closed', null)
    for (const socket of this.sockets4) socket.close()
    this.socket6?.close()
  }
}

/** Bun's UDP sockets have the member `fd`, which its types do not declare. */
function fdOf(socket: Socket): number {
  const fd = (socket as unknown as { fd?: unknown }).fd
  return typeof fd === 'number' ? fd : -1
}
