import type { Store } from '../store/client.ts'
import { claimForSite, lostClaims } from '../store/cluster/claims.ts'
import { StoreError } from '../store/errors.ts'

/**
 * The claims under which a remote poller's samples are stored. The poller does not know of them: the centre claims a
 * device with the first message about it, and again when another poller has claimed it meanwhile and its group is still
 * that of the site.
 */
export interface SiteClaims {
  /** Claims those of the devices that are not held; false: all are. Throws StoreError. */
  take(deviceIds: readonly number[]): Promise<boolean>
  /**
   * Compares the claims inside a transaction, and keeps them in force until it ends. Throws ClaimLostError; the next
   * `take` claims what was lost.
   */
  require(inside: Store, deviceIds: readonly number[]): Promise<void>
  /** When another poller polled the device last, until `passed`, epoch ms: nothing before may be stored; null: none did. */
  floor(deviceId: number): number | null
  /** What the poller delivers of the device follows on its own readings from now on. */
  passed(deviceId: number): void
}

/** Another poller has claimed a device since it was claimed for the site. The delivery can be tried again. */
export class ClaimLostError extends StoreError {
  constructor() {
    super('unavailable', 'another poller has claimed a device of the site', true, null)
  }
}

export function createSiteClaims(store: Store, remotePoller: number): SiteClaims {
  const held = new Map<number, number>()
  const floors = new Map<number, number>()
  return {
    async take(deviceIds) {
      const wanted = deviceIds.filter((id) => !held.has(id))
      if (wanted.length === 0) return false
      const { claim, polledAt } = await claimForSite(store, wanted, remotePoller)
      for (const id of wanted) {
        held.set(id, claim)
        const at = polledAt.get(id)
        if (at !== undefined) floors.set(id, at)
      }
      return true
    },
    async require({ sql }, deviceIds) {
      const claims = deviceIds.map((deviceId) => ({ deviceId, claim: held.get(deviceId) ?? 0 }))
      const lost = await lostClaims(sql, claims)
      for (const i of lost) held.delete(deviceIds[i] ?? 0)
      if (lost.size > 0) throw new ClaimLostError()
    },
    floor: (deviceId) => floors.get(deviceId) ?? null,
    passed: (deviceId) => floors.delete(deviceId),
  }
}
