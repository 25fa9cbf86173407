import type { ChangeQueue } from './change-queue.ts'

/** Reloads devices from the store. Those asked for during a reload are read together in the next one. */
export interface Reloads {
  /** Resolves when the device has been read after the call. */
  ask(deviceId: number): Promise<void>
}

/** Key of reloads in the change queue; no device has this id. */
const KEY = 0

export function createReloads(changes: ChangeQueue, reload: (ids: readonly number[]) => Promise<void>): Reloads {
  const wanted = new Set<number>()
  /** The reload that has not begun yet; it includes everything asked for until it does. */
  let next: Promise<void> | null = null

  async function run(): Promise<void> {
    next = null
    const ids = [...wanted]
    wanted.clear()
    try {
      await reload(ids)
    } catch (error) {
      // read them with the next reload
      for (const id of ids) wanted.add(id)
      throw error
    }
  }

  return {
    ask(deviceId) {
      wanted.add(deviceId)
      // deferred so that calls in the same turn of the event loop share one reload: an idle queue would run it inside
      // `push`
      next ??= Promise.resolve().then(() => changes.push('reload', KEY, run))
      return next
    },
  }
}
