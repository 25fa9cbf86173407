import { eventOctets, joined } from './event.ts'

/** The reason a stream ends: the client reads too slowly, lost its access, or the server is stopping. */
export type EndReason = 'slow' | 'access' | 'stopping'

/** The bounded queue of one client. */
export interface LiveStream {
  /** Everything queued, as soon as there is something; null: the end. */
  next(): Promise<Uint8Array<ArrayBuffer> | null>
  /** Call when the client has disconnected. */
  stop(): Promise<void>
}

/** The sending side of a stream. */
export interface SendingStream extends LiveStream {
  /** Returns false when the stream has ended. */
  push(octets: Uint8Array<ArrayBuffer>): boolean
  /** Sends the last event; events queued before it are dropped if the client reads too slowly. */
  end(reason: EndReason): void
  /** performance.now() of the last push. */
  readonly pushedAt: number
  readonly ended: boolean
}

/** Maximum size of a client's queue besides what is being sent, bytes. */
export const MAX_WAITING = 1_048_576

/** Creates a stream that calls `left` once when it ends, regardless of which side ended it. */
export function createStream(left: () => void, maxWaiting = MAX_WAITING): SendingStream {
  let waiting: Uint8Array<ArrayBuffer>[] = []
  let octets = 0
  let ended = false
  let pushedAt = performance.now()
  let taker: ((part: Uint8Array<ArrayBuffer> | null) => void) | null = null

  function give(): void {
    if (taker === null || (waiting.length === 0 && !ended)) return
    // a single part, which many clients share, is sent without copying
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
