/** What the main thread is doing, in memory that another thread can read while the main thread does not respond. */

/** Requests and other work in progress that can be named at the same time; more are not. */
const SLOTS = 32
/** Octets of a name. */
const NAME = 160
/** Per slot: the start in whole seconds of `sinceMs` (0: free), and the length of the name. */
const HEAD = 8
const SLOT = HEAD + NAME
const BEATS = 8

/** Shared memory of `createBusy`; `readBusy` reads it. */
export type BusyMemory = SharedArrayBuffer

/** Work in progress. */
export interface InProgress {
  readonly name: string
  /** When it began, on the clock of `sinceMs`, in whole seconds. */
  readonly beganMs: number
}

export interface Busy {
  readonly memory: BusyMemory
  /** Notes that the main thread has come round to its timers. */
  beat(): void
  /** Notes work by its name, which must hold no secrets; returns what to call when it is finished. */
  begin(name: string): () => void
}

/** A clock that all threads share and that no step of the system's clock moves, ms since the beginning of 2026. */
export const sinceMs = (): number => performance.now() + ORIGIN_MS
const ORIGIN_MS = performance.timeOrigin - Date.UTC(2026, 0)

const nothing = () => undefined

/** How names of requests begin. */
export const REQUEST = 'request '

export function createBusy(now: () => number = sinceMs): Busy {
  const memory = new SharedArrayBuffer(BEATS + SLOTS * SLOT)
  const beats = new Int32Array(memory, 0, 1)
  const heads = Array.from({ length: SLOTS }, (_, i) => new Int32Array(memory, BEATS + i * SLOT, 2))
  const names = Array.from({ length: SLOTS }, (_, i) => new Uint8Array(memory, BEATS + i * SLOT + HEAD, NAME))
  const free = heads.map((_, i) => i)
  const encoder = new TextEncoder()
  const scratch = new Uint8Array(NAME)
  return {
    memory,
    beat: () => void Atomics.add(beats, 0, 1),
    begin(name) {
      const slot = free.pop()
      const head = slot === undefined ? undefined : heads[slot]
      if (slot === undefined || head === undefined) return nothing
      const { written } = encoder.encodeInto(name, scratch)
      names[slot]?.set(scratch.subarray(0, written))
      Atomics.store(head, 1, written)
      Atomics.store(head, 0, Math.max(1, Math.trunc(now() / 1000)))
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        Atomics.store(head, 0, 0)
        free.push(slot)
      }
    },
  }
}

/** The number of beats so far, and the work in progress, the oldest first. */
export function readBusy(memory: BusyMemory): { readonly beats: number; readonly work: readonly InProgress[] } {
  const decoder = new TextDecoder()
  const work = Array.from({ length: SLOTS }, (_, i): InProgress => {
    const head = new Int32Array(memory, BEATS + i * SLOT, 2)
    const [beganMs, length] = [Atomics.load(head, 0) * 1000, Atomics.load(head, 1)]
    // copied, because a decoder takes no shared memory
    const name = Uint8Array.from(new Uint8Array(memory, BEATS + i * SLOT + HEAD, Math.min(NAME, length)))
    return { beganMs, name: decoder.decode(name) }
  })
  const known = work.filter(({ beganMs }) => beganMs > 0).toSorted((a, b) => a.beganMs - b.beganMs)
  return { beats: Atomics.load(new Int32Array(memory, 0, 1), 0), work: known }
}

/** The work of this process's main thread. */
export const mainWork = createBusy()
