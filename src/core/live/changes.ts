import type { Log } from '../../observe/log.ts'
import type { Store } from '../database/client.ts'
import { dropEvents, eventsAfter, livePositions, placeEvents, type StoredEvent } from './read-events.ts'

/** Number of changes kept for clients that reconnect. */
export const KEPT = 10_000
/** Number of changes beyond KEPT at which old ones are deleted. */
const SURPLUS = 1000
const AT_ONCE = 1000
/** Changes that follow each other within this time are read together, ms. */
const GATHER_MS = 50

/** Assigns positions to stored changes and passes them on, each once and in order. */
export interface Changes {
  /** Position of the last change passed on. Resolves once the positions in the database are known. */
  last(): Promise<number>
  /** The same; 0: not known yet. */
  readonly position: number
  /** Checks for new changes. */
  readNew(): void
  stop(): Promise<void>
}

export function createChanges(store: Store, log: Log, pass: (changes: readonly StoredEvent[]) => void): Changes {
  let position = 0
  let beginning: Promise<void> | null = null
  let timer: ReturnType<typeof setTimeout> | null = null
  let running: Promise<void> | null = null
  let asked = false
  let stopped = false
  let dropped = 0

  function begin(): Promise<void> {
    beginning ??= livePositions(store).then(
      ({ first, last }) => {
        position = last
        dropped = (first ?? last) - 1
      },
      (error: unknown) => {
        beginning = null
        throw error
      },
    )
    return beginning
  }

  function take(changes: readonly StoredEvent[]): void {
    const fresh = changes.filter((change) => change.position > position)
    position = fresh.at(-1)?.position ?? position
    if (fresh.length > 0) pass(fresh)
  }

  async function read(): Promise<void> {
    await begin()
    for (let more = true; more && !stopped; ) {
      const placed = await placeEvents(store, AT_ONCE)
      // other processes assign positions as well
      const next = await eventsAfter(store, position, AT_ONCE)
      take(next)
      more = placed === AT_ONCE || next.length === AT_ONCE
    }
    if (position - KEPT - dropped > SURPLUS) {
      await dropEvents(store, position - KEPT)
      dropped = position - KEPT
    }
  }

  function turn(): void {
    timer = null
    asked = false
    running = read()
      // retried at the next check
      .catch((error: unknown) => log.debug({ err: error }, 'changes for live events could not be read'))
      .finally(() => {
        running = null
        if (asked) readNew()
      })
  }

  function readNew(): void {
    asked = true
    if (!stopped && timer === null && running === null) timer = setTimeout(turn, GATHER_MS)
  }

  return {
    async last() {
      await begin()
      return position
    },
    get position() {
      return position
    },
    readNew,
    async stop() {
      stopped = true
      if (timer !== null) clearTimeout(timer)
      await running
    },
  }
}
