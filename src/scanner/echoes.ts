import { EchoSocket } from '@portlight/icmp/echo-socket.ts'
import { openIcmpSocket } from '@portlight/icmp/socket.ts'

/** Echo requests to many addresses from one socket of each address family. */
export interface Echoes {
  /** Whether this host can send echo requests of the family. */
  can(family: 4 | 6): boolean
  /** Sends one echo request. Resolves to the round trip in milliseconds; null: no reply within `timeoutMs`. */
  ask(octets: Uint8Array, timeoutMs: number): Promise<number | null>
  close(): void
}

export function openEchoes(): Echoes {
  const sockets = { 4: open(4), 6: open(6) }
  return {
    can: (family) => sockets[family] !== null,
    async ask(octets, timeoutMs) {
      const socket = sockets[octets.length === 4 ? 4 : 6]
      return socket === null ? null : await socket.ask(octets, timeoutMs)
    },
    close() {
      sockets[4]?.close()
      sockets[6]?.close()
    },
  }
}

function open(family: 4 | 6): EchoSocket | null {
  const socket = openIcmpSocket(family)
  return socket === null ? null : new EchoSocket(socket)
}
