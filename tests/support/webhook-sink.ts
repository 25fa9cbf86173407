/** A received notification. */
export interface Received {
  /** Idempotency key. */
  readonly key: string
  readonly body: Readonly<Record<string, unknown>>
  /** The status it was answered with. */
  readonly status: number
}

/** A real HTTP server on loopback that records what it is sent. */
export interface WebhookSink {
  readonly url: string
  readonly received: Received[]
  /** The status of the next answers; 0: the connection is closed without an answer. */
  status: number
  /** Kinds of notifications that were accepted, in order, each key once. */
  kinds(): unknown[]
  stop(): void
}

export function startWebhookSink(): WebhookSink {
  const received: Received[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const body = (await request.json()) as Record<string, unknown>
      received.push({ key: request.headers.get('Idempotency-Key') ?? '', body, status: sink.status })
      return new Response('', { status: sink.status })
    },
  })
  const sink: WebhookSink = {
    url: `http://127.0.0.1:${server.port}/hook`,
    received,
    status: 200,
    kinds() {
      const accepted = received.filter(({ status }) => status < 300)
      return [...new Map(accepted.map(({ key, body }) => [key, body['kind']])).values()]
    },
    stop: () => void server.stop(true),
  }
  return sink
}
