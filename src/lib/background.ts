import { setPriority } from 'node:os'

/** A thread with this nice value gets a third of the time of one with the usual 0 where both want the same core. */
const NICE = 5

/**
 * Has this thread step back where others of the machine want its core: for worker threads, whose work nobody waits for.
 * Only Linux has a priority for each thread. False: it stays as it was.
 */
export function stepBack(): boolean {
  if (process.platform !== 'linux' || Bun.isMainThread) return false
  try {
    setPriority(0, NICE)
    return true
  } catch {
    // a sandbox may refuse the call, and nothing depends on it
    return false
  }
}
