import { startFindableAgents } from '../../tests/support/findable-agents.ts'
import { findableNetwork } from './findable.ts'

/** What the agents saw, printed as JSON when standard input ends. */
export interface Seen {
  /** Datagrams that arrived at agents. */
  readonly received: number
  /** Datagrams at addresses outside of the network. */
  readonly outside: number
  /** Most datagrams within a second of the clock. */
  readonly mostPerSecond: number
}

/** Addresses beside the network, where nothing may arrive. */
const OUTSIDE = ['127.59.255.254', '127.60.8.1', '127.61.0.1', '127.0.0.1']

/** `findable-agents.ts PORT DEVICES`: the agents of a findable network, and observers at addresses beside it. */
if (import.meta.main) {
  const [port = 0, devices = 300] = process.argv.slice(2).map(Number)
  const perSecond = new Map<number, number>()
  const agents = startFindableAgents(port, () => {
    const second = Math.floor(performance.now() / 1000)
    perSecond.set(second, (perSecond.get(second) ?? 0) + 1)
  })
  const network = findableNetwork(devices)
  for (const { agent, addresses } of network) await agents.place(agent, ...addresses)
  await agents.observe(...OUTSIDE)
  console.log('ready')
  for await (const _ of console) break
  const sum = (addresses: readonly string[]) => addresses.reduce((total, address) => total + agents.asked(address), 0)
  const seen: Seen = {
    received: sum(network.flatMap(({ addresses }) => addresses)),
    outside: sum(OUTSIDE),
    mostPerSecond: Math.max(0, ...perSecond.values()),
  }
  console.log(JSON.stringify(seen))
  agents.stop()
}
