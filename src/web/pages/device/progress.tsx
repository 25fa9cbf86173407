/** @jsxImportSource #jsx */
import { nextDue } from '../../../lib/schedule-phase.ts'
import { Mark } from '../../components/icon.tsx'
import { count, plain, Time } from '../../components/values.tsx'
import type { Child, Html } from '../../jsx/jsx-runtime.ts'
import type { PageRequest } from '../../page.ts'
import { instantOf } from './facts.ts'
import type { Subject } from './tab.ts'

/** How long after a device was added its page reloads every few seconds, until its first poll. */
const WATCHED_MS = 15 * 60_000
const RENEW_S = '3'

/** Progress of a device that was just added, until its first poll is stored; null: nothing to show, or by ping only. */
export function Progress({ subject, visit }: { readonly subject: Subject; readonly visit: PageRequest }): Html | null {
  const { record, counts } = subject
  if (record.last_polled !== null || record['disabled'] === 1 || isPingOnly(subject)) return null
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
    ? `The device does not answer${reason === '' ? '' : ` (${reason})`}. It will be retried, and discovered as soon as it answers.`
    : isDiscovered
      ? `Discovered: ${found.length === 0 ? 'no ports or sensors' : found.join(', ')}. The first poll is next; charts begin with the second.`
      : 'Discovery is in progress: it finds ports, sensors and neighbours. Polling starts afterwards.'
  return (
    <section class="note" aria-live="polite" data-renew={isNew ? RENEW_S : null}>
      <Mark tone={isUp ? 'off' : 'bad'} label={null} />
      <div class="grow">
        <b>{isUp ? 'New' : 'Not polled yet'}.</b> {words}
      </div>
      <a class="btn s-s" href={visit.url.pathname}>
        Refresh
      </a>
    </section>
  )
}

/** Whether the device is asked nothing by SNMP. */
export const isPingOnly = ({ record }: Pick<Subject, 'record'>): boolean => record['snmp_disable'] === 1

/** When the first values of a device that was never polled can be expected; null: there may already be some. */
export function firstPoll(
  { deviceId, record }: Pick<Subject, 'deviceId' | 'record'>,
  { services, nowMs }: PageRequest,
): Child {
  if (record.last_polled !== null) return null
  if (record['disabled'] === 1) return 'The device is disabled.'
  if (isPingOnly({ record })) return 'The device is monitored by ping only.'
  if (record['status'] !== 1) return 'The device will be polled as soon as it answers.'
  const dueMs = nextDue(deviceId, services.config.get('poller.interval') * 1000, nowMs)
  return (
    <>
      The first poll is at <Time at={new Date(dueMs)} nowMs={nowMs} clock /> at the latest; rates begin with the second.
    </>
  )
}
