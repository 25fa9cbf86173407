/** Source of a paced answer. */
export interface Parts {
  /** The next part; null at the end. An error ends the connection. */
  next(): Promise<Uint8Array<ArrayBuffer> | null>
  /** Called once if the client goes away before the end. */
  stop?(): Promise<unknown>
  /** Called when the answer is truncated, with the reason. Not called when the client disconnects. */
  truncated?(reason: unknown): void
}

/** The connection is closed if a part of a few hundred kilobytes is not read within this time (about 5 kB/s). */
export const MAX_PART_MS = 60_000

/** Bytes sent after which a garbage collection is requested, because parts are garbage once sent. */
const COLLECT_AFTER = 16_777_216
let sinceCollection = 0

/**
 * Requests a garbage collection now and then. 50 clients reading long lists produce 40 MB of garbage a second, and left
 * alone the engine keeps 70 MB more of it than it has to (bench/large.ts).
 */
function countForCollection(octets: number): void {
  sinceCollection += octets
  if (sinceCollection < COLLECT_AFTER) return
  sinceCollection = 0
  Bun.gc(false)
}

/** The answer was truncated because the client was reading too slowly. */
export class SlowReader extends Error {
  override readonly name = 'SlowReader'
}

/** How to close the connection that a body is sent on; known once sending has begun. */
const hangUps = new WeakMap<ReadableStream, () => void>()
/** Paced bodies by response, because reading `Response.body` is expensive. */
const bodies = new WeakMap<Response, ReadableStream>()

/** An answer with a paced body. */
export function pacedResponse(body: ReadableStream<Uint8Array<ArrayBuffer>>, init: ResponseInit): Response {
  const response = new Response(body, init)
  bodies.set(response, body)
  return response
}

/**
 * Sets how to close the connection of a paced answer; does nothing for others. Bun notices an error in a body only when
 * the client reads more, which a stalled client may never do.
 */
export function onStall(response: Response, hangUp: () => void): void {
  const body = bodies.get(response)
  if (body !== undefined) hangUps.set(body, hangUp)
}

/**
 * A body whose parts are produced as they are read, so that a slow client ties up only one or two of them and the
 * kernel's buffers. If a part takes longer than `maxPartMs`, the connection is aborted, which a client cannot mistake
 * for the end of the answer.
 */
export function paced(first: Uint8Array<ArrayBuffer>, parts: Parts, maxPartMs = MAX_PART_MS) {
  let deadline: Timer | undefined
  const send = (
    controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>,
    part: Uint8Array<ArrayBuffer>,
  ) => {
    controller.enqueue(part)
    countForCollection(part.byteLength)
    deadline = setTimeout(() => {
      parts.truncated?.(new SlowReader(`the client took more than ${maxPartMs} ms for a part`))
      controller.error() // without a reason: Bun would write it to stderr as well
      hangUps.get(body)?.()
      void parts.stop?.()
    }, maxPartMs)
  }
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => send(controller, first),
    async pull(controller) {
      clearTimeout(deadline)
      try {
        const part = await parts.next()
        if (part === null) controller.close()
        else send(controller, part)
      } catch (error) {
        parts.truncated?.(error)
        controller.error()
      }
    },
    async cancel() {
      clearTimeout(deadline)
      await parts.stop?.()
    },
  })
  return body
}

/** Pieces that are already in memory, at least one, as a paced body. */
export function pacedPieces(pieces: readonly Uint8Array<ArrayBuffer>[], maxPartMs = MAX_PART_MS) {
  let sent = 1
  return paced(
    pieces[0] ?? new Uint8Array(0),
    {
      async next() {
        return pieces[sent++] ?? null
      },
    },
    maxPartMs,
  )
}
