import {
  DEVICE_SORTS,
  DEVICE_STATES,
  type DeviceChoices,
  type DeviceCounts,
  type DeviceListRow,
  type DeviceQuery,
  type DeviceTraffic,
} from '../../../core/lists/service.ts'
import type { DeviceMaintenance } from '../../../core/maintenance/service.ts'
import { pageNumber } from '../../components/table.tsx'
import type { PageRequest } from '../../page.ts'

export const PER_PAGE = 100
const MAX_CSV = 100_000
const MAX_TEXT = 100

export type Row = DeviceListRow &
  Pick<DeviceTraffic, 'in_bps' | 'out_bps'> & { readonly maintenance: DeviceMaintenance | null }

export interface DevicesData {
  readonly rows: readonly Row[]
  readonly counts: DeviceCounts
  readonly choices: DeviceChoices
  readonly wanted: DeviceQuery
  readonly total: number
  readonly page: number
}

/** Order and filters of the list in the address; unknown values count as absent. */
export function wantedOf(query: URLSearchParams): DeviceQuery {
  const sort = query.get('sort') ?? 'state'
  const column = sort.replace(/^-/, '')
  const text = (name: string) => query.get(name)?.slice(0, MAX_TEXT).replaceAll('\0', '') || null
  const group = Number(query.get('group') ?? Number.NaN)
  return {
    state: DEVICE_STATES.find((state) => state === query.get('state')) ?? null,
    text: text('q')?.trim() ?? '',
    location: text('location'),
    os: text('os'),
    type: text('type'),
    groupId: Number.isInteger(group) && group > 0 && group < 2 ** 31 ? group : null,
    sort: DEVICE_SORTS.find((name) => name === column) ?? 'state',
    descending: sort.startsWith('-'),
    offset: (pageNumber(query) - 1) * PER_PAGE,
    limit: PER_PAGE,
  }
}

export async function loadDevices(
  { services: { fleet, maintenance }, actor, query, nowMs }: PageRequest,
  all: boolean,
): Promise<DevicesData> {
  const wanted = wantedOf(query)
  const asked = all ? { ...wanted, offset: 0, limit: MAX_CSV } : wanted
  const [{ rows, counts }, choices] = await Promise.all([fleet.devices(actor, asked), fleet.deviceChoices(actor)])
  const [traffic, maintained] = await Promise.all([
    fleet.traffic(rows.filter(({ answers }) => answers)),
    maintenance.of(
      rows.map(({ device_id }) => device_id),
      nowMs,
    ),
  ])
  return {
    rows: rows.map((row) => ({
      in_bps: null,
      out_bps: null,
      ...row,
      ...pick(traffic.get(row.device_id)),
      maintenance: maintained.get(row.device_id) ?? null,
    })),
    counts,
    choices,
    wanted,
    total: wanted.state === null ? counts.all : counts[wanted.state],
    page: pageNumber(query),
  }
}

const pick = (traffic: DeviceTraffic | undefined) =>
  traffic === undefined ? {} : { in_bps: traffic.in_bps, out_bps: traffic.out_bps }
