import { readFileSync } from 'node:fs'
import { raiseReceiveBuffer } from '@portlight/snmp/socket-buffer.ts'
import type { Socket, TCPSocketListener } from 'bun'
import { descriptorLimit } from '../../../observe/descriptors.ts'
import { plainAddress } from './address.ts'
import type { Counter } from './counter.ts'
import type { Received } from './fair-queue.ts'
import { Slots } from './slots.ts'
import { SyslogFrames } from './syslog/framing.ts'

/** An open listener. */
export interface Listening {
  readonly port: number
  close(): void
}

/** Size of the kernel's receive buffer, bytes. */
const RECEIVE_BUFFER = 16 << 20
/** Connections at the same time. A process with few descriptors leaves most of them to the database and the agents. */
const SLOTS = {
  total: Math.min(1000, Math.floor((descriptorLimit() ?? Number.POSITIVE_INFINITY) / 8)),
  ofKnown: 50,
  ofUnknown: 10,
}
/** Seconds without a message after which the connection of a device or relay is closed. */
const IDLE_S = 250
/** The same for the connection of anyone else. */
const SILENT_S = 30

/** HOST:PORT, or [IPV6]:PORT. Throws if it is neither. */
export function hostPort(text: string): { hostname: string; port: number } {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text)
  if (match === null) throw new Error(`not HOST:PORT: ${text}`)
  return { hostname: match[1] ?? match[2] ?? '', port: Number(match[3]) }
}

/** Listens for datagrams; `send` sends a response, and returns why the system refuses to; null: it does not. */
export async function listenUdp(
  at: string,
  counter: Counter,
  receive: (message: Received) => void,
): Promise<Listening & { send(octets: Uint8Array, port: number, address: string): string | null }> {
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
    send(octets, port, address) {
      try {
        socket.send(octets, port, address)
        return null
      } catch (error) {
        // a firewall or missing route; also a sender that claims an impossible port
        return error instanceof Error ? error.message : String(error)
      }
    },
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
  readonly socket: Socket<Peer | null>
}

/** Who may connect. */
export interface Sources {
  /** Whether this address belongs to a device or relay, as far as it has been looked up; null: it has not. */
  isKnown(address: string): boolean | null
  /** Looks up an address. Never rejects; resolves to false also if it cannot be looked up. */
  lookUp(address: string): Promise<boolean>
}

/** Listens for TCP connections with syslog messages, with TLS if a certificate is given. */
export function listenTcp(
  at: string,
  tls: { readonly cert: string; readonly key: string } | null,
  counter: Counter,
  receive: (message: Received) => void,
  sources: Sources,
): Listening {
  const slots = new Slots<Peer>(SLOTS)
  const left = (socket: Socket<Peer | null>): void => {
    const peer = socket.data
    if (peer === null) return
    socket.data = null
    slots.close(peer)
    const last = peer.frames.end()
    if (last !== null) accept(peer.address, [last])
  }
  const accept = (source: string, frames: readonly Uint8Array[]): void => {
    const now = Date.now()
    counter.received += frames.length
    for (const octets of frames) receive({ source, octets, at: now, port: 0 })
  }
  /** Sets when the connection is closed if it stays silent. */
  const expectMessage = (peer: Peer): void => {
    const state = slots.state(peer)
    if (state !== null) peer.socket.timeout(state.isKnown ? IDLE_S : SILENT_S)
  }
  const lookUp = async (peer: Peer): Promise<void> => {
    if (!(await sources.lookUp(peer.address))) return
    slots.note(peer, { isKnown: true })
    expectMessage(peer)
  }
  const server: TCPSocketListener<Peer | null> = Bun.listen<Peer | null>({
    ...hostPort(at),
    ...(tls !== null && { tls }),
    data: null,
    socket: {
      open(socket) {
        const peer = { address: plainAddress(socket.remoteAddress), frames: new SyslogFrames(), socket }
        const isKnown = sources.isKnown(peer.address)
        const victim = slots.open(peer, isKnown === true)
        if (victim !== null) counter.drop('connections')
        if (victim === 'refused') {
          socket.data = null
          socket.terminate()
          return
        }
        socket.data = peer
        if (victim !== null) {
          victim.socket.data = null
          victim.socket.terminate()
        }
        expectMessage(peer)
        if (isKnown === null) void lookUp(peer)
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
        if (frames.length > 0) {
          slots.note(peer, { hasSpoken: true })
          accept(peer.address, frames)
        }
        // An incomplete message does not keep a connection open.
        if (frames.length > 0 || peer.frames.waiting === data.length) expectMessage(peer)
      },
      // Without this, Bun tells of a connection only after its handshake, so those that never begin one have no limit.
      handshake(socket, isDone) {
        if (!isDone) socket.terminate()
      },
      timeout: (socket) => void socket.end(),
      end: (socket) => void socket.end(),
      close: left,
      error: left,
    },
  })
  return { port: server.port, close: () => server.stop(true) }
}
