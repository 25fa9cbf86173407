import type { OpenAlertRow } from '../../../core/alerts/alert-list.ts'
import { isAllowed, type Permission } from '../../../core/base/permissions.ts'
import type {
  BusyPort,
  DeviceCounts,
  DeviceListRow,
  EventRow,
  FleetCounts,
  NearLimit,
  PollHealth,
} from '../../../core/lists/service.ts'
import type { PageRequest } from '../../page.ts'
import { wantedOf } from '../devices/load.ts'
import { asksFirst, offeredNetworks } from '../first-run/card.tsx'
import type { OfferedNetwork } from '../scans/networks.tsx'
import { busyOver, MAX_TOP, type TopRange, topRange } from './top.tsx'

/** What the overview shows. */
export interface OverviewData {
  readonly devices: DeviceCounts
  readonly down: readonly DeviceListRow[]
  readonly figures: FleetCounts
  readonly alerts: { readonly rows: readonly OpenAlertRow[]; readonly total: number }
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
  /** Whether there are devices of the demo. */
  readonly demo: boolean
  /** Networks to choose from, where nothing is monitored yet and the user decides which are searched; null: not asked. */
  readonly offered: readonly OfferedNetwork[] | null
}

/** Reads it, limited to what the actor may see. */
export async function load(visit: PageRequest): Promise<OverviewData> {
  const { services, actor, query } = visit
  const top = topRange(query)
  const { fleet, config } = services
  const may = (gate: Permission) => isAllowed(actor, gate, config)
  const intervalS = config.get('poller.interval')
  const downFirst = { ...wantedOf(new URLSearchParams()), state: 'down' as const, offset: 0, limit: MAX_ROWS }
  const [{ rows: down, counts }, figures, alerts, events, near, busy, polls, demo] = await Promise.all([
    fleet.devices(actor, downFirst),
    fleet.counts(actor),
    may('Alert.viewAny') ? services.alertList.first(actor, null, MAX_ROWS) : { rows: [], total: 0 },
    may('Eventlog.viewAny') ? fleet.events(actor, { sinceS: HOUR_S, limit: MAX_EVENTS }) : [],
    may('Sensor.viewAny') ? fleet.nearLimit(actor, MAX_ROWS) : [],
    !may('Port.viewAny')
      ? { talkers: [], faulty: [] }
      : top === null
        ? fleet.busyPorts(actor, RECENT_S, MAX_TOP)
        : busyOver(visit, top),
    fleet.pollHealth(actor, intervalS),
    services.demo.isHere(),
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
    demo,
    offered: counts.all === 0 && figures.ports === 0 && asksFirst(visit) ? offeredNetworks(visit) : null,
    may: {
      services: may('Service.viewAny'),
      logs: may('Eventlog.viewAny'),
      ports: may('Port.viewAny'),
      alerts: may('Alert.viewAny'),
      sensors: may('Sensor.viewAny'),
    },
  }
}

const HOUR_S = 3600

/** Maximum number of events of the last hour that are read. */
const MAX_EVENTS = 200

/** Samples no older than this many seconds count as current. */
const RECENT_S = 900

/** Maximum number of rows in each list. */
export const MAX_ROWS = 8
