import { all } from './dom.ts'
import { refreshCounts, refreshRows } from './refresh-rows.ts'
import { clockText } from './times.ts'

// Live changes to what is on the page. A row that can change has `data-live` with its key: `device:7`, `port:4711`,
// `alert:12`. Hidden tabs close the stream, so that a browser with many tabs has few streams, and catch up when shown.

const TYPES = ['device', 'port', 'alert', 'poll'] as const
type Type = (typeof TYPES)[number]
/** The member that identifies the object, by type of event (docs/reference/events.md). */
const IDS: Readonly<Record<Type, string>> = {
  device: 'device_id',
  port: 'port_id',
  alert: 'alert_id',
  poll: 'device_id',
}
const RETRIES_MS = [1000, 2000, 5000, 10_000, 20_000]
/**
 * How often the server is asked whether it still responds, and how long it has. A stream that a stopped process or a
 * lost network leaves open reports nothing.
 */
const PROBE_MS = 15_000
const PATIENCE_MS = 8000
/** Changes that no row or count shows. */
const QUIET = new Set(['discovered'])

/** Handles a change to the object with this key. */
export type LiveHandler = (key: string, change: Readonly<Record<string, unknown>>) => void

/**
 * Event on the document that passes changes between scripts: each bundles this module, but a page has only one stream.
 */
const CHANGE = 'portlight:change'

/** Calls `handler` for every change; the key of a poll is `poll:7` with the id of its device. */
export function onLive(handler: LiveHandler): void {
  document.addEventListener(CHANGE, (event) => {
    const { key, change } = (event as CustomEvent<{ key: string; change: Readonly<Record<string, unknown>> }>).detail
    handler(key, change)
  })
}

/** Connects if the page has the live indicator with the address of the stream (`data-events`). */
export function startLive(): void {
  const sign = document.querySelector<HTMLElement>('[data-island=live][data-events]')
  const address = sign?.dataset['events']
  if (sign === null || address === undefined) return
  let source: EventSource | null = null
  let failed = 0
  let timer = 0
  let probing = 0
  /** Whether a stream was open before, so that changes may have been missed since. */
  let missed = false
  let over = false
  const label = sign.querySelector('span')
  const say = (isLive: boolean, why = '') => {
    sign.hidden = false
    if (sign.dataset['state'] === 'off' && !isLive) return
    sign.classList.toggle('off', !isLive)
    sign.dataset['state'] = isLive ? 'on' : 'off'
    sign.title = isLive ? 'Connected to the event stream' : `${why} The values on this page may be out of date.`
    if (label !== null) label.textContent = isLive ? 'Live' : `Not live since ${clockText(Date.now()).slice(11, 16)}`
  }
  const close = () => {
    clearTimeout(timer)
    clearInterval(probing)
    source?.close()
    source = null
  }
  const lost = () => {
    say(false, 'The server does not respond; trying again.')
    close()
    const wait = RETRIES_MS[Math.min(failed++, RETRIES_MS.length - 1)] ?? 20_000
    timer = setTimeout(connect, wait * (0.75 + Math.random() / 2))
  }
  const connect = () => {
    close()
    if (over) return
    const mine = new EventSource(address)
    source = mine
    timer = setTimeout(lost, PATIENCE_MS)
    probing = setInterval(() => {
      void responds().then((isThere) => {
        if (!isThere && source === mine) lost()
      })
    }, PROBE_MS)
    mine.addEventListener('ready', () => {
      clearTimeout(timer)
      failed = 0
      say(true)
      if (missed) {
        refreshRows(null)
        refreshCounts()
      }
      missed = true
    })
    mine.onerror = lost
    mine.addEventListener('end', ({ data }) => {
      // signed out, or without rights: connecting again would be refused
      over = record(String(data))?.['reason'] === 'access'
      if (!over) return
      close()
      say(false, 'You are signed out, or have lost access.')
    })
    for (const type of TYPES) mine.addEventListener(type, ({ data }) => received(type, String(data)))
  }
  document.addEventListener('visibilitychange', () => (document.hidden ? close() : connect()))
  if (!document.hidden) connect()
}

/** Whether the server answers at all; an error page of a proxy in front of it does not count. */
async function responds(): Promise<boolean> {
  try {
    const answer = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) })
    return answer.status < 500
  } catch {
    return false
  }
}

function record(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}

function received(type: Type, text: string): void {
  const change = record(text)
  const id = change?.[IDS[type]]
  if (change === null || typeof id !== 'number') return
  const key = `${type}:${id}`
  document.dispatchEvent(new CustomEvent(CHANGE, { detail: { key, change } }))
  if (type === 'poll' || QUIET.has(String(change['change']))) return
  if (type !== 'port') refreshCounts()
  // an alert also changes the state of its device
  const keys = type === 'alert' ? [key, `device:${String(change['device_id'])}`] : [key]
  const isShown = keys.some((one) => document.querySelector(`[data-live="${CSS.escape(one)}"]`) !== null)
  const mayJoin = all(`[data-live-list~="${type}"]`).length > 0
  if (isShown || mayJoin) refreshRows(keys)
}
