import { Responder } from '../../src/demo/responder.ts'

/** Agents of small switches on loopback, all on one UDP port. */
export interface SmallAgents {
  readonly port: number
  readonly addresses: readonly string[]
  /** Requests answered so far. */
  readonly answered: number
  stop(): void
}

/** What a switch says: a system group, four ports of its own addresses, and its IP address. */
function recordingOf(name: string, number: number, address: string): string {
  const mac = (port: number) => `001b21${(number * 256 + port).toString(16).padStart(6, '0')}`
  const ports = [1, 2, 3, 4].map((port) => `${port}|ge-${port}|ge-${port}||6|1500|1000|${mac(port)}|desk`)
  return [
    `1.3.6.1.2.1.1.1.0|4|A small switch of the tests, number ${number}`,
    '1.3.6.1.2.1.1.2.0|6|1.3.6.1.4.1.8072.3.2.10',
    '1.3.6.1.2.1.1.3.0|67:uptime|',
    `1.3.6.1.2.1.1.5.0|4|${name}`,
    '1.3.6.1.2.1.1.6.0|4|Laboratory',
    '1.3.6.1.2.1.1.7.0|2|2',
    '',
    'ports 32-bit',
    ...ports,
    '',
    'table 1.3.6.1.2.1.4.20.1|1/64=#|2/2|3/64|4/2|5/2',
    `${address}|1|255.255.255.0|1|65535`,
    '',
  ].join('\n')
}

/**
 * Starts `count` agents from `base` (`127.77.0`) on, `.1` the first, whose names begin with `small-`. `port`: 0 for a free
 * one.
 */
export async function startSmallAgents(base: string, count: number, community: string, port = 0): Promise<SmallAgents> {
  const addresses = Array.from({ length: count }, (_, i) => `${base}.${i + 1}`)
  const sockets: Bun.udp.Socket<'uint8array'>[] = []
  let answered = 0
  for (const [i, address] of addresses.entries()) {
    const number = Number(base.split('.')[1] ?? 0) * 256 + i + 1
    const name = `small-${base.split('.')[1] ?? ''}-${i + 1}`
    const model = { name, kind: 'switch', recording: recordingOf(name, number, address) }
    const responder = new Responder({ model, seed: base, community })
    sockets.push(
      await Bun.udpSocket({
        hostname: address,
        port: sockets[0]?.port ?? port,
        binaryType: 'uint8array',
        socket: {
          data(socket, datagram, port, from) {
            const answer = responder.respond(datagram, Date.now())
            if (answer === null) return
            answered++
            socket.send(answer, port, from)
          },
          error() {},
        },
      }),
    )
  }
  return {
    port: sockets[0]?.port ?? 0,
    addresses,
    get answered() {
      return answered
    },
    stop() {
      for (const socket of sockets) socket.close()
    },
  }
}
