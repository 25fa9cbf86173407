/** @jsxImportSource #jsx */
import type { RemotePollerReport, RemotePollerRow } from '../../../domain/remote-pollers/service.ts'
import { Pill } from '../../components/icon.tsx'
import { Card, count, duration, plain, Time } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { Visit } from '../../page.ts'

/** Pollers at sites that cannot reach the database: their lag, and what their streams hold. Nothing without any. */
export function RemotePollers({
  pollers,
  visit,
}: {
  readonly pollers: readonly RemotePollerRow[]
  readonly visit: Visit
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
                {`${count(devices)} devices of group ${plain(group_name)}`}
                {report === null || report.waiting === 0
                  ? ''
                  : ` · ${count(report.waiting)} messages wait (${(report.waitingOctets / 1e6).toFixed(1)} MB), the oldest for ${duration(Math.round(report.lagS))}`}
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

/** What the poller says of itself: version, late polls, and what it holds. */
function runText({ version, late, rows = 0, load = null }: RemotePollerReport): string {
  return [
    version === '' ? '' : ` · version ${plain(version)}`,
    load === null ? '' : ` · ${count(load.pollsAMinute)} polls a minute`,
    load === null || load.due === 0
      ? ''
      : ` · ${count(load.due)} wait, the first for ${duration(Math.round(load.lagS))}`,
    late === 0 ? '' : ` · ${count(late)} late since its start`,
    rows === 0 ? '' : ` · ${count(rows)} samples in its memory`,
  ].join('')
}
