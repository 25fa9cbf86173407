import type { ChangeQueue } from './change-queue.ts'

/** Reads devices again from the store, those that are asked for while others are read all at once. */
export interface Reloads {
  /** Resolves when the device was read after the call. */
  ask(deviceId: number): Promise<void>
}

/** Key of reloads in the queue: no device has it. */
const KEY = 0

export function createReloads(changes: ChangeQueue, reload: (ids: readonly number[]) => Promise<void>): Reloads {
  const wanted = new Set<number>()
  /** The reload that has not begun, so that it takes everything asked for until then. */
  let next: Promise<void> | null = null

  async function run(): Promise<void> {
    next = null
    const ids = [...wanted]
    wanted.clear()
    try {
      await reload(ids)
    } catch (error) {
      // for the next try
      for (const id of ids) wanted.add(id)
      throw error
    }
  }

  return {
    ask(deviceId) {
      wanted.add(deviceId)
      // Deferred, so that requests of the same turn share one reload: an idle queue runs it inside `push`.
      next ??= Promise.resolve().then(() => changes.push('reload', KEY, run))
      return next
    },
  }
}
