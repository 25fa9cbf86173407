import type { PortChunk } from '../../domain/ports/service.ts'
import type { Log } from '../../observe/log.ts'
import { jsonText } from '../respond.ts'

const OPENING = '{"status":"ok","message":"","ports":['

/**
 * The answer of a list of ports, written while it is read: a hundred thousand ports are never in memory at once. An
 * error before the first port is an error answer; a later one ends the connection, so that half a list is not taken for
 * a whole. `whenEmpty` throws, or lets the empty list be sent.
 */
export async function portList(
  chunks: AsyncGenerator<PortChunk, void, undefined>,
  log: Log,
  whenEmpty: () => void = () => {},
): Promise<Response> {
  const first = await chunks.next()
  if (first.done) {
    whenEmpty()
    return jsonText(`${OPENING}],"count":0}`)
  }
  const second = await chunks.next()
  if (second.done) return jsonText(`${OPENING}${first.value.json}],"count":${first.value.count}}`)
  let count = first.value.count + second.value.count
  const encoder = new TextEncoder()
  return jsonText(
    new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(encoder.encode(`${OPENING}${first.value.json},${second.value.json}`))
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
          controller.error(error)
        }
      },
      async cancel() {
        await chunks.return()
      },
    }),
  )
}
