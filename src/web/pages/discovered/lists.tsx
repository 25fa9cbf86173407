/** @jsxImportSource #jsx */

import type { Permission } from '../../../core/base/permissions.ts'
import type { FoundKind, FoundLevel, FoundRows } from '../../../core/lists/network-service.ts'
import { Mark, Pill, type Tone } from '../../components/icon.tsx'
import type { Column } from '../../components/table.tsx'
import {
  count,
  DeviceText,
  duration,
  mac,
  measuredText,
  plain,
  Share,
  Time,
  Unknown,
} from '../../components/values.tsx'

/** A list of what discovery finds, with a tab of the device and a page over all devices. */
export interface FoundList<K extends FoundKind> {
  readonly kind: K
  readonly label: string
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
function state<R extends AnyRow>(word: (row: R) => string): readonly Column<R>[] {
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

const portColumn = <R extends AnyRow>(): Column<R> => ({
  id: 'port',
  label: 'Port',
  class: 'lab',
  cell: ({ port_id, port }) =>
    port_id === null ? (
      <Unknown why="The port is not known" />
    ) : (
      <a class="name" href={`/port/${port_id}`} dir="auto">
        {plain(port ?? '') || `port ${port_id}`}
      </a>
    ),
  text: ({ port }) => port,
})

const textColumn = <R,>(id: string, label: string, of: (row: R) => string | null, more = 'lab'): Column<R> => ({
  id,
  label,
  class: more,
  cell: (row) => <DeviceText text={of(row)} />,
  text: of,
})

/** A number with its unit, as it is: decibels and megahertz have no prefixes. */
const numberColumn = <R,>(id: string, label: string, unit: string, of: (row: R) => number | null): Column<R> => ({
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

const SECURITY_WORDS: Readonly<Record<string, string>> = {
  secureup: 'secured',
  securedown: 'secured, port down',
  shutdown: 'shut down by a violation',
}

const NAC: FoundList<'nac'> = {
  kind: 'nac',
  label: 'Network access',
  gate: 'PortsNac.viewAny',
  what: ['session', 'sessions'],
  empty: 'No device reports sessions of 802.1X or MAC authentication',
  columns: (nowMs) => [
    ...state<FoundRows['nac']>(({ ended, status }) => (ended ? 'ended' : status || 'unknown')),
    portColumn(),
    {
      id: 'mac',
      label: 'Station',
      class: 'mono lab',
      cell: ({ mac: digits }) => mac(digits),
      text: ({ mac: digits }) => mac(digits),
    },
    textColumn('user', 'User', ({ username }) => username),
    textColumn('address', 'Address', ({ address }) => address),
    { id: 'vlan', label: 'VLAN', numeric: true, cell: ({ vlan }) => vlan ?? <Unknown />, text: ({ vlan }) => vlan },
    textColumn('method', 'Method', ({ method }) => method),
    textColumn('domain', 'Domain', ({ domain }) => domain),
    {
      id: 'seen',
      label: 'Last seen',
      numeric: true,
      cell: ({ seen }) => <Time at={seen} nowMs={nowMs} />,
      text: ({ seen }) => seen.toISOString(),
    },
  ],
}

const SECURITY: FoundList<'security'> = {
  kind: 'security',
  label: 'Port security',
  gate: 'Port.viewAny',
  what: ['port', 'ports'],
  empty: 'No device reports port security',
  columns: () => [
    ...state<FoundRows['security']>(({ level, status }) =>
      level === 'off' ? 'not enabled' : (SECURITY_WORDS[status ?? ''] ?? (status || 'unknown')),
    ),
    portColumn(),
    numberColumn('addresses', 'Addresses', '', ({ addresses }) => addresses),
    numberColumn('max', 'Allowed', '', ({ max_addresses }) => max_addresses),
    numberColumn('violations', 'Violations', '', ({ violations }) => violations),
    textColumn('action', 'On a violation', ({ action }) => action),
    {
      id: 'last',
      label: 'Last station',
      class: 'mono lab',
      cell: ({ last_mac }) => (last_mac === null ? <Unknown /> : plain(mac(last_mac))),
      text: ({ last_mac }) => (last_mac === null ? null : mac(last_mac)),
    },
    textColumn('sticky', 'Sticky', ({ sticky }) => (sticky === null ? null : sticky === 1 ? 'yes' : 'no')),
  ],
}

const IPSEC: FoundList<'ipsec'> = {
  kind: 'ipsec',
  label: 'IPsec',
  gate: 'Device.viewAny',
  what: ['tunnel', 'tunnels'],
  empty: 'No device reports IPsec tunnels',
  columns: () => [
    ...state<FoundRows['ipsec']>(({ status }) => status || 'unknown'),
    textColumn('name', 'Name', ({ name }) => name),
    textColumn('peer', 'Peer', ({ peer }) => peer),
    textColumn('local', 'Local address', ({ local }) => local),
  ],
}

const MPLS: FoundList<'mpls'> = {
  kind: 'mpls',
  label: 'MPLS',
  gate: 'Route.viewAny',
  what: ['service or access point', 'services and access points'],
  empty: 'No device reports MPLS services',
  columns: () => [
    ...state<FoundRows['mpls']>(({ admin, oper }) => (admin === 'down' ? 'admin down' : (oper ?? 'unknown'))),
    { id: 'service', label: 'Service', numeric: true, cell: ({ service }) => service, text: ({ service }) => service },
    textColumn('kind', 'What', ({ kind }) => kind),
    textColumn('name', 'Description', ({ name }) => name),
    textColumn('type', 'Type', ({ type }) => type),
    portColumn(),
    textColumn('encapsulation', 'Encapsulation', ({ encapsulation }) => encapsulation),
    numberColumn('mtu', 'MTU', '', ({ mtu }) => mtu),
    numberColumn('saps', 'Access points', '', ({ saps }) => saps),
  ],
}

const yesNo = (known: boolean | null) => (known === null ? null : known ? 'yes' : 'no')

const macColumn = <R,>(id: string, label: string, of: (row: R) => string | null): Column<R> => ({
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

const secondsColumn = <R,>(id: string, label: string, of: (row: R) => number | null): Column<R> => ({
  id,
  label,
  numeric: true,
  cell: (row) => {
    const seconds = of(row)
    return seconds === null ? <Unknown /> : duration(seconds)
  },
  text: of,
})

const ISIS: FoundList<'isis'> = {
  kind: 'isis',
  label: 'IS-IS',
  gate: 'Route.viewAny',
  what: ['adjacency', 'adjacencies'],
  empty: 'No device reports IS-IS adjacencies',
  columns: () => [
    ...state<FoundRows['isis']>(({ state: word }) => word || 'unknown'),
    portColumn(),
    textColumn('neighbour', 'Neighbour', ({ neighbour }) => neighbour),
    textColumn('address', 'Address', ({ address }) => address),
    textColumn('level', 'Level', ({ usage }) => usage),
    textColumn('area', 'Area', ({ area }) => area),
    secondsColumn('up', 'Up for', ({ up_s }) => up_s),
    secondsColumn('hold', 'Holding time', ({ hold_s }) => hold_s),
  ],
}

const STP: FoundList<'stp'> = {
  kind: 'stp',
  label: 'Spanning tree',
  gate: 'Port.viewAny',
  what: ['spanning tree', 'spanning trees'],
  empty: 'No device reports a spanning tree',
  columns: () => [
    ...state<FoundRows['stp']>(({ is_root }) =>
      is_root === null ? 'root unknown' : is_root ? 'root bridge' : 'has a root',
    ),
    textColumn('instance', 'Tree', ({ instance }) => instance),
    textColumn('protocol', 'Protocol', ({ protocol }) => protocol),
    macColumn('root', 'Root bridge', ({ root }) => root),
    numberColumn('rootPriority', 'Root priority', '', ({ root_priority }) => root_priority),
    {
      id: 'port',
      label: 'Root port',
      class: 'lab',
      cell: ({ port_id, port }) =>
        port_id === null ? (
          <Unknown why="The bridge is the root, or the port is not known" />
        ) : (
          <a class="name" href={`/port/${port_id}`} dir="auto">
            {plain(port ?? '') || `port ${port_id}`}
          </a>
        ),
      text: ({ port }) => port,
    },
    numberColumn('cost', 'Path cost', '', ({ cost }) => cost),
    macColumn('bridge', 'Own address', ({ bridge }) => bridge),
    numberColumn('priority', 'Own priority', '', ({ priority }) => priority),
    numberColumn('changes', 'Topology changes', '', ({ changes }) => changes),
    secondsColumn('since', 'Since the last', ({ since_s }) => since_s),
  ],
}

const STP_PORTS: FoundList<'stp-ports'> = {
  kind: 'stp-ports',
  label: 'Spanning tree ports',
  gate: 'Port.viewAny',
  what: ['port', 'ports'],
  empty: 'No device reports ports of a spanning tree',
  columns: () => [
    ...state<FoundRows['stp-ports']>(({ state: word }) => word || 'unknown'),
    portColumn(),
    textColumn('instance', 'Tree', ({ instance }) => instance),
    textColumn('role', 'Role', ({ role }) => role),
    numberColumn('cost', 'Path cost', '', ({ cost }) => cost),
    numberColumn('priority', 'Priority', '', ({ priority }) => priority),
    macColumn('designated', 'Designated bridge', ({ designated }) => designated),
    numberColumn('transitions', 'Times forwarding', '', ({ transitions }) => transitions),
    textColumn('edge', 'Edge port', ({ edge }) => yesNo(edge)),
  ],
}

const BALANCERS: FoundList<'balancers'> = {
  kind: 'balancers',
  label: 'Load balancing',
  gate: 'Device.viewAny',
  what: ['part', 'virtual servers, pools and members'],
  empty: 'No load balancer reports pools',
  columns: () => [
    ...state<FoundRows['balancers']>(
      ({ level }) => ({ off: 'disabled', ok: 'available', warn: 'degraded', bad: 'unavailable' })[level],
    ),
    textColumn('kind', 'What', ({ kind }) => kind),
    textColumn('name', 'Name', ({ name }) => name),
    textColumn('pool', 'Pool', ({ pool }) => pool),
    textColumn('address', 'Address', ({ address }) => address),
    {
      id: 'members',
      label: 'Members up',
      numeric: true,
      cell: ({ up, members }) => (up === null || members === null ? <Unknown /> : `${up} of ${members}`),
      text: ({ up }) => up,
    },
    textColumn('error', 'Reason', ({ error }) => error),
  ],
}

const SUPPLIES: FoundList<'supplies'> = {
  kind: 'supplies',
  label: 'Supplies',
  gate: 'Device.viewAny',
  what: ['supply', 'supplies'],
  empty: 'No printer reports toner, ink or paper',
  columns: () => [
    ...state<FoundRows['supplies']>(
      ({ level }) => ({ off: 'unknown', ok: 'enough', warn: 'low', bad: 'almost empty' })[level],
    ),
    textColumn('name', 'Supply', ({ name }) => name),
    textColumn('type', 'Type', ({ type }) => type),
    {
      id: 'left',
      label: 'Remaining',
      numeric: true,
      cell: ({ left }) => <Share percent={left} why="The printer does not know" calm />,
      text: ({ left }) => left,
    },
  ],
}

export const OPTICS: FoundList<'optics'> = {
  kind: 'optics',
  label: 'Optics',
  gate: 'Device.viewAny',
  what: ['transceiver', 'transceivers'],
  empty: 'No device reports transceivers',
  columns: () => [
    ...state<FoundRows['optics']>(
      ({ level }) => ({ off: 'no readings', ok: 'within limits', warn: 'near a limit', bad: 'beyond a limit' })[level],
    ),
    portColumn(),
    textColumn('type', 'Type', ({ type }) => type),
    textColumn('vendor', 'Vendor', ({ vendor }) => vendor),
    textColumn('model', 'Model', ({ model }) => model),
    textColumn('serial', 'Serial', ({ serial }) => serial),
    numberColumn('rx', 'Received', 'dBm', ({ rx }) => rx),
    numberColumn('tx', 'Sent', 'dBm', ({ tx }) => tx),
    numberColumn('celsius', 'Temperature', '°C', ({ celsius }) => celsius),
    numberColumn('wavelength', 'Wavelength', 'nm', ({ wavelength }) => wavelength),
    numberColumn('reach', 'Reach', 'm', ({ reach }) => reach),
    textColumn('connector', 'Connector', ({ connector }) => connector),
  ],
}

const RADIOS: FoundList<'radios'> = {
  kind: 'radios',
  label: 'Access points',
  gate: 'Sensor.viewAny',
  what: ['access point or radio', 'access points and radios'],
  empty: 'No device reports values of access points or radios',
  columns: () => [
    ...state<FoundRows['radios']>(
      ({ level }) => ({ off: 'no readings', ok: 'within limits', warn: 'near a limit', bad: 'beyond a limit' })[level],
    ),
    textColumn('name', 'Access point or radio', ({ name }) => name),
    numberColumn('clients', 'Clients', '', ({ clients }) => clients),
    numberColumn('channel', 'Channel', '', ({ channel }) => channel),
    numberColumn('frequency', 'Frequency', 'MHz', ({ frequency }) => frequency),
    numberColumn('power', 'Power', 'dBm', ({ power }) => power),
    numberColumn('noise', 'Noise floor', 'dBm', ({ noise }) => noise),
    numberColumn('snr', 'SNR', 'dB', ({ snr }) => snr),
    {
      id: 'utilisation',
      label: 'Utilisation',
      numeric: true,
      cell: ({ utilisation }) => <Share percent={utilisation} />,
      text: ({ utilisation }) => utilisation,
    },
    numberColumn('quality', 'Quality', '%', ({ quality }) => quality),
  ],
}

/** All lists, in the order in which they are offered. */
export const FOUND_LISTS: readonly { readonly [K in FoundKind]: FoundList<K> }[FoundKind][] = [
  OPTICS,
  RADIOS,
  NAC,
  SECURITY,
  IPSEC,
  MPLS,
  ISIS,
  STP,
  STP_PORTS,
  BALANCERS,
  SUPPLIES,
]
