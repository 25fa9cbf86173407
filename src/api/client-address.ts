import type { Settings } from '../config/schema.ts'

/** Where a request came from, proxies that are trusted (setting api.trusted_proxies) seen through. */
export interface ClientAddress {
  readonly address: string
  /** `scheme://host` under which the client reached us. */
  readonly origin: string
}

/** `peer` is the address of the connection; '' when it is not known (embedding). */
export function clientAddress(request: Request, peer: string, settings: Settings): ClientAddress {
  const own = request.url.slice(0, request.url.indexOf('/', request.url.indexOf('://') + 3))
  const trusted = settings.get('api.trusted_proxies')
  if (trusted.length === 0 || !trusted.includes(plain(peer))) return { address: plain(peer), origin: own }
  const hops = list(request.headers.get('x-forwarded-for'))
  const address = hops.findLast((hop) => !trusted.includes(plain(hop))) ?? peer
  const scheme = list(request.headers.get('x-forwarded-proto'))[0]
  const host = list(request.headers.get('x-forwarded-host'))[0]
  const split = own.indexOf('://')
  return {
    address: plain(address),
    origin: `${scheme === 'https' || scheme === 'http' ? scheme : own.slice(0, split)}://${validHost(host) ?? own.slice(split + 3)}`,
  }
}

function list(header: string | null): string[] {
  return (header ?? '').split(',').flatMap((item) => item.trim() || [])
}

/** IPv4 addresses that came in over an IPv6 socket are shown as IPv4. */
function plain(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address
}

function validHost(host: string | undefined): string | null {
  return host !== undefined && /^[A-Za-z0-9._-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$/.test(host) ? host : null
}
