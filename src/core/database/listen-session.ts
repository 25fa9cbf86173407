import type postgres from 'postgres'
import { toStoreError } from './errors.ts'
import { createHeartbeats } from './heartbeats.ts'
import { createSubscriptions, type Subscriber } from './subscriptions.ts'

type Sql = postgres.Sql<{ bigint: number | string }>

/** One session that listens for notifications, and proves by a heartbeat through the database that it hears them. */
export interface ListenSession {
  /** Listens from now on, as soon as the database lets it; the function ends it. */
  subscribe(channel: string, subscriber: Subscriber): () => void
  /** null: notifications are heard, or nobody listens. Otherwise one sentence on what is wrong. */
  problem(): string | null
  close(): Promise<void>
}

export interface ListenSessionOptions {
  /** Opens a client with a single connection that calls these functions. */
  readonly open: (on: { readonly heard: (channel: string, payload: string) => void; readonly lost: () => void }) => Sql
  /** Sends a notification from another session, so that both are known to be on the same server. */
  readonly send: (channel: string, payload: string) => Promise<unknown>
  /** Time between two heartbeats, and how long one may take to arrive, ms. */
  readonly beatMs?: number
}

const BEAT_MS = 3000
/** Waits between attempts to listen, ms: doubled from the first to the last. */
const RETRY_MS = { first: 250, last: 2000 }
const UNHEARD =
  'Notifications from the database do not arrive, so changed settings, new devices and commands have no effect here.'
/** The same for a session that listens without hearing anything, such as one behind a pooler. */
const UNHEARD_MS = { first: 2000, last: 60_000 }

/**
 * The driver's own `listen` reconnects by itself, but gives up for good when the new server refuses, as a standby does
 * until it is promoted. This one tries again until the database lets it listen.
 */
export function createListenSession({ open, send, beatMs = BEAT_MS }: ListenSessionOptions): ListenSession {
  const heartbeat = `portlight_heartbeat_${crypto.randomUUID().slice(0, 8)}`
  const channels = createSubscriptions()
  const beats = createHeartbeats((number) => send(heartbeat, number))
  let sql: Sql | null = null
  /** The session hears what is sent to the channels; false while it is being opened. */
  let listening = false
  /** A heartbeat has arrived in this session. */
  let proven = false
  let refused = 0
  let unheard = 0
  let closed = false
  let beating: ReturnType<typeof setInterval> | null = null

  function heard(channel: string, payload: string): void {
    if (channel === heartbeat) {
      beats.heard(payload)
      unheard = 0
      proven = true
      return
    }
    channels.deliver(channel, payload)
  }

  const unasked = (asked: ReadonlySet<string>) => channels.names().find((name) => !asked.has(name))

  const retry = createRetry(() => void begin())

  /** Drops the session; its own end must not be taken for the loss of the next. */
  function drop(): void {
    const old = sql
    sql = null
    listening = false
    proven = false
    void old?.end({ timeout: 0 }).catch(() => undefined)
  }

  /** This session has ended, or refuses a channel. */
  function lost(session: Sql): void {
    if (sql !== session) return
    drop()
    retry.after(RETRY_MS, 0)
  }

  async function begin(): Promise<void> {
    if (closed || sql !== null || channels.isEmpty()) return
    const mine = open({ heard, lost: () => lost(mine) })
    sql = mine
    try {
      const asked = new Set([heartbeat, ...channels.names()])
      await mine.unsafe([...asked].map(listenTo).join(';')).simple()
      // subscribed while a statement ran
      for (let name = unasked(asked); sql === mine && name !== undefined; name = unasked(asked)) {
        asked.add(name)
        await mine.unsafe(listenTo(name))
      }
    } catch (error) {
      if (closed || sql !== mine) return
      channels.warn(toStoreError(error).message)
      drop()
      retry.after(RETRY_MS, refused++)
      return
    }
    if (sql !== mine) return
    refused = 0
    listening = true
    beats.restart()
    channels.connected()
    beat()
  }

  /** Checks the last heartbeat and sends the next. */
  function beat(): void {
    if (!listening || beats.isSending()) return
    if (beats.isMissing()) {
      channels.warn('a notification that this process sent to itself did not arrive')
      drop()
      retry.after(UNHEARD_MS, unheard++)
      return
    }
    if (proven) channels.recovered()
    beats.send()
  }

  return {
    subscribe(channel, subscriber) {
      const isFirst = channels.add(channel, subscriber)
      beating ??= setInterval(beat, beatMs)
      const mine = sql
      if (mine === null) void begin()
      else if (listening && !isFirst) subscriber.connected()
      else if (listening) {
        mine.unsafe(listenTo(channel)).then(
          () => sql === mine && channels.has(channel, subscriber) && subscriber.connected(),
          () => lost(mine),
        )
      }
      return () => {
        if (!channels.remove(channel, subscriber)) return
        // fails if the session is lost, which ends the listening anyway
        if (listening) sql?.unsafe(`unlisten ${quoted(channel)}`).catch(() => undefined)
      }
    },
    problem: () => (channels.isEmpty() || proven ? null : UNHEARD),
    async close() {
      closed = true
      retry.stop()
      if (beating !== null) clearInterval(beating)
      channels.clear()
      listening = false
      const last = sql
      sql = null
      await last?.end({ timeout: 1 })
    },
  }
}

/** Calls a function after a wait that doubles with each try; a wait that has begun is not prolonged. */
function createRetry(begin: () => void) {
  let timer: ReturnType<typeof setTimeout> | null = null
  let stopped = false
  return {
    after({ first, last }: { readonly first: number; readonly last: number }, tries: number): void {
      if (stopped || timer !== null) return
      const waitMs = Math.min(last, first * 2 ** Math.min(tries, 10))
      timer = setTimeout(() => {
        timer = null
        begin()
      }, waitMs)
    },
    stop(): void {
      stopped = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}

function quoted(channel: string): string {
  return `"${channel.replaceAll('"', '""')}"`
}

const listenTo = (channel: string): string => `listen ${quoted(channel)}`
