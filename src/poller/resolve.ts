import { isIP } from 'node:net'

/** How long a looked-up address is used before the name is asked for again, ms. */
const KEEP_MS = 300_000
/** How long to remember that a name did not resolve, ms. */
const KEEP_NOTHING_MS = 30_000

export interface Resolver {
  /** First address of a name (or the address itself) in the family; null when there is none. Never throws. */
  resolve(hostname: string, family: 4 | 6 | 'any'): Promise<string | null>
}

/** Looks names up with the system's resolver, and remembers them for a while. */
export function createResolver(now: () => number = Date.now): Resolver {
  const known = new Map<string, { address: string | null; until: number }>()
  return {
    async resolve(hostname, family) {
      const literal = isIP(hostname)
      if (literal !== 0) return family === 'any' || literal === family ? hostname : null
      const key = `${family} ${hostname.toLowerCase()}`
      const found = known.get(key)
      if (found !== undefined && found.until > now()) return found.address
      const address = await lookup(hostname, family)
      if (known.size > 50_000) known.clear()
      known.set(key, { address, until: now() + (address === null ? KEEP_NOTHING_MS : KEEP_MS) })
      return address
    },
  }
}

async function lookup(hostname: string, family: 4 | 6 | 'any'): Promise<string | null> {
  try {
    const answers = await Bun.dns.lookup(hostname, family === 'any' ? {} : { family })
    return answers[0]?.address ?? null
  } catch {
    return null
  }
}
