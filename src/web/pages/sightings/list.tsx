/** @jsxImportSource #jsx */
import type { SightingRow } from '../../../core/sightings/service.ts'
import { Chip, CsvLink, NoMatch, oneOf, QuickFind, Segments, textOf } from '../../components/filters.tsx'
import { withQuery } from '../../components/table.tsx'
import { Empty, plain } from '../../components/values.tsx'
import { idOf } from '../../id.ts'
import { listPage } from '../../list-page.tsx'
import { placeOf, sightingColumns } from './columns.tsx'

const STATES = ['now', 'before'] as const

/** Where MAC addresses and IP addresses were seen: of all devices, of a device, or on a port. */
export const sightingsPage = listPage({
  path: '/sightings',
  gate: 'Port.viewAny',
  nav: { label: 'Sightings', icon: 'pin', group: 'main', order: 45 },
  title: 'Sightings',
  caption: 'Sightings',
  what: ['sighting', 'sightings'],
  csv: { name: 'sightings', most: 10_000 },
  query(query) {
    const vlan = Number(query.get('vlan') || Number.NaN)
    return {
      text: textOf(query),
      state: oneOf(query, 'state', STATES),
      deviceId: idOf(query.get('device')),
      portId: idOf(query.get('port')),
      vlan: Number.isInteger(vlan) && vlan > 0 && vlan < 4096 ? vlan : null,
    }
  },
  async load({ services: { sightings }, actor }, { text, state, deviceId, portId, vlan, offset, limit }) {
    const filter = {
      text,
      ...(state !== null && { open: state === 'now' }),
      ...(deviceId !== 0 && { deviceId }),
      ...(portId !== 0 && { portId }),
      ...(vlan !== null && { vlan }),
    }
    return await sightings.list(actor, filter, { offset, limit })
  },
  columns: (_, { nowMs }) => sightingColumns(nowMs, true),
  keyOf: ({ sighting_id }: SightingRow) => `sighting:${sighting_id}`,
  acts: (_, { query }) => <CsvLink query={query} />,
  filters: ({ rows, wanted }, { query }) => {
    const [first] = rows
    const chip = (label: string, name: string, value: string) => (
      <Chip label={label} value={value} href={withQuery(query, { [name]: null })} />
    )
    return (
      <>
        <Segments
          label="State"
          name="state"
          current={wanted.state}
          query={query}
          choices={[
            { value: null, label: 'All' },
            { value: 'now', label: 'There now' },
            { value: 'before', label: 'No longer' },
          ]}
        />
        {wanted.deviceId === 0 ? null : chip('device', 'device', plain(first?.device ?? String(wanted.deviceId)))}
        {wanted.portId === 0
          ? null
          : chip('port', 'port', first === undefined ? String(wanted.portId) : placeOf(first))}
        {wanted.vlan === null ? null : chip('VLAN', 'vlan', String(wanted.vlan))}
        <QuickFind action="/sightings" query={query} text={wanted.text} />
      </>
    )
  },
  empty({ wanted: { text, state, deviceId, portId, vlan } }) {
    if (text !== '' || state !== null || vlan !== null || deviceId !== 0 || portId !== 0)
      return <NoMatch title="No sighting matches" list="/sightings" />
    return (
      <Empty title="No sightings yet" help={['how-to/where-is-it', 'Where stations are read']}>
        <p>
          Discovery records where MAC addresses and IP addresses are: in the forwarding databases of switches, the ARP
          and neighbour tables of routers, and sessions of network access control.
        </p>
      </Empty>
    )
  },
})
