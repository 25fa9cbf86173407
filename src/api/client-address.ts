import { BlockList, isIP } from 'node:net'
import type { Settings } from '../config/schema.ts'
import { isHost } from './path.ts'

/** Where a request came from, looking through any trusted proxies (setting api.trusted_proxies). */
export interface ClientAddress {
  readonly address: string
  /** `scheme://host` that the client used. */
  readonly origin: string
  /** Whether the connection comes from a trusted proxy, whose headers may be believed. */
  readonly proxied: boolean
}

/** `own` is the origin in the request; `peer` is the address of the connection, '' if unknown (embedded use). */
export function clientAddress(request: Request, own: string, peer: string, settings: Settings): ClientAddress {
  const trusted = proxies(settings.get('api.trusted_proxies'))
  const from = plain(peer)
  if (!isTrusted(trusted, from)) return { address: from, origin: own, proxied: false }
  const hops = list(request.headers.get('x-forwarded-for')).map(hop)
  const scheme = list(request.headers.get('x-forwarded-proto'))[0]
  const host = list(request.headers.get('x-forwarded-host'))[0]
  const split = own.indexOf('://')
  return {
    // hops before an invalid one cannot be trusted
    address: hops.findLast((address) => !isTrusted(trusted, address)) || from,
    origin: `${scheme === 'https' || scheme === 'http' ? scheme : own.slice(0, split)}://${usableHost(host) ?? own.slice(split + 3)}`,
    proxied: true,
  }
}

const known = new WeakMap<readonly string[], BlockList>()

/** Parses the addresses and networks of the setting. */
function proxies(setting: readonly string[]): BlockList {
  const made = known.get(setting) ?? new BlockList()
  if (known.has(setting)) return made
  for (const text of setting) {
    const [address = '', bits] = text.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) made.addAddress(address, family)
    else made.addSubnet(address, Number(bits), family)
  }
  known.set(setting, made)
  return made
}

function isTrusted(trusted: BlockList, address: string): boolean {
  const family = isIP(address)
  return family !== 0 && trusted.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** An item of X-Forwarded-For as an address, without the port that some proxies add; '' if invalid. */
function hop(item: string): string {
  const [, bracketed, dotted] = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(item) ?? []
  const address = plain(bracketed ?? dotted ?? item)
  return isIP(address) === 0 ? '' : address
}

function list(header: string | null): string[] {
  return (header ?? '').split(',').flatMap((item) => item.trim() || [])
}

/** Converts IPv4-mapped IPv6 addresses to IPv4. */
function plain(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address
}

function usableHost(host: string | undefined): string | null {
  return host !== undefined && isHost(host) ? host : null
}
