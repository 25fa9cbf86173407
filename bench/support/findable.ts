import type { DeviceModel, V3User } from '../../src/demo/device.ts'

/** An agent of the network that `bench/finding.ts` has found. */
export interface Findable {
  /** Two with the same name have the same snmpEngineID, as cloned machines do. */
  readonly model: DeviceModel
  readonly community: string
  /** Every address it answers at. */
  readonly addresses: readonly string[]
}

/** A network with what makes finding hard; `devices`: how many devices a person would count that answer to the credentials. */
export interface FindableNetwork {
  readonly agents: readonly Findable[]
  readonly devices: number
}

export const COMMUNITIES = ['public', 'branch-2'] as const
export const USER: V3User = { authname: 'watcher', authpass: 'a long passphrase', cryptopass: 'another passphrase' }
const ROUTERS = 5
const ROUTER_ADDRESSES = 40
const PAIRS = 10
const CLONES = 10
const V3_ONLY = 15
const STRANGERS = 12

/** About `size` devices in 127.60.0.0/21: the first addresses of each /24 are taken, the others are silent. */
export function findableNetwork(size: number): FindableNetwork {
  const agents: Findable[] = []
  let last = 0
  const address = (): string => {
    const n = last++
    return `127.60.${Math.floor(n / 100)}.${1 + (n % 100) * 2}`
  }
  let devices = 0
  const add = (o: {
    name: string
    kind: string
    addresses: string[]
    listed?: string[]
    v3?: V3User
    community?: string
    engine?: string
    counts?: boolean
  }): void => {
    const n = agents.length
    agents.push({
      model: {
        name: o.engine ?? o.name,
        kind: o.kind,
        recording: recordingOf(o.name, n, o.listed ?? o.addresses),
        ...(o.v3 !== undefined && { v3: o.v3 }),
      },
      community: o.community ?? COMMUNITIES[n % 5 === 0 ? 1 : 0],
      addresses: o.addresses,
    })
    if (o.counts !== false) devices++
  }
  for (let i = 1; i <= ROUTERS; i++) {
    add({ name: `router-${i}`, kind: 'router', addresses: Array.from({ length: ROUTER_ADDRESSES }, address) })
  }
  for (let i = 1; i <= PAIRS; i++) {
    const [first, second, shared] = [address(), address(), address()]
    // both list the shared address, one answers there
    add({ name: `firewall-${i}a`, kind: 'pair', addresses: [first, shared] })
    add({ name: `firewall-${i}b`, kind: 'pair', addresses: [second], listed: [second, shared] })
  }
  for (let i = 1; i <= CLONES; i++) {
    for (const which of ['a', 'b'])
      add({ name: `vm-${i}${which}`, kind: 'clone', engine: `vm-${i}`, addresses: [address()] })
  }
  for (let i = 1; i <= V3_ONLY; i++) {
    add({ name: `secure-${i}`, kind: 'v3 only', addresses: [address()], v3: USER, community: `none-${i}` })
  }
  for (let i = 1; i <= STRANGERS; i++) {
    add({
      name: `stranger-${i}`,
      kind: 'other credentials',
      addresses: [address()],
      community: 'secret',
      counts: false,
    })
  }
  for (let i = 1; devices < size; i++) add({ name: `switch-${i}`, kind: 'switch', addresses: [address()] })
  return { agents, devices }
}

const PORTS = 24

/** System group, 24 interfaces with their MAC addresses, the bridge's address, serial number and IP addresses. */
function recordingOf(name: string, n: number, addresses: readonly string[]): string {
  const mac = (port: number) => (0x02_00_00_00_00n * 0x100n + 0x3c_00_00_00_00n + BigInt(n * 256 + port)).toString(16)
  const own = (port: number) => mac(port).padStart(12, '0').replace(/^02/, '00')
  const rows = Array.from({ length: PORTS }, (_, i) => i + 1)
  return [
    `1.3.6.1.2.1.1.1.0|4|Example switch, ${name}`,
    '1.3.6.1.2.1.1.2.0|6|1.3.6.1.4.1.32473.1.1',
    '1.3.6.1.2.1.1.3.0|67|1234500',
    `1.3.6.1.2.1.1.5.0|4|${name}`,
    `1.3.6.1.2.1.2.1.0|2|${PORTS}`,
    'table 1.3.6.1.2.1.2.2.1|1/2=#|2/4|3/2=6|6/4x|7/2=1|8/2=1',
    ...rows.map((port) => `${port}|Port ${port}|${own(port)}`),
    '',
    'table 1.3.6.1.2.1.4.20.1|1/64|2/2=1|3/64=255.255.255.0',
    ...addresses.map((ip) => `${ip}|${ip}`),
    '',
    `1.3.6.1.2.1.17.1.1.0|4x|${own(0)}`,
    'table 1.3.6.1.2.1.47.1.1.1.1|2/4=Chassis|4/2=0|5/2=3|7/4=Chassis|11/4',
    `1|SN${String(n).padStart(8, '0')}`,
    '',
  ].join('\n')
}
