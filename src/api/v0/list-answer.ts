import { notFound } from '../../domain/errors.ts'
import type { ListChunk, ListChunks } from '../../domain/lists.ts'
import type { Log } from '../../observe/log.ts'
import { jsonText } from '../respond.ts'

export interface ListOptions {
  /** The member that is the list. */
  readonly name: string
  /** Sends `message: ""` as well. Where absent, not. */
  readonly message?: boolean
  /** Throws, where an empty list is an error. */
  readonly whenEmpty?: () => void
}

/** A list that is 404 with these words when it is empty. */
export const listOrMissing = (name: string, missing: string): ListOptions => ({
  name,
  whenEmpty: () => {
    throw notFound(missing)
  },
})

/**
 * The answer of a list without an end, written while it is read: half a million entries are never in memory at once.
 * Chunks are read as fast as the client takes them. An error before the second chunk is an error answer; a later one ends
 * the connection, so that half a list is not taken for a whole. `count` comes last, when it is known.
 */
export async function listAnswer(
  chunks: ListChunks,
  log: Log,
  { name, message = false, whenEmpty = () => {} }: ListOptions,
): Promise<Response> {
  const opening = `{"status":"ok",${message ? '"message":"",' : ''}"${name}":[`
  const first = await chunks.next()
  if (first.done) {
    whenEmpty()
    return jsonText(`${opening}],"count":0}`)
  }
  const second = await chunks.next()
  if (second.done) return jsonText(`${opening}${first.value.json}],"count":${first.value.count}}`)
  return jsonText(stream(opening, [first.value, second.value], chunks, log))
}

/** The list as a body: what was read already, then chunk after chunk. */
function stream(
  opening: string,
  [first, second]: readonly [ListChunk, ListChunk],
  chunks: ListChunks,
  log: Log,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let count = first.count + second.count
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(`${opening}${first.json},${second.json}`))
    },
    async pull(controller) {
      try {
        const next = await chunks.next()
        if (next.done) {
          controller.enqueue(encoder.encode(`],"count":${count}}`))
          controller.close()
        } else {
          count += next.value.count
          controller.enqueue(encoder.encode(`,${next.value.json}`))
        }
      } catch (error) {
        log.warn({ err: error }, 'list cut short')
        controller.error() // without a reason: Bun would write it to stderr as well
      }
    },
    async cancel() {
      await chunks.return()
    },
  })
}
