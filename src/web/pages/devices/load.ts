import {
  DEVICE_SORTS,
  DEVICE_STATES,
  type DeviceListRow,
  type DeviceQuery,
  type DeviceTraffic,
} from '../../../core/lists/service.ts'
import type { DeviceMaintenance } from '../../../core/maintenance/service.ts'
import { oneOf } from '../../components/filters.tsx'
import { sortOf } from '../../components/table.tsx'
import type { PageRequest } from '../../page.ts'

const MAX_TEXT = 100

export type Row = DeviceListRow &
  Pick<DeviceTraffic, 'in_bps' | 'out_bps'> & { readonly maintenance: DeviceMaintenance | null }

/** Order and filters of the list in the address; unknown values count as absent. */
export type Wanted = Omit<DeviceQuery, 'offset' | 'limit'>

export function wantedOf(query: URLSearchParams): Wanted {
  const text = (name: string) => query.get(name)?.slice(0, MAX_TEXT) || null
  const group = Number(query.get('group') ?? Number.NaN)
  return {
    state: oneOf(query, 'state', DEVICE_STATES),
    text: text('q')?.trim() ?? '',
    location: text('location'),
    os: text('os'),
    type: text('type'),
    groupId: Number.isInteger(group) && group > 0 && group < 2 ** 31 ? group : null,
    ...sortOf(query, DEVICE_SORTS, 'state'),
  }
}

export async function loadDevices(
  { services: { fleet, maintenance }, actor, nowMs }: PageRequest,
  wanted: DeviceQuery,
) {
  const [{ rows, counts }, choices] = await Promise.all([fleet.devices(actor, wanted), fleet.deviceChoices(actor)])
  const [traffic, maintained] = await Promise.all([
    fleet.traffic(rows.filter(({ answers }) => answers)),
    maintenance.of(
      rows.map(({ device_id }) => device_id),
      nowMs,
    ),
  ])
  return {
    rows: rows.map(
      (row): Row => ({
        in_bps: null,
        out_bps: null,
        ...row,
        ...pick(traffic.get(row.device_id)),
        maintenance: maintained.get(row.device_id) ?? null,
      }),
    ),
    counts,
    choices,
    total: counts[wanted.state ?? 'all'],
  }
}

const pick = (traffic: DeviceTraffic | undefined) =>
  traffic === undefined ? {} : { in_bps: traffic.in_bps, out_bps: traffic.out_bps }
