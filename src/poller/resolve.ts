import { isIP } from 'node:net'
import { steadyNow } from '../lib/steady.ts'

/** Time for which an address is used before its name is looked up again, ms. */
const KEEP_MS = 300_000
/** Time for which it is cached that a name did not resolve or that no DNS server answered, ms. */
const KEEP_NOTHING_MS = 30_000

export interface Resolver {
  /**
   * First address of a name in the family, or `hostname` itself if it is an address; `any` prefers IPv4. Null when
   * there is none. While no DNS server answers, the last address stays valid. Never throws.
   */
  resolve(hostname: string, family: 4 | 6 | 'any'): Promise<string | null>
}

export interface ResolverOptions {
  /** Default: `steadyNow`. */
  readonly now?: () => number
  readonly keepMs?: number
  readonly keepNothingMs?: number
}

interface Known {
  address: string | null
  until: number
  /** The pending look-up. */
  pending: Promise<string | null> | null
}

/** Looks up names in DNS and the hosts file, and caches the results for a while. */
export function createResolver(options: ResolverOptions = {}): Resolver {
  const { now = steadyNow, keepMs = KEEP_MS, keepNothingMs = KEEP_NOTHING_MS } = options
  const known = new Map<string, Known>()

  async function lookUp(device: Known, hostname: string, family: 4 | 6 | 'any'): Promise<string | null> {
    const found = await lookup(hostname, family)
    if (found !== 'unavailable') device.address = found
    device.until = now() + (found === null || found === 'unavailable' ? keepNothingMs : keepMs)
    device.pending = null
    return device.address
  }

  return {
    async resolve(hostname, family) {
      const literal = isIP(hostname)
      if (literal !== 0) return family === 'any' || literal === family ? hostname : null
      const key = `${family} ${hostname.toLowerCase()}`
      let device = known.get(key)
      if (device === undefined) {
        if (known.size > 50_000) known.clear()
        device = { address: null, until: 0, pending: null }
        known.set(key, device)
      }
      if (device.until > now()) return device.address
      device.pending ??= lookUp(device, hostname, family)
      return await device.pending
    },
  }
}

/** Errors that mean the name has no such address; others only mean that the look-up failed. */
const NO_ADDRESS: ReadonlySet<string> = new Set(['DNS_ENOTFOUND', 'DNS_ENODATA', 'ENOTFOUND', 'ENODATA'])

async function lookup(hostname: string, family: 4 | 6 | 'any'): Promise<string | null | 'unavailable'> {
  try {
    const answers = await Bun.dns.lookup(hostname, family === 'any' ? {} : { family })
    return (answers.find((answer) => answer.family === 4) ?? answers[0])?.address ?? null
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return NO_ADDRESS.has(code) ? null : 'unavailable'
  }
}
