import { type Actor, scopeOf } from '../base/actor.ts'
import { addressPart, macPart } from '../base/address-text.ts'
import type { Store } from '../database/client.ts'
import { blocksOf, manufacturerOf } from '../inventory/manufacturers.ts'
import {
  addressesOf,
  findStations,
  listSightings,
  placesOf,
  type SightingQuery,
  type SightingRow,
  type StationHit,
  type StationPlace,
} from './read-sightings.ts'
import { isVirtualMac } from './sighting.ts'

export { MAX_LISTED, MAX_PORT_MACS } from './read-sightings.ts'
export { SIGHTING_KINDS, type SightingKind } from './sighting.ts'
export type { SightingQuery, SightingRow, StationHit, StationPlace }

/** A MAC address: its manufacturer, and where it is. */
export interface Station {
  /** 12 lower-case hex digits. */
  readonly mac: string
  /** Empty: unknown, or a locally administered address. */
  readonly manufacturer: string
  /** It is shared by several routers. */
  readonly isVirtual: boolean
  /** IP addresses that it has now. */
  readonly addresses: readonly string[]
  /** Ports that it is on now, the edge first. */
  readonly places: readonly StationPlace[]
}

interface Part {
  readonly offset: number
  readonly limit: number
}

const MAX_ADDRESSES = 50
/** A shorter text is not taken for the beginning of a user name. */
const MIN_USERNAME = 2
/** A shorter text is not taken for the name of a manufacturer. */
const MIN_MANUFACTURER = 3

/**
 * What a text means: part of a MAC address, an address or network, a manufacturer, or the beginning of a user name;
 * null: nothing.
 */
async function meaning(text: string): Promise<SightingQuery | null> {
  const mac = macPart(text)
  if (mac !== null) return { mac }
  const address = addressPart(text)
  if (address !== null) return { address }
  if (text.length < MIN_USERNAME) return null
  return { name: { username: text, blocks: text.length < MIN_MANUFACTURER ? [] : await blocksOf(text) } }
}

/** Where MAC addresses and IP addresses are, and were. */
export function createSightingService({ store }: { readonly store: Store }) {
  return {
    /**
     * Sightings that the actor may see, the latest first, and their number up to MAX_LISTED. `text`: as in the search;
     * empty: any. Throws StoreError.
     */
    async list(
      actor: Actor,
      { text, ...query }: SightingQuery & { readonly text?: string },
      part: Part,
    ): Promise<{ readonly rows: readonly SightingRow[]; readonly total: number }> {
      const meant = text === undefined || text === '' ? {} : await meaning(text)
      return meant === null
        ? { rows: [], total: 0 }
        : await listSightings(store, scopeOf(actor), { ...query, ...meant }, part)
    },

    /** A MAC address as far as the actor may see it. `mac`: 12 lower-case hex digits. Throws StoreError. */
    async station(actor: Actor, mac: string): Promise<Station> {
      const scope = scopeOf(actor)
      const [manufacturer, addresses, places] = await Promise.all([
        manufacturerOf(mac),
        addressesOf(store, scope, mac, MAX_ADDRESSES),
        placesOf(store, scope, mac),
      ])
      return { mac, manufacturer, isVirtual: isVirtualMac(mac), addresses, places }
    },

    /** MAC addresses for the text of a search, with the place of each. Throws StoreError. */
    async find(actor: Actor, text: string, limit: number): Promise<readonly StationHit[]> {
      const meant = await meaning(text)
      return meant === null ? [] : await findStations(store, scopeOf(actor), meant, limit)
    },
  }
}

export type SightingService = ReturnType<typeof createSightingService>
