import { dlopen } from 'bun:ffi'
import { closeSync, openSync } from 'node:fs'

const SHARED = 1
const EXCLUSIVE = 2
const NO_WAIT = 4

/** A file lock (flock(2)). The kernel releases it when the process ends, however that happens. */
export interface FileLock {
  release(): void
}

let libc: { flock(fd: number, operation: number): number } | undefined

function flock(fd: number, operation: number): boolean {
  libc ??= dlopen(process.platform === 'darwin' ? 'libSystem.B.dylib' : 'libc.so.6', {
    flock: { args: ['i32', 'i32'], returns: 'i32' },
  }).symbols
  return libc.flock(fd, operation) === 0
}

/** Takes the lock without waiting; null if another process holds it. */
export function tryLock(path: string, kind: 'shared' | 'exclusive'): FileLock | null {
  // Bun opens files close-on-exec, so that children do not inherit the lock.
  const fd = openSync(path, 'a', 0o600)
  if (!flock(fd, (kind === 'shared' ? SHARED : EXCLUSIVE) | NO_WAIT)) {
    closeSync(fd)
    return null
  }
  let held = true
  return {
    release() {
      if (held) closeSync(fd)
      held = false
    },
  }
}

/** Waits for the lock; null if it is still held after `timeoutMs`. */
export async function lockWithin(
  path: string,
  kind: 'shared' | 'exclusive',
  timeoutMs: number,
): Promise<FileLock | null> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const lock = tryLock(path, kind)
    if (lock !== null || performance.now() > deadline) return lock
    await Bun.sleep(20)
  }
}
