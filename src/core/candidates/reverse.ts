import { lookupService } from 'node:dns/promises'
import { isIP } from 'node:net'

/** The name of an address in the DNS or the hosts file; null: none, or no answer in time. Never throws. */
export type Reverse = (address: string) => Promise<string | null>

const TIMEOUT_MS = 3000

export const reverseName: Reverse = async (address) => {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => late.resolve(null), TIMEOUT_MS)
  try {
    const found = await Promise.race([lookupService(address, 0).then(({ hostname }) => hostname), late.promise])
    // without a name the address itself comes back
    return found === null || isIP(found) !== 0 ? null : found
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}
