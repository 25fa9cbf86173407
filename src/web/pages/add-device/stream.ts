/** How often an empty line is sent, so that proxies keep an idle connection open. */
const BEAT_MS = 5000

/**
 * A response with one JSON object per line, sent as `work` produces them. `work` continues if the reader disconnects.
 * It must not throw.
 */
export function lines(work: (send: (line: object) => void) => Promise<void>): Response {
  const encoder = new TextEncoder()
  let open = true
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const put = (text: string) => {
        if (!open) return
        try {
          controller.enqueue(encoder.encode(text))
        } catch {
          open = false // the reader has left
        }
      }
      const beat = setInterval(() => put('\n'), BEAT_MS)
      try {
        await work((line) => put(`${JSON.stringify(line)}\n`))
      } finally {
        clearInterval(beat)
        if (open) controller.close()
      }
    },
    cancel() {
      open = false
    },
  })
  return new Response(body, {
    headers: {
      'Content-Type': 'application/x-ndjson; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Accel-Buffering': 'no',
    },
  })
}
