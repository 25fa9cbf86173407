import { notFound } from '../../core/base/errors.ts'
import type { ListChunk, ListChunks } from '../../core/base/lists.ts'
import type { Log } from '../../observe/log.ts'
import { jsonText } from '../respond.ts'
import { paced } from '../slow-readers.ts'

export interface ListOptions {
  /** Name of the list member. */
  readonly name: string
  /** Also send `message: ""`. Default false. */
  readonly message?: boolean
  /** Throws if an empty list is an error. */
  readonly whenEmpty?: () => void
  /** Members after the count. */
  readonly after?: (count: number) => Promise<Readonly<Record<string, number>>>
  /** How long a client may take for one chunk, ms. Default MAX_PART_MS. */
  readonly maxChunkMs?: number
}

/** Options for a list that answers 404 with this message when it is empty. */
export const listOrMissing = (name: string, missing: string): ListOptions => ({
  name,
  whenEmpty: () => {
    throw notFound(missing)
  },
})

/**
 * Streams a list of any length: chunks are read from the database as fast as the client reads, so half a million
 * entries are never in memory at once. An error before the second chunk gives an error answer. A later one, or a client
 * that is too slow, ends the connection, so that a partial list is not mistaken for a complete one. `count` comes last.
 */
export async function listAnswer(chunks: ListChunks, log: Log, options: ListOptions): Promise<Response> {
  const { name, message = false, whenEmpty = () => {} } = options
  const opening = `{"status":"ok",${message ? '"message":"",' : ''}"${name}":[`
  const first = await chunks.next()
  if (first.done) {
    whenEmpty()
    return jsonText(opening + (await ending(0, options)))
  }
  const second = await chunks.next()
  if (second.done) return jsonText(opening + first.value.json + (await ending(first.value.count, options)))
  return jsonText(stream(opening, [first.value, second.value], chunks, log, options))
}

async function ending(count: number, { after }: ListOptions): Promise<string> {
  const members = after === undefined ? {} : await after(count)
  return `],${JSON.stringify({ count, ...members }).slice(1)}`
}

const encoder = new TextEncoder()
const COMMA = 0x2c

/** A comma and a chunk as bytes, with one copy fewer than joining the texts. */
function afterComma(json: string): Uint8Array<ArrayBuffer> {
  const octets = new Uint8Array(1 + Buffer.byteLength(json))
  octets[0] = COMMA
  encoder.encodeInto(json, octets.subarray(1))
  return octets
}

/** The list as a body: the chunks read so far, then the rest. */
function stream(
  opening: string,
  [first, second]: readonly [ListChunk, ListChunk],
  chunks: ListChunks,
  log: Log,
  options: ListOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let count = first.count + second.count
  let ended = false
  return paced(
    encoder.encode(`${opening}${first.json},${second.json}`),
    {
      async next() {
        if (ended) return null
        const chunk = await chunks.next()
        if (!chunk.done) {
          count += chunk.value.count
          return afterComma(chunk.value.json)
        }
        ended = true
        return encoder.encode(await ending(count, options))
      },
      stop: () => chunks.return(),
      truncated: (error) => log.warn({ err: error, list: options.name }, 'list truncated'),
    },
    options.maxChunkMs,
  )
}
