/** @jsxImportSource #jsx */
import type { AlertInFull, FaultGraph, FormerAlert } from '../../../core/alerts/alert-list.ts'
import { isOpen } from '../../../core/base/alert-states.ts'
import { isAllowed, type Permission } from '../../../core/base/permissions.ts'
import type { EventRow, NeighbourRow } from '../../../core/lists/service.ts'
import { ChartCard, type ChartSpec } from '../../components/chart.tsx'
import { MEDIUM } from '../../components/graph-specs.ts'
import { Events } from '../../components/lists.tsx'
import { rangeOf } from '../../components/range.tsx'
import { Card, count, duration, plain, Time } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { PageRequest } from '../../page.ts'
import { Neighbours } from '../device/tabs/neighbour-rows.tsx'

/** What else is known of the time at which an alert began. */
export interface Around {
  /** Of the device in the half hour before, the latest first; null: the actor may not read events. */
  readonly events: readonly EventRow[] | null
  /** null: the actor may not see links. */
  readonly neighbours: readonly NeighbourRow[] | null
  /** The actor may see charts of ports, and of the rest. */
  readonly charts: { readonly ports: boolean; readonly others: boolean }
}

const BEFORE_MS = 30 * 60_000
/** What a poll notices is logged with the alert, or just after. */
const AFTER_MS = 60_000
const MAX_EVENTS = 40
const MAX_NEIGHBOURS = 12
const CHART_BEFORE_S = 6 * 3600
const CHART_AFTER_S = 3600

/** Reads it, limited to what the actor may see. */
export async function loadAround({ services, actor }: PageRequest, { alert, graphs }: AlertInFull): Promise<Around> {
  const may = (gate: Permission) => isAllowed(actor, gate, services.config)
  const began = (alert.began ?? alert.since).getTime()
  const deviceId = alert.device_id
  const [events, neighbours] = await Promise.all([
    may('Eventlog.viewAny')
      ? services.fleet.events(actor, { deviceId, between: [began - BEFORE_MS, began + AFTER_MS], limit: MAX_EVENTS })
      : null,
    may('Link.viewAny') ? services.fleet.neighbours(actor, { deviceId }) : null,
  ])
  const ports = new Set(graphs.flatMap(({ of, id }) => (of === 'port' ? [id] : [])))
  return {
    events,
    neighbours: neighbours === null ? null : nearest(neighbours, ports),
    charts: { ports: may('Port.viewAny'), others: may('Device.viewAny') },
  }
}

/** Those at the ports that the faults are about; if there are none, those that do not answer first. */
function nearest(rows: readonly NeighbourRow[], ports: ReadonlySet<number>): NeighbourRow[] {
  const own = rows.filter(({ port_id }) => port_id !== null && ports.has(port_id))
  const chosen =
    own.length > 0 ? own : rows.toSorted((a, b) => Number(a.remote_up ?? true) - Number(b.remote_up ?? true))
  return chosen.slice(0, MAX_NEIGHBOURS)
}

/** Charts of the values that the faults are about, with the limits of the rule. */
export function Graphs({
  data: { alert, graphs },
  around,
  visit,
}: {
  readonly data: AlertInFull
  readonly around: Around
  readonly visit: PageRequest
}): Html {
  const began = Math.floor((alert.began ?? alert.since).getTime() / 1000)
  const ended = Math.floor(alert.since.getTime() / 1000)
  const range = {
    ...rangeOf(visit.query, visit.nowMs),
    from: String(began - CHART_BEFORE_S),
    to: isOpen(alert.state) ? 'now' : String(ended + CHART_AFTER_S),
  }
  return (
    <>
      {graphs
        .filter(({ of }) => (of === 'port' ? around.charts.ports : around.charts.others))
        .map((graph) => (
          <ChartCard spec={specOf(graph, alert)} range={range} title={plain(graph.title)} />
        ))}
    </>
  )
}

function specOf(graph: FaultGraph, { device_id, device, hostname }: AlertInFull['alert']): ChartSpec {
  const { of, id, type, only, title, limits } = graph
  const name = encodeURIComponent(hostname)
  return {
    src:
      of === 'port'
        ? `/graph/port/${id}/${type}`
        : `/graph/device/${id}/${type}${only === null ? '' : `?only=${only}`}`,
    title: `${plain(title)} of ${plain(device)}`,
    height: MEDIUM,
    rows: 2,
    device: device_id,
    ...(of === 'port' && { port: id }),
    api: of === 'device' && only === null ? `/api/v0/devices/${name}/${type}` : null,
    limits: limits.map(({ value, lower, mirrored }) => ({
      label: lower ? 'lower limit of the rule' : 'limit of the rule',
      value,
      severe: true,
      ...(mirrored && { mirrored }),
    })),
  }
}

/** Events of the device shortly before, its neighbours, and former alerts of the rule. */
export function Surroundings({
  data,
  around: { events, neighbours },
  nowMs,
}: {
  readonly data: AlertInFull
  readonly around: Around
  readonly nowMs: number
}): Html {
  return (
    <>
      {events === null ? null : (
        <Card title="Half an hour before" sub="events and changes of the device">
          <Events rows={events} nowMs={nowMs} device={false} />
        </Card>
      )}
      {neighbours === null || neighbours.length === 0 ? null : (
        <Card title="Neighbours">
          <Neighbours rows={neighbours} />
        </Card>
      )}
      <Former rows={data.former} nowMs={nowMs} />
    </>
  )
}

function Former({ rows, nowMs }: { readonly rows: readonly FormerAlert[]; readonly nowMs: number }): Html | null {
  if (rows.length === 0) return null
  return (
    <Card title="Before" sub={rows.length}>
      <ul class="past-list">
        {rows.map(({ began, ended, faults, by, note }) => (
          <li>
            <Time at={began} nowMs={nowMs} bare />
            <div dir="auto">
              recovered after {duration((ended.getTime() - began.getTime()) / 1000)}
              {faults > 1 ? `, up to ${count(faults)} faults` : ''}
              {by === null ? ', not acknowledged' : `, acknowledged by ${plain(by)}`}
              {note === null ? null : <span class="l2 note-text">{plain(note)}</span>}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}
