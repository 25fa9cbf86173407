import type { DeviceModel, V3User } from '../../src/demo/device.ts'
import { Responder } from '../../src/demo/responder.ts'

/** What an agent says and to whom. */
export interface FindableAgent {
  /** sysName. */
  readonly name: string
  /** Number of which its MAC addresses and serial number are made. */
  readonly number: number
  /** Agents of equal images have equal snmpEngineIDs. Default: the name. */
  readonly image?: string
  /** Addresses of its interfaces, as it lists them. */
  readonly listed: readonly string[]
  /** Serial numbers of its chassis: of a stack, of each member. Default: one. */
  readonly serials?: readonly string[]
  readonly community?: string
  /** It speaks v3 with this user, besides v2c with its community. */
  readonly v3?: V3User
}

/** Agents on loopback, all on one UDP port, that can be changed and moved while they run. */
export interface FindableAgents {
  readonly port: number
  /** Has an agent answer at these addresses, instead of what answered there. */
  place(agent: FindableAgent, ...addresses: string[]): Promise<void>
  /** Nothing answers there, but what arrives is counted. */
  observe(...addresses: string[]): Promise<void>
  /** Nothing answers there any more. */
  clear(...addresses: string[]): void
  /** Requests that arrived at an address. */
  asked(address: string): number
  stop(): void
}

interface Place {
  readonly socket: Bun.udp.Socket<'uint8array'>
  responder: Responder | null
  asked: number
}

export const serialOf = (number: number): string => `FND${String(number).padStart(6, '0')}`

/** `arrived`: called for each datagram. */
export function startFindableAgents(port: number, arrived: () => void = () => {}): FindableAgents {
  const places = new Map<string, Place>()
  async function at(address: string): Promise<Place> {
    const known = places.get(address)
    if (known !== undefined) return known
    const socket = await Bun.udpSocket({
      hostname: address,
      port,
      binaryType: 'uint8array',
      socket: {
        data(from, datagram, fromPort, fromAddress) {
          const place = places.get(address)
          if (place === undefined) return
          place.asked++
          arrived()
          const answer = place.responder?.respond(datagram, Date.now()) ?? null
          if (answer !== null) from.send(answer, fromPort, fromAddress)
        },
        error() {},
      },
    })
    const place: Place = { socket, responder: null, asked: 0 }
    places.set(address, place)
    return place
  }
  return {
    port,
    async place(agent, ...addresses) {
      const responder = new Responder({ model: modelOf(agent), seed: 'tests', community: agent.community ?? 'public' })
      for (const address of addresses) (await at(address)).responder = responder
    },
    async observe(...addresses) {
      for (const address of addresses) await at(address)
    },
    clear(...addresses) {
      for (const address of addresses) {
        const place = places.get(address)
        if (place !== undefined) place.responder = null
      }
    },
    asked: (address) => places.get(address)?.asked ?? 0,
    stop() {
      for (const { socket } of places.values()) socket.close()
    },
  }
}

function modelOf(agent: FindableAgent): DeviceModel {
  const { name, image = name, v3 } = agent
  return { name: image, kind: 'switch', recording: recordingOf(agent), ...(v3 !== undefined && { v3 }) }
}

const PORTS = 4

/** System group, four ports with their MAC addresses, the bridge's address, the chassis, and IP addresses. */
function recordingOf({ name, number, listed, serials = [serialOf(number)] }: FindableAgent): string {
  const mac = (port: number) => `001b21${(number * 256 + port).toString(16).padStart(6, '0')}`
  const ports = Array.from({ length: PORTS }, (_, i) => i + 1)
  return [
    `1.3.6.1.2.1.1.1.0|4|A device of the tests, ${name}`,
    '1.3.6.1.2.1.1.2.0|6|1.3.6.1.4.1.8072.3.2.10',
    '1.3.6.1.2.1.1.3.0|67:uptime|',
    `1.3.6.1.2.1.1.5.0|4|${name}`,
    '1.3.6.1.2.1.1.7.0|2|2',
    '',
    'ports 32-bit',
    ...ports.map((port) => `${port}|ge-${port}|ge-${port}||6|1500|1000|${mac(port)}|desk`),
    '',
    `1.3.6.1.2.1.17.1.1.0|4x|${mac(0)}`,
    'table 1.3.6.1.2.1.4.20.1|1/64=#|2/2|3/64|4/2|5/2',
    ...listed.map((address, i) => `${address}|${(i % PORTS) + 1}|255.255.255.0|1|65535`),
    '',
    'table 1.3.6.1.2.1.47.1.1.1.1|2/4=Chassis|4/2=0|5/2=3|7/4=Chassis|11/4',
    ...serials.map((serial, i) => `${i + 1}|${serial}`),
    '',
  ].join('\n')
}
