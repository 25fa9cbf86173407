import type { LastPoll, StoredEvent } from './read-events.ts'

/** Kinds of live events. */
export const LIVE_KINDS = ['device', 'port', 'alert', 'fault', 'poll'] as const
export type LiveKind = (typeof LIVE_KINDS)[number]

/** An event, ready to be sent to any number of clients. */
export interface LiveEvent {
  readonly kind: LiveKind
  readonly deviceId: number
  /** null: the event is not about a port. */
  readonly portId: number | null
  /** Text of the event (WHATWG HTML, server-sent events). */
  readonly octets: Uint8Array<ArrayBuffer>
}

const encoder = new TextEncoder()

/** An event as text; `id` null: the client keeps its last id. */
export function eventOctets(name: string, id: string | null, data: unknown): Uint8Array<ArrayBuffer> {
  return encoder.encode(`event: ${name}\n${id === null ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`)
}

/** What a client has received: changes up to a position, and polls up to a time (epoch ms). */
export interface Seen {
  readonly position: number
  readonly at: number
}

export const idOf = ({ position, at }: Seen): string => `${position}-${Math.floor(at)}`

/** Parses an id made by `idOf`; null: it is not one. */
export function seenOf(id: string): Seen | null {
  const [, position, at] = /^(\d{1,15})-(\d{1,15})$/.exec(id) ?? []
  return position === undefined || at === undefined ? null : { position: Number(position), at: Number(at) }
}

const seconds = (ms: number) => Math.round(ms) / 1000

/** The event for a stored change. `at`: epoch ms at which it is sent. */
export function changeEvent({ position, kind, at: changedAt, data }: StoredEvent, at: number): LiveEvent {
  const octets = eventOctets(kind, idOf({ position, at }), { ...data, time: seconds(changedAt) })
  return { kind, deviceId: data.device_id, portId: kind === 'port' ? (data.port_id ?? null) : null, octets }
}

/** The event for the end of a poll. */
export function pollEvent({ device_id, at, answered, duration, uptime }: LastPoll, seen: Seen): LiveEvent {
  const data = { device_id, time: seconds(at), answered, duration, uptime }
  return { kind: 'poll', deviceId: device_id, portId: null, octets: eventOctets('poll', idOf(seen), data) }
}

/** The events concatenated. */
export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}
