import { plainAddress } from './address.ts'
import { networksOf } from './networks.ts'
import type { LiveOptions } from './protocol.ts'
import type { Senders } from './senders.ts'
import type { Sources } from './sockets.ts'

/** Whether an address is in this list of the settings, which may change. */
function relaysOf(live: () => LiveOptions, list: 'relays' | 'trapRelays'): (address: string) => boolean {
  let trusted: { readonly of: LiveOptions; readonly isRelay: (address: string) => boolean } | null = null
  return (address) => {
    const now = live()
    if (now[list].length === 0) return false
    if (trusted?.of !== now) trusted = { of: now, isRelay: networksOf(now[list]) }
    return trusted.isRelay(address)
  }
}

/** The senders of traps: devices by their address, and relays. */
export interface TrapSources {
  readonly isRelay: (address: string) => boolean
  /** Whether it is a relay or, as far as it has been looked up, a device. */
  readonly isKnown: (address: string) => boolean
}

export function createTrapSources(senders: Senders, live: () => LiveOptions): TrapSources {
  const isRelay = relaysOf(live, 'trapRelays')
  return { isRelay, isKnown: (address) => senders.knows(address) === true || isRelay(address) }
}

/** Addresses that wait for their look-up; those beyond count as unknown. */
const MAX_WAITING = 5000
/** Addresses that connect within this time are looked up together, ms. */
const GATHER_MS = 20

/** Tells the addresses of devices and relays from others; looks up those that connect at the same time together. */
export function createSources(senders: Senders, live: () => LiveOptions): Sources {
  let waiting = new Map<string, PromiseWithResolvers<boolean>>()
  let isBusy = false
  const isRelay = relaysOf(live, 'relays')
  const hostOf = (address: string): string => plainAddress(live().xlate[address] ?? address)

  async function lookUpWaiting(): Promise<void> {
    isBusy = true
    while (waiting.size > 0) {
      await Bun.sleep(GATHER_MS)
      const batch = waiting
      waiting = new Map()
      // While the database is unavailable, nobody new is known.
      await senders.learn([...batch.keys()].map(hostOf)).catch(() => undefined)
      for (const [address, { resolve }] of batch) resolve(senders.knows(hostOf(address)) === true)
    }
    isBusy = false
  }

  return {
    isKnown: (address) => isRelay(address) || senders.knows(hostOf(address)),
    lookUp(address) {
      const already = waiting.get(address)
      if (already !== undefined) return already.promise
      if (waiting.size >= MAX_WAITING) return Promise.resolve(false)
      const asked = Promise.withResolvers<boolean>()
      waiting.set(address, asked)
      if (!isBusy) void lookUpWaiting()
      return asked.promise
    },
  }
}
