/** @jsxImportSource #jsx */
import type { DeviceCounts, EventRow } from '../../../core/lists/service.ts'
import { Events } from '../../components/lists.tsx'
import { Card, count, plain, Time } from '../../components/values.tsx'
import { type PageRequest, type PageView, page } from '../../page.ts'
import { can } from '../../permissions.ts'
import { FirstDevice } from '../devices/list.tsx'
import { FirstQuestions } from '../first-run/card.tsx'
import { Attention, Near } from './attention.tsx'
import { DemoHint } from './demo.tsx'
import { load, MAX_ROWS, type OverviewData } from './load.ts'
import { Poller, Stale } from './polling.tsx'
import { Stats } from './stats.tsx'
import { BusyPorts } from './top.tsx'

/** The overview: what is wrong, and since when. */
export const overviewPage = page<OverviewData>({
  path: '/',
  gate: 'token',
  nav: { label: 'Overview', icon: 'home', group: 'main', order: 10, bar: true },
  load,
  view,
})

/** The current state in a sentence. */
export function verdict({ down, unreachable }: Pick<DeviceCounts, 'down' | 'unreachable'>, waiting: number): string {
  const silent = (
    [
      [down, 'down'],
      [unreachable, 'unreachable'],
    ] as const
  ).filter(([n]) => n > 0)
  const devices =
    silent.length === 0
      ? null
      : silent
          .map(([n, state], i) => `${count(n)} ${i > 0 ? '' : n === 1 ? 'device is ' : 'devices are '}${state}`)
          .join(', ')
  const alerts = waiting === 0 ? null : `${count(waiting)} ${waiting === 1 ? 'alert needs' : 'alerts need'} attention`
  if (devices !== null && alerts !== null) return `${devices}, ${alerts}`
  const one = devices ?? alerts
  return one ?? 'Everything is up, no open alerts'
}

function view(data: OverviewData, visit: PageRequest): PageView {
  const { devices, figures, alerts, down, events, near, busy } = data
  const waiting = figures.alerts_critical + figures.alerts_warning
  const title = devices.all === 0 ? 'No devices are monitored yet' : verdict(devices, waiting)
  const worst = down[0]
  return {
    title: 'Overview',
    crumbs: [{ label: 'Overview' }],
    body: (
      <>
        <div class="head">
          <h1>{devices.all === 0 ? 'Welcome' : title}</h1>
          {worst === undefined ? null : (
            <p>
              Worst first: <a href={`/device/${worst.device_id}`}>{plain(worst.display)}</a> stopped answering{' '}
              <Time at={worst.down_since} nowMs={visit.nowMs} />.
            </p>
          )}
        </div>
        {devices.all === 0 && figures.ports === 0 ? (
          data.offered === null ? (
            <FirstDevice mayAdd={can(visit, 'Device.create')} mayScan={can(visit, 'admin')} />
          ) : (
            <FirstQuestions visit={visit} offered={data.offered} />
          )
        ) : (
          <>
            <Stale polls={data.polls} intervalS={data.intervalS} nowMs={visit.nowMs} />
            <Stats devices={devices} figures={figures} may={data.may} />
            <div class="cols">
              <div class="stack">
                <Attention down={down} all={devices.down} alerts={alerts} nowMs={visit.nowMs} />
                <BusyPorts title="Top talkers" rows={busy.talkers} top={data.top} query={visit.query} />
                {busy.faulty.length === 0 ? null : (
                  <BusyPorts
                    title="Most errors and discards"
                    rows={busy.faulty}
                    top={data.top}
                    query={visit.query}
                    faulty
                  />
                )}
              </div>
              <div class="stack">
                <Card
                  title="Changed in the last hour"
                  right={data.may.logs ? <a href="/logs?from=-1h">All events</a> : undefined}
                >
                  <Events rows={gathered(events).slice(0, MAX_ROWS)} nowMs={visit.nowMs} device />
                </Card>
                {near.length === 0 ? null : <Near rows={near} />}
                {data.demo ? <DemoHint /> : null}
                <Poller polls={data.polls} intervalS={data.intervalS} nowMs={visit.nowMs} />
              </div>
            </div>
          </>
        )}
      </>
    ),
  }
}

/** Events with repeated ones collapsed into the latest, so that a flapping port is one row. */
export function gathered(events: readonly EventRow[]): (EventRow & { readonly times: number })[] {
  const keyOf = ({ device_id, type, port_id, message, event_id }: EventRow) =>
    device_id === null ? String(event_id) : `${device_id} ${type} ${port_id ?? message}`
  const times = new Map<string, number>()
  for (const event of events) times.set(keyOf(event), (times.get(keyOf(event)) ?? 0) + 1)
  const seen = new Set<string>()
  return events.flatMap((event) => {
    const key = keyOf(event)
    if (seen.has(key)) return []
    seen.add(key)
    return [{ ...event, times: times.get(key) ?? 1 }]
  })
}
