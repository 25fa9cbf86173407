/** @jsxImportSource #jsx */
import type { SightingKind, SightingRow } from '../../../core/sightings/service.ts'
import type { Column } from '../../components/table.tsx'
import { addressText, mac, plain, Time, Unknown } from '../../components/values.tsx'

/** What each kind of sightings comes from. */
export const KIND_WORDS: Readonly<Record<SightingKind, string>> = {
  fdb: 'FDB',
  arp: 'ARP',
  nd: 'ND',
  nac: 'NAC',
}

/** Device and port of a sighting, `access-1 Gi1/0/3`. */
export const placeOf = ({ device, port }: Pick<SightingRow, 'device' | 'port'>): string =>
  plain([device ?? 'no access to the device:', port ?? ''].join(' '))

const at = (row: SightingRow) =>
  row.port_id === null ? (
    <>
      <a href={`/device/${row.device_id}`} dir="auto">
        {plain(row.device ?? 'no access to the device')}
      </a>
      , a port that no longer exists
    </>
  ) : (
    <a href={`/port/${row.port_id}`} dir="auto">
      {placeOf(row)}
    </a>
  )

/** Sightings as a table. `withMac` false: all are of the same MAC address. */
export const sightingColumns = (nowMs: number, withMac: boolean): readonly Column<SightingRow>[] => [
  ...(withMac
    ? [
        {
          id: 'mac',
          label: 'MAC',
          class: 'mono',
          cell: (row: SightingRow) => <a href={`/mac/${row.mac}`}>{mac(row.mac)}</a>,
          text: (row: SightingRow) => mac(row.mac),
        },
      ]
    : []),
  {
    id: 'place',
    label: 'Device and port',
    class: 'full',
    cell: (row) => (
      <>
        {at(row)}
        {row.alias === null || row.alias === '' ? null : (
          <span class="l2" dir="auto">
            {plain(row.alias)}
          </span>
        )}
      </>
    ),
    text: ({ device, port }) => `${device ?? ''} ${port ?? ''}`,
  },
  {
    id: 'vlan',
    label: 'VLAN',
    numeric: true,
    cell: ({ vlan }) => vlan ?? <Unknown />,
    text: ({ vlan }) => (vlan === null ? '' : String(vlan)),
  },
  {
    id: 'address',
    label: 'Address',
    class: 'r',
    cell: ({ address, username }) => (
      <>
        {address === null ? null : addressText(address)}
        {username === null ? null : (
          <span class="l2" dir="auto">
            {plain(username)}
          </span>
        )}
      </>
    ),
    text: ({ address, username }) => [address, username].filter(Boolean).join(' '),
  },
  { id: 'by', label: 'By', cell: ({ kind }) => KIND_WORDS[kind], text: ({ kind }) => KIND_WORDS[kind] },
  {
    id: 'first',
    label: 'First seen',
    numeric: true,
    cell: ({ first_seen }) => <Time at={first_seen} nowMs={nowMs} />,
    text: ({ first_seen }) => first_seen.toISOString(),
  },
  {
    id: 'last',
    label: 'Last seen',
    numeric: true,
    cell: ({ last_seen, open }) => (
      <>
        <Time at={last_seen} nowMs={nowMs} />
        {open ? <span class="l2">there now</span> : null}
      </>
    ),
    text: ({ last_seen }) => last_seen.toISOString(),
  },
]
