/** @jsxImportSource #jsx */
import { DeviceMark, DevicePill, deviceName, MaintenancePill, STATE_WORDS } from '../../components/device-state.tsx'
import { Spark } from '../../components/spark.tsx'
import { amountColumn, type Column, shareColumn } from '../../components/table.tsx'
import { DeviceText, duration, placeText, plain, Time, Unknown } from '../../components/values.tsx'
import type { PageRequest } from '../../page.ts'
import type { Row } from './load.ts'

/** Columns that are always shown. */
const FIXED = new Set(['state', 'name'])
/** Columns shown by default. */
const USUAL = ['hardware', 'location', 'ports', 'day', 'in', 'out', 'cpu', 'memory', 'ping', 'uptime']

/** What a device is known by besides the name that is shown: its address, or its sysName where the address is the name. */
function secondName(row: Row): string {
  const sysName = row.sysName ?? ''
  return (row.ip !== deviceName(row) ? row.ip : sysName) || row.ip || 'no address'
}

const NOT_MEASURED = 'Not reported by this device'

/** What a device is. */
const identity = (nowMs: number): readonly Column<Row>[] => [
  {
    id: 'state',
    label: 'State',
    quiet: true,
    class: 'no',
    cell: ({ state }) => <DeviceMark state={state} />,
    text: ({ state }) => STATE_WORDS[state],
  },
  {
    id: 'name',
    label: 'Name',
    sortable: true,
    cell: (row) => (
      <>
        <a class="name nowrap" href={`/device/${row.device_id}`}>
          {plain(deviceName(row))}
        </a>
        <span class="l2">{plain(secondName(row))}</span>
        {row.maintenance === null ? null : (
          <span class="l2">
            <MaintenancePill maintenance={row.maintenance} nowMs={nowMs} />
          </span>
        )}
      </>
    ),
    text: deviceName,
  },
  { id: 'pill', label: 'State', quiet: true, class: 'r only-s', cell: ({ state }) => <DevicePill state={state} /> },
  { id: 'address', label: 'Address', class: 'no', cell: ({ ip }) => ip ?? <Unknown />, text: ({ ip }) => ip },
  {
    id: 'hardware',
    label: 'Hardware, system',
    sortable: true,
    class: 'full w5',
    cell: ({ hardware, os, version }) => (
      <>
        <DeviceText text={hardware} />
        <span class="l2" dir="auto">
          {plain([os, version].filter(Boolean).join(' ')) || 'not recognised'}
        </span>
      </>
    ),
    text: ({ hardware }) => hardware,
  },
  {
    id: 'os',
    label: 'System',
    sortable: true,
    class: 'no',
    cell: ({ os }) => os ?? <Unknown />,
    text: ({ os, version }) => [os, version].filter(Boolean).join(' '),
  },
  {
    id: 'location',
    label: 'Location',
    sortable: true,
    class: 'dim lg lab w3',
    cell: ({ location }) => <DeviceText text={location === null ? null : placeText(location)} />,
    text: ({ location }) => location,
  },
  {
    id: 'ports',
    label: 'Ports up',
    sortable: true,
    numeric: true,
    class: 'r',
    cell: ({ ports, ports_up, answers }) => (
      <>
        {answers ? ports_up : <span class="sub">–</span>}
        <span class="sub"> / {ports}</span>
      </>
    ),
    text: ({ ports_up, answers }) => (answers ? ports_up : null),
  },
  {
    id: 'maintenance',
    label: 'Maintenance until',
    class: 'no',
    cell: ({ maintenance }) => (maintenance === null ? null : <Time at={maintenance.until} nowMs={nowMs} clock />),
    text: ({ maintenance }) => maintenance?.until.toISOString() ?? '',
  },
]

/** What is measured on a device. */
const measured = (nowMs: number): readonly Column<Row>[] => [
  { id: 'day', label: 'Traffic 24 h', class: 'no w4', cell: ({ device_id }) => <Spark kind="device" id={device_id} /> },
  amountColumn({ id: 'in', label: 'In', unit: 'bit/s', of: ({ in_bps }) => in_bps }),
  amountColumn({ id: 'out', label: 'Out', unit: 'bit/s', of: ({ out_bps }) => out_bps, class: 'r' }),
  shareColumn({ id: 'cpu', label: 'CPU', of: ({ cpu }) => cpu, why: NOT_MEASURED, class: 'w3' }),
  shareColumn({ id: 'memory', label: 'Memory', of: ({ memory }) => memory, why: NOT_MEASURED, class: 'r w2' }),
  {
    id: 'ping',
    label: 'Ping',
    unit: 'ms',
    sortable: true,
    numeric: true,
    class: 'no lg w1',
    cell: ({ ping, state }) =>
      state === 'down' || state === 'unreachable' ? (
        <span class={state === 'down' ? 't-bad' : 'sub'}>no answer</span>
      ) : ping === null ? (
        <Unknown />
      ) : (
        `${ping.toFixed(ping < 1 ? 2 : 1)} ms`
      ),
    text: ({ ping }) => ping,
  },
  {
    id: 'uptime',
    label: 'Uptime',
    unit: 's',
    sortable: true,
    numeric: true,
    class: 'no w4',
    cell: ({ uptime, state, down_since }) =>
      state === 'down' || state === 'unreachable' ? (
        <span class={state === 'down' ? 't-bad' : 'sub'}>
          {state} {down_since === null ? '' : <Time at={down_since} nowMs={nowMs} bare />}
        </span>
      ) : uptime === null ? (
        <Unknown />
      ) : (
        duration(uptime)
      ),
    text: ({ uptime }) => uptime,
  },
  {
    id: 'polled',
    label: 'Polled',
    numeric: true,
    class: 'no',
    cell: ({ last_polled }) => <Time at={last_polled} nowMs={nowMs} />,
    text: ({ last_polled }) => last_polled?.toISOString() ?? null,
  },
]

/** Columns of the device list; `nowMs` is the time of the request. */
export const deviceColumns = (nowMs: number): readonly Column<Row>[] => [...identity(nowMs), ...measured(nowMs)]

/** Ids of the columns that an address requests. */
export function chosenIds(query: URLSearchParams): ReadonlySet<string> {
  const asked = query.has('cols')
    ? query
        .getAll('cols')
        .slice(0, 30)
        .flatMap((part) => part.slice(0, 300).split(','))
    : USUAL
  return new Set([...FIXED, 'pill', ...asked])
}

/** The columns that an address requests; the address of the device is always in CSV. */
export function chosenColumns({ query, nowMs }: PageRequest): readonly Column<Row>[] {
  const chosen = chosenIds(query)
  return deviceColumns(nowMs).flatMap((column): Column<Row>[] => {
    if (!chosen.has(column.id)) return column.id === 'address' ? [{ ...column, file: true }] : []
    return [query.has('cols') ? alwaysShown(column) : column]
  })
}

/** A column that the user has chosen, which is not hidden in narrow windows. */
const alwaysShown = (column: Column<Row>): Column<Row> => ({
  ...column,
  class: (column.class ?? '').replace(/ ?\b(?:w[1-5]|lg)\b/g, ''),
})

/** Whether the user can choose the column. */
export const isOptional = ({ id }: Column<Row>) => !FIXED.has(id) && id !== 'pill'
