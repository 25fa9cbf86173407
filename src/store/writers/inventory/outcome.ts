import type { Event } from './events.ts'

/** How many rows of a kind came, changed and went. */
export interface Change {
  readonly added: number
  readonly changed: number
  readonly removed: number
}

/** A `Change` that is being counted. */
export type Counted = { -readonly [K in keyof Change]: Change[K] }

export function counting(): Counted {
  return { added: 0, changed: 0, removed: 0 }
}

/** What writing one set of rows did. */
export interface SetOutcome {
  readonly counts: Change
  readonly events: readonly Event[]
}
