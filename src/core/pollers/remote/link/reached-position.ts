import type { Position } from '../write-delivery.ts'

/** How far the stream of a site has been dealt with. */
export interface ReachedPosition {
  /** Null: nowhere since the start. */
  last(): Position | null
  /** Everything up to this message is stored or refused. */
  settled(at: Position): void
  /** Resolves to true when this message or a later one is stored or refused, to false after `timeoutMs`. */
  reached(wanted: Position, timeoutMs: number): Promise<boolean>
}

export function createReachedPosition(): ReachedPosition {
  let position: Position | null = null
  const waiters = new Set<() => void>()
  return {
    last: () => position,
    settled({ epoch, sequence }) {
      if (position !== null && !isAtLeast({ epoch, sequence }, position)) return
      position = { epoch, sequence }
      for (const tell of [...waiters]) tell()
    },
    async reached(wanted, timeoutMs) {
      const there = (): boolean => position !== null && isAtLeast(position, wanted)
      if (there()) return true
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const check = (): void => {
        if (there()) resolve(true)
      }
      waiters.add(check)
      const timer = setTimeout(resolve, timeoutMs, false)
      const found = await promise
      clearTimeout(timer)
      waiters.delete(check)
      return found
    },
  }
}

function isAtLeast(a: Position, b: Position): boolean {
  return a.epoch > b.epoch || (a.epoch === b.epoch && a.sequence >= b.sequence)
}
