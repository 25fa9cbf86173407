import { addressOctets } from '@portlight/addresses/networks.ts'
import { createLimiter } from '@portlight/limit/limit.ts'
import { EchoSocket } from './echo-socket.ts'
import type { Log } from './log.ts'
import { findPingProgram, type PingProgram } from './program.ts'
import { type IcmpSocket, openIcmpSocket } from './socket.ts'

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

const STAMPING_STARTS_MS = 10
/** Pending requests on one socket; more could overflow its receive buffer or a network's queues. */
const MAX_OUTSTANDING = 512

/** Echo over one socket. */
class SocketEngine implements Engine {
  readonly method: PingMethod
  private readonly echo: EchoSocket
  private readonly inTurn = createLimiter(MAX_OUTSTANDING)

  constructor(socket: IcmpSocket) {
    this.method = socket.kind
    this.echo = new EchoSocket(socket)
  }

  async ping(_address: string, octets: Uint8Array, count: number, timeoutMs: number): Promise<PingResult> {
    const times: number[] = []
    let sent = 0
    for (; sent < count && !this.echo.closed; sent++) {
      const rtt = await this.inTurn(() => this.echo.ask(octets, timeoutMs))
      if (rtt !== null) times.push(rtt)
    }
    return summarize(sent, times)
  }

  close(): void {
    this.echo.close()
  }
}
