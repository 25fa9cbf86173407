/** @jsxImportSource #jsx */

import type { FoundKind, FoundRows } from '../../../core/lists/network-service.ts'
import { mac, plain, Share, Time, Unknown } from '../../components/values.tsx'
import { type FoundList, numberColumn, portColumn, state, textColumn } from './columns.tsx'
import { QOS } from './qos-list.tsx'
import { DEFAULT_ROUTES, ISIS, STP, STP_PORTS } from './topology-lists.tsx'

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
  DEFAULT_ROUTES,
  ISIS,
  STP,
  STP_PORTS,
  QOS,
  BALANCERS,
  SUPPLIES,
]
