import type { DeviceModel, V3User } from './device.ts'
import { demoDevice, EVERY_DEVICE, FLEET, UNKNOWN } from './fleet.ts'
import type { Instant } from './instant.ts'
import type { PastAnswer, PastQuestion } from './past.ts'
import { Responder } from './responder.ts'
import { openWebSite, WEB_INDEX } from './web.ts'

/** Seed of the fleet of `serve --demo`. */
export const DEFAULT_SEED = 'portlight'
export const DEMO_COMMUNITY = 'public'
/** Address of the first device; the others follow. All of 127.0.0.0/8 is local. */
export const DEFAULT_BASE = '127.42.0.1'
export const DEFAULT_PORT = 1161
/** Address of the first device that nobody has added; the recordings of its neighbours have it. */
export const UNKNOWN_BASE = '127.42.1.1'
/** Number of ports tried, starting at `port`, until one is free on every address. */
const PORT_TRIES = 50
/** For this time after the start all devices have power, so that they can be added. */
const GRACE_MS = 5 * 60_000

/** Address and credentials of a device of the fleet. Plain data. */
export interface DemoDevice {
  /** Its sysName, which does not resolve. Add it with `overwrite_ip` set to `address`. */
  readonly hostname: string
  readonly address: string
  readonly port: number
  readonly community: string
  /** SNMP version to add it with. A device with `v3` credentials also answers v1 and v2c. */
  readonly snmpver: 'v2c' | 'v3'
  readonly v3: DemoCredentials | null
}

/** SNMPv3 members of a device record (`SnmpTarget`). */
export interface DemoCredentials extends V3User {
  readonly authlevel: 'authPriv'
  readonly authalgo: 'SHA'
  readonly cryptoalgo: 'AES'
}

export interface ServeOptions {
  /** Address of the first device, in 127.0.0.0/8; default 127.42.0.1. */
  readonly base?: string
  /** First UDP port to try; default 1161. */
  readonly port?: number
  /** A different seed gives different traffic, loads and faults. */
  readonly seed?: string
  /** Unix time in milliseconds; the fleet's only clock. */
  readonly now?: () => number
  /** How far the fleet's clock is ahead of this host's, ms, so that a test can choose what happens; default 0. */
  readonly aheadMs?: number
  /** For how long after the start all devices have power, ms; default 5 minutes. */
  readonly graceMs?: number
}

/** The fleet's sockets, in this thread. */
export interface ServedFleet {
  readonly devices: readonly DemoDevice[]
  /** Devices that are found; none on hosts that have only 127.0.0.1, where a scan cannot find them. */
  readonly unknown: readonly DemoDevice[]
  /** TCP port of web-1's web server. */
  readonly webPort: number
  /** Requests answered so far. */
  readonly answered: number
  /** What polls of a device would have read at past times. Throws RangeError for an unknown device. */
  past(device: string, question: PastQuestion): PastAnswer
  stop(): Promise<void>
}

/** A single agent on loopback, for tests, which can stop its clock. */
export interface DemoAgent extends DemoDevice {
  /** Number of object instances in its description; some exist only at certain times. */
  readonly size: number
  /** Its clock at a Unix time in milliseconds. */
  instant(nowMs: number): Instant
  stop(): void
}

export interface AgentOptions {
  /** Default 127.0.0.1. */
  readonly address?: string
  /** Default: a free port. */
  readonly port?: number
  readonly seed?: string
  readonly community?: string
  readonly now?: () => number
}

/** Starts one device by name (`core-1`). Throws RangeError for an unknown name. */
export async function openDemoAgent(name: string, options: AgentOptions = {}): Promise<DemoAgent> {
  const { address = '127.0.0.1', port = 0, seed = DEFAULT_SEED, community = DEMO_COMMUNITY, now = Date.now } = options
  const model = demoDevice(name)
  const responder = new Responder({ model, seed, community })
  const socket = await listen(responder, address, port, now, () => {})
  return {
    ...describe(model, address, socket.port, community),
    size: responder.size,
    instant: (nowMs) => responder.instant(nowMs),
    stop: () => socket.close(),
  }
}

/**
 * Starts all devices of the fleet in this thread, each with its own address and the same port, or with one address and
 * separate ports on hosts that have only 127.0.0.1 (macOS). Throws if `base` is not a loopback address or no port is
 * free.
 */
export async function serveFleet(options: ServeOptions = {}): Promise<ServedFleet> {
  const { base = DEFAULT_BASE, port = DEFAULT_PORT, seed = DEFAULT_SEED, aheadMs = 0, graceMs = GRACE_MS } = options
  const clock = options.now ?? Date.now
  const now = () => clock() + aheadMs
  const addresses = [...addressesFrom(base, FLEET.length), ...addressesFrom(UNKNOWN_BASE, UNKNOWN.length)]
  const graceUntilMs = now() + graceMs
  const responders = EVERY_DEVICE.map(
    (model) => new Responder({ model, seed, community: DEMO_COMMUNITY, graceUntilMs }),
  )
  let answered = 0
  const count = () => {
    answered++
  }
  const bind = (place: (i: number) => { address: string; port: number }) => listenAll(responders, place, now, count)
  const sockets =
    (await firstFree(port, (p) => bind((i) => ({ address: addresses[i] ?? base, port: p })))) ??
    (await firstFree(port, (p) => bind((i) => ({ address: '127.0.0.1', port: p + i }))))
  if (sockets === null) throw new Error(`no UDP port from ${port} on is free on ${base} and the following addresses`)
  const described = EVERY_DEVICE.map((model, i) => {
    const at = sockets[i]?.address ?? { address: base, port }
    return describe(model, at.address, at.port, DEMO_COMMUNITY)
  })
  const site = openWebSite(described[WEB_INDEX]?.address ?? base, clock())
  const canBeFound = described[FLEET.length]?.address === UNKNOWN_BASE
  return {
    devices: described.slice(0, FLEET.length),
    unknown: canBeFound ? described.slice(FLEET.length) : [],
    webPort: site.port,
    get answered() {
      return answered
    },
    past(device, question) {
      const responder = responders[EVERY_DEVICE.findIndex(({ name }) => name === device)]
      if (responder === undefined) throw new RangeError(`no demo device ${device}`)
      return responder.past(
        aheadMs === 0 ? question : { ...question, moments: question.moments.map((ms) => ms + aheadMs) },
      )
    },
    async stop() {
      for (const socket of sockets) socket.close()
      await site.stop()
    },
  }
}

type Socket = Bun.udp.Socket<'uint8array'>

function listen(
  responder: Responder,
  address: string,
  port: number,
  now: () => number,
  count: () => void,
): Promise<Socket> {
  return Bun.udpSocket({
    hostname: address,
    // the codec relies on slices being copies, which those of a Buffer are not
    binaryType: 'uint8array',
    port,
    socket: {
      data(socket, datagram, fromPort, fromAddress) {
        const answer = responder.respond(datagram, now())
        if (answer === null) return
        count()
        socket.send(answer, fromPort, fromAddress)
      },
      // ICMP port unreachable from a client that has gone away can be ignored
      error() {},
    },
  })
}

/** Opens all sockets. Null, with none left open, if a port is in use; `unavailable` if an address is not local. */
async function listenAll(
  responders: readonly Responder[],
  place: (i: number) => { address: string; port: number },
  now: () => number,
  count: () => void,
): Promise<Socket[] | 'taken' | 'unavailable'> {
  const sockets: Socket[] = []
  for (const [i, responder] of responders.entries()) {
    const { address, port } = place(i)
    try {
      sockets.push(await listen(responder, address, port, now, count))
    } catch (error) {
      for (const socket of sockets) socket.close()
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code === 'EADDRINUSE') return 'taken'
      if (code === 'EADDRNOTAVAIL') return 'unavailable'
      throw error
    }
  }
  return sockets
}

async function firstFree(
  from: number,
  bind: (port: number) => Promise<Socket[] | 'taken' | 'unavailable'>,
): Promise<Socket[] | null> {
  for (let port = from; port < from + PORT_TRIES; port++) {
    const result = await bind(port)
    if (result === 'unavailable') return null
    if (result !== 'taken') return result
  }
  return null
}

/** Consecutive IPv4 addresses; throws RangeError for one outside 127.0.0.0/8. */
function addressesFrom(base: string, count: number): string[] {
  const octets = base.split('.').map(Number)
  const [a, b = 0, c = 0, d = 0] = octets
  const valid = octets.length === 4 && octets.every((o) => Number.isInteger(o) && o >= 0 && o <= 255)
  const first = (b << 16) | (c << 8) | d
  if (!valid || a !== 127 || first + count > 0xffffff) throw new RangeError(`not a loopback address with room: ${base}`)
  return Array.from({ length: count }, (_, i) => {
    const own = first + i
    return `127.${own >> 16}.${(own >> 8) & 0xff}.${own & 0xff}`
  })
}

function describe(model: DeviceModel, address: string, port: number, community: string): DemoDevice {
  const { name, v3 } = model
  return {
    hostname: name,
    address,
    port,
    community,
    snmpver: v3 === undefined ? 'v2c' : 'v3',
    v3: v3 === undefined ? null : { authlevel: 'authPriv', authalgo: 'SHA', cryptoalgo: 'AES', ...v3 },
  }
}
