import type { Store } from '../../core/database/client.ts'
import { listen, notify } from '../../core/database/listen.ts'
import { createTopic } from '../../lib/topic.ts'
import type { Log } from '../../observe/log.ts'

/** Tells the other processes what this one stored about devices. Payloads are JSON. */
const CHANNEL = 'portlight_written'
/** How long changes are collected before they are sent, ms. */
const GATHER_MS = 250
/** Most devices per message: a NOTIFY payload must be shorter than 8,000 bytes. */
const MAX_DEVICES = 600

/** `elsewhere`: another process stored it. */
type Heard = (deviceIds: readonly number[], what: readonly string[], elsewhere: boolean) => void

/** What is stored about devices, by any process. */
export interface Announcements {
  /** This process stored something. */
  readonly written: (deviceIds: readonly number[], what: readonly string[]) => void
  /** Calls `heard` whenever something was stored. */
  readonly follow: (heard: Heard) => void
  stop(): Promise<void>
}

/**
 * Passes on what this process stores to its own parts and to the other processes, and what those announce. Messages
 * between processes may be lost. `shared`: whether there are others.
 */
export function announcements(store: Store, shared: () => boolean, log: Log): Announcements {
  const topic = createTopic<Parameters<Heard>>()
  const self = crypto.randomUUID()
  let waiting = new Map<string, { readonly what: readonly string[]; readonly ids: Set<number> }>()
  let timer: ReturnType<typeof setTimeout> | null = null

  function send(): void {
    timer = null
    const batches = [...waiting.values()]
    waiting = new Map()
    for (const { what, ids } of batches) {
      const all = [...ids]
      for (let i = 0; i < all.length; i += MAX_DEVICES) {
        const text = JSON.stringify({ from: self, what, ids: all.slice(i, i + MAX_DEVICES) })
        notify(store, CHANNEL, text).catch((error: unknown) => log.debug({ err: error }, 'not announced'))
      }
    }
  }

  const listening = listen(
    store,
    CHANNEL,
    (payload) => {
      const message = parse(payload)
      if (message !== null && message.from !== self) topic.tell(message.ids, message.what, true)
    },
    () => undefined,
    log,
  )

  return {
    follow: topic.follow,
    written(deviceIds, what) {
      topic.tell(deviceIds, what, false)
      if (!shared() || deviceIds.length === 0) return
      const key = what.join()
      const batch = waiting.get(key) ?? { what, ids: new Set<number>() }
      waiting.set(key, batch)
      for (const id of deviceIds) batch.ids.add(id)
      timer ??= setTimeout(send, GATHER_MS)
    },
    async stop() {
      if (timer !== null) clearTimeout(timer)
      send()
      await listening.stop()
    },
  }
}

function parse(text: string): { from: string; what: string[]; ids: number[] } | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return null
    const { from, what, ids } = value as Record<string, unknown>
    const good = typeof from === 'string' && isListOf(what, 'string') && isListOf(ids, 'number')
    return good ? { from, what: what as string[], ids: ids as number[] } : null
  } catch {
    return null
  }
}

function isListOf(value: unknown, type: 'string' | 'number'): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === type)
}
