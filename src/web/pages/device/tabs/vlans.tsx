/** @jsxImportSource #jsx */
import type { VlanRow } from '../../../../core/lists/service.ts'
import { type Column, Table } from '../../../components/table.tsx'
import { DeviceText, Empty, Unknown } from '../../../components/values.tsx'
import { tab } from '../tab.ts'

export const vlansTab = tab<readonly VlanRow[]>({
  id: 'vlans',
  label: 'VLANs',
  gate: 'Vlan.viewAny',
  count: ({ vlans }) => vlans,
  load: ({ services }, { deviceId }) => services.fleet.vlans(deviceId),
  view: (rows, { query }) => (
    <section class="card">
      {rows.length === 0 ? (
        <Empty
          title="No VLANs have been found"
          help={['how-to/troubleshooting#it-answers-but-things-are-missing', 'When something is missing']}
        />
      ) : (
        <Table columns={COLUMNS} rows={rows} query={query} caption="VLANs" />
      )}
    </section>
  ),
})

const COLUMNS: readonly Column<VlanRow>[] = [
  { id: 'vlan', label: 'VLAN', numeric: true, cell: ({ vlan }) => vlan ?? <Unknown /> },
  { id: 'name', label: 'Name', cell: ({ name }) => <DeviceText text={name} /> },
  { id: 'type', label: 'Type', class: 'dim', cell: ({ type }) => <DeviceText text={type} /> },
  { id: 'ports', label: 'Ports', numeric: true, cell: ({ ports }) => ports },
  { id: 'untagged', label: 'Untagged', numeric: true, cell: ({ untagged }) => untagged },
]
