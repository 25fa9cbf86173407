import { Responder } from '../../src/demo/responder.ts'
import { findableNetwork } from './findable.ts'

/** What the agents saw, printed as JSON when standard input ends. */
export interface Seen {
  /** Datagrams that arrived, at agents. */
  readonly received: number
  readonly answered: number
  /** Datagrams at addresses outside of the network. */
  readonly outside: number
  /** Most datagrams within a second of the clock. */
  readonly mostPerSecond: number
}

/** `findable-agents.ts PORT DEVICES`: the agents of a findable network, and observers at addresses beside it. */
if (import.meta.main) {
  const [port = 0, devices = 300] = process.argv.slice(2).map(Number)
  let received = 0
  let answered = 0
  let outside = 0
  const perSecond = new Map<number, number>()
  const took = (): void => {
    received++
    const second = Math.floor(performance.now() / 1000)
    perSecond.set(second, (perSecond.get(second) ?? 0) + 1)
  }
  const open = async (hostname: string, answer: (datagram: Uint8Array) => Uint8Array | null): Promise<void> => {
    await Bun.udpSocket({
      hostname,
      port,
      binaryType: 'uint8array',
      socket: {
        data(socket, datagram, fromPort, from) {
          const response = answer(datagram)
          if (response !== null) socket.send(response, fromPort, from)
        },
        error() {},
      },
    })
  }
  for (const { model, community, addresses } of findableNetwork(devices).agents) {
    const responder = new Responder({ model, seed: 'bench', community })
    for (const address of addresses) {
      await open(address, (datagram) => {
        took()
        const response = responder.respond(datagram, Date.now())
        if (response !== null) answered++
        return response
      })
    }
  }
  for (const address of ['127.59.255.254', '127.60.8.1', '127.61.0.1', '127.0.0.1']) {
    await open(address, () => {
      outside++
      return null
    })
  }
  console.log('ready')
  for await (const _ of console) break
  const seen: Seen = { received, answered, outside, mostPerSecond: Math.max(0, ...perSecond.values()) }
  console.log(JSON.stringify(seen))
  process.exit(0)
}
