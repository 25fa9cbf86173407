/** One server-sent event. */
export interface Received {
  readonly event: string
  /** '' if the event has none. */
  readonly id: string
  readonly data: Readonly<Record<string, unknown>>
}

/** A client that parses server-sent events like a browser. */
export interface EventClient {
  readonly status: number
  readonly events: Received[]
  /** Whether the connection has ended, and how. */
  ended(): 'open' | 'closed' | 'broken'
  /** The id that a browser would send when it reconnects. */
  lastId(): string
  close(): void
}

export async function listenTo(
  url: string,
  token: string | { readonly cookie: string },
  options: { readonly query?: string; readonly lastId?: string } = {},
): Promise<EventClient> {
  const abort = new AbortController()
  const headers = new Headers(typeof token === 'string' ? { Authorization: `Bearer ${token}` } : token)
  if (options.lastId !== undefined) headers.set('Last-Event-ID', options.lastId)
  const response = await fetch(`${url}/api/v1/events${options.query ?? ''}`, { headers, signal: abort.signal })
  const events: Received[] = []
  let state: ReturnType<EventClient['ended']> = 'open'
  if (response.status === 200) {
    void read(response, (received) => events.push(received)).then(
      () => {
        state = 'closed'
      },
      () => {
        state = 'broken'
      },
    )
  } else await response.body?.cancel()
  return {
    status: response.status,
    events,
    ended: () => state,
    lastId: () => events.findLast(({ id }) => id !== '')?.id ?? '',
    close: () => abort.abort(),
  }
}

async function read(response: Response, take: (received: Received) => void): Promise<void> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const part of response.body ?? []) {
    text += decoder.decode(part, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const received = parsed(block)
      if (received !== null) take(received)
    }
  }
}

/** Null if the block is not an event but a comment or a retry time. */
export function parsed(block: string): Received | null {
  const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]))
  const event = fields.get('event')
  if (event === undefined) return null
  return {
    event,
    id: fields.get('id') ?? '',
    data: JSON.parse(fields.get('data') ?? 'null') as Received['data'],
  }
}
