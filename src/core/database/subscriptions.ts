import type { Log } from '../../observe/log.ts'

/** What a subscriber is called with. */
export interface Subscriber {
  /** A NOTIFY on its channel. */
  readonly heard: (payload: string) => void
  /** Listening has begun, for the first time or again: what was sent before has not been heard. */
  readonly connected: () => void
  readonly log: Log
}

const UNHEARD = 'cannot hear notifications from the database, trying again'

/** Who listens to which channel. */
export function createSubscriptions() {
  const channels = new Map<string, Set<Subscriber>>()
  let reported = false
  const names = () => [...channels.keys()]
  const all = () => [...channels.values()].flatMap((subscribers) => [...subscribers])

  return {
    isEmpty: () => channels.size === 0,
    names,
    has: (channel: string, subscriber: Subscriber) => channels.get(channel)?.has(subscriber) === true,
    /** Returns whether it is the first of the channel. */
    add(channel: string, subscriber: Subscriber): boolean {
      const known = channels.get(channel)
      if (known !== undefined) known.add(subscriber)
      else channels.set(channel, new Set([subscriber]))
      return known === undefined
    },
    /** Returns whether it was the last of the channel. */
    remove(channel: string, subscriber: Subscriber): boolean {
      const known = channels.get(channel)
      known?.delete(subscriber)
      return known?.size === 0 && channels.delete(channel)
    },
    clear: () => channels.clear(),
    deliver(channel: string, payload: string): void {
      for (const { heard } of channels.get(channel) ?? []) heard(payload)
    },
    connected(): void {
      for (const { connected } of all()) connected()
    },
    /** Says once, until `recovered`, why nothing is heard. */
    warn(reason: string): void {
      if (!reported) all()[0]?.log.warn({ channels: names(), reason }, UNHEARD)
      reported = true
    },
    recovered(): void {
      if (reported) all()[0]?.log.info('hearing notifications from the database again')
      reported = false
    },
  }
}
