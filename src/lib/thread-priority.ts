import { setPriority } from 'node:os'

/** A thread with this nice value gets a third as much of a contended core as one with the default of 0. */
const NICE = 5

/**
 * Lowers the priority of this thread, for worker threads whose results nobody waits for. Only Linux has priorities per
 * thread. Returns false if the priority was not changed.
 */
export function lowerThreadPriority(): boolean {
  if (process.platform !== 'linux' || Bun.isMainThread) return false
  try {
    setPriority(0, NICE)
    return true
  } catch {
    // a sandbox may refuse the call; nothing depends on it
    return false
  }
}
