import { hash01, hash32 } from '../hash.ts'
import type { Seeds } from '../seeds.ts'
import { flow, trouble } from '../traffic.ts'
import type { Port } from './ports.ts'

/** MAC addresses of a device: the manufacturer's OUI followed by consecutive numbers. */
export function macsOf(oui: string, seed: number): (n: number) => Uint8Array {
  const [a = 0, b = 0, c = 0] = oui.split(':').map((octet) => Number.parseInt(octet, 16))
  const base = hash32(seed, 0) & 0xfff000
  return (n) => {
    const own = (base + n) & 0xffffff
    return Uint8Array.of(a, b, c, own >> 16, (own >> 8) & 0xff, own & 0xff)
  }
}

/** A made-up serial number with the manufacturer's prefix. */
export function serialOf(prefix: string, seed: number): string {
  return `${prefix}${hash32(seed, 7).toString(36).toUpperCase().padStart(7, '0')}`
}

export interface EdgePort {
  readonly index: number
  readonly name: string
  readonly descr?: string
  readonly alias?: string
  readonly mbps?: number
  readonly mac: Uint8Array
}

/**
 * A port for a computer, telephone or camera. About a fifth are unplugged, some are shut down, one in fifteen has
 * errors, and traffic differs by a factor of several hundred.
 */
export function edgePort(seeds: Seeds, { index, name, descr, alias, mbps = 1000, mac }: EdgePort): Port {
  const seed = seeds(`port ${index}`)
  const chance = hash01(seed, 1)
  const base = { index, name, mbps, mac, ...(descr !== undefined && { descr }), ...(alias !== undefined && { alias }) }
  if (chance < 0.05) return { ...base, admin: 'down', link: 'down', alias: 'unused' }
  if (chance < 0.22) return { ...base, link: 'down' }
  const meanBps = 30_000 * 250 ** hash01(seed, 2)
  const slow = chance > 0.93
  return {
    ...base,
    mbps: slow ? 100 : mbps,
    ...(chance > 0.98 && { duplex: 'half' as const }),
    in: flow(seed + 1, { meanBps: meanBps / (3 + 6 * hash01(seed, 3)), shape: 'office', packetOctets: 260 }),
    out: flow(seed + 2, { meanBps, shape: 'office', packetOctets: 880, chatterPps: 6 }),
    ...(hash01(seed, 4) < 0.07 && { inErrors: trouble(seed + 3, 3 + 90 * hash01(seed, 5)) }),
    ...(slow && { outDiscards: trouble(seed + 4, 40) }),
  }
}

/** Numbers from `first` to `last`, inclusive. */
export function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
}
