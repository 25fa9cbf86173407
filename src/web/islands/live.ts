import { all } from './dom.ts'

/**
 * Changes of rows that are on the page. A row or value that can change has `data-live` with its key: `device:7`, `port:4711`,
 * `alert:12`, `sensor:3`. `GET /api/v1/events` sends events of these types; until the server has it, nothing happens.
 */
const TYPES = ['device', 'port', 'alert', 'poll'] as const
const RETRIES_MS = [1000, 2000, 5000, 10_000, 20_000]
/** How long a changed row is tinted. */
const TINT_MS = 2000

/** What islands do with a change of the object with this key. */
export type LiveHandler = (key: string, change: Readonly<Record<string, unknown>>) => void

/** Name of the event on the document: every script has its own copy of this module, the page has one stream. */
const CHANGE = 'portlight:change'

/** Calls `handler` for every change. */
export function onLive(handler: LiveHandler): void {
  document.addEventListener(CHANGE, (event) => {
    const { key, change } = (event as CustomEvent<{ key: string; change: Readonly<Record<string, unknown>> }>).detail
    handler(key, change)
  })
}

/** Connects if the page has the live sign and the server says where (`data-events`). Hidden tabs let the stream go. */
export function startLive(): void {
  const sign = document.querySelector<HTMLElement>('[data-island=live][data-events]')
  const address = sign?.dataset['events']
  if (sign === null || address === undefined) return
  let source: EventSource | null = null
  let failed = 0
  let timer = 0
  const say = (isLive: boolean) => {
    sign.hidden = false
    sign.classList.toggle('off', !isLive)
    sign.title = isLive ? 'Connected to the event stream' : 'The event stream is interrupted; values may be old'
  }
  const close = () => {
    clearTimeout(timer)
    source?.close()
    source = null
  }
  const connect = () => {
    close()
    source = new EventSource(address)
    source.onopen = () => {
      failed = 0
      say(true)
    }
    source.onerror = () => {
      say(false)
      close()
      const wait = RETRIES_MS[Math.min(failed++, RETRIES_MS.length - 1)] ?? 20_000
      timer = setTimeout(connect, wait * (0.75 + Math.random() / 2))
    }
    for (const type of TYPES) source.addEventListener(type, ({ data }) => received(type, String(data)))
  }
  document.addEventListener('visibilitychange', () => (document.hidden ? close() : connect()))
  connect()
}

function received(type: string, text: string): void {
  let change: unknown
  try {
    change = JSON.parse(text)
  } catch {
    return
  }
  if (typeof change !== 'object' || change === null || !('id' in change)) return
  const key = `${type}:${String(change.id)}`
  for (const row of all(`[data-live="${CSS.escape(key)}"]`)) tint(row)
  document.dispatchEvent(new CustomEvent(CHANGE, { detail: { key, change: { ...change } } }))
}

function tint(row: HTMLElement): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  row.classList.add('new')
  setTimeout(() => row.classList.remove('new'), TINT_MS)
}
