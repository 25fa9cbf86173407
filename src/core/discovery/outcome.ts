import type { Event } from './events.ts'

/** Number of rows of a kind that were added, changed and removed. */
export interface Change {
  readonly added: number
  readonly changed: number
  readonly removed: number
}

/** A mutable `Change` for counting. */
export type Counted = { -readonly [K in keyof Change]: Change[K] }

export function counting(): Counted {
  return { added: 0, changed: 0, removed: 0 }
}

/** Result of writing one set of rows. */
export interface SetOutcome {
  readonly counts: Change
  readonly events: readonly Event[]
}
