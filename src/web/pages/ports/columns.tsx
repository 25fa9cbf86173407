/** @jsxImportSource #jsx */
import type { FleetPort, PortState } from '../../../core/lists/network-service.ts'
import type { PortListRow } from '../../../core/lists/service.ts'
import { portState } from '../../components/device-state.tsx'
import { Mark, type Tone } from '../../components/icon.tsx'
import { Spark } from '../../components/spark.tsx'
import { amountColumn, type Column, pillColumn, shareColumn } from '../../components/table.tsx'
import { Amount, amount, DeviceText, mac, plain, Unknown } from '../../components/values.tsx'

/** What the rows of all lists of ports have. */
type AnyPort = Pick<FleetPort, 'port_id' | 'ifAlias' | 'ifSpeed'>

/** States of a port in words. */
export const STATE_WORDS: Readonly<Record<PortState, string>> = {
  down: 'Down',
  errors: 'Errors',
  up: 'Up',
  unknown: 'Unknown',
  off: 'Admin down',
}
export const STATE_TONES: Readonly<Record<PortState, Tone>> = {
  down: 'bad',
  errors: 'warn',
  up: 'ok',
  unknown: 'off',
  off: 'off',
}

const HIDDEN_STATE = { id: 'state', label: 'State', quiet: true, class: 'no' } as const

/** The port, with its device. */
export const NAME: Column<AnyPort & Pick<FleetPort, 'device' | 'device_id' | 'ifName'>> = {
  id: 'name',
  label: 'Port',
  class: 'full',
  cell: (row) => (
    <>
      <a class="name" href={`/port/${row.port_id}`} dir="auto">
        {plain(row.ifName ?? '') || `port ${row.port_id}`}
      </a>
      <span class="l2">
        {row.device === null ? (
          'no access to the device'
        ) : (
          <a href={`/device/${row.device_id}`} dir="auto">
            {plain(row.device)}
          </a>
        )}
      </span>
    </>
  ),
  text: (row) => `${row.device ?? ''} ${row.ifName ?? ''}`.trim(),
}

/** What the device calls the port. */
export const ALIAS: Column<AnyPort> = {
  id: 'alias',
  label: 'Alias',
  class: 'lab',
  cell: ({ ifAlias }) => <DeviceText text={ifAlias} />,
  text: ({ ifAlias }) => ifAlias,
}

const SPEED: Column<AnyPort> = {
  id: 'speed',
  label: 'Speed',
  unit: 'bit/s',
  numeric: true,
  cell: ({ ifSpeed }) => (ifSpeed === null || ifSpeed <= 0 ? <Unknown /> : amount(ifSpeed, 'bit/s')),
  text: ({ ifSpeed }) => ifSpeed,
}

/** Traffic of the last 24 hours. */
export const DAY: Column<AnyPort> = {
  id: 'day',
  label: '24 h',
  class: 'no w4',
  cell: ({ port_id }) => <Spark kind="port" id={port_id} />,
}

/** Columns of the list of all ports. */
export const PORT_COLUMNS: readonly Column<FleetPort>[] = [
  {
    ...HIDDEN_STATE,
    cell: (row) => (
      <Mark tone={STATE_TONES[row.state]} label={row.state === 'errors' ? 'Errors' : portState(row).word} />
    ),
    text: ({ state }) => STATE_WORDS[state],
  },
  { ...NAME, sortable: true },
  pillColumn(({ state }) => [STATE_TONES[state], STATE_WORDS[state]]),
  { ...ALIAS, sortable: true },
  { ...SPEED, sortable: true, class: 'w5' },
  DAY,
  amountColumn({ id: 'in', label: 'In', unit: 'bit/s', of: ({ in_bps }) => in_bps }),
  amountColumn({ id: 'out', label: 'Out', unit: 'bit/s', of: ({ out_bps }) => out_bps }),
  shareColumn({ id: 'used', label: 'Used', of: ({ used }) => used, why: 'Speed or traffic is unknown' }),
  amountColumn({ id: 'errors', label: 'Errors', unit: '/s', of: ({ errors }) => errors }),
  amountColumn({ id: 'discards', label: 'Discards', unit: '/s', of: ({ discards }) => discards, class: 'lg' }),
]

/** Traffic in one direction, in bit/s or packets/s. */
const rate = (
  id: 'in' | 'out',
  label: string,
  packets: boolean,
  more: { class?: string } = {},
): Column<PortListRow> => {
  const of = (port: PortListRow) => (packets ? port[`${id}_pps`] : port[`${id}_bps`])
  return {
    id,
    label,
    unit: packets ? 'packets/s' : 'bit/s',
    numeric: true,
    ...more,
    cell: (port) => <Amount value={of(port)} unit={packets ? '/s' : 'bit/s'} />,
    text: of,
  }
}

/** Packets per second that were lost, marked if there are any. */
const lost = (id: 'errors' | 'discards', label: string, mark: string, more: { class?: string } = {}) => ({
  id,
  label,
  unit: '/s',
  numeric: true,
  ...more,
  cell: ({ [id]: value }: PortListRow) =>
    value !== null && value > 0 ? <span class={mark}>{amount(value, '/s')}</span> : <Amount value={value} unit="/s" />,
  text: ({ [id]: value }: PortListRow) => value,
})

/** Columns of the ports of one device. `packets`: rates in packets/s instead of bit/s. `neighbours`: with their neighbours. */
export const devicePortColumns = (packets: boolean, neighbours: boolean): readonly Column<PortListRow>[] => [
  {
    ...HIDDEN_STATE,
    cell: (port) => <Mark tone={portState(port).tone} label={portState(port).word} />,
    text: (port) => portState(port).word,
  },
  {
    id: 'name',
    label: 'Port',
    cell: ({ port_id, ifName, ifDescr, ifAlias }) => (
      <>
        <a class="name nowrap" href={`/port/${port_id}`}>
          {plain(ifName ?? ifDescr ?? `port ${port_id}`)}
        </a>
        <span class="l2" dir="auto">
          {plain(ifAlias ?? '')}
        </span>
      </>
    ),
    text: ({ ifName, ifDescr }) => ifName ?? ifDescr,
  },
  { id: 'word', label: 'State', quiet: true, class: 'r only-s', cell: (port) => portState(port).word },
  { ...ALIAS, class: 'no lg' },
  DAY,
  rate('in', 'In', packets),
  rate('out', 'Out', packets, { class: 'r' }),
  lost('errors', 'Errors', 't-bad'),
  lost('discards', 'Discards', 't-warn', { class: 'r' }),
  { ...SPEED, class: 'no w5' },
  {
    id: 'vlan',
    label: 'VLAN',
    numeric: true,
    class: 'no lg',
    cell: ({ ifVlan }) => (ifVlan === null || ifVlan === '' ? <Unknown /> : plain(ifVlan)),
    text: ({ ifVlan }) => ifVlan,
  },
  {
    id: 'mac',
    label: 'MAC',
    class: 'no lg mono',
    cell: ({ ifPhysAddress }) => (ifPhysAddress === null || ifPhysAddress === '' ? <Unknown /> : mac(ifPhysAddress)),
    text: ({ ifPhysAddress }) => ifPhysAddress,
  },
  ...(neighbours ? [NEIGHBOUR] : []),
]

const NEIGHBOUR: Column<PortListRow> = {
  id: 'neighbour',
  label: 'Neighbour',
  class: 'no w3',
  cell: ({ neighbour, neighbour_port }) =>
    neighbour === null ? null : (
      <>
        <span dir="auto">{plain(neighbour)}</span>
        <span class="l2">{plain(neighbour_port ?? '')}</span>
      </>
    ),
  text: ({ neighbour }) => neighbour,
}
