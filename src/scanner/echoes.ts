import { decodeEchoReply, encodeEchoRequest } from '@portlight/icmp/packet.ts'
import { type IcmpSocket, kernelNowMs, openIcmpSocket } from '@portlight/icmp/socket.ts'

/** Echo requests to many addresses from one socket of each address family. */
export interface Echoes {
  /** Whether this host can send echo requests of the family. */
  can(family: 4 | 6): boolean
  /** Sends one echo request. Resolves to the round trip in milliseconds; null: no reply within `timeoutMs`. */
  ask(octets: Uint8Array, timeoutMs: number): Promise<number | null>
  close(): void
}

interface Waiting {
  readonly token: Uint8Array
  readonly sentMs: number
  readonly settle: (ms: number | null) => void
}

/** Milliseconds between reads of the sockets while replies are pending. */
const READ_MS = 4
/** Packets read from a socket at a time, because a flood must not block the thread. */
const MAX_READ = 4096
const TOKEN_OCTETS = 16

export function openEchoes(): Echoes {
  const families = { 4: familyOf(4), 6: familyOf(6) }
  let timer: ReturnType<typeof setInterval> | null = null
  function read(): void {
    families[4]?.read()
    families[6]?.read()
    const pending = (families[4]?.waiting.size ?? 0) + (families[6]?.waiting.size ?? 0)
    if (pending === 0 && timer !== null) {
      clearInterval(timer)
      timer = null
    }
  }
  return {
    can: (family) => families[family] !== null,
    ask(octets, timeoutMs) {
      const family = families[octets.length === 4 ? 4 : 6]
      if (family === null) return Promise.resolve(null)
      timer ??= setInterval(read, READ_MS)
      return family.ask(octets, timeoutMs)
    },
    close() {
      if (timer !== null) clearInterval(timer)
      families[4]?.close()
      families[6]?.close()
    },
  }
}

function familyOf(family: 4 | 6) {
  const socket = openIcmpSocket(family)
  return socket === null ? null : new Family(socket)
}

class Family {
  readonly waiting = new Map<number, Waiting>()
  private readonly id = crypto.getRandomValues(new Uint16Array(1))[0] ?? 1
  private sequence = 0

  constructor(private readonly socket: IcmpSocket) {}

  ask(octets: Uint8Array, timeoutMs: number): Promise<number | null> {
    // 16 bits of sequence numbers bound what can be pending
    if (this.waiting.size >= 0xffff) return Promise.resolve(null)
    do this.sequence = (this.sequence + 1) & 0xffff
    while (this.waiting.has(this.sequence))
    const { sequence, socket, waiting, id } = this
    const token = crypto.getRandomValues(new Uint8Array(TOKEN_OCTETS))
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(null), timeoutMs)
      const settle = (ms: number | null): void => {
        clearTimeout(timer)
        waiting.delete(sequence)
        resolve(ms)
      }
      waiting.set(sequence, { token, sentMs: kernelNowMs(), settle })
      // a missing route or a full send buffer counts as no reply
      socket.send(encodeEchoRequest({ family: socket.family, id, sequence, payload: token }), octets)
    })
  }

  read(): void {
    const { socket, waiting } = this
    for (let i = 0; i < MAX_READ; i++) {
      const received = socket.receive()
      if (received === null) return
      const isRaw = socket.kind === 'raw'
      const reply = decodeEchoReply(received.packet, socket.family, isRaw && socket.family === 4)
      if (reply === null || (isRaw && reply.id !== this.id)) continue
      const request = waiting.get(reply.sequence)
      if (request === undefined || Buffer.compare(request.token, reply.payload) !== 0) continue
      request.settle(Math.max(0, received.atMs - request.sentMs))
    }
  }

  close(): void {
    for (const request of [...this.waiting.values()]) request.settle(null)
    this.socket.close()
  }
}
