import { type Curve, type Windows, windows } from './curve.ts'
import { flowOf, parameters } from './curves.ts'
import type { DeviceSeeds } from './device.ts'
import { hash01 } from './hash.ts'
import type { AgentType, AgentTypes, Instance, Live } from './instance.ts'
import type { Instant } from './instant.ts'
import { isLink, linkEnd } from './links.ts'
import type { Seeds } from './seeds.ts'
import { type Flow, flow, noFlow, reading, trouble } from './traffic.ts'

/** IANAifType of Ethernet. */
const ETHERNET = 6
const UP = 1
const DOWN = 2
const TRUE = 1
const FALSE = 2
const DUPLEX = { unknown: 1, half: 2, full: 3 } as const

/** An interface of a device. */
interface Port {
  readonly index: number
  readonly name: string
  readonly descr: string
  readonly alias: string
  readonly type: number
  readonly mtu: number
  readonly mbps: number
  /** Six octets; empty for interfaces without an address. */
  readonly mac: Uint8Array
  readonly admin: 'up' | 'down'
  /** Constant, or down during the windows. */
  readonly link: 'up' | 'down' | Windows
  readonly duplex: 'half' | 'full'
  readonly in: Flow
  readonly out: Flow
  readonly inErrors: Curve
  readonly inDiscards: Curve
  readonly outDiscards: Curve
}

const NEVER: Curve = () => 0

/**
 * IF-MIB and EtherLike-MIB of the interfaces in a `ports` block. `options`: `32-bit` (no 64-bit counters), `no-ether`
 * (no EtherLike-MIB). Throws RangeError if a line cannot be read.
 */
export function portInstances(options: string, lines: readonly string[], seeds: DeviceSeeds): Instance[] {
  const ports = lines.map((line) => portOf(line.split('|'), seeds))
  const given = options.split(' ')
  const wide = !given.includes('32-bit')
  const ethernet = given.includes('no-ether') ? [] : ports.filter(({ type }) => type === ETHERNET)
  return [
    { object: '1.3.6.1.2.1.2.1', index: '0', type: 'Integer32', value: ports.length },
    ...ports.flatMap((port) => [...ifEntry(port), ...ifXEntry(port, wide)]),
    ...ethernet.flatMap(dot3Entry),
  ]
}

/**
 * `INDEX|ifName|ifDescr|ifAlias|ifType|ifMtu|Mbit/s|MAC|STATE|IN|OUT|IN ERRORS|IN DISCARDS|OUT DISCARDS`. Fields at the
 * end may be omitted; ifDescr is the name if it is empty.
 */
function portOf(fields: readonly string[], seeds: DeviceSeeds): Port {
  const [index, name = '', descr = '', alias = '', type, mtu, mbps, mac = '', state = '', ...traffic] = fields
  const { own } = seeds
  const [inFlow = noFlow, outFlow = noFlow] = traffic
    .slice(0, 2)
    .map((text) => (text === '' ? noFlow : flowOf(parameters(text), own)))
  const [inErrors = NEVER, inDiscards = NEVER, outDiscards = NEVER] = traffic
    .slice(2)
    .map((text) => troubleOf(text, own))
  const port: Port = {
    index: Number(index),
    name,
    descr: descr === '' ? name : descr,
    alias,
    type: Number(type),
    mtu: Number(mtu),
    mbps: Number(mbps),
    mac: Uint8Array.fromHex(mac),
    admin: 'up',
    link: 'up',
    duplex: 'full',
    in: inFlow,
    out: outFlow,
    inErrors,
    inDiscards,
    outDiscards,
  }
  if ([port.index, port.type, port.mtu, port.mbps].some(Number.isNaN))
    throw new RangeError(`${name}: a number is missing`)
  return { ...port, ...stateOf(state, port, seeds) }
}

/** `LABEL; EVENTS_PER_HOUR`. */
function troubleOf(text: string, own: Seeds): Curve {
  if (text === '') return NEVER
  const { label, numbers } = parameters(text)
  return trouble(own(label), numbers[0] ?? 0)
}

/**
 * Up if empty; `down`; `shut`; `link NAME upper|lower`; `desk`, or `desk N` for a logical interface on the port with
 * index N; `loose LABEL; CYCLE_S DOWN_S`.
 */
function stateOf(state: string, port: Port, { own, links, of }: DeviceSeeds): Partial<Port> {
  const [kind = '', rest = ''] = /^(\w*) ?(.*)$/.exec(state)?.slice(1) ?? []
  switch (kind) {
    case '':
      return {}
    case 'down':
      return { link: 'down' }
    case 'shut':
      return { admin: 'down', link: 'down' }
    case 'link': {
      const [, name = '', end] = /^(.*) (upper|lower)$/.exec(rest) ?? []
      if (!isLink(name)) throw new RangeError(`${port.name}: no link ${name}`)
      return linkEnd({ links, of }, name, end === 'upper' ? 'upper' : 'lower')
    }
    case 'desk':
      return rest === '' ? desk(own, port) : unit(desk(own, { ...port, index: Number(rest) }))
    case 'loose': {
      const { label, numbers } = parameters(rest)
      const [cycleS = 1, downS = 0] = numbers
      const link = windows(own(label), cycleS, downS)
      const both = { shape: 'flat', link } as const
      return {
        link,
        in: flow(own(`${label} in`), { ...both, meanBps: 9e5, packetOctets: 300 }),
        out: flow(own(`${label} out`), { ...both, meanBps: 4.2e6, packetOctets: 900 }),
      }
    }
    default:
      throw new RangeError(`${port.name}: no state ${kind}`)
  }
}

/**
 * A port for a computer, telephone or camera. About a fifth are unplugged, some are shut down, one in fifteen has
 * errors, and traffic differs by a factor of several hundred.
 */
function desk(own: Seeds, { index, mbps }: Port): Partial<Port> {
  const seed = own(`port ${index}`)
  const chance = hash01(seed, 1)
  if (chance < 0.05) return { admin: 'down', link: 'down', alias: 'unused' }
  if (chance < 0.22) return { link: 'down' }
  const meanBps = 30_000 * 250 ** hash01(seed, 2)
  const slow = chance > 0.93
  return {
    mbps: slow ? 100 : mbps,
    duplex: chance > 0.98 ? 'half' : 'full',
    in: flow(seed + 1, { meanBps: meanBps / (3 + 6 * hash01(seed, 3)), shape: 'office', packetOctets: 260 }),
    out: flow(seed + 2, { meanBps, shape: 'office', packetOctets: 880, chatterPps: 6 }),
    inErrors: hash01(seed, 4) < 0.07 ? trouble(seed + 3, 3 + 90 * hash01(seed, 5)) : NEVER,
    outDiscards: slow ? trouble(seed + 4, 40) : NEVER,
  }
}

/** Errors are counted by the physical port only. */
function unit({ alias: _alias, inErrors: _errors, outDiscards: _discards, ...port }: Partial<Port>): Partial<Port> {
  return port
}

type Cell = readonly [column: number, type: AgentType, value: Live<AgentTypes[AgentType]>]

function entry(table: string, { index }: Port, cells: readonly Cell[]): Instance[] {
  return cells.map(([column, type, value]) => ({ object: `${table}.${column}`, index: String(index), type, value }))
}

const counter = (curve: Curve) => (t: Instant) => reading(curve, t.s, t.bootS)

function isUp({ admin, link }: Port, t: Instant): boolean {
  if (admin === 'down') return false
  return typeof link === 'string' ? link === 'up' : link.isOn(t.s)
}

function lastChange({ link }: Port): number | ((t: Instant) => number) {
  // links come up half a minute after boot
  if (typeof link === 'string') return link === 'down' ? 0 : 3000
  return (t) => Math.max(0, Math.floor((link.changedAt(t.s) - t.bootS) * 100))
}

/** IF-MIB::ifEntry (RFC 2863). */
function ifEntry(port: Port): Instance[] {
  return entry('1.3.6.1.2.1.2.2.1', port, [
    [1, 'Integer32', port.index],
    [2, 'Text', port.descr],
    [3, 'Integer32', port.type],
    [4, 'Integer32', port.mtu],
    // RFC 2863: the maximum value if the speed fits only in ifHighSpeed
    [5, 'Gauge32', Math.min(port.mbps * 1_000_000, 2 ** 32 - 1)],
    [6, 'Octets', port.mac],
    [7, 'Integer32', port.admin === 'down' ? DOWN : UP],
    [8, 'Integer32', (t) => (isUp(port, t) ? UP : DOWN)],
    [9, 'TimeTicks', lastChange(port)],
    [10, 'Counter32', counter(port.in.octets)],
    [11, 'Counter32', counter(port.in.unicast)],
    [13, 'Counter32', counter(port.inDiscards)],
    [14, 'Counter32', counter(port.inErrors)],
    [15, 'Counter32', 0n],
    [16, 'Counter32', counter(port.out.octets)],
    [17, 'Counter32', counter(port.out.unicast)],
    [19, 'Counter32', counter(port.outDiscards)],
    [20, 'Counter32', 0n],
  ])
}

/** IF-MIB::ifXEntry (RFC 2863). */
function ifXEntry(port: Port, wide: boolean): Instance[] {
  const { in: received, out: sent } = port
  const wideCells: readonly Cell[] = [
    [6, 'Counter64', counter(received.octets)],
    [7, 'Counter64', counter(received.unicast)],
    [8, 'Counter64', counter(received.multicast)],
    [9, 'Counter64', counter(received.broadcast)],
    [10, 'Counter64', counter(sent.octets)],
    [11, 'Counter64', counter(sent.unicast)],
    [12, 'Counter64', counter(sent.multicast)],
    [13, 'Counter64', counter(sent.broadcast)],
  ]
  return entry('1.3.6.1.2.1.31.1.1.1', port, [
    [1, 'Text', port.name],
    [2, 'Counter32', counter(received.multicast)],
    [3, 'Counter32', counter(received.broadcast)],
    [4, 'Counter32', counter(sent.multicast)],
    [5, 'Counter32', counter(sent.broadcast)],
    ...(wide ? wideCells : []),
    [14, 'Integer32', 1],
    [15, 'Gauge32', port.mbps],
    [16, 'Integer32', FALSE],
    [17, 'Integer32', port.type === ETHERNET ? TRUE : FALSE],
    [18, 'Text', port.alias],
    [19, 'TimeTicks', 0],
  ])
}

/** EtherLike-MIB::dot3StatsEntry (RFC 3635). */
function dot3Entry(port: Port): Instance[] {
  return entry('1.3.6.1.2.1.10.7.2.1', port, [
    [1, 'Integer32', port.index],
    [2, 'Counter32', 0n],
    [3, 'Counter32', counter(port.inErrors)],
    [8, 'Counter32', 0n],
    [13, 'Counter32', 0n],
    [19, 'Integer32', (t) => (isUp(port, t) ? DUPLEX[port.duplex] : DUPLEX.unknown)],
  ])
}
