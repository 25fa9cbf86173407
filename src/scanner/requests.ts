import { SnmpError } from '@portlight/snmp/errors.ts'
import { peekId } from '@portlight/snmp/message.ts'
import { createIdSource, sameAddress } from '@portlight/snmp/transport-ids.ts'
import { SOCKET_6, UdpSockets } from '@portlight/snmp/udp-sockets.ts'

/** A request that waits for its response. */
interface Waiting {
  readonly address: string
  readonly port: number
  readonly socket: number
  /** Returns false when the datagram is not the response. */
  readonly reply: (bytes: Uint8Array) => boolean
  readonly elsewhere: (from: string) => void
}

export interface Requests {
  /**
   * Sends one datagram, which `encode` makes for its id. Responses are given to `reply` until the returned function is
   * called or one is accepted. null: this host cannot send to the address.
   */
  send(request: {
    readonly address: string
    readonly port: number
    readonly encode: (id: number) => Uint8Array
    readonly reply: (bytes: Uint8Array) => boolean
    readonly elsewhere: (from: string) => void
  }): (() => void) | null
  close(): void
}

/** UDP sockets for IPv4: few, because a firewall's table of connections has an entry for each socket and address. */
const SOCKETS = 2

/** Opens the sockets. Throws SnmpError `unsupported` if none can be opened. */
export async function openRequests(): Promise<Requests> {
  const waiting = new Map<number, Waiting>()
  const nextId = createIdSource()
  let turn = 0
  const sockets = new UdpSockets({
    received(socket, data, port, address) {
      const id = peekId(data)
      const request = waiting.get(id)
      if (request === undefined || request.socket !== socket) return
      if (request.port !== port || !sameAddress(request.address, address)) {
        request.elsewhere(`${address} port ${port}`)
        return
      }
      try {
        if (request.reply(data)) waiting.delete(id)
      } catch (error) {
        // what cannot be decoded is no response
        if (!(error instanceof SnmpError)) throw error
      }
    },
    drained: () => undefined,
    failed: () => undefined,
  })
  await sockets.open(1, { sockets: SOCKETS })

  return {
    send({ address, port, encode, reply, elsewhere }) {
      turn = (turn + 1) % SOCKETS
      const socket = address.includes(':') ? SOCKET_6 : turn
      if (!sockets.has(socket)) return null
      let id = nextId()
      while (waiting.has(id)) id = nextId()
      waiting.set(id, { address, port, socket, reply, elsewhere })
      try {
        // a full send buffer loses the datagram like a full queue of the network would
        sockets.send(socket, encode(id), port, address)
      } catch {
        waiting.delete(id)
        return null
      }
      return () => {
        waiting.delete(id)
      }
    },
    close: () => sockets.close(),
  }
}
