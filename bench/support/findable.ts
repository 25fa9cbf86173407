import type { V3User } from '../../src/demo/device.ts'
import type { FindableAgent } from '../../tests/support/findable-agents.ts'

/** An agent of the network, and where it answers. */
export interface Placed {
  readonly agent: FindableAgent
  readonly addresses: readonly string[]
  /** It answers to the credentials of the settings. */
  readonly answers: boolean
}

export const COMMUNITIES = ['public', 'branch-2'] as const
export const USER: V3User = { authname: 'watcher', authpass: 'a long passphrase', cryptopass: 'another passphrase' }
const ROUTERS = 5
const ROUTER_ADDRESSES = 40
const PAIRS = 10
const CLONES = 10
const V3_ONLY = 15
const STRANGERS = 12

/**
 * A network with what makes finding hard, in 127.60.0.0/21: `size` devices that answer to the credentials, and a few that
 * do not. At most 100 addresses of each /24 answer.
 */
export function findableNetwork(size: number): readonly Placed[] {
  const network: Placed[] = []
  let last = 0
  const address = (): string => {
    const n = last++
    return `127.60.${Math.floor(n / 100)}.${1 + (n % 100) * 2}`
  }
  const add = (name: string, addresses: readonly string[], more: Partial<FindableAgent> = {}, answers = true): void => {
    const number = network.length
    const community = COMMUNITIES[number % 5 === 0 ? 1 : 0]
    network.push({ agent: { name, number, listed: addresses, community, ...more }, addresses, answers })
  }
  for (let i = 1; i <= ROUTERS; i++) add(`router-${i}`, Array.from({ length: ROUTER_ADDRESSES }, address))
  for (let i = 1; i <= PAIRS; i++) {
    const [first, second, shared] = [address(), address(), address()]
    // both list the shared address, one answers there
    add(`firewall-${i}a`, [first, shared])
    add(`firewall-${i}b`, [second], { listed: [second, shared] })
  }
  for (let i = 1; i <= CLONES; i++)
    for (const which of ['a', 'b']) add(`vm-${i}${which}`, [address()], { image: `vm-${i}` })
  for (let i = 1; i <= V3_ONLY; i++) add(`secure-${i}`, [address()], { v3: USER, community: `none-${i}` })
  for (let i = 1; i <= STRANGERS; i++) add(`stranger-${i}`, [address()], { community: 'secret' }, false)
  for (let i = 1; network.length - STRANGERS < size; i++) add(`switch-${i}`, [address()])
  return network
}
