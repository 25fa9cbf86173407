/** @jsxImportSource #jsx */
import type { RemotePollerReport, RemotePollerRow } from '../../../core/pollers/remote/service.ts'
import { Pill } from '../../components/icon.tsx'
import { Card, count, duration, plain, Time } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { PageRequest } from '../../page.ts'

/** Remote pollers with their lag and the messages waiting in their streams. null if there are none. */
export function RemotePollers({
  pollers,
  visit,
}: {
  readonly pollers: readonly RemotePollerRow[]
  readonly visit: PageRequest
}): Html | null {
  if (pollers.length === 0) return null
  return (
    <Card title="Remote pollers" sub={count(pollers.length)}>
      <ul class="rows">
        {pollers.map(({ name, group_name, devices, report, stored_at, missing }) => (
          <li>
            <span class="grow" dir="auto">
              {plain(name)}
              <span class="l2">
                {`${count(devices)} devices in group ${plain(group_name)}`}
                {report === null || report.waiting === 0
                  ? ''
                  : ` · ${count(report.waiting)} messages waiting (${(report.waitingOctets / 1e6).toFixed(1)} MB), the oldest for ${duration(Math.round(report.lagS))}`}
                {report === null ? '' : runText(report)}
                {missing === 0 ? '' : ` · ${count(missing)} messages never arrived`}
                {' · stored '}
                <Time at={stored_at} nowMs={visit.nowMs} />
              </span>
            </span>
            {report?.answers === true ? <Pill tone="ok">Running</Pill> : <Pill tone="bad">Silent</Pill>}
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** What the poller reports about itself: version, polls, late polls, and samples in memory. */
function runText({ version, late, rows = 0, load = null }: RemotePollerReport): string {
  return [
    version === '' ? '' : ` · version ${plain(version)}`,
    load === null ? '' : ` · ${count(load.pollsAMinute)} polls a minute`,
    load === null || load.due === 0
      ? ''
      : ` · ${count(load.due)} waiting, the first for ${duration(Math.round(load.lagS))}`,
    late === 0 ? '' : ` · ${count(late)} late since start`,
    rows === 0 ? '' : ` · ${count(rows)} samples in memory`,
  ].join('')
}
