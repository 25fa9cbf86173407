import { colons } from '../../lib/mac.ts'
import type { SightingLimits } from './sighting.ts'

/** A MAC address that left one edge port for another. */
export interface MacMove {
  /** 12 lower-case hex digits. */
  readonly mac: string
  /** Where it is now. */
  readonly port_id: number
  /** Device and port, `access-1 Gi1/0/3`. */
  readonly from: string
  readonly to: string
  /** Its moves within `flapMinutes`, with this one. */
  readonly nth: number
}

/**
 * What the event log says of a move; null: nothing, because it has been said that the address is flapping and it has not
 * been quiet since.
 */
export function moveText({ mac, from, to, nth }: MacMove, { flapMoves, flapMinutes }: SightingLimits): string | null {
  if (nth > flapMoves) return null
  if (nth < flapMoves) return `MAC address ${colons(mac)} moved from ${from} to ${to}`
  const time = flapMinutes % 60 === 0 ? `${flapMinutes / 60} h` : `${flapMinutes} min`
  return `MAC address ${colons(mac)} is flapping: ${nth} moves within ${time}, the last from ${from} to ${to}`
}
