import type { Store } from '../../../database/client.ts'
import { StoreError } from '../../../database/errors.ts'
import { claimForSite, lostClaims } from '../../../database/write-claims.ts'

/**
 * The claims under which a remote poller's samples are stored. The poller does not know about them: the centre claims a
 * device at the first message about it, and again if another poller has claimed it meanwhile and the device is still in
 * the group of the site.
 */
export interface SiteClaims {
  /** Claims those devices that are not held yet; returns false if all are. Throws StoreError. */
  take(deviceIds: readonly number[]): Promise<boolean>
  /**
   * Verifies the claims inside a transaction, and holds them until it ends. Throws ClaimLostError; the next `take`
   * claims again what was lost.
   */
  require(inside: Store, deviceIds: readonly number[]): Promise<void>
  /**
   * When another poller last polled the device, epoch ms: nothing from before may be stored. Null: none, or `passed`.
   */
  floor(deviceId: number): number | null
  /** From now on, what the poller delivers about the device is based on its own earlier readings. */
  passed(deviceId: number): void
}

/** Another poller has claimed a device since it was claimed for the site. The delivery can be retried. */
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
