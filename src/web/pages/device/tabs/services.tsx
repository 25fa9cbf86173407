/** @jsxImportSource #jsx */
import type { ServiceRow } from '../../../../core/lists/service.ts'
import { Pill, type Tone } from '../../../components/icon.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { DeviceText, Empty, plain } from '../../../components/values.tsx'
import { tab } from '../tab.ts'

export const servicesTab = tab<readonly ServiceRow[]>({
  id: 'services',
  label: 'Services',
  gate: 'Service.viewAny',
  count: ({ services }) => services,
  load: ({ services }, { deviceId }) => services.fleet.hostServices(deviceId),
  view: (rows, { query }) => (
    <section class="card">
      {rows.length === 0 ? (
        <Empty title="No services are checked on this device" help={['how-to/service-checks', 'What can be checked']} />
      ) : (
        <Table columns={COLUMNS} rows={rows} query={query} caption="Service checks" />
      )}
    </section>
  ),
})

const STATES: readonly (readonly [Tone, string])[] = [
  ['ok', 'OK'],
  ['warn', 'Warning'],
  ['bad', 'Critical'],
]

const stateOf = ({ service_status, disabled }: ServiceRow): readonly [Tone, string] =>
  disabled === 1 ? ['off', 'Disabled'] : (STATES[service_status] ?? ['off', 'Unknown'])

const COLUMNS: readonly Column<ServiceRow>[] = [
  {
    id: 'name',
    label: 'Service',
    cell: ({ service_id, name, service_type }) => (
      <a class="name" href={`/services/${service_id}`} dir="auto">
        {plain(name ?? service_type)}
      </a>
    ),
  },
  { id: 'state', label: 'State', class: 'r', cell: (row) => <Pill tone={stateOf(row)[0]}>{stateOf(row)[1]}</Pill> },
  { id: 'type', label: 'Check', class: 'dim lab', cell: ({ service_type }) => plain(service_type) },
  {
    id: 'message',
    label: 'Last output',
    class: 'full',
    cell: ({ service_message }) => <DeviceText text={service_message} long />,
  },
]
