import type { Store } from '../database/client.ts'
import { changeEvent, eventOctets, idOf, joined, pollEvent, type Seen, seenOf } from './event.ts'
import { eventsAfter, livePositions, pollsSince } from './read-events.ts'
import { type LiveView, shows } from './view.ts'

/** Maximum number of missed changes that are sent to a client; if it missed more, it has to reload its data. */
const MAX_MISSED = 2000
/** Polls may be stored this long after they ended, so polls of this time are sent again on resuming, ms. */
const POLL_MARGIN_MS = 15_000

/** The first events of a stream, up to `until`: whether it could be resumed, and what was missed. */
export async function firstEvents(
  { store, counts }: { readonly store: Store; readonly counts: { resumed: number; reset: number } },
  view: LiveView,
  lastId: string | null,
  until: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const now = Date.now()
  const here: Seen = { position: until, at: now }
  const start = `retry: ${2000 + Math.floor(Math.random() * 3000)}\n\n`
  const opened = (name: string, data: object) =>
    joined([new TextEncoder().encode(start), eventOctets(name, idOf(here), { ...data, time: now / 1000 })])
  const kinds = [...view.kinds]
  if (lastId === null) return opened('ready', { resumed: false, events: kinds })
  const seen = seenOf(lastId)
  const reason = seen === null ? 'the id is unknown' : await lostReason(store, seen, until)
  const events = seen === null || reason !== null ? [] : await eventsAfter(store, seen.position, MAX_MISSED + 1)
  if (seen === null || reason !== null || events.length > MAX_MISSED) {
    counts.reset++
    return opened('reset', { reason: reason ?? 'too much happened since', events: kinds })
  }
  const polls = view.kinds.has('poll') ? await pollsSince(store, seen.at - POLL_MARGIN_MS) : []
  const past = [
    ...events.filter(({ position }) => position <= until).map((event) => changeEvent(event, seen.at)),
    ...polls.map((poll) => pollEvent(poll, here)),
  ]
  counts.resumed++
  const shown = past.filter((event) => shows(view, event)).map(({ octets }) => octets)
  return joined([opened('ready', { resumed: true, events: kinds }), ...shown])
}

/** The reason the changes after a position are unavailable; null: they are available. */
async function lostReason(store: Store, { position }: Seen, until: number): Promise<string | null> {
  const { first } = await livePositions(store)
  if (position > until) return 'the id is of another database'
  return position < until && (first === null || first > position + 1) ? 'what happened since is no longer stored' : null
}
