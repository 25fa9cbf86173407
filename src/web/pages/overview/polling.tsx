/** @jsxImportSource #jsx */
import type { PollHealth } from '../../../core/lists/service.ts'
import { Mark } from '../../components/icon.tsx'
import { Card, count, duration, plain, secondsText, Time } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'

/** A warning that the page is out of date, if no device has been polled for a long time. */
export function Stale({
  polls: { devices, newest },
  intervalS,
  nowMs,
}: {
  readonly polls: PollHealth
  readonly intervalS: number
  readonly nowMs: number
}): Html | null {
  if (devices === 0 || newest === null || nowMs - newest.getTime() < 3000 * intervalS) return null
  return (
    <div class="note warn" role="status">
      <div class="grow">
        <b>
          No device has been polled for <Time at={newest} nowMs={nowMs} bare />.
        </b>{' '}
        The values below are that old. Check that the poller is running; <code>portlight doctor</code> tells you more.
      </div>
    </div>
  )
}

/** How polling keeps up. */
export function Poller({
  polls,
  intervalS,
  nowMs,
}: {
  readonly polls: PollHealth
  readonly intervalS: number
  readonly nowMs: number
}): Html {
  return (
    <Card title="Poller" sub={`every ${duration(intervalS)}`}>
      <dl class="facts body">
        <dt>Late devices</dt>
        <dd>
          <Mark tone={polls.late === 0 ? 'ok' : 'warn'} label={null} /> {count(polls.late)} of {count(polls.devices)}
        </dd>
        <dt>Average poll</dt>
        <dd>{polls.mean_s === null ? '–' : secondsText(polls.mean_s)}</dd>
        <dt>Last poll</dt>
        <dd>
          <Time at={polls.newest} nowMs={nowMs} />
        </dd>
        {polls.slowest.length === 0 ? null : (
          <>
            <dt>Slowest</dt>
            <dd>
              {polls.slowest.map(({ device_id, device, seconds }) => (
                <div>
                  <a href={`/device/${device_id}`}>{plain(device)}</a> {secondsText(seconds)}
                </div>
              ))}
            </dd>
          </>
        )}
      </dl>
    </Card>
  )
}
