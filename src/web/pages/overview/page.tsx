/** @jsxImportSource #jsx */

import { isAllowed, type Permission } from '../../../core/base/permissions.ts'
import type {
  BusyPort,
  DeviceCounts,
  DeviceListRow,
  EventRow,
  FleetCounts,
  NearLimit,
  OpenAlert,
  PollHealth,
} from '../../../core/lists/service.ts'
import { DeviceMark } from '../../components/device-state.tsx'
import { betweenText, valueText } from '../../components/health.tsx'
import { Mark } from '../../components/icon.tsx'
import { Alerts, Events } from '../../components/lists.tsx'
import { Card, count, duration, Empty, plain, secondsText, Time } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type PageRequest, type PageView, page } from '../../page.ts'
import { can } from '../../permissions.ts'
import { wantedOf } from '../devices/load.ts'
import { FirstDevice } from '../devices/page.tsx'
import { BusyPorts, busyOver, MAX_TOP, type TopRange, topRange } from './top.tsx'

/** Maximum number of rows in each list. */
const MAX_ROWS = 8
const HOUR_S = 3600
/** Maximum number of events of the last hour that are read. */
const MAX_EVENTS = 200
/** Samples no older than this many seconds count as current. */
const RECENT_S = 900

interface OverviewData {
  readonly devices: DeviceCounts
  readonly down: readonly DeviceListRow[]
  readonly figures: FleetCounts
  readonly alerts: { readonly rows: readonly OpenAlert[]; readonly total: number }
  readonly events: readonly EventRow[]
  readonly near: readonly NearLimit[]
  readonly polls: PollHealth
  readonly intervalS: number
  /** Which pages the user may open. */
  readonly may: {
    readonly services: boolean
    readonly logs: boolean
    readonly ports: boolean
    readonly alerts: boolean
    readonly sensors: boolean
  }
  readonly busy: { readonly talkers: readonly BusyPort[]; readonly faulty: readonly BusyPort[] }
  /** The range of `busy`; null: the last poll. */
  readonly top: TopRange | null
}

/** The overview: what is wrong, and since when. */
export const overviewPage = page<OverviewData>({
  path: '/',
  gate: 'token',
  nav: { label: 'Overview', icon: 'home', group: 'main', order: 10, bar: true },
  load,
  view,
})

async function load(visit: PageRequest): Promise<OverviewData> {
  const { services, actor, query } = visit
  const top = topRange(query)
  const { fleet, config } = services
  const may = (gate: Permission) => isAllowed(actor, gate, config)
  const intervalS = config.get('poller.interval')
  const downFirst = { ...wantedOf(new URLSearchParams()), state: 'down' as const, offset: 0, limit: MAX_ROWS }
  const [{ rows: down, counts }, figures, alerts, events, near, busy, polls] = await Promise.all([
    fleet.devices(actor, downFirst),
    fleet.counts(actor),
    may('Alert.viewAny') ? fleet.openAlerts(actor, null, MAX_ROWS) : { rows: [], total: 0 },
    may('Eventlog.viewAny') ? fleet.events(actor, { sinceS: HOUR_S, limit: MAX_EVENTS }) : [],
    may('Sensor.viewAny') ? fleet.nearLimit(actor, MAX_ROWS) : [],
    !may('Port.viewAny')
      ? { talkers: [], faulty: [] }
      : top === null
        ? fleet.busyPorts(actor, RECENT_S, MAX_TOP)
        : busyOver(visit, top),
    fleet.pollHealth(actor, intervalS),
  ])
  return {
    devices: counts,
    down,
    figures,
    alerts,
    events,
    near,
    busy,
    top,
    polls,
    intervalS,
    may: {
      services: may('Service.viewAny'),
      logs: may('Eventlog.viewAny'),
      ports: may('Port.viewAny'),
      alerts: may('Alert.viewAny'),
      sensors: may('Sensor.viewAny'),
    },
  }
}

/** The current state in a sentence. */
export function verdict({ down }: Pick<DeviceCounts, 'down'>, waiting: number): string {
  const devices = down === 0 ? null : `${count(down)} ${down === 1 ? 'device is' : 'devices are'} down`
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
          <FirstDevice mayAdd={can(visit, 'Device.create')} />
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

/** A warning that the page is out of date, if no device has been polled for a long time. */
function Stale({
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

function Poller({
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

function Stats({
  devices,
  figures,
  may,
}: {
  readonly devices: DeviceCounts
  readonly figures: FleetCounts
  /** Which lists the user may open. */
  readonly may: OverviewData['may']
}): Html {
  const up = devices.up + devices.alerting
  return (
    <div class="stats">
      <a href="/devices">
        <span class="k">Devices</span>
        <span class="v">
          {count(up)} <small>of {count(devices.all)} up</small>
        </span>
        <span class="n">
          {devices.down === 0 ? null : (
            <span>
              <Mark tone="bad" label={null} /> {count(devices.down)} down
            </span>
          )}
          {devices.alerting === 0 ? null : (
            <span>
              <Mark tone="warn" label={null} /> {count(devices.alerting)} alerting
            </span>
          )}
        </span>
      </a>
      <a href={may.ports ? '/ports' : null}>
        <span class="k">Ports</span>
        <span class="v">
          {count(figures.ports_up)} <small>of {count(figures.ports)} up</small>
        </span>
        <span class="n">
          {figures.ports_lost === 0 ? null : (
            <span>
              <Mark tone="bad" label={null} /> {count(figures.ports_lost)} went down
            </span>
          )}
          {figures.ports_idle === 0 ? null : (
            <span>
              <Mark tone="off" label={null} /> {count(figures.ports_idle)} never up
            </span>
          )}
          {figures.ports_unknown === 0 ? null : (
            <span>
              <Mark tone="off" label={null} /> {count(figures.ports_unknown)} unknown
            </span>
          )}
          {figures.ports_off === 0 ? null : (
            <span>
              <Mark tone="off" label={null} /> {count(figures.ports_off)} admin down
            </span>
          )}
        </span>
      </a>
      <a href={may.alerts ? '/alerts' : null}>
        <span class="k">Alerts</span>
        <span class="v">
          {count(figures.alerts_critical + figures.alerts_warning)} <small>open</small>
        </span>
        <span class="n">
          <span>
            <Mark tone="bad" label="critical" /> {count(figures.alerts_critical)}
          </span>
          <span>
            <Mark tone="warn" label="warning" /> {count(figures.alerts_warning)}
          </span>
          <span>
            <Mark tone="ack" label="acknowledged" /> {count(figures.alerts_acknowledged)}
          </span>
        </span>
      </a>
      <a href={may.sensors ? (figures.sensors_out > 0 ? '/health?level=over' : '/health') : null}>
        <span class="k">Sensors</span>
        <span class="v">
          {count(figures.sensors - figures.sensors_out - figures.sensors_unknown)} <small>OK</small>
        </span>
        <span class="n">
          <span>
            <Mark tone={figures.sensors_out > 0 ? 'bad' : 'ok'} label={null} /> {count(figures.sensors_out)} beyond a
            limit
          </span>
          {figures.sensors_unknown === 0 ? null : (
            <span>
              <Mark tone="off" label={null} /> {count(figures.sensors_unknown)} unknown
            </span>
          )}
        </span>
      </a>
      <a href={may.services ? '/services' : null}>
        <span class="k">Services</span>
        <span class="v">
          {figures.services === 0 ? (
            <small>none checked</small>
          ) : (
            <>
              {count(figures.services - figures.services_failing)} <small>of {count(figures.services)} OK</small>
            </>
          )}
        </span>
        <span class="n">
          {figures.services_failing === 0 ? null : (
            <span>
              <Mark tone="bad" label={null} /> {count(figures.services_failing)} failing
            </span>
          )}
        </span>
      </a>
    </div>
  )
}

function Attention({
  down,
  all,
  alerts,
  nowMs,
}: {
  readonly down: readonly DeviceListRow[]
  readonly all: number
  readonly alerts: OverviewData['alerts']
  readonly nowMs: number
}): Html {
  const left = Math.max(0, alerts.total - alerts.rows.length)
  return (
    <Card title="Needs attention" sub={alerts.total + all}>
      {down.length === 0 ? null : (
        <ul class="rows">
          {down.map((device) => (
            <li data-live={`device:${device.device_id}`}>
              <DeviceMark state={device.state} />
              <span class="grow">
                <a class="strong" href={`/device/${device.device_id}`}>
                  {plain(device.display)}
                </a>
                <span class="l2">
                  {device.status_reason === 'icmp'
                    ? 'no answer to ping'
                    : device.status_reason === 'snmp'
                      ? 'no SNMP answer'
                      : 'down'}{' '}
                  · {device.ip ?? ''}
                </span>
              </span>
              <Time at={device.down_since} nowMs={nowMs} bare />
            </li>
          ))}
        </ul>
      )}
      {alerts.rows.length === 0 ? (
        down.length === 0 ? (
          <Empty title="Nothing needs attention" />
        ) : null
      ) : (
        <Alerts rows={alerts.rows} nowMs={nowMs} device />
      )}
      {left + Math.max(0, all - down.length) === 0 ? null : (
        <footer>{count(left + Math.max(0, all - down.length))} more</footer>
      )}
    </Card>
  )
}

/** Members that a sensor near a limit does not have. */
const NO_MORE = {
  low_warn: null,
  high_warn: null,
  used: null,
  size: null,
  state: null,
  state_kind: null,
  old_since: null,
} as const

function Near({ rows }: { readonly rows: readonly NearLimit[] }): Html {
  return (
    <Card
      title={rows.some(({ share }) => share > 1) ? 'Beyond or near a limit' : 'Near a limit'}
      right={<a href="/health">All</a>}
    >
      <ul class="rows">
        {rows.map((row) => (
          <li>
            <Mark tone={row.share > 1 ? 'bad' : 'warn'} label={row.share > 1 ? 'Beyond its limit' : 'Near its limit'} />
            <span class="grow">
              <a href={`/health?chart=sensor-${row.sensor_id}`}>{plain(row.device)}</a>
              <span class="l2" dir="auto">
                {plain(row.descr)}
              </span>
            </span>
            <span class="right">
              <b>{valueText({ ...row, ...NO_MORE, kind: 'sensor' })}</b>
              <span class="l2">{betweenText('sensor', row.class, row.low, row.high)}</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
