/** @jsxImportSource #jsx */

import type { AlertInFull, FaultGraph, FormerAlert } from '../../../core/alerts/alert-list.ts'
import type { Fault } from '../../../core/alerts/faults/service.ts'
import { pastMessage } from '../../../core/alerts/sentences/sentence.ts'
import { type Actor, whoWords } from '../../../core/base/actor.ts'
import { isOpen } from '../../../core/base/alert-states.ts'
import { DomainError } from '../../../core/base/errors.ts'
import { isAllowed, type Permission } from '../../../core/base/permissions.ts'
import type { EventRow, NeighbourRow } from '../../../core/lists/service.ts'
import type { Services } from '../../../core/services.ts'
import { ChartCard, type ChartSpec } from '../../components/chart.tsx'
import { MEDIUM } from '../../components/graph-specs.ts'
import { Mark } from '../../components/icon.tsx'
import { Events } from '../../components/lists.tsx'
import { type Range, rangeOf } from '../../components/range.tsx'
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
  /** Faults of the alert that are not over, and the last ones that are. */
  readonly open: { readonly rows: readonly Fault[]; readonly total: number }
  readonly over: readonly Fault[]
  /** Graphs that the actor may see. */
  readonly charts: readonly FaultGraph[]
}

const BEFORE_MS = 30 * 60_000
/** What a poll notices is logged with the alert, or just after. */
const AFTER_MS = 60_000
const MAX_EVENTS = 40
const MAX_NEIGHBOURS = 12
const MAX_FAULTS = 100
const MAX_OVER = 10
const CHART_BEFORE_S = 6 * 3600
const CHART_AFTER_S = 3600

/** What it takes to see a graph. */
const GRAPH_GATES: Readonly<Record<FaultGraph['of'], Permission>> = {
  port: 'Port.viewAny',
  device: 'Device.viewAny',
  service: 'Service.viewAny',
  bill: 'Bill.viewAny',
}

/**
 * Graphs that the actor may see and that have values. Bills are granted by themselves: who sees the device need not see
 * them, nor their names.
 */
export async function visibleGraphs(
  { services, actor }: Pick<PageRequest, 'services' | 'actor'>,
  graphs: readonly FaultGraph[],
): Promise<FaultGraph[]> {
  const open = graphs.filter(({ of }) => isAllowed(actor, GRAPH_GATES[of], services.config))
  const shown = await Promise.all(
    open.map(async ({ of, id }) => {
      if (of === 'bill') return await services.bills.isVisible(actor, id)
      if (of === 'service') return await hasValues(services, actor, id)
      return true
    }),
  )
  return open.filter((_, i) => shown[i])
}

/** Whether a check has measured anything; many only say whether it works. False if it is gone. */
async function hasValues(services: Services, actor: Actor, id: number): Promise<boolean> {
  try {
    return (await services.hostServices.detail(actor, String(id))).datasets.length > 0
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_found') return false
    throw error
  }
}

/** Reads it, limited to what the actor may see. */
export async function loadAround({ services, actor }: PageRequest, { alert, graphs }: AlertInFull): Promise<Around> {
  const may = (gate: Permission) => isAllowed(actor, gate, services.config)
  const began = (alert.began ?? alert.since).getTime()
  const deviceId = alert.device_id
  const alertId = alert.id
  const [events, neighbours, open, over, charts] = await Promise.all([
    may('Eventlog.viewAny')
      ? services.fleet.events(actor, { deviceId, between: [began - BEFORE_MS, began + AFTER_MS], limit: MAX_EVENTS })
      : null,
    may('Link.viewAny') ? services.fleet.neighbours(actor, { deviceId }) : null,
    services.faults.list(actor, { alertId, states: [1, 2] }, { offset: 0, limit: MAX_FAULTS }),
    services.faults.list(actor, { alertId, states: [0] }, { offset: 0, limit: MAX_OVER }),
    visibleGraphs({ services, actor }, graphs),
  ])
  const ports = new Set(graphs.flatMap(({ of, id }) => (of === 'port' ? [id] : [])))
  return {
    events,
    open,
    over: over.rows,
    neighbours: neighbours === null ? null : nearest(neighbours, ports),
    charts,
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
  data: { alert },
  around,
  visit,
}: {
  readonly data: AlertInFull
  readonly around: Around
  readonly visit: PageRequest
}): Html {
  const range = {
    ...rangeOf(visit.query, visit.nowMs),
    ...rangeAround(alert.began ?? alert.since, isOpen(alert.state) ? null : alert.since),
  }
  return (
    <>
      {around.charts.map((graph) => (
        <ChartCard spec={specOf(graph, alert, range)} range={range} title={plain(graph.title)} />
      ))}
    </>
  )
}

/** The time around something that began and may have ended (null: not yet), as charts show it. */
export const rangeAround = (began: Date, ended: Date | null): Range => ({
  from: String(Math.floor(began.getTime() / 1000) - CHART_BEFORE_S),
  to: ended === null ? 'now' : String(Math.floor(ended.getTime() / 1000) + CHART_AFTER_S),
})

function addressOf({ of, id, type, only }: FaultGraph): string {
  if (of === 'service') return `/graph/service/${id}/first`
  if (of === 'bill') return `/graph/bill/${id}/bits`
  return `/graph/${of}/${id}/${type}${only === null ? '' : `?only=${only}`}`
}

/** The chart of the value that a fault of the device is about. */
export function specOf(
  graph: FaultGraph,
  { device_id, device, hostname }: Pick<AlertInFull['alert'], 'device_id' | 'device' | 'hostname'>,
  { from, to }: Range,
): ChartSpec {
  const { of, id, only, title, limits } = graph
  const name = encodeURIComponent(hostname)
  return {
    src: addressOf(graph),
    title: `${plain(title)} of ${plain(device)}`,
    height: MEDIUM,
    rows: 2,
    device: device_id,
    range: { from, to },
    ...(of === 'port' && { port: id }),
    api: of === 'device' && only === null ? `/api/v0/devices/${name}/${graph.type}` : null,
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
  around: { events, neighbours, over },
  nowMs,
}: {
  readonly data: AlertInFull
  readonly around: Around
  readonly nowMs: number
}): Html {
  return (
    <>
      {events === null ? null : (
        <Card title="Half an hour before" sub="on the device">
          <Events rows={events} nowMs={nowMs} device={false} />
        </Card>
      )}
      {neighbours === null || neighbours.length === 0 ? null : (
        <Card title="Neighbours">
          <Neighbours rows={neighbours} />
        </Card>
      )}
      {over.length > 0 ? <Over rows={over} nowMs={nowMs} /> : <Former rows={data.former} nowMs={nowMs} />}
    </>
  )
}

/** Faults of the alert that are over. */
const Over = ({ rows, nowMs }: { readonly rows: readonly Fault[]; readonly nowMs: number }): Html => (
  <Card title="Before" sub="faults that are over">
    <ul class="past-list">
      {rows.map(({ id, message, device, began_at, ended_at, ended_how, acknowledgement: ack }) => (
        <li>
          <Time at={began_at} nowMs={nowMs} bare />
          <Mark tone="ok" label="over" />
          <div dir="auto">
            <a href={`/faults/${id}`}>{plain(pastMessage(message, device))}</a>
            <span class="l2">
              {ended_how === 'gone' ? 'the rule no longer applied' : 'recovered'}
              {ended_at === null ? '' : ` after ${duration((ended_at.getTime() - began_at.getTime()) / 1000)}`}
              {ack === null ? '' : `, acknowledged${ack.by === null ? '' : ` by ${plain(ack.by)}`}`}
            </span>
          </div>
        </li>
      ))}
    </ul>
  </Card>
)

/** Former alerts, for those whose faults were not kept one by one. */
function Former({ rows, nowMs }: { readonly rows: readonly FormerAlert[]; readonly nowMs: number }): Html | null {
  if (rows.length === 0) return null
  return (
    <Card title="Before" sub={rows.length}>
      <ul class="past-list">
        {rows.map(({ began, ended, faults, by, note, what }) => (
          <li>
            <Time at={began} nowMs={nowMs} bare />
            <Mark tone="ok" label="over" />
            <div dir="auto">
              {what === '' ? null : plain(what)}
              <span class={what === '' ? '' : 'l2'}>
                recovered after {duration((ended.getTime() - began.getTime()) / 1000)}
                {faults > 1 ? `, up to ${count(faults)} faults` : ''}
                {by === null ? ', not acknowledged' : `, acknowledged by ${plain(whoWords(by))}`}
              </span>
              {note === null ? null : <span class="l2 note-text">{plain(note)}</span>}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}
