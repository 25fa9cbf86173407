/** @jsxImportSource #jsx */
import { Mark } from '../../components/icon.tsx'
import { count, plain } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { Visit } from '../../page.ts'
import { instantOf } from './facts.ts'
import type { Subject } from './tab.ts'

/** After this time a new device that was not polled is no longer looked at every few seconds. */
const WATCHED_MS = 15 * 60_000
const RENEW_S = '3'

/** What happens to a device that was just added, until its first poll is stored; null: nothing to say. */
export function Progress({ subject, visit }: { readonly subject: Subject; readonly visit: Visit }): Html | null {
  const { record, counts } = subject
  if (record.last_polled !== null || record['disabled'] === 1) return null
  const added = instantOf(record['inserted'])
  const isNew = added !== null && visit.nowMs - added.getTime() < WATCHED_MS
  const isDiscovered = record.last_discovered !== null
  const isUp = record['status'] === 1
  const reason = plain(String(record['status_reason'] ?? ''))
  const found = [
    [counts.ports, 'ports'],
    [counts.health, 'sensors'],
    [counts.neighbours, 'neighbours'],
  ]
    .filter(([n]) => n !== 0)
    .map(([n, what]) => `${count(Number(n))} ${what}`)
  const words = !isUp
    ? `It does not answer${reason === '' ? '' : ` (${reason})`}. It is tried again and again, and discovered as soon as it answers.`
    : isDiscovered
      ? `Discovered: ${found.length === 0 ? 'no ports or sensors' : found.join(', ')}. The first poll follows; charts begin with the second.`
      : 'Discovery is under way: it finds ports, sensors and neighbours. Polling begins after it.'
  return (
    <section class="note" aria-live="polite" data-renew={isNew ? RENEW_S : null}>
      <Mark tone={isUp ? 'off' : 'bad'} label={null} />
      <div class="grow">
        <b>{isUp ? 'New' : 'Not polled yet'}.</b> {words}
      </div>
      <a class="btn s-s" href={visit.url.pathname}>
        Look again
      </a>
    </section>
  )
}
