import { BerWriter } from './ber.ts'
import { SnmpError } from './errors.ts'
import type { Exchange, ExchangeFailure } from './exchange.ts'
import { MessageView, peekId } from './message.ts'
import { StrayCounter } from './strays.ts'
import { createIdSource, RecentIds, sameAddress } from './transport-ids.ts'
import { SOCKET_6, type UdpOptions, UdpSockets } from './udp-sockets.ts'
import { KeyCache } from './usm/key.ts'

export interface TransportOptions extends UdpOptions {
  /**
   * Maximum number of pending requests to all agents (setting `poller.inflight`), lowered to what fits in the receive
   * buffers. Default 256.
   */
  readonly inflight?: number
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
  private readonly sockets = new UdpSockets({
    received: (socket, data, port, address) => this.receive(socket, data, port, address),
    drained: () => this.drain(),
    failed: () => {
      this.stats.socketErrors++
    },
  })
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

  async open(options: UdpOptions): Promise<void> {
    this.limit = await this.sockets.open(this.limit, options)
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
    this.turn = (this.turn + 1) % this.sockets.count4
    const socket = exchange.family === 4 ? this.turn : SOCKET_6
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
    if (!this.sockets.has(flight.socket)) {
      this.fail(flight, 'unreachable')
      return
    }
    try {
      const datagram = exchange.encode(id, flight.attempt)
      this.stats.octetsOut += datagram.length
      const sent = this.sockets.send(flight.socket, datagram, exchange.port, exchange.address)
      if (!sent) this.unsent.push(flight)
    } catch (error) {
      this.fail(flight, error instanceof SnmpError && error.kind === 'tooBig' ? 'tooBig' : 'unreachable')
    }
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
    this.sockets.close()
  }
}
