import type { Actor } from '../../base/actor.ts'
import type { Fault, FaultFilter, HistoryEntry, Until } from './fault.ts'

export type { Fault, FaultFilter, HistoryEntry, Until }

/** A part of a list. */
interface Part {
  readonly offset: number
  readonly limit: number
}

/**
 * Operations on faults, limited to those of devices that the actor may see. Those of single faults throw `not_found`,
 * and `conflict` if the fault is over.
 */
export interface FaultService {
  /** Faults, the latest first, and their number up to MAX_LISTED. */
  list(
    actor: Actor,
    filter: FaultFilter,
    part: Part,
  ): Promise<{ readonly rows: readonly Fault[]; readonly total: number }>
  get(actor: Actor, id: number): Promise<Fault>
  /**
   * Acknowledges faults that are open; they are of the problem that the actor saw, because a fault that begins again
   * has another id. If all faults of an alert are acknowledged then, the alert is. Returns the faults as they are now.
   */
  acknowledge(
    actor: Actor,
    ids: readonly number[],
    how: { readonly note: string; readonly until: Until },
  ): Promise<readonly Fault[]>
  /** Makes acknowledged faults active again; their alert too. */
  unacknowledge(actor: Actor, ids: readonly number[], note: string): Promise<readonly Fault[]>
  /** `userId` null: nobody. Throws `invalid` if there is no such user, or they may not see the device. */
  assign(actor: Actor, id: number, userId: number | null, note: string): Promise<Fault>
  /** Silences a fault; null: no longer. A thing that fails again before that time stays silent. */
  mute(actor: Actor, id: number, until: Date | 'clear' | null, note: string): Promise<Fault>
  note(actor: Actor, id: number, text: string): Promise<HistoryEntry>
  /** The oldest first. */
  history(actor: Actor, id: number): Promise<readonly HistoryEntry[]>
}
