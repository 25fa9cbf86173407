import type postgres from 'postgres'
import type { Log } from '../../observe/log.ts'
import { toStoreError } from './errors.ts'

type Sql = postgres.Sql<{ bigint: number | string }>

/** What a subscriber is called with. */
export interface Subscriber {
  /** A NOTIFY on its channel. */
  readonly heard: (payload: string) => void
  /** Listening has begun, for the first time or again: what was sent before has not been heard. */
  readonly connected: () => void
  readonly log: Log
}

/** One session that listens for notifications, and proves by a heartbeat through the database that it hears them. */
export interface ListenSession {
  /** Listens from now on, as soon as the database lets it; the function ends it. */
  subscribe(channel: string, subscriber: Subscriber): () => void
  /** null: notifications are heard, or nobody listens. Otherwise one sentence on what is wrong. */
  problem(): string | null
  close(): Promise<void>
}

export interface EarOptions {
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
/** The same for a session that listens without hearing anything, such as one behind a pooler. */
const DEAF_MS = { first: 2000, last: 60_000 }

/**
 * The driver's own `listen` reconnects by itself, but gives up for good when the new server refuses, as a standby does
 * until it is promoted. This one tries again until the database lets it listen.
 */
export function createListenSession({ open, send, beatMs = BEAT_MS }: EarOptions): ListenSession {
  const heartbeat = `portlight_heartbeat_${crypto.randomUUID().slice(0, 8)}`
  const channels = new Map<string, Set<Subscriber>>()
  let sql: Sql | null = null
  /** The session hears what is sent to the channels; false while it is being opened. */
  let listening = false
  /** A heartbeat has arrived in this session. */
  let proven = false
  let refused = 0
  let deaf = 0
  let reported = false
  let closed = false
  let retry: ReturnType<typeof setTimeout> | null = null
  let beats: ReturnType<typeof setInterval> | null = null
  /** The last heartbeat that was sent and stored, and the last that was heard. */
  let sent = 0
  let heardBeat = 0
  let sending = false

  function heard(channel: string, payload: string): void {
    if (channel === heartbeat) {
      heardBeat = Math.max(heardBeat, Number(payload))
      deaf = 0
      proven = true
      return
    }
    for (const { heard } of channels.get(channel) ?? []) heard(payload)
  }

  function again(waits: { readonly first: number; readonly last: number }, tries: number): void {
    if (closed || retry !== null) return
    retry = setTimeout(
      () => {
        retry = null
        void begin()
      },
      Math.min(waits.last, waits.first * 2 ** Math.min(tries, 10)),
    )
  }

  /** Drops the session; its own end must not be taken for the loss of the next. */
  function drop(): void {
    const old = sql
    sql = null
    listening = false
    proven = false
    void old?.end({ timeout: 0 }).catch(() => undefined)
  }

  function warn(reason: string): void {
    if (reported) return
    reported = true
    const log = channels.values().next().value?.values().next().value?.log
    log?.warn({ channels: [...channels.keys()], reason }, 'cannot hear notifications from the database, trying again')
  }

  async function begin(): Promise<void> {
    if (closed || sql !== null || channels.size === 0) return
    const mine = open({
      heard,
      lost() {
        if (sql !== mine) return
        drop()
        again(RETRY_MS, 0)
      },
    })
    sql = mine
    try {
      const names = [heartbeat, ...channels.keys()]
      await mine.unsafe(names.map(listenTo).join(';')).simple()
      if (sql !== mine) return
      // subscribed while the statement ran
      for (const name of channels.keys()) if (!names.includes(name)) await mine.unsafe(listenTo(name))
    } catch (error) {
      if (closed || sql !== mine) return
      warn(toStoreError(error).message)
      drop()
      again(RETRY_MS, refused++)
      return
    }
    if (sql !== mine) return
    refused = 0
    listening = true
    heardBeat = sent
    for (const { connected } of [...channels.values()].flatMap((all) => [...all])) connected()
    beat()
  }

  /** Checks the last heartbeat and sends the next. */
  function beat(): void {
    if (!listening || sending) return
    if (heardBeat < sent) {
      warn('a notification that this process sent to itself did not arrive')
      drop()
      again(DEAF_MS, deaf++)
      return
    }
    if (reported && proven) recovered()
    const next = sent + 1
    sending = true
    send(heartbeat, String(next))
      .then(
        () => {
          sent = next
        },
        // the database is unavailable or accepts no notifications, which says nothing about this session
        () => undefined,
      )
      .finally(() => {
        sending = false
      })
  }

  function recovered(): void {
    reported = false
    const log = channels.values().next().value?.values().next().value?.log
    log?.info('hearing notifications from the database again')
  }

  return {
    subscribe(channel, subscriber) {
      const known = channels.get(channel)
      if (known !== undefined) known.add(subscriber)
      else channels.set(channel, new Set([subscriber]))
      beats ??= setInterval(beat, beatMs)
      const mine = sql
      if (mine === null) void begin()
      else if (listening && known !== undefined) subscriber.connected()
      else if (listening) {
        mine.unsafe(listenTo(channel)).then(
          () => sql === mine && channels.get(channel)?.has(subscriber) === true && subscriber.connected(),
          () => {
            if (sql !== mine) return
            drop()
            again(RETRY_MS, 0)
          },
        )
      }
      return () => {
        const all = channels.get(channel)
        all?.delete(subscriber)
        if (all?.size !== 0) return
        channels.delete(channel)
        // fails if the session is lost, which ends the listening anyway
        if (listening) sql?.unsafe(`unlisten ${quoted(channel)}`).catch(() => undefined)
      }
    },
    problem() {
      if (channels.size === 0 || proven) return null
      return 'Notifications from the database do not arrive, so changed settings, new devices and commands have no effect here.'
    },
    async close() {
      closed = true
      if (retry !== null) clearTimeout(retry)
      if (beats !== null) clearInterval(beats)
      channels.clear()
      listening = false
      const last = sql
      sql = null
      await last?.end({ timeout: 1 })
    },
  }
}

function quoted(channel: string): string {
  return `"${channel.replaceAll('"', '""')}"`
}

const listenTo = (channel: string): string => `listen ${quoted(channel)}`
