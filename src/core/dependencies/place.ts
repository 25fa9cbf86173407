import { parseMac } from '../../lib/mac.ts'

/** Where a poller is in the network, as its operating system says. */
export interface Place {
  /** Its own addresses, without loopback and link-local ones. */
  readonly addresses: readonly string[]
  /** MAC addresses of its interfaces, 12 lower-case hex digits. */
  readonly macs: readonly string[]
  /** Its default gateways; `mac` null: not in its ARP table. */
  readonly gateways: readonly { readonly address: string; readonly mac: string | null }[]
}

/** The rest is ignored. */
const MAX_ADDRESSES = 64
const MAX_GATEWAYS = 8
const MAX_LINES = 4096

const isMac = (text: string): boolean => /^[0-9a-f]{12}$/.test(text) && !/^0+$/.test(text)

/** One interface address, as `os.networkInterfaces` lists them. */
export interface InterfaceAddress {
  readonly address: string
  readonly mac: string
  readonly internal: boolean
}

/** `routes` and `neighbours`: texts of Linux's /proc/net/route and /proc/net/arp; '' where there are none. */
export function placeOf(interfaces: readonly InterfaceAddress[], routes: string, neighbours: string): Place {
  const own = interfaces.filter(
    ({ internal, address }) => !internal && !/^(fe80:|169\.254\.|127\.|::1$)/i.test(address),
  )
  const macs = new Set(own.flatMap(({ mac }) => parseMac(mac) ?? []).filter(isMac))
  const arp = new Map(
    lines(neighbours).flatMap(([address, , , text]) => {
      const mac = parseMac(text ?? '')
      return address !== undefined && mac !== null && isMac(mac) ? [[address, mac] as const] : []
    }),
  )
  const gateways = new Set(
    lines(routes).flatMap(([, destination, gateway]) =>
      destination === '00000000' && gateway !== undefined ? (addressOf(gateway) ?? []) : [],
    ),
  )
  return {
    addresses: [...new Set(own.map(({ address }) => address))].slice(0, MAX_ADDRESSES),
    macs: [...macs].slice(0, MAX_ADDRESSES),
    gateways: [...gateways].slice(0, MAX_GATEWAYS).map((address) => ({ address, mac: arp.get(address) ?? null })),
  }
}

/** Fields of the lines after the heading. */
const lines = (text: string): string[][] =>
  text
    .split('\n')
    .slice(1, MAX_LINES)
    .map((line) => line.trim().split(/\s+/))

/** `0100000A` is 10.0.0.1: the kernel prints the address as a number of this little-endian machine. */
function addressOf(hex: string): string | null {
  if (!/^[0-9A-F]{8}$/i.test(hex) || hex === '00000000') return null
  return [6, 4, 2, 0].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join('.')
}

/** A place that a poller reported; null: it is not one, as from earlier versions. */
export function placeFrom(value: unknown): Place | null {
  if (typeof value !== 'object' || value === null) return null
  const { addresses, macs, gateways } = value as Record<string, unknown>
  if (!isTexts(addresses) || !isTexts(macs) || !Array.isArray(gateways)) return null
  return {
    addresses: addresses.slice(0, MAX_ADDRESSES),
    macs: macs.filter(isMac).slice(0, MAX_ADDRESSES),
    gateways: gateways.slice(0, MAX_GATEWAYS).flatMap((one: unknown) => {
      if (typeof one !== 'object' || one === null) return []
      const { address, mac } = one as Record<string, unknown>
      if (typeof address !== 'string') return []
      return [{ address, mac: typeof mac === 'string' && isMac(mac) ? mac : null }]
    }),
  }
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string' && one.length <= 64)
