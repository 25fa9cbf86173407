import { eventOctets, joined } from './event.ts'

/** Why a stream ends: the client reads too slowly, its token lost its rights, the server stops. */
export type EndReason = 'slow' | 'access' | 'stopping'

/** What waits for one client, bounded. */
export interface LiveStream {
  /** Everything that waits, as soon as there is something; null: the end. */
  next(): Promise<Uint8Array<ArrayBuffer> | null>
  /** The client is gone. */
  stop(): Promise<void>
}

/** The sending side. */
export interface Outlet extends LiveStream {
  /** False when the stream has ended. */
  push(octets: Uint8Array<ArrayBuffer>): boolean
  /** The last event; what waits before it is dropped if the client reads too slowly. */
  end(reason: EndReason): void
  /** performance.now() of the last push. */
  readonly pushedAt: number
  readonly ended: boolean
}

/** Octets that may wait for a client beside what is on its way. */
export const MAX_WAITING = 1_048_576

/** A stream that calls `left` once when it ends, whoever ended it. */
export function createOutlet(left: () => void, maxWaiting = MAX_WAITING): Outlet {
  let waiting: Uint8Array<ArrayBuffer>[] = []
  let octets = 0
  let ended = false
  let pushedAt = performance.now()
  let taker: ((part: Uint8Array<ArrayBuffer> | null) => void) | null = null

  function give(): void {
    if (taker === null || (waiting.length === 0 && !ended)) return
    // text that many clients share is sent as it is
    const part = waiting.length > 1 ? joined(waiting) : (waiting[0] ?? null)
    waiting = []
    octets = 0
    const take = taker
    taker = null
    take(part)
  }

  function close(): void {
    if (ended) return
    ended = true
    left()
  }

  function end(reason: EndReason): void {
    if (ended) return
    if (reason === 'slow') waiting = []
    waiting.push(eventOctets('end', null, { reason }))
    close()
    give()
  }

  return {
    next() {
      const { promise, resolve } = Promise.withResolvers<Uint8Array<ArrayBuffer> | null>()
      taker = resolve
      give()
      return promise
    },
    async stop() {
      waiting = []
      close()
      give()
    },
    push(part) {
      if (ended) return false
      pushedAt = performance.now()
      waiting.push(part)
      octets += part.byteLength
      give()
      if (octets > maxWaiting) end('slow')
      return !ended
    },
    end,
    get pushedAt() {
      return pushedAt
    },
    get ended() {
      return ended
    },
  }
}
