import { readFileSync } from 'node:fs'
import type { Socket, TCPSocketListener } from 'bun'
import { descriptorLimit } from '../observe/descriptors.ts'
import { raiseReceiveBuffer } from '../snmp/socket-buffer.ts'
import type { Counter } from './counter.ts'
import type { Received } from './fair-queue.ts'
import { SyslogFrames } from './syslog/framing.ts'

/** An open listener. */
export interface Listening {
  readonly port: number
  close(): void
}

/** Size of the kernel's receive buffer, bytes. */
const RECEIVE_BUFFER = 16 << 20
/** A process with few descriptors leaves most of them to the database and the agents. */
const MAX_CONNECTIONS = Math.min(1000, Math.floor((descriptorLimit() ?? Number.POSITIVE_INFINITY) / 8))
const MAX_CONNECTIONS_OF_ONE = 50
/** Seconds without data after which a connection is closed. */
const IDLE_S = 250

/** HOST:PORT, or [IPV6]:PORT. Throws if it is neither. */
export function hostPort(text: string): { hostname: string; port: number } {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text)
  if (match === null) throw new Error(`not HOST:PORT: ${text}`)
  return { hostname: match[1] ?? match[2] ?? '', port: Number(match[3]) }
}

/** Converts an IPv4-mapped IPv6 address, as IPv6 sockets report for IPv4 senders, to IPv4. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/** Listens for datagrams; `send` sends a response. */
export async function listenUdp(
  at: string,
  counter: Counter,
  receive: (message: Received) => void,
): Promise<Listening & { send(octets: Uint8Array, port: number, address: string): void }> {
  const socket = await Bun.udpSocket({
    ...hostPort(at),
    binaryType: 'uint8array',
    socket: {
      data(_socket, data, port, address) {
        counter.received++
        receive({ source: plainAddress(address), octets: data, at: Date.now(), port })
      },
      error() {},
    },
  })
  const { fd } = socket as unknown as { fd?: number }
  if (fd !== undefined) raiseReceiveBuffer(fd, RECEIVE_BUFFER)
  let before = kernelDrops(socket.port)
  const timer = setInterval(() => {
    const now = kernelDrops(socket.port)
    counter.drop('kernel', now - before)
    before = now
  }, 1000)
  return {
    port: socket.port,
    send: (octets, port, address) => void socket.send(octets, port, address),
    close() {
      clearInterval(timer)
      socket.close()
    },
  }
}

/** Datagrams that the kernel dropped because the receive buffer of the port was full; 0 if unknown. */
function kernelDrops(port: number): number {
  const hex = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  let drops = 0
  for (const path of ['/proc/self/net/udp', '/proc/self/net/udp6']) {
    try {
      for (const line of readFileSync(path, 'latin1').split('\n')) {
        const fields = line.trim().split(/\s+/)
        if (fields[1]?.endsWith(hex)) drops += Number(fields.at(-1)) || 0
      }
    } catch {
      // not Linux
    }
  }
  return drops
}

interface Peer {
  readonly address: string
  readonly frames: SyslogFrames
}

/** Listens for TCP connections with syslog messages, with TLS if a certificate is given. */
export function listenTcp(
  at: string,
  tls: { readonly cert: string; readonly key: string } | null,
  counter: Counter,
  receive: (message: Received) => void,
): Listening {
  const open = new Map<string, number>()
  let connections = 0
  const left = (socket: Socket<Peer | null>): void => {
    const peer = socket.data
    if (peer === null) return
    socket.data = null
    connections--
    const count = (open.get(peer.address) ?? 1) - 1
    if (count === 0) open.delete(peer.address)
    else open.set(peer.address, count)
    const last = peer.frames.end()
    if (last !== null) accept(peer.address, [last])
  }
  const accept = (source: string, frames: readonly Uint8Array[]): void => {
    const now = Date.now()
    counter.received += frames.length
    for (const octets of frames) receive({ source, octets, at: now, port: 0 })
  }
  const server: TCPSocketListener<Peer | null> = Bun.listen<Peer | null>({
    ...hostPort(at),
    ...(tls !== null && { tls }),
    data: null,
    socket: {
      open(socket) {
        const address = plainAddress(socket.remoteAddress)
        const count = open.get(address) ?? 0
        socket.data = null
        if (connections >= MAX_CONNECTIONS || count >= MAX_CONNECTIONS_OF_ONE) {
          counter.drop('connections')
          socket.terminate()
          return
        }
        connections++
        open.set(address, count + 1)
        socket.data = { address, frames: new SyslogFrames() }
        socket.timeout(IDLE_S)
      },
      data(socket, data) {
        const peer = socket.data
        if (peer === null) return
        const frames = peer.frames.add(data)
        if (frames === null) {
          counter.drop('framing')
          socket.terminate()
          return
        }
        accept(peer.address, frames)
        socket.timeout(IDLE_S)
      },
      timeout: (socket) => void socket.end(),
      end: (socket) => void socket.end(),
      close: left,
      error: left,
    },
  })
  return { port: server.port, close: () => server.stop(true) }
}
