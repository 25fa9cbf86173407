import { SnmpError } from './errors.ts'
import type { Log } from './log.ts'
import { raiseReceiveBuffer } from './socket-buffer.ts'

type Socket = Bun.udp.Socket<'uint8array'>

export interface UdpHandlers {
  /** `socket`: number of the socket that received the datagram, see `UdpSockets`. */
  received(socket: number, data: Uint8Array, port: number, address: string): void
  /** There is room in a send buffer again. */
  drained(): void
  /** A socket error that names no destination, such as an ICMP error. */
  failed(): void
}

export interface UdpOptions {
  /** UDP sockets for IPv4. Default 2. */
  readonly sockets?: number
  /** Receive buffer requested for each socket, bytes. Default 8 MiB. */
  readonly receiveBufferOctets?: number
  /** Gets a warning when the receive buffer cannot be enlarged. */
  readonly log?: Log
}

/** Number of the socket for IPv6; those for IPv4 are numbered from 0. */
export const SOCKET_6 = -1
/** How often sending is tried again: more errors of other hosts than that are rarely pending. */
const MAX_SEND_ERRORS = 4
/** Bytes of receive buffer that the kernel charges for a datagram of 1,472 octets, rounded up. */
const ACCOUNTED_OCTETS = 4608

/** The UDP sockets of a transport, by number. */
export class UdpSockets {
  private readonly sockets4: Socket[] = []
  private socket6: Socket | null = null

  constructor(private readonly handlers: UdpHandlers) {}

  /** Number of sockets for IPv4. */
  get count4(): number {
    return this.sockets4.length
  }

  /**
   * Binds the sockets. Returns how many of `limit` responses fit in the receive buffers. Throws SnmpError `unsupported`
   * when no UDP socket can be opened.
   */
  async open(limit: number, options: UdpOptions): Promise<number> {
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
      this.socket6 = await this.bind('::', SOCKET_6)
      raiseReceiveBuffer(fdOf(this.socket6), octets)
    } catch {
      // without IPv6, requests over udp6 fail as unreachable
      this.socket6 = null
    }
    const holds = Math.max(1, Math.floor(held / ACCOUNTED_OCTETS))
    if (holds >= limit) return limit
    options.log?.warn(
      { receiveBufferOctets: held, inflight: holds },
      'the receive buffer is small: raise net.core.rmem_max',
    )
    return holds
  }

  private bind(hostname: string, index: number): Promise<Socket> {
    return Bun.udpSocket({
      hostname,
      port: 0,
      binaryType: 'uint8array',
      socket: {
        data: (_socket, data, port, address) => this.handlers.received(index, data, port, address),
        drain: () => this.handlers.drained(),
        // without a handler Bun prints every ICMP error
        error: () => this.handlers.failed(),
      },
    })
  }

  /** Whether the socket with this number was opened. */
  has(index: number): boolean {
    return this.at(index) !== null
  }

  /**
   * Sends a datagram; false: the send buffer is full, and `drained` follows. The kernel reports the ICMP error of an
   * earlier datagram, to whichever host, when the next one is sent, which is then not sent. So a failure counts only if
   * it is repeated; then the error is thrown.
   */
  send(index: number, datagram: Uint8Array, port: number, address: string): boolean {
    const socket = this.at(index)
    if (socket === null) throw new SnmpError('unsupported', `socket ${index} is not open`)
    for (let failures = 0; failures < MAX_SEND_ERRORS; failures++) {
      try {
        return socket.send(datagram, port, address)
      } catch {
        this.handlers.failed()
      }
    }
    return socket.send(datagram, port, address)
  }

  private at(index: number): Socket | null {
    return index === SOCKET_6 ? this.socket6 : (this.sockets4[index] ?? null)
  }

  close(): void {
    for (const socket of this.sockets4) socket.close()
    this.socket6?.close()
  }
}

/** Bun's UDP sockets have the member `fd`, which its types do not declare. */
function fdOf(socket: Socket): number {
  const fd = (socket as unknown as { fd?: unknown }).fd
  return typeof fd === 'number' ? fd : -1
}
