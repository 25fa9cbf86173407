/** @jsxImportSource #jsx */

import type { Permission } from '../../../core/base/permissions.ts'
import type { FoundKind, FoundLevel, FoundRows } from '../../../core/lists/network-service.ts'
import { Mark, Pill, type Tone } from '../../components/icon.tsx'
import type { Column } from '../../components/table.tsx'
import { count, DeviceText, duration, mac, measuredText, plain, Unknown } from '../../components/values.tsx'

/** A list of what discovery finds, with a tab of the device and a page over all devices. */
export interface FoundList<K extends FoundKind> {
  readonly kind: K
  readonly label: string
  /** The tab of the device that shows it; absent: one of its own. */
  readonly tab?: string
  readonly gate: Permission
  /** One row, and several. */
  readonly what: readonly [string, string]
  /** Said when nothing was found, with where it would come from. */
  readonly empty: string
  readonly columns: (nowMs: number) => readonly Column<FoundRows[K]>[]
}

type AnyRow = FoundRows[FoundKind]

const TONES: Readonly<Record<FoundLevel, Tone>> = { bad: 'bad', warn: 'warn', ok: 'ok', off: 'off' }

/** The mark of a row's state, and on phones the state in a word. */
export function state<R extends AnyRow>(word: (row: R) => string): readonly Column<R>[] {
  return [
    {
      id: 'mark',
      label: 'State',
      quiet: true,
      class: 'no',
      cell: (row) => <Mark tone={TONES[row.level]} label={plain(word(row))} />,
    },
    {
      id: 'state',
      label: 'State',
      class: 'r',
      cell: (row) => <Pill tone={TONES[row.level]}>{plain(word(row))}</Pill>,
      text: word,
    },
  ]
}

/** The device, which the tab of a device leaves out. */
export const deviceColumn = <R extends AnyRow>(tab: string): Column<R> => ({
  id: 'device',
  label: 'Device',
  class: 'full',
  cell: ({ device, device_id }) =>
    device === null ? (
      <span class="sub">no access to the device</span>
    ) : (
      <a class="name" href={`/device/${device_id}/${tab}`} dir="auto">
        {plain(device)}
      </a>
    ),
  text: ({ device }) => device ?? '',
})

/** The port with a link to it. `why` it may be unknown. */
export const portColumn = <R extends AnyRow>(label = 'Port', why = 'The port is not known'): Column<R> => ({
  id: 'port',
  label,
  class: 'lab',
  cell: ({ port_id, port }) =>
    port_id === null ? (
      <Unknown why={why} />
    ) : (
      <a class="name" href={`/port/${port_id}`} dir="auto">
        {plain(port ?? '') || `port ${port_id}`}
      </a>
    ),
  text: ({ port }) => port,
})

export const textColumn = <R,>(id: string, label: string, of: (row: R) => string | null, more = 'lab'): Column<R> => ({
  id,
  label,
  class: more,
  cell: (row) => <DeviceText text={of(row)} />,
  text: of,
})

/** A number with its unit, as it is: decibels and megahertz have no prefixes. */
export const numberColumn = <R,>(
  id: string,
  label: string,
  unit: string,
  of: (row: R) => number | null,
): Column<R> => ({
  id,
  label,
  numeric: true,
  cell: (row) => {
    const value = of(row)
    if (value === null || !Number.isFinite(value)) return <Unknown />
    return unit === '' ? count(value) : measuredText({ unit, prefixes: 'none' }, value)
  },
  text: of,
})

export const macColumn = <R,>(id: string, label: string, of: (row: R) => string | null): Column<R> => ({
  id,
  label,
  class: 'mono lab',
  cell: (row) => {
    const digits = of(row)
    return digits === null ? <Unknown /> : plain(mac(digits))
  },
  text: (row) => {
    const digits = of(row)
    return digits === null ? null : mac(digits)
  },
})

export const secondsColumn = <R,>(id: string, label: string, of: (row: R) => number | null): Column<R> => ({
  id,
  label,
  numeric: true,
  cell: (row) => {
    const seconds = of(row)
    return seconds === null ? <Unknown /> : duration(seconds)
  },
  text: of,
})
